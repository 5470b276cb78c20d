#include "line_product.hpp"

#include <limits>

#include "cuda/check.hpp"
#include "poisson3d/error.hpp"

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#include <dlfcn.h>

namespace poisson3d::fused {

/// The functions that are used, by the names they have in the library.
struct LineProducts::Library {
    decltype(&cublasCreate_v2) create = nullptr;
    decltype(&cublasDestroy_v2) destroy = nullptr;
    decltype(&cublasSetStream_v2) set_stream = nullptr;
    decltype(&cublasSetWorkspace_v2) set_workspace = nullptr;
    decltype(&cublasSgemmStridedBatched) multiply_single = nullptr;
    decltype(&cublasDgemmStridedBatched) multiply_double = nullptr;
    std::string missing;  ///< why it cannot be used

    /// Loaded once and never unloaded.
    static const Library& get() {
        static const Library library;
        return library;
    }

private:
    Library() {
        const std::string file = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
        void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        const auto find = [&](auto& function, const char* symbol) {
            if (library != nullptr)
                function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, symbol));
            if (function == nullptr && missing.empty())
                missing = "cuBLAS cannot be loaded: " + std::string(dlerror());
        };
        find(create, "cublasCreate_v2");
        find(destroy, "cublasDestroy_v2");
        find(set_stream, "cublasSetStream_v2");
        find(set_workspace, "cublasSetWorkspace_v2");
        find(multiply_single, "cublasSgemmStridedBatched");
        find(multiply_double, "cublasDgemmStridedBatched");
    }
};

namespace {

/// `what` is no std::string: a long one would be an allocation.
void check(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw Error(status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorCode::out_of_memory : ErrorCode::device,
                std::string(what) + ": cuBLAS ends with status " + std::to_string(static_cast<int>(status)));
}

}  // namespace

LineProducts::LineProducts() {
    if (const std::string reason = unavailable(); !reason.empty()) throw Error(ErrorCode::unsupported, reason);
    cublasHandle_t handle = nullptr;
    check(Library::get().create(&handle), "start of cuBLAS");
    handle_ = handle;
}

LineProducts::~LineProducts() {
    if (handle_ != nullptr && cuda::home().here()) Library::get().destroy(static_cast<cublasHandle_t>(handle_));
}

std::string LineProducts::unavailable() {
    return Library::get().missing;
}

template <class T>
void LineProducts::launch(const LineProduct<T>& product, Stream stream) const {
    const auto handle = static_cast<cublasHandle_t>(handle_);
    const Library& library = Library::get();
    check(library.set_stream(handle, cuda::queue(stream)), "stream of a product");
    check(library.set_workspace(handle, workspace_, workspace_bytes), "workspace of a product");
    const int a = product.axis;
    const int across = slice_axis(a);
    const auto number = [](Index value) {
        if (value <= std::numeric_limits<int>::max()) return static_cast<int>(value);
        throw Error(ErrorCode::unsupported, "a product of lines and a matrix has " + std::to_string(value) +
                                                " elements in a row, more than cuBLAS counts");
    };
    const int n = number(product.in.extents[a]);
    const int slices = number(product.in.extents[across]);
    const T one = 1, zero = 0;
    const auto multiply = [&](auto* gemm) {
        // cuBLAS counts columns first: to it, rows of the field are columns, and M is Mᵀ.
        if (a == 2)
            return gemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, number(product.in.extents[1]), n, &one, product.matrix,
                        n, 0, product.in.data, number(product.in.strides[1]), product.in.strides[across], &zero,
                        product.out.data, number(product.out.strides[1]), product.out.strides[across], slices);
        return gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, number(product.in.extents[2]), n, n, &one, product.in.data,
                    number(product.in.strides[a]), product.in.strides[across], product.matrix, n, 0, &zero,
                    product.out.data, number(product.out.strides[a]), product.out.strides[across], slices);
    };
    if constexpr (sizeof(T) == 8)
        check(multiply(library.multiply_double), "product of lines and a matrix");
    else
        check(multiply(library.multiply_single), "product of lines and a matrix");
}

}  // namespace poisson3d::fused

#else

namespace poisson3d::fused {

LineProducts::LineProducts() {
    throw Error(ErrorCode::unsupported, unavailable());
}
LineProducts::~LineProducts() = default;
std::string LineProducts::unavailable() {
    return "cuBLAS was not there when poisson3d was built";
}
template <class T>
void LineProducts::launch(const LineProduct<T>&, Stream) const {}

}  // namespace poisson3d::fused

#endif

namespace poisson3d::fused {

template void LineProducts::launch(const LineProduct<float>&, Stream) const;
template void LineProducts::launch(const LineProduct<double>&, Stream) const;

}  // namespace poisson3d::fused
