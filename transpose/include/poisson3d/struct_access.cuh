// Structures in memory, one for each lane of a warp, at the speed of a plain copy: for your own kernels.
//
//     T value = load_structs(structures + first, count);      // lane i: structures[first + i], i < count ≤ 32
//     store_structs(structures + first, value, count);
//     T value = gather_struct(structures, index);             // each lane its own; a negative index: none
//     scatter_struct(structures, index, value);
//
//     StructSpan<T> span{structures, size};                   // chooses among these, and minds the end
//     T value = span[i];
//     span[i] = value;
//
// When each lane reads its own structure word by word, a warp touches 32 places sizeof(T) bytes apart with every
// instruction. Here the warp reads (or writes) runs of neighbouring words and transposes them in its registers,
// with no shared memory: struct_access_maps.hpp says how.
//
// T is trivially copyable, 1 to 64 words of 4, 8 or 16 bytes; a word is as wide as alignof(T) allows: declare a
// structure of four floats alignas(16) and it moves in one. All 32 lanes of a warp must call, with the same
// `count`. Lanes without a structure get an unspecified value and touch no memory. A structure lives in registers
// while it is moved, 64 words of 4 bytes take 64 of them; above some 100 registers the compiler spills.
#pragma once

#include <cstdint>
#include <type_traits>

#include "poisson3d/struct_access_maps.hpp"

namespace poisson3d {

namespace struct_access {

inline constexpr unsigned all_lanes = 0xffffffffU;

template <int Bytes>
struct WordOf;
template <>
struct WordOf<4> {
    using Type = unsigned;
};
template <>
struct WordOf<8> {
    using Type = uint2;
};
template <>
struct WordOf<16> {
    using Type = uint4;
};

/// The widest word that every T in an array is aligned to.
template <class T>
inline constexpr int word_bytes = alignof(T) >= 16 ? 16 : static_cast<int>(alignof(T));

template <class T>
struct WordsOf {
    static_assert(std::is_trivially_copyable_v<T>, "structures are moved as words");
    static_assert(word_bytes<T> >= 4, "words have 4, 8 or 16 bytes: align the structure to one of these");
    using Word = typename WordOf<word_bytes<T>>::Type;
    static constexpr int count = static_cast<int>(sizeof(T)) / word_bytes<T>;
    Word words[count];
};

__device__ __forceinline__ int lane_number() {
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__device__ __forceinline__ unsigned shuffle(unsigned word, int lane) {
    return __shfl_sync(all_lanes, word, lane);
}
__device__ __forceinline__ uint2 shuffle(uint2 word, int lane) {
    return {shuffle(word.x, lane), shuffle(word.y, lane)};
}
__device__ __forceinline__ uint4 shuffle(uint4 word, int lane) {
    return {shuffle(word.x, lane), shuffle(word.y, lane), shuffle(word.z, lane), shuffle(word.w, lane)};
}

/// Word 32i + j of the warp's structures → word i of structure j.
template <int M, class Word>
__device__ __forceinline__ void to_own(Word (&words)[M], int lane) {
    using Maps = StructAccessMaps<M>;
    load_rows(words);
    rotate_words<RotateTo::larger, Maps::most_lane>(words, Maps::lane_amount(lane));
#pragma unroll
    for (int i = 0; i < M; ++i) words[i] = shuffle(words[i], Maps::load_lane(i, lane));
    rotate_words<RotateTo::larger, Maps::most_group>(words, Maps::group_amount(lane));
}

/// … and back.
template <int M, class Word>
__device__ __forceinline__ void to_runs(Word (&words)[M], int lane) {
    using Maps = StructAccessMaps<M>;
    rotate_words<RotateTo::smaller, Maps::most_group>(words, Maps::group_amount(lane));
#pragma unroll
    for (int i = 0; i < M; ++i) words[i] = shuffle(words[i], Maps::store_lane(i, lane));
    rotate_words<RotateTo::smaller, Maps::most_lane>(words, Maps::lane_amount(lane));
    store_rows(words);
}

/// The offset in words that this lane reads or writes in row i, when lanes name structures; negative: none.
template <int M>
__device__ __forceinline__ std::int64_t named_word(std::int64_t index, int i, int lane) {
    const unsigned o = 32U * static_cast<unsigned>(i) + static_cast<unsigned>(lane);
    const std::int64_t owner = __shfl_sync(all_lanes, index, static_cast<int>(o / M));
    return owner < 0 ? -1 : owner * M + o % M;
}

}  // namespace struct_access

template <class T>
__device__ __forceinline__ T load_structs(const T* from, int count = 32) {
    using Words = struct_access::WordsOf<T>;
    const int lane = struct_access::lane_number();
    const auto* const run = reinterpret_cast<const typename Words::Word*>(from) + lane;
    const int left = count * Words::count - lane;
    Words held;
#pragma unroll
    for (int i = 0; i < Words::count; ++i) held.words[i] = 32 * i < left ? run[32 * i] : typename Words::Word{};
    struct_access::to_own(held.words, lane);
    T value;
    __builtin_memcpy(&value, &held, sizeof value);
    return value;
}

template <class T>
__device__ __forceinline__ void store_structs(T* to, const T& value, int count = 32) {
    using Words = struct_access::WordsOf<T>;
    const int lane = struct_access::lane_number();
    auto* const run = reinterpret_cast<typename Words::Word*>(to) + lane;
    const int left = count * Words::count - lane;
    Words held;
    __builtin_memcpy(&held, &value, sizeof held);
    struct_access::to_runs(held.words, lane);
#pragma unroll
    for (int i = 0; i < Words::count; ++i)
        if (32 * i < left) run[32 * i] = held.words[i];
}

template <class T>
__device__ __forceinline__ T gather_struct(const T* structures, std::int64_t index) {
    using Words = struct_access::WordsOf<T>;
    const int lane = struct_access::lane_number();
    const auto* const words = reinterpret_cast<const typename Words::Word*>(structures);
    Words held;
#pragma unroll
    for (int i = 0; i < Words::count; ++i) {
        const std::int64_t at = struct_access::named_word<Words::count>(index, i, lane);
        held.words[i] = at >= 0 ? words[at] : typename Words::Word{};
    }
    struct_access::to_own(held.words, lane);
    T value;
    __builtin_memcpy(&value, &held, sizeof value);
    return value;
}

/// Two lanes that name the same structure leave words of either.
template <class T>
__device__ __forceinline__ void scatter_struct(T* structures, std::int64_t index, const T& value) {
    using Words = struct_access::WordsOf<T>;
    const int lane = struct_access::lane_number();
    auto* const words = reinterpret_cast<typename Words::Word*>(structures);
    Words held;
    __builtin_memcpy(&held, &value, sizeof held);
    struct_access::to_runs(held.words, lane);
#pragma unroll
    for (int i = 0; i < Words::count; ++i) {
        const std::int64_t at = struct_access::named_word<Words::count>(index, i, lane);
        if (at >= 0) words[at] = held.words[i];
    }
}

/// `size` structures; [i] is a place that a whole warp reads and writes together. Neighbouring lanes that name
/// neighbouring structures cost what load_structs does; an i outside [0, size) is no structure.
template <class T>
class StructSpan {
public:
    __device__ __forceinline__ StructSpan(T* structures, std::int64_t size)
        : structures_(structures), size_(size) {}

    class Place {
    public:
        __device__ __forceinline__ operator std::remove_const_t<T>() const {
            if (is_run()) return load_structs<std::remove_const_t<T>>(span_.structures_ + first_, count());
            return gather_struct<std::remove_const_t<T>>(span_.structures_, index());
        }
        __device__ const __forceinline__ Place& operator=(const std::remove_const_t<T>& value) const {
            if (is_run())
                store_structs(span_.structures_ + first_, value, count());
            else
                scatter_struct(span_.structures_, index(), value);
            return *this;
        }
        __device__ const __forceinline__ Place& operator=(const Place& other) const {
            return *this = static_cast<std::remove_const_t<T>>(other);
        }
        Place(const Place&) = default;

    private:
        friend class StructSpan;
        __device__ __forceinline__ Place(const StructSpan& span, std::int64_t i)
            : span_(span), i_(i), first_(__shfl_sync(struct_access::all_lanes, i, 0)) {}
        [[nodiscard]] __device__ __forceinline__ bool is_run() const {
            return first_ >= 0 && __all_sync(struct_access::all_lanes, i_ == first_ + struct_access::lane_number());
        }
        /// Of the run, what lies before the end.
        [[nodiscard]] __device__ __forceinline__ int count() const {
            const std::int64_t left = span_.size_ - first_;
            return left >= 32 ? 32 : left > 0 ? static_cast<int>(left) : 0;
        }
        [[nodiscard]] __device__ __forceinline__ std::int64_t index() const { return i_ < span_.size_ ? i_ : -1; }

        StructSpan span_;
        std::int64_t i_, first_;
    };

    __device__ __forceinline__ Place operator[](std::int64_t i) const { return Place(*this, i); }

private:
    T* structures_;
    std::int64_t size_;
};

}  // namespace poisson3d
