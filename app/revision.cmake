# Writes OUTPUT with the git revision of SOURCE; run at every build, rewrites the file only when it changes.
# The top level must be SOURCE itself: an unpacked archive inside another repository has no revision.
set(revision unknown)
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel
                    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    file(REAL_PATH "${SOURCE}" source)
    if(top AND top STREQUAL source)
        execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD RESULT_VARIABLE failed
                        OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(NOT failed)
            set(revision ${found})
            execute_process(COMMAND ${GIT} -C ${SOURCE} diff-index --quiet HEAD -- RESULT_VARIABLE changed
                            OUTPUT_QUIET ERROR_QUIET)
            if(changed)
                string(APPEND revision "-dirty")
            endif()
        endif()
    endif()
endif()
set(text "#define POISSON3D_REVISION \"${revision}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} old)
endif()
if(NOT text STREQUAL old)
    file(WRITE ${OUTPUT} "${text}")
endif()
