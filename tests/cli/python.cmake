# Sets `python` to a Python that has NumPy and h5py: the system's own, to which Debian's packages belong, or the
# first on the path. If neither has them, the tests find out themselves and show as skipped.
foreach(candidate /usr/bin/python3 python3)
    execute_process(COMMAND ${candidate} -c "import numpy, h5py" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    set(python ${candidate})
    if(NOT failed)
        break()
    endif()
endforeach()
if(failed)
    message(STATUS "poisson3d: no Python with NumPy and h5py: the tests that need it will be skipped")
endif()
