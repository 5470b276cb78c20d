// Rotation of a cube in place on the host: the three bricks of an orbit (cube_orbits.hpp).
//
// Element (a, b, c) goes to (b, c, a): for each b, a matrix of a × c is transposed. With R(P) for a brick so
// rotated and P → Q → R → P for where the bricks go: S := R(P) in scratch, P := R(R), R := R(Q), Q := S. Back, (a,
// b, c) goes to (c, a, b): for each a a matrix of b × c, and the bricks go P → R → Q → P.
#include <algorithm>
#include <cstring>

#include "common/host_threads.hpp"
#include "in_place/cube_orbits.hpp"
#include "in_place/executors.hpp"

namespace poisson3d {

using namespace host_transpose;

namespace {

constexpr Index group_side = 4;  // bricks

class Cube final : public InPlaceExecutor {
public:
    Cube(const Cubes& cubes, int threads)
        : cubes_(cubes),
          bytes_(cubes.element_bytes),
          plane_(cubes.side * cubes.side),
          brick_(16),
          bricks_((cubes.side + brick_ - 1) / brick_),
          threads_(cubes.element_bytes, worthwhile_threads(threads, cubes.side * plane_ * bytes_ * cubes.batch),
                   best_instructions()) {}

    void run(void* data, Stream) const override {
        const auto lock = threads_.lock();
        const Index orbits = cube::grouped_numbers(bricks_, group_side);
        const Index chunk = group_side * group_side * group_side;
        threads_.team().parallel_for(cubes_.batch * orbits, chunk, [&](Index begin, Index end, int thread) {
            for (Index k = begin; k < end; ++k) {
                const Brick brick = cube::grouped_orbit(bricks_, group_side, k % orbits);
                char* const base = static_cast<char*>(data) + k / orbits * cubes_.batch_stride * bytes_;
                if (brick.a >= 0) rotate_orbit(base, brick, threads_.scratch(thread));
            }
        });
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::cube; }
    [[nodiscard]] std::string description() const override {
        return "cube, bricks of side " + std::to_string(brick_);
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return threads_.all_scratch_bytes(); }

private:
    /// Where a brick's elements begin, and how many there are along each axis.
    struct BrickInMemory {
        char* data;
        Extents extents;
    };
    struct Pitches {
        Index plane, row;
    };

    [[nodiscard]] BrickInMemory locate(char* base, Brick p) const {
        const auto width = [&](Index first) { return std::min(brick_, cubes_.side - first * brick_); };
        return {base + (p.a * plane_ + p.b * cubes_.side + p.c) * brick_ * bytes_,
                {width(p.a), width(p.b), width(p.c)}};
    }

    /// The brick `from`, rotated, to `to`.
    void rotate(const BrickInMemory& from, char* to, Pitches out) const {
        const Pitches in{plane_ * bytes_, cubes_.side * bytes_};
        const auto [a, b, c] = from.extents;
        const auto transpose = [&](const char* first, Side rows, char* target, Side columns) {
            threads_.element_movers().tile({first, target, rows, columns}, {0, rows.count}, {0, columns.count});
        };
        if (cubes_.back)
            for (Index i = 0; i < a; ++i)
                transpose(from.data + i * in.plane, {b, in.row}, to + i * out.row, {c, out.plane});
        else
            for (Index j = 0; j < b; ++j)
                transpose(from.data + j * in.row, {a, in.plane}, to + j * out.plane, {c, out.row});
    }

    void rotate_orbit(char* base, Brick first, char* scratch) const {
        const Pitches field{plane_ * bytes_, cubes_.side * bytes_};
        const Pitches dense{brick_ * brick_ * bytes_, brick_ * bytes_};
        const Brick second = cubes_.back ? cube::next(cube::next(first)) : cube::next(first);
        const Brick third = cubes_.back ? cube::next(first) : cube::next(second);
        rotate(locate(base, first), scratch, dense);
        if (!(first == second)) {
            rotate(locate(base, third), locate(base, first).data, field);
            rotate(locate(base, second), locate(base, third).data, field);
        }
        const BrickInMemory target = locate(base, second);
        const auto [planes, rows, length] = target.extents;
        for (Index i = 0; i < planes; ++i)
            for (Index j = 0; j < rows; ++j)
                std::memcpy(target.data + i * field.plane + j * field.row,
                            scratch + i * dense.plane + j * dense.row, static_cast<std::size_t>(length * bytes_));
    }

    Cubes cubes_;
    Index bytes_, plane_, brick_, bricks_;
    MoverThreads threads_;
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_host_cube(const Cubes& cubes, int threads) {
    return std::make_unique<Cube>(cubes, threads);
}

}  // namespace poisson3d
