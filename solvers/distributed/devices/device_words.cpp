#include "device_words.hpp"

#include <dlfcn.h>

#include <cstddef>

#include "cuda/check.hpp"

namespace poisson3d {

namespace {

/// Of libcuda.so.1, which the runtime has opened, as its manual declares them.
struct Driver {
    using Address = unsigned long long;
    int (*set)(void* stream, Address word, std::uint32_t value, unsigned flags) = nullptr;
    int (*wait)(void* stream, Address word, std::uint32_t value, unsigned flags) = nullptr;
    int (*range)(Address* base, std::size_t* bytes, Address place) = nullptr;
    int (*words_of)(int error, const char** text) = nullptr;

    static const Driver& get() {
        static const Driver driver;
        return driver;
    }
    [[nodiscard]] bool complete() const {
        return set != nullptr && wait != nullptr && range != nullptr && words_of != nullptr;
    }
    void check(int result, const char* what) const {
        if (result == 0) return;
        const char* text = nullptr;
        words_of(result, &text);
        throw Error(ErrorCode::device, std::string(what) + ": " + (text == nullptr ? "refused" : text));
    }

private:
    Driver() {
        void* const handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) return;
        const auto find = [handle](auto& function, const char* symbol) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
        };
        find(set, "cuStreamWriteValue32_v2");
        find(wait, "cuStreamWaitValue32_v2");
        find(range, "cuMemGetAddressRange_v2");
        find(words_of, "cuGetErrorString");
    }
};

Driver::Address address(const void* place) {
    return reinterpret_cast<std::uintptr_t>(place);
}

}  // namespace

std::string missing_device_words() {
    return Driver::get().complete() ? ""
                                    : "found a driver without waits of streams, wanted that of CUDA 11.7 or later";
}

void set_word(std::uint32_t* word, std::uint32_t value, Stream stream) {
    Driver::get().check(Driver::get().set(stream.handle, address(word), value, 0), "word of a device");
}

void wait_for_word(const std::uint32_t* word, std::uint32_t value, Stream stream) {
    constexpr unsigned not_less = 0;
    Driver::get().check(Driver::get().wait(stream.handle, address(word), value, not_less), "wait for a word");
}

const void* allocation_of(const void* place) {
    Driver::Address base = 0;
    std::size_t bytes = 0;
    Driver::get().check(Driver::get().range(&base, &bytes, address(place)), "memory of a device");
    return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(base));
}

}  // namespace poisson3d
