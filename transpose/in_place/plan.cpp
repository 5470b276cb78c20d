// Checks, the choice of algorithms, and the sequence of steps that a plan is.
#include "poisson3d/in_place.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "baselines/host.hpp"
#include "common/checks.hpp"
#include "common/enum_names.hpp"
#include "in_place/executors.hpp"
#include "in_place/steps.hpp"
#include "rectangle/executors.hpp"

namespace poisson3d {

namespace {

constexpr Word<InPlaceAlgorithm> words[] = {
    {InPlaceAlgorithm::automatic, "automatic"}, {InPlaceAlgorithm::thread_wise, "thread-wise"},
    {InPlaceAlgorithm::exchange, "exchange"},   {InPlaceAlgorithm::super_grid, "super-grid"},
    {InPlaceAlgorithm::cube, "cube"},           {InPlaceAlgorithm::rectangle, "rectangle"},
    {InPlaceAlgorithm::cycles, "cycles"},
};

constexpr const char* who = "transpose in place";

void check(const InPlaceOptions& options) {
    if (options.order != BlockOrder::automatic && !is_triangular(options.order))
        refuse(who, std::string("block order ") + name(options.order) +
                        " covers a full rectangle, in place wants one of the triangle: v1, v1r, v2 or v1b");
    require_band(who, options.band);
    require_threads(who, options.threads);
    if (options.scratch_bytes < 0)
        refuse(who,
               "found " + std::to_string(options.scratch_bytes) + " bytes of scratch memory, wanted 0 or more");
    if (options.backend != Backend::cuda) return;
    require_cuda("a transpose in place");
    if (options.algorithm == InPlaceAlgorithm::cycles)
        refuse(who, "cycles are followed on the host only, wanted rectangle or automatic", ErrorCode::unsupported);
}

bool takes_any_box(InPlaceAlgorithm algorithm) {
    return algorithm == InPlaceAlgorithm::rectangle || algorithm == InPlaceAlgorithm::cycles;
}

/// Which algorithm carries out a step, given what was asked for: automatic says that none of its kind fits.
InPlaceAlgorithm fitting(const Step& step, InPlaceAlgorithm asked) {
    using enum InPlaceAlgorithm;
    if (std::holds_alternative<Cubes>(step)) return asked == automatic || asked == cube ? cube : automatic;
    if (std::holds_alternative<RepeatedMatrices>(step))
        return asked == automatic ? rectangle : takes_any_box(asked) ? asked : automatic;
    if (asked == automatic) return exchange;
    return asked == thread_wise || asked == exchange || asked == super_grid ? asked : automatic;
}

/// Part of a plan: an executor, run `count` times, each time `stride_bytes` further on.
struct Part {
    std::unique_ptr<InPlaceExecutor> executor;
    Index count = 1, stride_bytes = 0;
};

/// Bytes of scratch memory for all rectangles of a plan on a device.
Index scratch_of(const InPlaceProblem& p, const InPlaceOptions& options) {
    if (options.scratch_bytes > 0) return options.scratch_bytes;
    return std::max(usual_scratch, p.extents[0] * p.extents[1] * p.extents[2] * p.batch * p.element_bytes / 50);
}

/// `scratch`: bytes that a rectangle or a cube on a device may take.
Part make_part(const Step& step, InPlaceAlgorithm algorithm, InPlaceOptions options, Index scratch) {
    const bool cuda = options.backend == Backend::cuda;
    if (const auto* squares = std::get_if<Squares>(&step))
        return {cuda ? make_cuda_exchange(*squares, options) : make_host_exchange(*squares, options)};
    if (const auto* cubes = std::get_if<Cubes>(&step))
        return {cuda ? make_cuda_cube(*cubes, scratch) : make_host_cube(*cubes, options.threads)};
    const auto& [matrices, count, stride] = std::get<RepeatedMatrices>(step);
    auto executor = algorithm == InPlaceAlgorithm::cycles ? make_host_cycles(matrices, options.threads)
                    : cuda                                ? make_cuda_rectangle(matrices, scratch)
                                                          : make_host_rectangle(matrices, options.threads);
    return {std::move(executor), count, stride * matrices.element_bytes};
}

}  // namespace

const char* name(InPlaceAlgorithm algorithm) noexcept {
    return word_of(words, algorithm);
}

InPlaceAlgorithm parse_in_place_algorithm(std::string_view word) {
    return parse_word(words, "algorithm in place", word);
}

struct TransposeInPlace::Plan {
    int element_bytes = 8;
    InPlaceAlgorithm algorithm = InPlaceAlgorithm::exchange;
    std::vector<Part> parts;
};

TransposeInPlace::TransposeInPlace(const InPlaceProblem& problem, const InPlaceOptions& options) {
    validate(problem);
    check(options);
    plan_ = std::make_unique<Plan>();
    plan_->element_bytes = problem.element_bytes;
    if (options.algorithm != InPlaceAlgorithm::automatic) plan_->algorithm = options.algorithm;
    const std::vector<Step> steps = in_place_steps(problem, !takes_any_box(options.algorithm));
    const Index scratch = scratch_of(problem, options);
    if (options.backend == Backend::cuda && options.algorithm == InPlaceAlgorithm::automatic && steps.size() > 1)
        if (auto way = make_cuda_through_scratch(problem, std::min(scratch, usual_scratch))) {
            // Two sweeps instead of three or four.
            plan_->algorithm = way->algorithm();
            plan_->parts.push_back({std::move(way)});
            return;
        }
    const Index rectangles = std::count_if(steps.begin(), steps.end(), [](const Step& step) {
        return std::holds_alternative<RepeatedMatrices>(step);
    });
    for (const Step& step : steps) {
        const InPlaceAlgorithm algorithm = fitting(step, options.algorithm);
        if (algorithm == InPlaceAlgorithm::automatic)
            refuse(who,
                   std::string("algorithm ") + name(options.algorithm) +
                       " does not fit these extents and this permutation, wanted equal sides that are exchanged "
                       "(cube: all three rotated); automatic, rectangle and cycles take any box",
                   ErrorCode::unsupported);
        plan_->parts.push_back(make_part(step, algorithm, options, scratch / std::max<Index>(1, rectangles)));
    }
    // A sequence is named after its slowest step: a rectangle if there is one.
    for (const Part& part : plan_->parts) {
        const bool first = &part == &plan_->parts.front();
        if (first || part.executor->algorithm() == InPlaceAlgorithm::rectangle)
            plan_->algorithm = part.executor->algorithm();
    }
}

TransposeInPlace::~TransposeInPlace() = default;
TransposeInPlace::TransposeInPlace(TransposeInPlace&&) noexcept = default;
TransposeInPlace& TransposeInPlace::operator=(TransposeInPlace&&) noexcept = default;

void TransposeInPlace::execute(void* data, Stream stream) const {
    require_pointer(who, data, plan_->element_bytes);
    for (const Part& part : plan_->parts)
        for (Index i = 0; i < part.count; ++i)
            part.executor->run(static_cast<char*>(data) + i * part.stride_bytes, stream);
}

InPlaceAlgorithm TransposeInPlace::algorithm() const noexcept {
    return plan_->algorithm;
}

std::string TransposeInPlace::description() const {
    std::string text;
    for (const Part& part : plan_->parts) {
        text += (text.empty() ? "" : ", then ") + part.executor->description();
        if (part.count > 1) text += ", " + std::to_string(part.count) + " times";
    }
    return text.empty() ? "nothing to move" : text;
}

std::size_t TransposeInPlace::scratch_bytes() const noexcept {
    std::size_t sum = 0;
    for (const Part& part : plan_->parts) sum += part.executor->scratch_bytes();
    return sum;
}

}  // namespace poisson3d
