// Where the modes of a complex line go, one after the other.
#pragma once

#include "pass_modes.hpp"

namespace poisson3d::device {

/// To a line in shared memory …
template <class T>
struct SharedPlace {
    Complex<T>* at;
    POISSON3D_HD void put(bool there, Complex<T> mode) const {
        if (there) lines::store(at, mode);
    }
    POISSON3D_HD void move(int, int elements) { at += elements; }
};

/// … to two columns of the field, `together` as one number of which both are there, or each by itself …
template <bool together, class T>
struct ColumnPlace {
    T* at;
    Index stride;
    bool there, paired;  ///< the first column, and the second one

    POISSON3D_HD void put(bool wanted, Complex<T> mode) const {
        if constexpr (together) {
            if (wanted && paired) lines::store_field(reinterpret_cast<Complex<T>*>(at), mode);
        } else {
            if (wanted && there) at[0] = mode.re;
            if (wanted && paired) at[1] = mode.im;
        }
    }
    POISSON3D_HD void move(int slots, int) { at += slots * stride; }
};

/// … or to shared memory, divided by their eigenvalues.
template <class T, class F>
struct DividedPlace {
    const PassTask<T, F>& task;
    SharedPlace<T> to;
    const T* along;         ///< eigenvalue of the slot
    T re, im;               ///< of the other axes, of both lines
    T* constant = nullptr;  ///< where the constant mode is told, if it is set aside and may be here
    bool paired = true;

    POISSON3D_HD void put(bool wanted, Complex<T> mode) const {
        if (!wanted) return;
        const T lambda = load_table(along);
        T of_re = re + lambda, of_im = im + lambda;
        if (constant != nullptr && along == task.lambda_slots) {
            *constant = mode.re * task.factor;
            mode.re = T(0), of_re = T(1);               // anything but 0
            if (!paired) mode.im = T(0), of_im = T(1);  // a copy of it
        }
        to.put(true, over_eigenvalues(task, mode, of_re, of_im));
    }
    POISSON3D_HD void move(int slots, int elements) { to.move(slots, elements), along += slots; }
};

}  // namespace poisson3d::device
