// What code that host and device share is made of: marks of functions and loops, complex numbers, and which thread
// of a block does which piece of work; the host is one thread that does all.
#pragma once

#include <cstdint>
#include <type_traits>

#ifdef __CUDACC__
#define POISSON3D_HD __host__ __device__ __forceinline__
#define POISSON3D_HD_CALLED __host__ __device__ __noinline__
#else
#define POISSON3D_HD inline __attribute__((always_inline))
#define POISSON3D_HD_CALLED inline __attribute__((noinline))
#endif

/// Before a loop whose turns must become straight code, since they index registers: on the device, and in the inner
/// loops of the host; and before one that must not, for want of them.
#ifdef __CUDA_ARCH__
#define POISSON3D_UNROLL _Pragma("unroll")
#define POISSON3D_ROLLED _Pragma("unroll 1")
#elif defined(POISSON3D_ISA) && defined(__GNUC__) && !defined(__clang__)
#define POISSON3D_UNROLL _Pragma("GCC unroll 16")
#define POISSON3D_ROLLED
#else
#define POISSON3D_UNROLL
#define POISSON3D_ROLLED
#endif

namespace poisson3d {

/// What a number is multiplied with: itself for numbers, one lane for packs of SIMD lanes (which specialise this).
template <class V>
struct ScalarOf {
    using Type = V;
};
template <class V>
using Scalar = typename ScalarOf<V>::Type;

/// A complex number with the operations the steps need; T may be a pack of SIMD lanes.
template <class T>
struct Complex {
    T re, im;

    friend POISSON3D_HD Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    friend POISSON3D_HD Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
    friend POISSON3D_HD Complex operator*(Scalar<T> s, Complex a) { return {s * a.re, s * a.im}; }
    friend POISSON3D_HD Complex times_i(Complex a) { return {-a.im, a.re}; }
};

}  // namespace poisson3d

namespace poisson3d::lines {

/// `count` pieces of work on every line of a block, say its butterflies.
struct WorkItems {
    int count = 0;
    std::uint32_t inverse = 0;  ///< 2^24/count rounded up: exact for blocks of less than 256 · count threads

    WorkItems() = default;
    constexpr explicit WorkItems(int number)
        : count(number), inverse(number > 0 ? ((1U << 24) + number - 1) / number : 0) {}
    static POISSON3D_HD int threads();  ///< BlockThreads::count()
    static POISSON3D_HD int index();    ///< BlockThreads::index()
};

/// The threads of a block; on the host there is one. The number is read where it is needed: kept, it would take a
/// register.
struct BlockThreads {
#ifdef __CUDA_ARCH__
    static __device__ __forceinline__ int index() {
        int number;
        asm volatile("mov.u32 %0, %%tid.x;" : "=r"(number));
        return number;
    }
    static __device__ __forceinline__ int count() {
        return static_cast<int>(blockDim.x);
    }
#else
    static int index() {
        return 0;
    }
    static int count() {
        return 1;
    }
#endif
};

POISSON3D_HD int WorkItems::threads() {
    return BlockThreads::count();
}
POISSON3D_HD int WorkItems::index() {
    return BlockThreads::index();
}

/// The same, shared by the threads of all blocks along the grid's second dimension: of long lines in global memory,
/// whose threads never wait for each other.
struct SharedItems : WorkItems {
    using WorkItems::WorkItems;
#ifdef __CUDA_ARCH__
    static __device__ __forceinline__ int threads() {
        return static_cast<int>(blockDim.x * gridDim.y);
    }
    static __device__ __forceinline__ int index() {
        return static_cast<int>(blockDim.x * blockIdx.y) + BlockThreads::index();
    }
#endif
};

/// As many of them, by as many threads of a device, known when code is compiled.
template <int count_, int threads_>
struct KnownItems {
    static constexpr int count = count_;
    static constexpr std::uint32_t inverse = ((1U << 24) + count - 1) / count;
    static POISSON3D_HD int threads() {
#ifdef __CUDA_ARCH__
        return threads_;
#else
        return 1;
#endif
    }
    static POISSON3D_HD int index() {
        return BlockThreads::index();
    }
};

/// As many items, or one more: an even number, so that neighbouring threads share them two by two.
template <class Items>
POISSON3D_HD Items even_items(const Items& items) {
    return items.count % 2 == 0 ? items : Items(items.count + 1);
}
template <int count, int threads>
POISSON3D_HD KnownItems<count + count % 2, threads> even_items(const KnownItems<count, threads>&) {
    return {};
}

/// What a thread does with neighbouring threads at neighbouring items: items first, first + along, … and of each of
/// them lines line, line + across, … unless it is one of the last threads, which have nothing to do.
struct ThreadShare {
    int first, along, line, across;

    template <class Items>
    POISSON3D_HD explicit ThreadShare(const Items& items) {
        const int thread = items.index();
        const bool many = items.count >= items.threads();
        along = many ? items.threads() : items.count;
        line = many ? 0 : static_cast<int>(thread * items.inverse >> 24);
        across = many ? 1 : static_cast<int>(items.threads() * items.inverse >> 24);
        first = thread - line * along;
    }
    [[nodiscard]] POISSON3D_HD bool idle() const { return line >= across; }
};

/// body(item, line)
template <class Items, class Body>
POISSON3D_HD void along_lines(const Items& items, int lines, const Body& body) {
    const ThreadShare share(items);
    if (share.idle()) return;
    POISSON3D_ROLLED
    for (int item = share.first; item < items.count; item += share.along) POISSON3D_ROLLED
    for (int line = share.line; line < lines; line += share.across) body(item, line);
}

/// A thread has nothing to wait for.
struct NoWait {
    POISSON3D_HD void operator()() const {}
};

/// body(prepare(item), line); all threads wait once: on a device after the first prepare(), which cannot depend on
/// what they wait for.
template <class Items, class Prepare, class Wait, class Body>
POISSON3D_HD void prepared_along_lines(const Items& items, int lines, const Prepare& prepare, const Wait& wait,
                                       const Body& body) {
    const ThreadShare share(items);
    const auto with_lines = [&](const auto& prepared) {
        POISSON3D_ROLLED
        for (int line = share.line; line < lines; line += share.across) body(prepared, line);
    };
#ifdef __CUDA_ARCH__
    constexpr bool early = !std::is_same_v<Wait, NoWait>;
#else
    constexpr bool early = false;
#endif
    if constexpr (early) {
        auto prepared = prepare(share.first);
        wait();
        if (share.idle()) return;
        POISSON3D_ROLLED
        for (int item = share.first; item < items.count;) {
            with_lines(prepared);
            item += share.along;
            if (item < items.count) prepared = prepare(item);
        }
    } else {
        wait();
        if (share.idle()) return;
        POISSON3D_ROLLED
        for (int item = share.first; item < items.count; item += share.along) with_lines(prepare(item));
    }
}

/// body(item, line) with neighbouring threads at neighbouring lines, of which there are 2^shift.
template <class Items, class Body>
POISSON3D_HD void across_lines(const Items& items, int shift, const Body& body) {
    const int units = items.count << shift;
    POISSON3D_ROLLED
    for (int unit = items.index(); unit < units; unit += items.threads())
        body(unit >> shift, unit & ((1 << shift) - 1));
}

/// The same as prepared_along_lines(), with neighbouring threads at neighbouring lines, of which there are a power
/// of two: they read the same tables, and whatever follows the last item of one line is the first one of another.
template <class Items, class Prepare, class Wait, class Body>
POISSON3D_HD void prepared_across_lines(const Items& items, int count, const Prepare& prepare, const Wait& wait,
                                        const Body& body) {
    const auto lines = static_cast<unsigned>(count);
    const unsigned units = static_cast<unsigned>(items.count) * lines;
    auto unit = static_cast<unsigned>(items.index());
    auto prepared = prepare(static_cast<int>((unit < units ? unit : units - 1) / lines));
    wait();
    POISSON3D_ROLLED
    while (unit < units) {
        body(prepared, static_cast<int>(unit % lines));
        unit += static_cast<unsigned>(items.threads());
        if (unit < units) prepared = prepare(static_cast<int>(unit / lines));
    }
}

/// Several items of a thread. Those that are not there stand for the first.
template <int number>
struct ItemGroup {
    int first, along, count;
    [[nodiscard]] POISSON3D_HD bool there(int i) const { return first + i * along < count; }
    [[nodiscard]] POISSON3D_HD int operator[](int i) const { return there(i) ? first + i * along : first; }
};

/// body(group of items, line) with neighbouring threads at neighbouring items, of which so few groups make a line
/// that hardly any is incomplete …
template <int number, class Items, class Body>
POISSON3D_HD void groups_along_lines(const Items& items, int lines, const Body& body) {
    const int threads = items.threads();
    const int half_warps = (items.count + 16 * number - 1) / (16 * number);
    const int along = 16 * half_warps < threads ? 16 * half_warps : threads;
    const int across = threads / along;
    const int first_line = items.index() / along;
    if (first_line >= across) return;
    POISSON3D_ROLLED
    for (int line = first_line; line < lines; line += across) POISSON3D_ROLLED
    for (int item = items.index() - first_line * along; item < items.count; item += number * along)
        body(ItemGroup<number>{item, along, items.count}, line);
}
/// … or lines.
template <int number, class Items, class Body>
POISSON3D_HD void groups_across_lines(const Items& items, int shift, const Body& body) {
    const int threads = items.threads();
    const int lines = 1 << shift;
    const int side_by_side = threads < lines ? threads : lines;
    const int along = threads < lines ? 1 : threads >> shift;
    const int thread = items.index();
    POISSON3D_ROLLED
    for (int line = (thread & (side_by_side - 1)); line < lines; line += side_by_side) POISSON3D_ROLLED
    for (int item = thread >> (threads < lines ? 0 : shift); item < items.count; item += number * along)
        body(ItemGroup<number>{item, along, items.count}, line);
}

}  // namespace poisson3d::lines
