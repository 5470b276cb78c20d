// What the launchers of CUDA transposes share: an element is moved as one word of its size.
#pragma once

#include <vector_types.h>

#include <cstdint>

#include "cuda/launch.hpp"

namespace poisson3d::cuda {

template <int Bytes>
struct WordOf;
template <>
struct WordOf<1> {
    using Type = std::uint8_t;
};
template <>
struct WordOf<2> {
    using Type = std::uint16_t;
};
template <>
struct WordOf<4> {
    using Type = std::uint32_t;
};
template <>
struct WordOf<8> {
    using Type = unsigned long long;
};
template <>
struct WordOf<16> {
    using Type = uint4;
};

/// Calls body(word{}) with the word of elements of 4, 8 or 16 bytes, which can be moved in place.
template <class Body>
void with_wide_word(int element_bytes, Body&& body) {
    switch (element_bytes) {
        case 4: return body(WordOf<4>::Type{});
        case 8: return body(WordOf<8>::Type{});
        default: return body(WordOf<16>::Type{});
    }
}

/// The same for elements of 1 to 16 bytes.
template <class Body>
void with_word(int element_bytes, Body&& body) {
    switch (element_bytes) {
        case 1: return body(WordOf<1>::Type{});
        case 2: return body(WordOf<2>::Type{});
        default: return with_wide_word(element_bytes, body);
    }
}

/// What every device gives a block without being asked.
constexpr int default_shared_bytes = 48 * 1024;

/// Lets the blocks of a kernel have `bytes` of shared memory. Safe from several threads.
template <class Kernel>
void allow_shared(Kernel kernel, int bytes) {
    if (bytes > default_shared_bytes)
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
              "shared memory for a transpose");
}

}  // namespace poisson3d::cuda
