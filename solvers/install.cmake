# The installed tree: two libraries with an export set each, so that poisson3d::transpose is found without what the
# solvers need; one include folder; relocatable package files.
include(CMakePackageConfigHelpers)

get_target_property(POISSON3D_TYPE poisson3d TYPE)
set(POISSON3D_STATIC OFF)
if(POISSON3D_TYPE STREQUAL "STATIC_LIBRARY")
    set(POISSON3D_STATIC ON)
endif()
set(POISSON3D_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/poisson3d)

install(TARGETS poisson3d_transpose EXPORT poisson3d_transposeTargets)
install(TARGETS poisson3d EXPORT poisson3dTargets)
set(sets poisson3d_transposeTargets poisson3dTargets)
set(packages poisson3d poisson3d-transpose)
if(POISSON3D_HAVE_MPI)
    install(TARGETS poisson3d_mpi EXPORT poisson3d_mpiTargets)
    install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/mpi/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    list(APPEND sets poisson3d_mpiTargets)
    list(APPEND packages poisson3d-mpi)
endif()
foreach(set ${sets})
    install(EXPORT ${set} NAMESPACE poisson3d:: DESTINATION ${POISSON3D_PACKAGE_DIR})
endforeach()
foreach(room lib transpose solvers)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/poisson3dConfig.cmake.in
    ${CMAKE_CURRENT_BINARY_DIR}/poisson3dConfig.cmake INSTALL_DESTINATION ${POISSON3D_PACKAGE_DIR}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/poisson3dConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/poisson3dConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/poisson3dConfigVersion.cmake DESTINATION ${POISSON3D_PACKAGE_DIR})

# pkg-config finds the prefix from where the file lies, so the tree may be moved; folders outside it stay as they are.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(POISSON3D_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH POISSON3D_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" POISSON3D_PC_UP "${POISSON3D_PC_UP}")
    set(POISSON3D_PC_PREFIX "\${pcfiledir}/${POISSON3D_PC_UP}")
endif()
foreach(dir LIBDIR INCLUDEDIR)
    set(POISSON3D_PC_${dir} "${CMAKE_INSTALL_${dir}}")
    if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
        set(POISSON3D_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
    endif()
endforeach()
# A shared library brings along what it needs; a static one leaves that to whoever links it, so `--libs` says it.
set(POISSON3D_PC_SOLVER_LIBS "")
set(POISSON3D_PC_LIBS "")
if(POISSON3D_STATIC)
    set(POISSON3D_PC_LIBS " -lstdc++ -lm -pthread")
    if(POISSON3D_HAVE_CUDA)
        set(POISSON3D_PC_LIBS " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt${POISSON3D_PC_LIBS}")
    endif()
endif()
foreach(package ${packages})
    configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
