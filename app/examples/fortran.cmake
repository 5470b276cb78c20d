# The examples in Fortran, with a target poisson3d::poisson3d and the variable poisson3d_FORTRAN_SOURCE that
# find_package(poisson3d) sets. Their tests are example.solve_box and example.channel_step.
foreach(example solve_box channel_step)
    add_executable(${example} ${CMAKE_CURRENT_LIST_DIR}/${example}.f90 ${poisson3d_FORTRAN_SOURCE})
    target_link_libraries(${example} PRIVATE poisson3d::poisson3d)
    set_target_properties(${example} PROPERTIES Fortran_MODULE_DIRECTORY
        ${CMAKE_CURRENT_BINARY_DIR}/${example}.modules)
    add_test(NAME example.${example} COMMAND ${example})
endforeach()
