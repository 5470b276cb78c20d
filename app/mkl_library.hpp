// oneMKL's solver of the Helmholtz equation in a box: its functions, found when the program runs.
#pragma once

#include <string>
#include <type_traits>

namespace poisson3d::app {

using MklHandle = void*;  ///< DFTI_DESCRIPTOR_HANDLE

/// What mkl_poisson.h declares for one precision, for MKL_INT = int. In 3-D.
template <class T>
struct MklCalls {
    void (*init)(const T* ax, const T* bx, const T* ay, const T* by, const T* az, const T* bz, const int* nx,
                 const int* ny, const int* nz, const char* walls, const T* q, int* ipar, T* dpar, int* status);
    void (*commit)(T* f, const T* ax, const T* bx, const T* ay, const T* by, const T* az, const T* bz, MklHandle* x,
                   MklHandle* y, int* ipar, T* dpar, int* status);
    void (*solve)(T* f, const T* ax, const T* bx, const T* ay, const T* by, const T* az, const T* bz, MklHandle* x,
                  MklHandle* y, int* ipar, const T* dpar, int* status);
};

/// The library, opened when first asked for and never closed: its threads may still be there.
class MklLibrary {
public:
    static const MklLibrary& get();

    std::string missing;  ///< why it cannot be used; empty if it can
    std::string version;
    MklCalls<float> in_single{};
    MklCalls<double> in_double{};
    void (*free)(MklHandle* x, MklHandle* y, int* ipar, int* status) = nullptr;
    void (*set_threads)(int count) = nullptr;

    template <class T>
    [[nodiscard]] const MklCalls<T>& calls() const {
        if constexpr (std::is_same_v<T, float>)
            return in_single;
        else
            return in_double;
    }

private:
    MklLibrary();
    template <class Function>
    void find(Function& function, const char* name);

    void* library_ = nullptr;
};

}  // namespace poisson3d::app
