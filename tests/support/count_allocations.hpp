// Counts every request for heap memory of this program, also those of the libraries it calls. Include it in one
// source file only: it replaces the global operator new and, where the C library is glibc and no sanitizer has
// taken them already, malloc and its relatives.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace poisson3d::test {

inline std::atomic<long> new_calls{0};
inline std::atomic<long> malloc_calls{0};  ///< without those that operator new makes

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
inline constexpr bool counts_malloc = true;
#else
inline constexpr bool counts_malloc = false;
#endif

/// A block for operator new.
inline void* counted_new(std::size_t bytes, std::size_t alignment) {
    ++new_calls;
    if (counts_malloc) --malloc_calls;  // which counts this one below
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* const block = alignment <= alignof(std::max_align_t)
                            ? std::malloc(bytes == 0 ? 1 : bytes)
                            : std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

/// Not inlined, or g++ 12 sees blocks of `operator new` go to free() and warns.
[[gnu::noinline]] inline void counted_delete(void* block) noexcept {
    std::free(block);
}

}  // namespace poisson3d::test

void* operator new(std::size_t bytes) {
    return poisson3d::test::counted_new(bytes, 1);
}
void* operator new[](std::size_t bytes) {
    return poisson3d::test::counted_new(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return poisson3d::test::counted_new(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return poisson3d::test::counted_new(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return poisson3d::test::counted_new(bytes, 1);
    } catch (...) {
        return nullptr;
    }
}
void* operator new[](std::size_t bytes, const std::nothrow_t& nothrow) noexcept {
    return operator new(bytes, nothrow);
}
void operator delete(void* block) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete[](void* block) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete(void* block, std::size_t) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete[](void* block, std::size_t) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    poisson3d::test::counted_delete(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
    poisson3d::test::counted_delete(block);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) noexcept {
    ++poisson3d::test::malloc_calls;
    return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
    ++poisson3d::test::malloc_calls;
    return __libc_calloc(count, bytes);
}
void* realloc(void* block, std::size_t bytes) noexcept {
    ++poisson3d::test::malloc_calls;
    return __libc_realloc(block, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
    ++poisson3d::test::malloc_calls;
    return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return memalign(alignment, bytes);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
    *block = memalign(alignment, bytes);
    return *block == nullptr ? ENOMEM : 0;
}
}
#endif
