# The installed tree: two targets, one include folder, relocatable package files.
include(CMakePackageConfigHelpers)

get_target_property(POISSON3D_TYPE poisson3d TYPE)
set(POISSON3D_STATIC OFF)
if(POISSON3D_TYPE STREQUAL "STATIC_LIBRARY")
    set(POISSON3D_STATIC ON)
endif()
set(POISSON3D_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/poisson3d)

install(TARGETS poisson3d poisson3d_transpose EXPORT poisson3dTargets)
install(EXPORT poisson3dTargets NAMESPACE poisson3d:: DESTINATION ${POISSON3D_PACKAGE_DIR})
foreach(room lib transpose solvers)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/poisson3dConfig.cmake.in
    ${CMAKE_CURRENT_BINARY_DIR}/poisson3dConfig.cmake INSTALL_DESTINATION ${POISSON3D_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/poisson3dConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/poisson3dConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/poisson3dConfigVersion.cmake DESTINATION ${POISSON3D_PACKAGE_DIR})

# pkg-config finds the prefix from where the file lies, so the tree may be moved.
file(RELATIVE_PATH POISSON3D_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" POISSON3D_PC_UP "${POISSON3D_PC_UP}")
set(POISSON3D_PC_REQUIRES "")
set(POISSON3D_PC_LIBS "")
if(POISSON3D_HOST_FFT STREQUAL "fftw")
    set(POISSON3D_PC_REQUIRES "fftw3 fftw3f")
endif()
if(POISSON3D_HAVE_CUDA)
    set(POISSON3D_PC_LIBS "-L${CUDAToolkit_LIBRARY_DIR} -lcufft -lcudart_static -ldl -lrt")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/poisson3d.pc.in ${CMAKE_CURRENT_BINARY_DIR}/poisson3d.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/poisson3d.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
