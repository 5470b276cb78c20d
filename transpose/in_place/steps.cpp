#include "in_place/steps.hpp"

#include <algorithm>
#include <string>

#include "common/checks.hpp"

namespace poisson3d {

namespace {

/// Fields of a batch and the size of their elements: what every step of a problem has in common.
struct Fields {
    int element_bytes;
    Index batch, stride;
    bool equal_sides;
};

/// Axes of several points, those that stay behind each other as one: up to three extents, and their new order.
struct Axes {
    std::vector<Index> extents;
    std::vector<int> order;
};

Axes merged(const Extents& extents, const Permutation& permutation) {
    std::vector<int> order;
    for (const int axis : permutation)
        if (extents[static_cast<std::size_t>(axis)] > 1) order.push_back(axis);
    std::vector<int> kept = order;
    std::sort(kept.begin(), kept.end());
    const auto rank = [&](int axis) { return std::find(kept.begin(), kept.end(), axis) - kept.begin(); };

    // Runs of axes that follow each other before and after: each is named by its first axis.
    std::vector<int> runs;
    std::vector<Index> points;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Index n = extents[static_cast<std::size_t>(order[i])];
        if (i > 0 && rank(order[i]) == rank(order[i - 1]) + 1) {
            points.back() *= n;
        } else {
            runs.push_back(order[i]);
            points.push_back(n);
        }
    }
    Axes axes{std::vector<Index>(runs.size()), std::vector<int>(runs.size())};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto before = std::count_if(runs.begin(), runs.end(), [&](int other) { return other < runs[i]; });
        axes.order[i] = static_cast<int>(before);
        axes.extents[static_cast<std::size_t>(before)] = points[i];
    }
    return axes;
}

/// In each field of the batch `inner` matrices with a stride of `inner_stride`.
Step matrices(Index rows, Index columns, Index item, Index inner, Index inner_stride, const Fields& fields) {
    const bool dense = fields.batch > 1 && fields.stride == inner * inner_stride;
    const Index outer = dense ? 1 : fields.batch;
    if (dense) inner *= fields.batch;
    if (rows == columns && fields.equal_sides)
        return Squares{rows,           columns * item,
                       item,           fields.element_bytes,
                       {outer, inner}, {outer > 1 ? fields.stride : 0, inner > 1 ? inner_stride : 0}};
    // The longer of the two batches is the executor's own.
    const bool own_inner = inner >= outer;
    const Index own = own_inner ? inner : outer;
    const Index others = own_inner ? outer : inner;
    return RepeatedMatrices{{rows, columns, item, fields.element_bytes, own,
                             own == 1    ? 0
                             : own_inner ? inner_stride
                                         : fields.stride},
                            others,
                            others == 1 ? 0
                            : own_inner ? fields.stride
                                        : inner_stride};
}

/// Roughly how often a step moves its field, seen from here: what compositions are chosen by.
double cost(const Step& step) {
    if (std::holds_alternative<Squares>(step)) return 1.0;
    if (std::holds_alternative<Cubes>(step)) return 1.5;
    const DenseMatrices& m = std::get<RepeatedMatrices>(step).matrices;
    return m.item * m.element_bytes >= 64 ? 2.5 : 4.0;
}

double cost(const std::vector<Step>& steps) {
    double sum = 0.0;
    for (const Step& step : steps) sum += cost(step);
    return sum;
}

std::vector<Step> steps_of(const Extents& extents, const Permutation& permutation, const Fields& fields);

/// xyz → zyx as two permutations that are one step each: the pair that costs least.
std::vector<Step> composed(const Extents& extents, const Fields& fields) {
    constexpr Permutation reversal{2, 1, 0};
    std::vector<Step> best;
    for (const Permutation& first : {Permutation{0, 2, 1}, Permutation{1, 0, 2}, rotation, rotation_back}) {
        const Permutation second = permute(inverse(first), reversal);
        std::vector<Step> steps = steps_of(extents, first, fields);
        for (const Step& step : steps_of(permute(extents, first), second, fields)) steps.push_back(step);
        if (best.empty() || cost(steps) < cost(best)) best = steps;
    }
    return best;
}

std::vector<Step> steps_of(const Extents& extents, const Permutation& permutation, const Fields& fields) {
    const bool turns = permutation == rotation || permutation == rotation_back;
    if (fields.equal_sides && turns && extents[0] > 1 && extents[0] == extents[1] && extents[1] == extents[2])
        return {Cubes{extents[0], permutation == rotation_back, fields.element_bytes, fields.batch,
                      fields.batch > 1 ? fields.stride : 0}};
    const Axes axes = merged(extents, permutation);
    const std::vector<Index>& n = axes.extents;
    if (n.size() < 2) return {};
    if (n.size() == 2) return {matrices(n[0], n[1], 1, 1, n[0] * n[1], fields)};
    if (axes.order == std::vector<int>{0, 2, 1}) return {matrices(n[1], n[2], 1, n[0], n[1] * n[2], fields)};
    if (axes.order == std::vector<int>{1, 0, 2}) return {matrices(n[0], n[1], n[2], 1, n[0] * n[1] * n[2], fields)};
    if (n[0] == n[2] && fields.equal_sides)
        return {Squares{n[0],
                        n[1] * n[0],
                        1,
                        fields.element_bytes,
                        {fields.batch, n[1]},
                        {fields.batch > 1 ? fields.stride : 0, n[0]}}};
    return composed({n[0], n[1], n[2]}, fields);
}

}  // namespace

std::vector<Step> in_place_steps(const InPlaceProblem& p, bool equal_sides) {
    return steps_of(p.extents, p.permutation, {p.element_bytes, p.batch, p.batch_stride, equal_sides});
}

void validate(const InPlaceProblem& p) {
    constexpr const char* who = "transpose in place";
    if (p.element_bytes != 4 && p.element_bytes != 8 && p.element_bytes != 16)
        refuse(who, "found elements of " + std::to_string(p.element_bytes) + " bytes, wanted 4, 8 or 16");
    validate(p.permutation);
    require_extents(who, p.extents, p.batch);
    Index volume = 1;
    for (const Index extent : p.extents)
        if (__builtin_mul_overflow(volume, extent, &volume) || volume > max_field_bytes / p.element_bytes)
            refuse(who, "extents " + list(p.extents) + ": beyond 2^62 bytes");
    if (p.batch == 1) return;
    if (p.batch_stride < volume)
        refuse(who, "found a batch stride of " + std::to_string(p.batch_stride) + " elements for extents " +
                        list(p.extents) + ", wanted " + std::to_string(volume) +
                        " or more: fields must not overlap");
    Index reach = 0;
    if (__builtin_mul_overflow(p.batch, p.batch_stride, &reach) || reach > max_field_bytes / p.element_bytes)
        refuse(who, "a batch of " + std::to_string(p.batch) + " fields with a stride of " +
                        std::to_string(p.batch_stride) + " elements: beyond 2^62 bytes");
}

}  // namespace poisson3d
