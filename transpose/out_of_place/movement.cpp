#include "out_of_place/movement.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "common/checks.hpp"

namespace poisson3d {

namespace {

/// One loop of the movement: how many steps, and how far a step goes in each field.
struct Dimension {
    Index extent, in, out;
};

/// b runs inside a: together they are one dimension of both fields.
bool merges(const Dimension& a, const Dimension& b) {
    return a.in == b.extent * b.in && a.out == b.extent * b.out;
}

std::vector<Dimension> dimensions(const TransposeProblem& problem) {
    std::vector<Dimension> all;
    for (int position = 0; position < 3; ++position) {
        const int axis = problem.permutation[position];
        all.push_back({problem.extents[axis], problem.in[axis], problem.out[position]});
    }
    all.push_back({problem.batch, problem.in_batch, problem.out_batch});
    std::erase_if(all, [](const Dimension& d) { return d.extent == 1; });
    return all;
}

void merge_dimensions(std::vector<Dimension>& all) {
    for (auto a = all.begin(); a != all.end(); ++a)
        for (auto b = all.begin(); b != all.end(); ++b) {
            if (a == b || !merges(*a, *b)) continue;
            b->extent *= a->extent;
            all.erase(a);
            return merge_dimensions(all);
        }
}

/// The index in `all` of the dimension that is contiguous in the field which `stride` names; −1 if there is none.
int contiguous(const std::vector<Dimension>& all, Index Dimension::*stride) {
    for (std::size_t d = 0; d < all.size(); ++d)
        if (all[d].*stride == 1) return static_cast<int>(d);
    return -1;
}

/// The remaining dimensions, at the end of the arrays.
template <std::size_t N>
void fill(const std::vector<Dimension>& rest, std::array<Index, N>& extents, std::array<Index, N>& in,
          std::array<Index, N>& out) {
    std::size_t i = N - rest.size();
    for (const Dimension& d : rest) {
        extents[i] = d.extent;
        in[i] = d.in;
        out[i] = d.out;
        ++i;
    }
}

}  // namespace

Movement classify(const TransposeProblem& problem, bool merge) {
    std::vector<Dimension> all = dimensions(problem);
    if (merge) merge_dimensions(all);
    std::stable_sort(all.begin(), all.end(), [](const Dimension& a, const Dimension& b) { return a.out > b.out; });

    // A field whose last axis has one point may have no contiguous dimension: then that axis serves, with extent 1.
    const Dimension point{1, 1, 1};
    const int column = contiguous(all, &Dimension::in);
    const int row = contiguous(all, &Dimension::out);
    const Dimension columns = column < 0 ? point : all[static_cast<std::size_t>(column)];
    const Dimension rows = row < 0 ? point : all[static_cast<std::size_t>(row)];
    for (const int used : {std::max(row, column), row == column ? -1 : std::min(row, column)})
        if (used >= 0) all.erase(all.begin() + used);

    Movement movement;
    movement.is_copy = row == column;
    if (movement.is_copy) {
        movement.copy.length = columns.extent;
        fill(all, movement.copy.extents, movement.copy.in, movement.copy.out);
    } else {
        movement.matrix.rows = rows.extent;
        movement.matrix.columns = columns.extent;
        movement.matrix.in_pitch = rows.in;
        movement.matrix.out_pitch = columns.out;
        fill(all, movement.matrix.batch, movement.matrix.in_batch, movement.matrix.out_batch);
    }
    return movement;
}

namespace {

constexpr const char* who = "transpose";

/// Sorted by stride, every dimension must step over all that the smaller ones cover.
void validate_field(const char* which, const Extents& extents, const Strides& strides, Index batch,
                    Index batch_stride, int element_bytes) {
    const std::string which_strides = std::string(which) + " strides " + list(strides);
    if (strides[2] != 1) refuse(who, which_strides + ": the last must be 1");
    struct Step {
        Index extent, stride;
        const char* what;
    };
    std::vector<Step> steps{{extents[0], strides[0], "planes"},
                            {extents[1], strides[1], "rows"},
                            {extents[2], strides[2], "elements"},
                            {batch, batch_stride, "batches"}};
    std::erase_if(steps, [](const Step& step) { return step.extent == 1; });
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.stride < b.stride; });
    Index covered = 1;
    for (const Step& step : steps) {
        if (step.stride < covered)
            refuse(who, which_strides + " and batch stride " + std::to_string(batch_stride) + " for extents " +
                            list(extents) + ": " + step.what + " overlap, the stride " +
                            std::to_string(step.stride) + " must be at least " + std::to_string(covered));
        Index reach = 0;
        if (__builtin_mul_overflow(step.extent - 1, step.stride, &reach) || reach > max_field_bytes - covered ||
            (covered += reach) > max_field_bytes / element_bytes)
            refuse(who, which_strides + " for extents " + list(extents) + ": beyond 2^62 bytes");
    }
}

}  // namespace

void validate(const TransposeProblem& problem) {
    const int bytes = problem.element_bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
        refuse(who, "found elements of " + std::to_string(bytes) + " bytes, wanted 1, 2, 4, 8 or 16");
    validate(problem.permutation);
    require_extents(who, problem.extents, problem.batch);

    validate_field("input", problem.extents, problem.in, problem.batch, problem.in_batch, bytes);
    validate_field("output", permute(problem.extents, problem.permutation), problem.out, problem.batch,
                   problem.out_batch, bytes);
}

Index span(const Extents& extents, const Strides& strides, Index batch, Index batch_stride) noexcept {
    Index last = (batch - 1) * batch_stride;
    for (int axis = 0; axis < 3; ++axis) last += (extents[axis] - 1) * strides[axis];
    return last + 1;
}

}  // namespace poisson3d
