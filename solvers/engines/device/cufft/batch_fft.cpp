#include "batch_fft.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cuda/check.hpp"
#include "cufft_library.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::cufft {

namespace {

const char* text(cufftResult status) {
    switch (status) {
        case CUFFT_INVALID_PLAN: return "invalid plan";
        case CUFFT_ALLOC_FAILED: return "out of device memory";
        case CUFFT_INVALID_TYPE: return "invalid type";
        case CUFFT_INVALID_VALUE: return "invalid value";
        case CUFFT_INTERNAL_ERROR: return "internal error, or no usable device";
        case CUFFT_EXEC_FAILED: return "execution failed";
        case CUFFT_SETUP_FAILED: return "set-up failed";
        case CUFFT_INVALID_SIZE: return "invalid size";
        case CUFFT_NOT_SUPPORTED: return "not supported";
        default: return "error";
    }
}

/// `what` is no std::string: executions go through here, and a long one would be an allocation.
void check(cufftResult status, const char* what) {
    if (status == CUFFT_SUCCESS) return;
    throw Error(
        status == CUFFT_ALLOC_FAILED ? ErrorCode::out_of_memory : ErrorCode::device,
        std::string(what) + ": cuFFT says " + text(status) + " (" + std::to_string(static_cast<int>(status)) + ")");
}

template <class T>
constexpr bool wide = sizeof(T) == 8;

using cuda::queue;

/// Lengths that are no powers of two gain from kernels compiled for them while planning: 500 double from 2.1 to
/// about 1.1 copies of the data, 513 from 3.0 to about 1.3. It takes tenths of a second, which small batches are
/// not worth.
bool worth_compiling(Index length, Index batch) {
    return (length & (length - 1)) != 0 && length * batch >= (Index{1} << 21);
}

/// Plans `batch` FFTs and returns the bytes of work area.
template <class T>
std::size_t plan_batch(FftHandle& handle, Index length, Index distance, Index batch) {
    long long n = length;
    std::size_t work = 0;
    const auto plan = [&] {
        return Library::get().make_plan_many(handle.get(), 1, &n, &n, 1, distance, &n, 1, distance,
                                             wide<T> ? CUFFT_Z2Z : CUFFT_C2C, batch, &work);
    };
    handle.create();
    if (worth_compiling(length, batch)) {
        if (handle.compile_kernels() && plan() == CUFFT_SUCCESS) return work;
        handle.create();  // the compiler's library is missing: the kernels cuFFT has will do
    }
    const std::string what = "FFT plan of " + std::to_string(batch) + " lines of " + std::to_string(length);
    check(plan(), what.c_str());
    return work;
}

template <class T>
void execute_complex(const FftHandle& handle, void* data, Stream stream) {
    check(Library::get().set_stream(handle.get(), queue(stream)), "stream of an FFT");
    if constexpr (wide<T>) {
        auto* const z = static_cast<cufftDoubleComplex*>(data);
        check(Library::get().execute_double(handle.get(), z, z, CUFFT_FORWARD), "FFT");
    } else {
        auto* const z = static_cast<cufftComplex*>(data);
        check(Library::get().execute_single(handle.get(), z, z, CUFFT_FORWARD), "FFT");
    }
}

}  // namespace

FftHandle::~FftHandle() {
    if (handle_ >= 0 && cuda::home().here())
        static_cast<void>(Library::get().destroy(handle_));  // a destructor has nobody to tell
}

FftHandle::FftHandle(FftHandle&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

FftHandle& FftHandle::operator=(FftHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
}

void FftHandle::create() {
    *this = FftHandle();
    cufftHandle handle = 0;
    check(Library::get().create(&handle), "FFT plan");
    handle_ = handle;
    check(Library::get().set_auto_allocation(handle_, 0), "FFT plan");
}

bool FftHandle::compile_kernels() {
    return Library::get().set_property(handle_, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1) == CUFFT_SUCCESS;
}

template <class T>
BatchFft<T>::BatchFft(Index length, Index distance, Index batch, std::size_t max_work)
    : length_(length), distance_(distance), batch_(batch), part_(batch) {
    if (length == 1 || batch == 0) return;  // the identity, or nothing to do
    work_bytes_ = plan_batch<T>(main_, length, distance, part_);
    for (Index parts = 1; work_bytes_ > max_work && part_ > 1;) {
        parts = std::max(parts + 1, static_cast<Index>((work_bytes_ + max_work - 1) / max_work) * parts);
        part_ = (batch + parts - 1) / parts;
        work_bytes_ = plan_batch<T>(main_, length, distance, part_);
    }
    if (const Index rest = batch % part_; rest != 0)
        work_bytes_ = std::max(work_bytes_, plan_batch<T>(rest_, length, distance, rest));
}

template <class T>
void BatchFft<T>::set_work(void* work) {
    for (const FftHandle* handle : {&main_, &rest_})
        if (!handle->empty()) check(Library::get().set_work_area(handle->get(), work), "work area of an FFT");
}

template <class T>
void BatchFft<T>::execute(void* data, Index first, Index count, Stream stream) const {
    if (main_.empty() || count == 0) return;
    auto* const bytes = static_cast<std::byte*>(data);
    const auto step = static_cast<std::size_t>(part_ * distance_) * 2 * sizeof(T);
    const Index whole = batch_ / part_;
    for (Index p = first / part_; p <= (first + count - 1) / part_; ++p)
        execute_complex<T>(p < whole ? main_ : rest_, bytes + static_cast<std::size_t>(p) * step, stream);
}

template class BatchFft<float>;
template class BatchFft<double>;

}  // namespace poisson3d::cufft
