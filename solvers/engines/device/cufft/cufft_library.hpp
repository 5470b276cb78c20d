// cuFFT, opened when it is asked for: a library of hundreds of megabytes, which no program needs that does not ask.
#pragma once

#include <cufft.h>

namespace poisson3d::cufft {

/// The functions of cuFFT that batches use, of the major version whose header this was compiled with. Handles of
/// plans belong to the library, so there is one for the process.
struct Library {
    decltype(&cufftCreate) create = nullptr;
    decltype(&cufftDestroy) destroy = nullptr;
    decltype(&cufftSetAutoAllocation) set_auto_allocation = nullptr;
    decltype(&cufftSetPlanPropertyInt64) set_property = nullptr;
    decltype(&cufftMakePlanMany64) make_plan_many = nullptr;
    decltype(&cufftSetWorkArea) set_work_area = nullptr;
    decltype(&cufftSetStream) set_stream = nullptr;
    decltype(&cufftExecC2C) execute_single = nullptr;
    decltype(&cufftExecZ2Z) execute_double = nullptr;

    /// Looks where pip puts NVIDIA's packages beside this one, then where the linker looks, then in the toolkit of
    /// the build. Throws Error{unsupported} where there is none.
    static const Library& get();
};

}  // namespace poisson3d::cufft
