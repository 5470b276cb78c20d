// The passes of complex lines executed on the host: every block by one thread.
#include <cmath>
#include <stdexcept>
#include <vector>

#include "complex_planes.hpp"
#include "complex_symbol.hpp"
#include "square_lines.hpp"

namespace poisson3d::fused {

namespace {

template <bool half, class T, class Line>
void run_blocks(ComplexPass pass, const ComplexTask<T, Line>& task, int chunks, const BlockShape& shape) {
    std::vector<Complex<T>> shared(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    with_complex_pass(pass, [&]<ComplexPass which>() {
        for (Index b = 0; b < chunks * task.slow; ++b)
            run_complex_block<which, half>(task, static_cast<int>(b % chunks), static_cast<int>(b / chunks),
                                           shared.data(), NoWait{});
    });
}

template <class T, class Line>
void run_symbol(bool slots, const ComplexTask<T, Line>& task, const SummedSymbol<T>& symbol, int chunks, int groups,
                const BlockShape& shape) {
    std::vector<Complex<T>> shared(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    for (int b = 0; b < chunks * groups; ++b)
        if (slots)
            run_complex_symbol<true>(task, symbol, b % chunks, b / chunks, shared.data(), NoWait{});
        else
            run_complex_symbol<false>(task, symbol, b % chunks, b / chunks, shared.data(), NoWait{});
}

template <bool slots, int r, class T>
void run_square_middle(const ComplexTask<T>& task, const SummedSymbol<T>& symbol, int chunks, int groups,
                       const BlockShape& shape) {
    std::vector<T> shared(shape.bytes / sizeof(T), T(NAN));
    for (int b = 0; b < chunks * groups; ++b)
        run_square_symbol<slots, r>(task, symbol, b % chunks, b / chunks, shared.data(), NoWait{});
}

}  // namespace

template <int rows, class T>
bool launch_known_complex_pass(ComplexPass pass, const ComplexTask<T>& task, const BlockShape& shape, bool,
                               Stream) {
    const int chunks = complex_chunks(task, in_rows(pass));
    ComplexTask<T, KnownComplex<T, rows>> known;
    if (!set_known<T, rows>(known, task)) return false;
    run_blocks<true>(pass, known, chunks, shape);
    return true;
}
template <int rows, class T>
bool launch_known_complex_symbol(bool slots, const ComplexTask<T>& task, const SummedSymbol<T>& symbol, int groups,
                                 const BlockShape& shape, bool, Stream) {
    const int chunks = complex_chunks(task, false);
    if constexpr (square_radix(rows) > 0) {
        slots ? run_square_middle<true, square_radix(rows)>(task, symbol, chunks, groups, shape)
              : run_square_middle<false, square_radix(rows)>(task, symbol, chunks, groups, shape);
    } else {
        ComplexTask<T, KnownComplex<T, rows>> known;
        if (!set_known<T, rows>(known, task)) return false;
        run_symbol(slots, known, symbol, chunks, groups, shape);
    }
    return true;
}

template <class T>
void launch_complex_pass(ComplexPass pass, bool half, const ComplexTask<T>& task, const BlockShape& shape,
                         bool early, Stream stream) {
    const auto known = [&]<int rows>() {
        return launch_known_complex_pass<rows>(pass, task, shape, early, stream);
    };
    if (half && with_known_rows(8 * task.butterflies(), known)) return;
    const int chunks = complex_chunks(task, in_rows(pass));
    if (half)
        run_blocks<true>(pass, task, chunks, shape);
    else
        run_blocks<false>(pass, task, chunks, shape);
}
template <class T>
void launch_complex_symbol(bool slots, const ComplexTask<T>& task, const SummedSymbol<T>& symbol, int groups,
                           const BlockShape& shape, bool early, Stream stream) {
    const auto known = [&]<int rows>() {
        return launch_known_complex_symbol<rows>(slots, task, symbol, groups, shape, early, stream);
    };
    if (with_known_rows(8 * task.butterflies(), known)) return;
    run_symbol(slots, task, symbol, complex_chunks(task, false), groups, shape);
}

std::size_t cache_bytes() {
    return 50 << 20;
}

/// Blocks in the order of their numbers, which find done what they need.
template <int r, class T>
void launch_planes(const PlaneTask<T>& task, const SummedSymbol<T>& symbol, Stream) {
    const BlockShape shape = plane_shape<r, T>();
    const PlaneSchedule& schedule = task.schedule;
    std::vector<T> shared(shape.bytes / sizeof(T), T(NAN));
    std::vector<int> ended(static_cast<std::size_t>(schedule.counters()), 0);
    for (int number = 0; number < schedule.numbers(); ++number) {
        const PlaneWork work = schedule.work(number);
        if (!schedule.has(work)) continue;
        const auto find_needed = [&] {
            const PlaneNeed need = schedule.need(work);
            if (need.count > 0 &&
                ended[static_cast<std::size_t>(schedule.counter(need.stage, need.plane))] != need.count)
                throw std::logic_error("a plane is not there yet");
        };
        run_plane_block<r>(task, symbol, work, shared.data(), NoWait{}, find_needed);
        ++ended[static_cast<std::size_t>(schedule.counter(work.stage, work.plane))];
    }
}
template void launch_planes<32>(const PlaneTask<float>&, const SummedSymbol<float>&, Stream);
template void launch_planes<32>(const PlaneTask<double>&, const SummedSymbol<double>&, Stream);

template void launch_complex_pass(ComplexPass, bool, const ComplexTask<float>&, const BlockShape&, bool, Stream);
template void launch_complex_pass(ComplexPass, bool, const ComplexTask<double>&, const BlockShape&, bool, Stream);
template void launch_complex_symbol(bool, const ComplexTask<float>&, const SummedSymbol<float>&, int,
                                    const BlockShape&, bool, Stream);
template void launch_complex_symbol(bool, const ComplexTask<double>&, const SummedSymbol<double>&, int,
                                    const BlockShape&, bool, Stream);

}  // namespace poisson3d::fused
