// FFTW's planner is not thread-safe, and its code is not ours to build with the sanitizer. So its doors stand here
// once more: each notes, without a lock, that somebody came through, and calls the real one. Two threads that come
// through at once race for the note, which the sanitizer sees.
#include "planner_guard.hpp"

#include <dlfcn.h>
#include <fftw3.h>

namespace {

long calls = 0;  // of both precisions: one lock serves both

template <class Function>
Function beyond(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

long poisson3d::test::planner_calls() {
    return calls;
}

extern "C" {

#define POISSON3D_DOOR(result, name, parameters, arguments)      \
    result name parameters {                                     \
        static const auto next = beyond<decltype(&name)>(#name); \
        ++calls;                                                 \
        return next arguments;                                   \
    }
#define POISSON3D_DOORS(prefix, real)                                                                          \
    POISSON3D_DOOR(prefix##_plan, prefix##_plan_guru64_split_dft,                                              \
                   (int rank, const prefix##_iodim64* dims, int howmany_rank, const prefix##_iodim64* howmany, \
                    real* ri, real* ii, real* ro, real* io, unsigned flags),                                   \
                   (rank, dims, howmany_rank, howmany, ri, ii, ro, io, flags))                                 \
    POISSON3D_DOOR(void, prefix##_destroy_plan, (prefix##_plan plan), (plan))                                  \
    POISSON3D_DOOR(char*, prefix##_export_wisdom_to_string, (), ())                                            \
    POISSON3D_DOOR(int, prefix##_import_wisdom_from_string, (const char* wisdom), (wisdom))                    \
    POISSON3D_DOOR(void, prefix##_forget_wisdom, (), ())
POISSON3D_DOORS(fftw, double)
POISSON3D_DOORS(fftwf, float)

}  // extern "C"
