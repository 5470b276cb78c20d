// The passes of a GPU executed on the host: every block by one thread. Transposes element by element.
#include <algorithm>
#include <cmath>
#include <vector>

#include "launch_pass.hpp"
#include "launch_phase.hpp"
#include "poisson3d/in_place.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d {

namespace {

template <class T>
void move_box(const Extents& n, const Permutation& permutation, const T* in, T* out) {
    const Extents to = permute(n, permutation);
    Index i[3];
    for (i[0] = 0; i[0] < n[0]; ++i[0])
        for (i[1] = 0; i[1] < n[1]; ++i[1])
            for (i[2] = 0; i[2] < n[2]; ++i[2]) {
                const auto at = [&](int p) { return i[permutation[p]]; };
                out[(at(0) * to[1] + at(1)) * to[2] + at(2)] = in[(i[0] * n[1] + i[1]) * n[2] + i[2]];
            }
}

template <class T>
void move_box_in_place(const Extents& n, const Permutation& permutation, T* data) {
    const std::vector<T> in(data, data + n[0] * n[1] * n[2]);
    move_box(n, permutation, in.data(), data);
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
    problem.element_bytes == 8
        ? move_box(problem.extents, problem.permutation, static_cast<const double*>(in), static_cast<double*>(out))
        : move_box(problem.extents, problem.permutation, static_cast<const float*>(in), static_cast<float*>(out));
}

}  // namespace poisson3d

namespace poisson3d::fused {

std::size_t max_shared() {
    return std::size_t{227} << 10;
}

template <Kind kind, class T>
void launch_kind(Role role, const Task<T>& task, const BlockShape& shape, const Blocks& blocks, Stream) {
    std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    with_kernel<kind>(role, task.outer, [&]<Role which, class Variant>() {
        for (int field = 0; field < task.fields; ++field)
            for (int b = 0; b < blocks.chunks * blocks.slow; ++b)
                run_block<which, Variant>(task,
                                          position_of(task, blocks.first_chunk + b % blocks.chunks,
                                                      blocks.first_slow + b / blocks.chunks, field, lines.data()),
                                          [] {});
    });
}

template void launch_kind<Kind::type1>(Role, const Task<float>&, const BlockShape&, const Blocks&, Stream);
template void launch_kind<Kind::type2>(Role, const Task<float>&, const BlockShape&, const Blocks&, Stream);
template void launch_kind<Kind::type3>(Role, const Task<float>&, const BlockShape&, const Blocks&, Stream);
template void launch_kind<Kind::type4>(Role, const Task<float>&, const BlockShape&, const Blocks&, Stream);
template void launch_kind<Kind::type1>(Role, const Task<double>&, const BlockShape&, const Blocks&, Stream);
template void launch_kind<Kind::type2>(Role, const Task<double>&, const BlockShape&, const Blocks&, Stream);
template void launch_kind<Kind::type3>(Role, const Task<double>&, const BlockShape&, const Blocks&, Stream);
template void launch_kind<Kind::type4>(Role, const Task<double>&, const BlockShape&, const Blocks&, Stream);

}  // namespace poisson3d::fused

namespace poisson3d::cufft {

template <class T>
void launch_phase(Phase phase, Role role, const Task<T>& task, const BlockRange& range, Complex<T>* lines, Stream) {
    const auto run = [&]<Phase which>() {
        with_kind(task.kind, [&]<Kind kind>() {
            with_role<which, kind>(role, [&]<Role as, class Variant>() {
                for (Index b = 0; b < range.count; ++b)
                    run_phase<which, as, Variant>(task, position_in_range(task, range, b, lines));
            });
        });
    };
    switch (phase) {
        case Phase::load: return run.template operator()<Phase::load>();
        case Phase::modes: return run.template operator()<Phase::modes>();
        case Phase::store: return run.template operator()<Phase::store>();
    }
}

template void launch_phase(Phase, Role, const Task<float>&, const BlockRange&, Complex<float>*, Stream);
template void launch_phase(Phase, Role, const Task<double>&, const BlockRange&, Complex<double>*, Stream);

}  // namespace poisson3d::cufft
