# The examples in Fortran, with a target poisson3d::poisson3d and the variable poisson3d_FORTRAN_SOURCE that
# find_package(poisson3d) sets (and poisson3d_mpi_FORTRAN_SOURCE beside poisson3d::mpi). Their tests are example.solve_box,
# example.channel_step and example.projection_ranks_fortran.
foreach(example solve_box channel_step)
    add_executable(${example} ${CMAKE_CURRENT_LIST_DIR}/${example}.f90 ${poisson3d_FORTRAN_SOURCE})
    target_link_libraries(${example} PRIVATE poisson3d::poisson3d)
    set_target_properties(${example} PROPERTIES Fortran_MODULE_DIRECTORY
        ${CMAKE_CURRENT_BINARY_DIR}/${example}.modules)
    add_test(NAME example.${example} COMMAND ${example})
endforeach()

# With ranks of MPI, whose modules belong to one compiler, too.
if(TARGET poisson3d::mpi)
    find_package(MPI QUIET COMPONENTS Fortran)
endif()
if(MPI_Fortran_FOUND AND MPI_Fortran_HAVE_F08_MODULE)
    add_executable(projection_ranks_fortran ${CMAKE_CURRENT_LIST_DIR}/projection_ranks.f90 ${poisson3d_FORTRAN_SOURCE}
        ${poisson3d_mpi_FORTRAN_SOURCE})
    target_link_libraries(projection_ranks_fortran PRIVATE poisson3d::mpi MPI::MPI_Fortran)
    set_target_properties(projection_ranks_fortran PROPERTIES Fortran_MODULE_DIRECTORY
        ${CMAKE_CURRENT_BINARY_DIR}/projection_ranks.modules)
    if(COMMAND poisson3d_run_ranks)
        poisson3d_run_ranks(example.projection_ranks_fortran 4 projection_ranks_fortran)
    else()
        add_test(NAME example.projection_ranks_fortran COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 4
            ${MPIEXEC_PREFLAGS} $<TARGET_FILE:projection_ranks_fortran> ${MPIEXEC_POSTFLAGS})
    endif()
endif()
