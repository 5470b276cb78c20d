// What the launchers of CUDA transposes share: an element is moved as one word of its size.
#pragma once

#include <vector_types.h>

#include <cstdint>

#include "cuda/launch.hpp"

namespace poisson3d::cuda {

using Word1 = std::uint8_t;
using Word2 = std::uint16_t;
using Word4 = std::uint32_t;
using Word8 = unsigned long long;
using Word16 = uint4;

/// Calls body(word{}) with the word of elements of 4, 8 or 16 bytes, which can be moved in place.
template <class Body>
void with_wide_word(int element_bytes, Body&& body) {
    switch (element_bytes) {
        case 4: return body(Word4{});
        case 8: return body(Word8{});
        default: return body(Word16{});
    }
}

/// The same for elements of 1 to 16 bytes.
template <class Body>
void with_word(int element_bytes, Body&& body) {
    switch (element_bytes) {
        case 1: return body(Word1{});
        case 2: return body(Word2{});
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
