// malloc(), calloc() and realloc() for the libraries of this program. HDF5 does not survive a small allocation that
// fails: it crashes, calls exit(-1), or takes what it could not remember for absent. So a small allocation
// succeeds, or the program ends in order. Large ones may fail: whoever asks for so much checks. C++ code uses
// `new`, which throws as always, and fields come from aligned_alloc().
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "poisson3d/output_file.hpp"
#include "process/out_of_memory.hpp"

// The sanitizers have an allocator of their own.
#ifndef POISSON3D_SANITIZED

namespace {

constexpr std::size_t large = std::size_t{16} << 20;

/// The function of that name that would be used if this program had none: the C library's, or a preloaded one.
template <class Function>
Function following(std::atomic<Function>& known, const char* name) noexcept {
    Function found = known.load(std::memory_order_relaxed);
    if (found == nullptr) {
        found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
        known.store(found, std::memory_order_relaxed);
    }
    return found;
}

std::atomic<void* (*)(std::size_t)> next_malloc;
std::atomic<void* (*)(std::size_t, std::size_t)> next_calloc;
std::atomic<void* (*)(void*, std::size_t)> next_realloc;

void* from_malloc(std::size_t bytes) noexcept {
    return following(next_malloc, "malloc")(bytes);
}

void* memory_or_exit(void* memory, std::size_t bytes) noexcept {
    if (memory != nullptr || bytes == 0 || bytes > large) return memory;
    poisson3d::remove_temporary_files();
    _exit(poisson3d::app::end_without_memory());
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void* malloc(std::size_t bytes) noexcept {
    return memory_or_exit(from_malloc(bytes), bytes);
}

__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t bytes) noexcept {
    std::size_t all = 0;
    const bool endless = __builtin_mul_overflow(count, bytes, &all);
    return memory_or_exit(following(next_calloc, "calloc")(count, bytes), endless ? large + 1 : all);
}

__attribute__((visibility("default"))) void* realloc(void* memory, std::size_t bytes) noexcept {
    return memory_or_exit(following(next_realloc, "realloc")(memory, bytes), bytes);
}

}  // extern "C"

__attribute__((visibility("default"))) void* operator new(std::size_t bytes) {
    for (;;) {
        if (void* const memory = from_malloc(bytes == 0 ? 1 : bytes)) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr) throw std::bad_alloc();
        handler();
    }
}

#endif
