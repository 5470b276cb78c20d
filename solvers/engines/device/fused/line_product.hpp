// Lines times a matrix, by cuBLAS: all lines of slices of a field at once, a multiplication of matrices for each
// slice.
//
//     lines along    slices    a slice, by rows    becomes
//     x              y         n × n_z             M · slice
//     y              x         n × n_z             M · slice
//     z              x         n_y × n             slice · Mᵀ
//
// cuBLAS is loaded when the first plan wants it: a program that links it starts 0.2 s later and takes 220 MB more.
#pragma once

#include <memory>
#include <string>

#include "poisson3d/field.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::fused {

/// out := M times the lines of `in` along `axis`. In and out do not overlap.
template <class T>
struct LineProduct {
    const T* matrix;  ///< n × n, by rows
    int axis;
    FieldView<const T> in;
    FieldView<T> out;
};

/// The axis across which a field is cut into slices.
constexpr int slice_axis(int axis) {
    return axis == 0 ? 1 : 0;
}

/// cuBLAS on the current device.
class LineProducts {
public:
    static constexpr std::size_t workspace_bytes = std::size_t{8} << 20;  ///< what cuBLAS may use

    /// Throws Error{unsupported} with unavailable(), Error{device}.
    LineProducts();
    ~LineProducts();
    LineProducts(const LineProducts&) = delete;
    LineProducts& operator=(const LineProducts&) = delete;

    /// Why there is no cuBLAS; empty if there is.
    static std::string unavailable();

    /// Before any product.
    void bind(void* workspace) noexcept { workspace_ = workspace; }

    /// Asynchronous on `stream`; throws Error{device} when refused.
    template <class T>
    void launch(const LineProduct<T>& product, Stream stream) const;

private:
    struct Library;
    void* handle_ = nullptr;
    void* workspace_ = nullptr;
};

}  // namespace poisson3d::fused
