// A copy by a kernel in which each thread holds one whole structure: reached directly, or by the warp together.
#include <string>
#include <utility>

#include "common/cuda_words.hpp"
#include "poisson3d/struct_access.cuh"
#include "structure_access.hpp"

namespace poisson3d::test {

namespace {

constexpr int threads = 256;

template <class Word, int M>
struct alignas(sizeof(Word)) Structure {
    Word words[M];
};

/// Structures of a thread: small ones are several, or there would be too little on its way to hide the wait for it.
template <class T>
constexpr int each = sizeof(T) >= 16 ? 1 : 16 / static_cast<int>(sizeof(T));

template <class T>
__global__ void __launch_bounds__(threads)
    copy_directly(const T* __restrict__ in, T* __restrict__ out, Index count) {
    const Index i = static_cast<Index>(blockIdx.x) * threads * each<T> + threadIdx.x;
    T value[each<T>];
#pragma unroll
    for (int e = 0; e < each<T>; ++e)
        if (i + e * threads < count) value[e] = in[i + e * threads];
#pragma unroll
    for (int e = 0; e < each<T>; ++e)
        if (i + e * threads < count) out[i + e * threads] = value[e];
}

template <class T>
__global__ void __launch_bounds__(threads) copy_together(const T* in, T* out, Index count) {
    const Index first = static_cast<Index>(blockIdx.x) * threads * each<T> + threadIdx.x / 32 * 32;
    const auto here = [&](int e) {
        return static_cast<int>(max(min(count - first - e * threads, Index{32}), Index{0}));
    };
    T value[each<T>];
#pragma unroll
    for (int e = 0; e < each<T>; ++e) value[e] = load_structs(in + first + e * threads, here(e));
#pragma unroll
    for (int e = 0; e < each<T>; ++e) store_structs(out + first + e * threads, value[e], here(e));
}

/// In reverse order, so that no lane has its neighbour's neighbour.
template <class T>
__global__ void __launch_bounds__(threads) copy_gathered(const T* in, T* out, Index count) {
    const Index last = count - 1 - (static_cast<Index>(blockIdx.x) * threads * each<T> + threadIdx.x);
    T value[each<T>];
#pragma unroll
    for (int e = 0; e < each<T>; ++e) value[e] = gather_struct(in, last - e * threads);
#pragma unroll
    for (int e = 0; e < each<T>; ++e) scatter_struct(out, last - e * threads, value[e]);
}

template <class Word, int M>
void launch(const void* in, void* out, Index count, StructureAccess access, cudaStream_t stream) {
    using T = Structure<Word, M>;
    const auto kernel = access == StructureAccess::direct        ? &copy_directly<T>
                        : access == StructureAccess::cooperative ? &copy_together<T>
                                                                 : &copy_gathered<T>;
    kernel<<<cuda::blocks(cuda::divide_up(count, Index{threads} * each<T>)), threads, 0, stream>>>(
        static_cast<const T*>(in), static_cast<T*>(out), count);
    cuda::check(cudaGetLastError(), "launch of a copy of structures");
}

/// Compiled in: each takes its time to compile.
template <class Body>
bool with_words(int words, const Body& body) {
    const auto one_of = [&]<int... M>(std::integer_sequence<int, M...>) {
        return ((words == M && (body(std::integral_constant<int, M>{}), true)) || ...);
    };
    return one_of(std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 31, 32, 33, 48, 64>{});
}

}  // namespace

bool copies_structures_of(int words) noexcept {
    return with_words(words, [](auto) {});
}

void copy_structures(const void* in, void* out, Index count, int words, int word_bytes, StructureAccess access,
                     Stream stream) {
    if (word_bytes != 4 && word_bytes != 8 && word_bytes != 16)
        throw Error(ErrorCode::usage,
                    "structures: found words of " + std::to_string(word_bytes) + " bytes, wanted 4, 8 or 16");
    if (count <= 0) throw Error(ErrorCode::usage, "structures: found a count of " + std::to_string(count));
    const auto queue = cuda::queue(stream);
    const bool known = with_words(words, [&]<int M>(std::integral_constant<int, M>) {
        if (word_bytes == 4) return launch<unsigned, M>(in, out, count, access, queue);
        if (word_bytes == 8) return launch<uint2, M>(in, out, count, access, queue);
        return launch<uint4, M>(in, out, count, access, queue);
    });
    if (!known)
        throw Error(ErrorCode::unsupported, "structures of " + std::to_string(words) +
                                                " words are not among those that copies are compiled for");
}

}  // namespace poisson3d::test
