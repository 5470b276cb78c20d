// Structures in memory, one for each lane of a warp, at the speed of a plain copy: for your own kernels.
//
//     T value = load_structs(structures + first, count);      // lane i: structures[first + i], i < count ≤ 32
//     store_structs(structures + first, value, count);
//     T value = gather_struct(structures, index);             // each lane its own; a negative index: none
//     scatter_struct(structures, index, value);
//
//     StructSpan<T> span{structures, size};                   // chooses among these, and checks the end
//     T value = span[i];
//     span[i] = value;
//
// When each lane reads its own structure word by word, every instruction of the warp accesses 32 addresses with a
// stride of sizeof(T) bytes. Here the warp reads (or writes) runs of neighbouring words and transposes them in its
// registers, with no shared memory: struct_access_maps.hpp says how.
//
// T is trivially copyable, 1 to 64 words of 4, 8 or 16 bytes; a word is as wide as alignof(T) allows: declare a
// structure of four floats alignas(16) and it moves in one. All 32 lanes of a warp must call, with the same
// `count`. Lanes without a structure get an unspecified value and touch no memory. A structure lives in registers
// while it is moved, 64 words of 4 bytes take 64 of them; above some 100 registers the compiler spills.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

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
    rotate_words<RotateTo::larger, Maps::max_lane>(words, Maps::lane_amount(lane));
#pragma unroll
    for (int i = 0; i < M; ++i) words[i] = shuffle(words[i], Maps::load_lane(i, lane));
    rotate_words<RotateTo::larger, Maps::max_group>(words, Maps::group_amount(lane));
}

/// … and back.
template <int M, class Word>
__device__ __forceinline__ void to_runs(Word (&words)[M], int lane) {
    using Maps = StructAccessMaps<M>;
    rotate_words<RotateTo::smaller, Maps::max_group>(words, Maps::group_amount(lane));
#pragma unroll
    for (int i = 0; i < M; ++i) words[i] = shuffle(words[i], Maps::store_lane(i, lane));
    rotate_words<RotateTo::smaller, Maps::max_lane>(words, Maps::lane_amount(lane));
    store_rows(words);
}

/// A word that a lane reads or writes: in row i of a piece, which is the Count × 32 matrix of words First … First +
/// Count − 1 of each of the warp's structures, one structure after the other.
struct WordAddress {
    bool exists;
    std::int64_t word;
};

/// The first `count` of 32 structures that follow each other.
template <int M>
struct Run {
    int count;

    template <int First, int Count>
    __device__ __forceinline__ WordAddress address(int i, int lane) const {
        // Such that the rows of a run differ from the first by constants.
        if constexpr (Count == M) return {32 * i < count * M - lane, std::int64_t{lane} + std::int64_t{32} * i};
        const int o = 32 * i + lane;
        const int owner = static_cast<int>(static_cast<unsigned>(o) / Count);
        return {owner < count, owner * M + First + (o - owner * Count)};
    }
};

/// Structures that lanes name; a negative index: none.
template <int M>
struct Named {
    std::int64_t index;

    template <int First, int Count>
    __device__ __forceinline__ WordAddress address(int i, int lane) const {
        const int o = 32 * i + lane;
        const int lane_of_it = static_cast<int>(static_cast<unsigned>(o) / Count);
        const std::int64_t owner = __shfl_sync(all_lanes, index, lane_of_it);
        return {owner >= 0, owner * M + First + (o - lane_of_it * Count)};
    }
};

/// Calls body with (first word, words) of every piece. A piece is at most 256 bytes a lane: more registers would
/// spill, and rotations of fewer words take fewer steps.
template <class Words, class Body>
__device__ __forceinline__ void for_each_piece(const Body& body) {
    constexpr int max_words = 256 / static_cast<int>(sizeof(typename Words::Word));
    constexpr int pieces = (Words::count + max_words - 1) / max_words;
    const auto each = [&]<int... P>(std::integer_sequence<int, P...>) {
        (body(std::integral_constant<int, Words::count * P / pieces>{},
              std::integral_constant<int, Words::count*(P + 1) / pieces - Words::count * P / pieces>{}),
         ...);
    };
    each(std::make_integer_sequence<int, pieces>{});
}

template <class T, class Structs>
__device__ __forceinline__ T load(const T* structures, const Structs& structs) {
    using Words = WordsOf<T>;
    using Word = typename Words::Word;
    const int lane = lane_number();
    const auto* const words = reinterpret_cast<const Word*>(structures);
    Words held;
    for_each_piece<Words>(
        [&]<int First, int Count>(std::integral_constant<int, First>, std::integral_constant<int, Count>) {
            Word piece[Count];
#pragma unroll
            for (int i = 0; i < Count; ++i) {
                const WordAddress at = structs.template address<First, Count>(i, lane);
                piece[i] = at.exists ? words[at.word] : Word{};
            }
            to_own(piece, lane);
#pragma unroll
            for (int i = 0; i < Count; ++i) held.words[First + i] = piece[i];
        });
    T value;
    __builtin_memcpy(&value, &held, sizeof value);
    return value;
}

template <class T, class Structs>
__device__ __forceinline__ void store(T* structures, const Structs& structs, const T& value) {
    using Words = WordsOf<T>;
    using Word = typename Words::Word;
    const int lane = lane_number();
    auto* const words = reinterpret_cast<Word*>(structures);
    Words held;
    __builtin_memcpy(&held, &value, sizeof held);
    for_each_piece<Words>(
        [&]<int First, int Count>(std::integral_constant<int, First>, std::integral_constant<int, Count>) {
            Word piece[Count];
#pragma unroll
            for (int i = 0; i < Count; ++i) piece[i] = held.words[First + i];
            to_runs(piece, lane);
#pragma unroll
            for (int i = 0; i < Count; ++i) {
                const WordAddress at = structs.template address<First, Count>(i, lane);
                if (at.exists) words[at.word] = piece[i];
            }
        });
}

}  // namespace struct_access

template <class T>
__device__ __forceinline__ T load_structs(const T* from, int count = 32) {
    return struct_access::load(from, struct_access::Run<struct_access::WordsOf<T>::count>{count});
}

template <class T>
__device__ __forceinline__ void store_structs(T* to, const T& value, int count = 32) {
    struct_access::store(to, struct_access::Run<struct_access::WordsOf<T>::count>{count}, value);
}

template <class T>
__device__ __forceinline__ T gather_struct(const T* structures, std::int64_t index) {
    return struct_access::load(structures, struct_access::Named<struct_access::WordsOf<T>::count>{index});
}

/// Two lanes that name the same structure leave words of either.
template <class T>
__device__ __forceinline__ void scatter_struct(T* structures, std::int64_t index, const T& value) {
    struct_access::store(structures, struct_access::Named<struct_access::WordsOf<T>::count>{index}, value);
}

/// `size` structures; [i] refers to a structure; all lanes of a warp read or write theirs together. Neighbouring
/// lanes that name neighbouring structures cost what load_structs does; an i outside [0, size) is no structure.
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
        const __device__ __forceinline__ Place& operator=(const std::remove_const_t<T>& value) const {
            if (is_run())
                store_structs(span_.structures_ + first_, value, count());
            else
                scatter_struct(span_.structures_, index(), value);
            return *this;
        }
        const __device__ __forceinline__ Place& operator=(const Place& other) const {
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
