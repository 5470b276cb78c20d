// The fused passes executed on the host: every block by one thread. Rotations in place through a copy.
#include <algorithm>
#include <cmath>
#include <vector>

#include "launch_pass.hpp"
#include "poisson3d/in_place.hpp"

namespace poisson3d {

struct TransposeInPlace::Plan {
    InPlaceProblem problem;

    template <class T>
    void run(T* data) const {
        const Extents& n = problem.extents;
        const Extents to = permute(n, problem.permutation);
        const std::vector<T> in(data, data + n[0] * n[1] * n[2]);
        Index i[3];
        for (i[0] = 0; i[0] < n[0]; ++i[0])
            for (i[1] = 0; i[1] < n[1]; ++i[1])
                for (i[2] = 0; i[2] < n[2]; ++i[2]) {
                    const auto at = [&](int p) { return i[problem.permutation[p]]; };
                    data[(at(0) * to[1] + at(1)) * to[2] + at(2)] = in[(i[0] * n[1] + i[1]) * n[2] + i[2]];
                }
    }
};

TransposeInPlace::TransposeInPlace(const InPlaceProblem& problem, const InPlaceOptions&)
    : plan_(std::make_unique<Plan>(Plan{problem})) {}
TransposeInPlace::~TransposeInPlace() = default;
TransposeInPlace::TransposeInPlace(TransposeInPlace&&) noexcept = default;

void TransposeInPlace::execute(void* data, Stream) const {
    plan_->problem.element_bytes == 8 ? plan_->run(static_cast<double*>(data))
                                      : plan_->run(static_cast<float*>(data));
}

}  // namespace poisson3d

namespace poisson3d::fused {

std::size_t max_shared() {
    return std::size_t{227} << 10;
}

template <class T>
void launch_pass(Role role, const PassTask<T>& task, const BlockShape& shape, const Blocks& blocks, Stream) {
    std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    with_kind(task.kind, [&]<Kind kind>() {
        with_kernel<kind>(role, task.radix8, [&]<Role which, class Variant>() {
            for (int field = 0; field < task.fields; ++field)
                for (int b = 0; b < blocks.chunks * blocks.slow; ++b)
                    run_block<which, Variant>(
                        task,
                        position_of(task, blocks.first_chunk + b % blocks.chunks,
                                    blocks.first_slow + b / blocks.chunks, field, lines.data()),
                        [] {});
        });
    });
}

template <class T>
void launch_phase(Phase phase, Role role, const PassTask<T>& task, int, const BlockRange& range, Complex<T>* lines,
                  Stream) {
    with_kind(task.kind, [&]<Kind kind>() {
        with_phase<kind>(phase, role, [&]<Phase which, Role as, class Variant>() {
            for (Index b = 0; b < range.count; ++b)
                run_phase<which, as, Variant>(task, position_in_range(task, range, b, lines));
        });
    });
}

template void launch_phase(Phase, Role, const PassTask<float>&, int, const BlockRange&, Complex<float>*, Stream);
template void launch_phase(Phase, Role, const PassTask<double>&, int, const BlockRange&, Complex<double>*, Stream);
template void launch_pass(Role, const PassTask<float>&, const BlockShape&, const Blocks&, Stream);
template void launch_pass(Role, const PassTask<double>&, const BlockShape&, const Blocks&, Stream);

}  // namespace poisson3d::fused
