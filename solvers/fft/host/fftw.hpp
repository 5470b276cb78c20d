// FFTW's two precisions under one set of names.
#pragma once

#include <fftw3.h>

namespace poisson3d::host {

template <class T>
struct Fftw;

template <>
struct Fftw<double> {
    using Plan = fftw_plan;
    using Dimension = fftw_iodim64;
    static constexpr auto plan = fftw_plan_guru64_split_dft;
    static constexpr auto execute = fftw_execute_split_dft;
    static constexpr auto destroy = fftw_destroy_plan;
    static constexpr auto wisdom = fftw_export_wisdom_to_string;
    static constexpr auto learn = fftw_import_wisdom_from_string;
    static constexpr auto forget = fftw_forget_wisdom;
    static constexpr const char* name = "fftw";
};

template <>
struct Fftw<float> {
    using Plan = fftwf_plan;
    using Dimension = fftwf_iodim64;
    static constexpr auto plan = fftwf_plan_guru64_split_dft;
    static constexpr auto execute = fftwf_execute_split_dft;
    static constexpr auto destroy = fftwf_destroy_plan;
    static constexpr auto wisdom = fftwf_export_wisdom_to_string;
    static constexpr auto learn = fftwf_import_wisdom_from_string;
    static constexpr auto forget = fftwf_forget_wisdom;
    static constexpr const char* name = "fftwf";
};

}  // namespace poisson3d::host
