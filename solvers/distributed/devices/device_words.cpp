#include "device_words.hpp"

#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "cuda/check.hpp"

namespace poisson3d {

namespace {

/// Of libcuda.so.1, which the runtime has opened, as its manual declares them.
struct Driver {
    using Address = unsigned long long;
    int (*words)(void* stream, unsigned count, CUstreamBatchMemOpParams* list, unsigned flags) = nullptr;
    int (*range)(Address* base, std::size_t* bytes, Address place) = nullptr;
    int (*words_of)(int error, const char** text) = nullptr;

    static const Driver& get() {
        static const Driver driver;
        return driver;
    }
    [[nodiscard]] bool complete() const { return words != nullptr && range != nullptr && words_of != nullptr; }
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
        find(words, "cuStreamBatchMemOp_v2");
        find(range, "cuMemGetAddressRange_v2");
        find(words_of, "cuGetErrorString");
    }
};

Driver::Address address(const void* place) {
    return reinterpret_cast<std::uintptr_t>(place);
}

/// prepare(what is done to a word, the word) for each: some at a time, in their order.
template <class Prepare>
void add_words(std::span<std::uint32_t* const> words, Stream stream, const char* what, const Prepare& prepare) {
    std::array<CUstreamBatchMemOpParams, 32> list{};
    while (!words.empty()) {
        const std::size_t count = std::min(words.size(), list.size());
        for (std::size_t i = 0; i < count; ++i) prepare(list[i], address(words[i]));
        const Driver& driver = Driver::get();
        driver.check(driver.words(stream.handle, static_cast<unsigned>(count), list.data(), 0), what);
        words = words.subspan(count);
    }
}

}  // namespace

std::string missing_device_words() {
    return Driver::get().complete() ? ""
                                    : "found a driver without waits of streams, wanted that of CUDA 11.7 or later";
}

void set_words(std::span<std::uint32_t* const> words, std::uint32_t value, Stream stream) {
    add_words(words, stream, "words of devices", [value](CUstreamBatchMemOpParams& one, Driver::Address word) {
        one = {};
        one.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
        one.writeValue.address = word;
        one.writeValue.value = value;
        one.writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT;
    });
}

void wait_for_words(std::span<std::uint32_t* const> words, std::uint32_t value, Stream stream) {
    add_words(words, stream, "wait for words", [value](CUstreamBatchMemOpParams& one, Driver::Address word) {
        one = {};
        one.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
        one.waitValue.address = word;
        one.waitValue.value = value;
        one.waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
    });
}

const void* allocation_of(const void* place) {
    Driver::Address base = 0;
    std::size_t bytes = 0;
    Driver::get().check(Driver::get().range(&base, &bytes, address(place)), "memory of a device");
    return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(base));
}

}  // namespace poisson3d
