# The example in Fortran, with a target poisson3d::poisson3d and the variable poisson3d_FORTRAN_SOURCE that
# find_package(poisson3d) sets. Its test is example.solve_box.
add_executable(solve_box ${CMAKE_CURRENT_LIST_DIR}/solve_box.f90 ${poisson3d_FORTRAN_SOURCE})
target_link_libraries(solve_box PRIVATE poisson3d::poisson3d)
set_target_properties(solve_box PROPERTIES Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/solve_box.modules)
add_test(NAME example.solve_box COMMAND solve_box)
