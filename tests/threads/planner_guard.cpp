// FFTW's planner is not thread-safe, and its code is not ours to build with the sanitizer. So its doors stand here
// once more: each notes, without a lock, that somebody came through, and calls the real one. Two threads that come
// through at once race for the note, which the sanitizer sees.
#include "planner_guard.hpp"

#include <dlfcn.h>
#include <fftw3.h>

namespace {

long calls = 0;  // of both precisions: one lock serves both

template <class Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

long poisson3d::test::planner_calls() {
    return calls;
}

extern "C" {

#define POISSON3D_DOORS(prefix)                                                                                  \
    prefix##_plan prefix##_plan_many_dft(int rank, const int* n, int howmany, prefix##_complex* in,              \
                                         const int* inembed, int istride, int idist, prefix##_complex* out,      \
                                         const int* onembed, int ostride, int odist, int sign, unsigned flags) { \
        static const auto next = real<decltype(&prefix##_plan_many_dft)>(#prefix "_plan_many_dft");              \
        ++calls;                                                                                                 \
        return next(rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, sign, flags);   \
    }                                                                                                            \
    void prefix##_destroy_plan(prefix##_plan plan) {                                                             \
        static const auto next = real<decltype(&prefix##_destroy_plan)>(#prefix "_destroy_plan");                \
        ++calls;                                                                                                 \
        next(plan);                                                                                              \
    }
POISSON3D_DOORS(fftw)
POISSON3D_DOORS(fftwf)

}  // extern "C"
