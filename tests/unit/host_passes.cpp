// The passes of a GPU executed on the host: every block by one thread. Transposes element by element.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "elimination_pass.hpp"
#include "fused_shape.hpp"
#include "known_chirp_pass.hpp"
#include "known_kernels.hpp"
#include "known_pass.hpp"
#include "known_periodic_pass.hpp"
#include "known_symmetric_pass.hpp"
#include "launch_derivative.hpp"
#include "launch_pass.hpp"
#include "launch_phase.hpp"
#include "line_product.hpp"
#include "member_separators.hpp"
#include "poisson3d/in_place.hpp"
#include "poisson3d/transpose.hpp"
#include "shared_memory.hpp"
#include "team_on_host.hpp"

namespace poisson3d {

namespace {

template <class T>
void move_box(const TransposeProblem& p, const T* in, T* out) {
    const Strides to = permute(p.out, inverse(p.permutation));
    const Extents& n = p.extents;
    for (Index i = 0; i < n[0]; ++i)
        for (Index j = 0; j < n[1]; ++j)
            for (Index k = 0; k < n[2]; ++k)
                out[i * to[0] + j * to[1] + k * to[2]] = in[i * p.in[0] + j * p.in[1] + k * p.in[2]];
}

template <class T>
void move_box_in_place(const Extents& n, const Permutation& permutation, T* data) {
    const std::vector<T> in(data, data + n[0] * n[1] * n[2]);
    move_box({n, dense_strides(n), dense_strides(permute(n, permutation)), permutation}, in.data(), data);
}

}  // namespace

struct TransposeInPlace::Plan {
    InPlaceProblem problem;
};
TransposeInPlace::TransposeInPlace(const InPlaceProblem& problem, const InPlaceOptions&)
    : plan_(std::make_unique<Plan>(Plan{problem})) {}
TransposeInPlace::~TransposeInPlace() = default;
TransposeInPlace::TransposeInPlace(TransposeInPlace&&) noexcept = default;
void TransposeInPlace::execute(void* data, Stream) const {
    const InPlaceProblem& problem = plan_->problem;
    problem.element_bytes == 8 ? move_box_in_place(problem.extents, problem.permutation, static_cast<double*>(data))
                               : move_box_in_place(problem.extents, problem.permutation, static_cast<float*>(data));
}

struct Transpose::Plan {
    TransposeProblem problem;
};
Transpose::Transpose(const TransposeProblem& problem, const TransposeOptions&)
    : plan_(std::make_unique<Plan>(Plan{problem})) {}
Transpose::~Transpose() = default;
Transpose::Transpose(Transpose&&) noexcept = default;
void Transpose::execute(const void* in, void* out, Stream) const {
    const TransposeProblem& problem = plan_->problem;
    problem.element_bytes == 8 ? move_box(problem, static_cast<const double*>(in), static_cast<double*>(out))
                               : move_box(problem, static_cast<const float*>(in), static_cast<float*>(out));
}

}  // namespace poisson3d

namespace poisson3d::fused {

std::size_t max_shared() {
    return test::SharedMemory::bytes();
}
bool may_launch_early() {
    return false;
}

namespace {

/// A function for each kernel. Kernels for radices 3 to 8, whose steps are inlined, are those for all radices here:
/// they have the same steps, and take a compiler minutes. So does a barrier of another type for each kernel.
template <Role role, Movement movement, class Variant, class T, class F>
__attribute__((noinline)) void run_on_host(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    run_block<role, movement, Variant>(task, block, NoWait{});
}

template <Role role, Movement movement, class Variant, class T, class F>
void run_blocks_on_host(const PassTask<T, F>& task, const BlockShape& shape, const Blocks& blocks) {
    std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    for (int field = 0; field < task.fields; ++field)
        for (int b = 0; b < blocks.chunks * blocks.slow; ++b)
            run_on_host<role, movement, Variant>(
                task, position_of(task, blocks.first_chunk + b % blocks.chunks,
                                  blocks.first_slow + b / blocks.chunks, field, lines.data()));
}

}  // namespace

template <Kind kind, Outer outer, class T>
void launch_kernel(Role role, Movement movement, const Task<T>& task, const BlockShape& shape, const Blocks& blocks,
                   Stream) {
    with_kernel<outer>(role, movement, [&]<Role which, Movement how>() {
        using Known = KernelVariant<kind, outer == Outer::large ? Outer::any : outer>;
        run_blocks_on_host<which, how, Known>(task, shape, blocks);
    });
}

/// A few lengths are enough to execute: even and odd numbers of butterflies, one and two steps between.
/// test_known_lines.cpp compares the numbers of all.
template <int rows, class T>
bool launch_known_kernel(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                         const Blocks& blocks, Stream) {
    if constexpr (rows == 128 || rows == 100 || rows == 270 || rows == 343 || rows == 405) {
        if (test::KnownKernels::forbidden) return false;
        return with_known_task<rows>(role, movement, task, shape, [&]<Role which, Movement how>(const auto& known) {
            ++test::KnownKernels::launched;
            run_blocks_on_host<which, how, KernelVariant<known.kind, Outer::radix8>>(known, shape, blocks);
        });
    }
    return false;
}

/// Of chirps: with twiddles, without, with two odd radices, and the longest.
template <int size, class T>
bool launch_known_chirp(Role role, Movement movement, const Task<T>& task, const Blocks& blocks, Stream) {
    if constexpr (size == 80 || size == 182 || size == 208 || size == 195 || size == 256) {
        if (test::KnownKernels::forbidden) return false;
        return with_known_chirp_task<size>(role, movement, task, [&]<Role which, Movement how>(const auto& known) {
            ++test::KnownKernels::launched;
            run_blocks_on_host<which, how, KernelVariant<Kind::type1, Outer::chirp>>(known, known.shape, blocks);
        });
    }
    return false;
}
#define POISSON3D_LAUNCH_CHIRP(size)                                                                   \
    template bool launch_known_chirp<size>(Role, Movement, const Task<float>&, const Blocks&, Stream); \
    template bool launch_known_chirp<size>(Role, Movement, const Task<double>&, const Blocks&, Stream);
POISSON3D_LAUNCH_CHIRP(80)
POISSON3D_LAUNCH_CHIRP(96)
POISSON3D_LAUNCH_CHIRP(112)
POISSON3D_LAUNCH_CHIRP(128)
POISSON3D_LAUNCH_CHIRP(144)
POISSON3D_LAUNCH_CHIRP(156)
POISSON3D_LAUNCH_CHIRP(165)
POISSON3D_LAUNCH_CHIRP(176)
POISSON3D_LAUNCH_CHIRP(182)
POISSON3D_LAUNCH_CHIRP(195)
POISSON3D_LAUNCH_CHIRP(208)
POISSON3D_LAUNCH_CHIRP(210)
POISSON3D_LAUNCH_CHIRP(224)
POISSON3D_LAUNCH_CHIRP(240)
POISSON3D_LAUNCH_CHIRP(256)

/// Of periodic chirps: rows of eight elements, of odd numbers, and the longest.
template <int size, class T>
bool launch_known_periodic(Role role, Movement movement, const Task<T>& task, const Blocks& blocks, Stream) {
    if constexpr (size == 35 || size == 60 || size == 80 || size == 84 || size == 128) {
        if (test::KnownKernels::forbidden) return false;
        return with_known_periodic_task<size>(
            role, movement, task, [&]<Role which, Movement how>(const auto& known) {
                ++test::KnownKernels::launched;
                run_blocks_on_host<which, how, KernelVariant<Kind::type2, Outer::chirp>>(known, known.shape,
                                                                                         blocks);
            });
    }
    return false;
}

template <int half, class T>
bool launch_known_symmetric(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                            const Blocks& blocks, Stream) {
    if constexpr (half == 405 || half == 768) {
        if (test::KnownKernels::forbidden) return false;
        return with_known_symmetric_task<half>(
            role, movement, task, shape, [&]<Role which, Movement how>(const auto& known) {
                ++test::KnownKernels::launched;
                run_blocks_on_host<which, how, KernelVariant<Kind::type1, Outer::radix8>>(known, shape, blocks);
            });
    }
    return false;
}

template <class T>
using KnownKernel = bool (*)(Role, Movement, const Task<T>&, const BlockShape&, const Blocks&, Stream);
/// Instantiates them.
template <class T, int... rows>
constexpr std::array<KnownKernel<T>, sizeof...(rows)> known_kernels(std::integer_sequence<int, rows...>) {
    return {&launch_known_kernel<rows, T>...};
}
template <class T>
using KnownPeriodicKernel = bool (*)(Role, Movement, const Task<T>&, const Blocks&, Stream);
template <class T, int... size>
constexpr std::array<KnownPeriodicKernel<T>, sizeof...(size)> known_periodic(std::integer_sequence<int, size...>) {
    return {&launch_known_periodic<size, T>...};
}
[[gnu::used]] const auto known_periodic_float = known_periodic<float>(KnownPeriodicLengths{});
[[gnu::used]] const auto known_periodic_double = known_periodic<double>(KnownPeriodicLengths{});
template <class T, int... half>
constexpr std::array<KnownKernel<T>, sizeof...(half)> known_symmetric(std::integer_sequence<int, half...>) {
    return {&launch_known_symmetric<half, T>...};
}
[[gnu::used]] const auto known_float = known_kernels<float>(KnownLengths{});
[[gnu::used]] const auto known_double = known_kernels<double>(KnownLengths{});
[[gnu::used]] const auto known_symmetric_float = known_symmetric<float>(KnownHalfPeriods{});
[[gnu::used]] const auto known_symmetric_double = known_symmetric<double>(KnownHalfPeriods{});

template <class T>
void launch_elimination(const EliminationTask<T>& task, bool, Stream) {
    std::vector<T> shared(static_cast<std::size_t>(elimination_elements(task)), T(NAN));
    with_elimination(task, [&]<LineShape shape, EliminationWork work, bool even>() {
        TeamOnHost<T, shape> team(task);
        for (Index field = 0; field < task.fields; ++field) {
            for (Index slow = 0; slow < task.slow_count; ++slow)
                for (Index line = 0; line < task.lines; line += task.block_lines())
                    eliminate_block<shape, work, even>(task, {field, slow, line}, shared.data(), team);
            lines::WholeLine<T> all{0, task.chain.nodes};
            if (!task.divides_constant()) continue;
            if constexpr (of_part(work))
                move_constant_line(task, work == EliminationWork::reduce_part, 0, 1);
            else
                solve_constant_line(task, field, true, all);
        }
    });
}

template void launch_elimination(const EliminationTask<float>&, bool, Stream);
template void launch_elimination(const EliminationTask<double>&, bool, Stream);

template <class T>
void launch_line_product(const LineProduct<T>& product, Stream) {
    const LineMatrix& matrix = product.matrix;
    const int a = product.axis;
    const Index h = matrix.even, n = matrix.unknowns;
    std::vector<double> x(static_cast<std::size_t>(n));
    const auto element = [&](int part, Index row, Index column) {
        return matrix.data[tile_element(matrix, part, row, column)];
    };
    const auto other = [&](Index k) {
        return matrix.paired(k) ? x[static_cast<std::size_t>(matrix.center() - k)] : 0;
    };
    const auto column = [&](int part, Index k) -> double {  // as the part multiplies it
        const double first = k < n ? x[static_cast<std::size_t>(k)] : 0;
        if (matrix.fold == Fold::before) return part == 0 ? first + other(k) : first - other(k);
        if (matrix.fold == Fold::none || part == 0) return first;
        return h + k < n ? x[static_cast<std::size_t>(h + k)] : 0;
    };
    Extents across = product.in.extents;
    across[a] = 1;
    for (Index field = 0; field < product.fields; ++field)
        for (Index i = 0; i < across[0]; ++i)
            for (Index j = 0; j < across[1]; ++j)
                for (Index k = 0; k < across[2]; ++k) {
                    const auto begin = [&](const Strides& s) { return i * s[0] + j * s[1] + k * s[2]; };
                    const T* const in = product.in.data + field * product.in_next + begin(product.in.strides);
                    T* const out = product.out.data + field * product.out_next + begin(product.out.strides);
                    for (Index m = 0; m < n; ++m) x[static_cast<std::size_t>(m)] = in[m * product.in.strides[a]];
                    const auto put = [&](Index m, double value) {
                        if (m < n) out[m * product.out.strides[a]] = static_cast<T>(value) * product.scale;
                    };
                    for (Index row = 0; row < h; ++row) {
                        double sum[2] = {0, 0};
                        for (const int part : {0, 1})
                            for (Index m = 0; m < matrix.columns(); ++m)
                                sum[part] += element(part, row, m) * column(part, m);
                        if (matrix.fold == Fold::after) {
                            put(row, sum[0] + sum[1]);
                            if (matrix.paired(row)) put(matrix.center() - row, sum[0] - sum[1]);
                        } else {
                            put(row, sum[0]);
                            put(h + row, sum[1]);
                        }
                    }
                }
}
template void launch_line_product(const LineProduct<float>&, Stream);
template void launch_line_product(const LineProduct<double>&, Stream);

#define POISSON3D_LAUNCH(kind, outer, T)                                                                     \
    template void launch_kernel<Kind::kind, Outer::outer>(Role, Movement, const Task<T>&, const BlockShape&, \
                                                          const Blocks&, Stream);
#define POISSON3D_LAUNCHES(kind, T)   \
    POISSON3D_LAUNCH(kind, any, T)    \
    POISSON3D_LAUNCH(kind, large, T)  \
    POISSON3D_LAUNCH(kind, radix8, T) \
    POISSON3D_LAUNCH(kind, matrix_steps, T)
#define POISSON3D_KINDS(T)       \
    POISSON3D_LAUNCHES(type1, T) \
    POISSON3D_LAUNCHES(type2, T) \
    POISSON3D_LAUNCHES(type3, T) \
    POISSON3D_LAUNCHES(type4, T)
POISSON3D_KINDS(float)
POISSON3D_KINDS(double)
POISSON3D_LAUNCH(type1, chirp, float)
POISSON3D_LAUNCH(type1, chirp, double)

}  // namespace poisson3d::fused

namespace poisson3d::members {

template <class T>
void launch_separators(const SeparatorTask<T>& task, Stream) {
    if (task.constant) {
        const int nodes = task.constant_line.chain.nodes;
        std::copy_n(task.samples, nodes, task.solution);
        task.solution[nodes] = lines::solve_whole(task.constant_line, task.solution);
    }
    for (Index line = 0; line < task.separators.lines; ++line)
        task.separators.many() ? task.separators.solve_many(line) : task.separators.solve_few(line);
}

template void launch_separators(const SeparatorTask<float>&, Stream);
template void launch_separators(const SeparatorTask<double>&, Stream);

}  // namespace poisson3d::members

namespace poisson3d::device {

template <class T>
void launch_phase(Phase phase, Role role, Layout layout, const PhaseTask<T>& task, const BlockRange& range,
                  Complex<T>* lines, Stream) {
    const auto run = [&]<Phase which>() {
        with_kind(task.kind, [&]<Kind kind>() {
            with_role<which, kind>(role, layout, [&]<Role as, Layout how, class Variant>() {
                for (Index b = 0; b < range.count; ++b)
                    run_phase<which, as, how, Variant>(task, position_in_range(task, range, b, lines));
            });
        });
    };
    switch (phase) {
        case Phase::load: return run.template operator()<Phase::load>();
        case Phase::modes: return run.template operator()<Phase::modes>();
        case Phase::store: return run.template operator()<Phase::store>();
    }
}

template void launch_phase(Phase, Role, Layout, const PhaseTask<float>&, const BlockRange&, Complex<float>*,
                           Stream);
template void launch_phase(Phase, Role, Layout, const PhaseTask<double>&, const BlockRange&, Complex<double>*,
                           Stream);

}  // namespace poisson3d::device

namespace poisson3d::cufft {

template <class T>
void launch_derivative(const DerivativeTask<T>& task, Stream) {
    for (Index line = 0; line < task.lines; ++line)
        for (Index slot = 0; slot < task.count; ++slot)
            task.out[line * task.pitch + slot] = task.factor[slot] * task.in[line * task.pitch + task.source[slot]];
}

template void launch_derivative(const DerivativeTask<float>&, Stream);
template void launch_derivative(const DerivativeTask<double>&, Stream);

}  // namespace poisson3d::cufft
