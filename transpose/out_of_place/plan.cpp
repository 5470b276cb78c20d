#include "poisson3d/transpose.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "common/checks.hpp"
#include "common/enum_names.hpp"
#include "out_of_place/executors.hpp"

namespace poisson3d {

namespace {

constexpr Word<Algorithm> words[] = {
    {Algorithm::automatic, "automatic"},     {Algorithm::naive, "naive"},           {Algorithm::tile, "tile"},
    {Algorithm::padded_tile, "padded-tile"}, {Algorithm::slices, "slices"},         {Algorithm::banded, "banded"},
    {Algorithm::super_grid, "super-grid"},   {Algorithm::aligned, "aligned"},       {Algorithm::thin, "thin"},
    {Algorithm::wide_loads, "wide-loads"},   {Algorithm::short_axes, "short-axes"},
};

constexpr const char* who = "transpose";

void check(const TransposeOptions& options) {
    if (is_triangular(options.order))
        refuse(who,
               std::string("block order ") + name(options.order) +
                   " covers a triangle, out of place wants one of the full rectangle: row-major, column-major or "
                   "v1bf");
    require_band(who, options.band);
    require_threads(who, options.threads);
    if (options.backend == Backend::cuda) require_cuda("a transpose");
}

std::unique_ptr<Executor> make_executor(const TransposeProblem& problem, const TransposeOptions& options) {
    const Movement movement = classify(problem, options.algorithm != Algorithm::slices);
    return options.backend == Backend::cuda ? make_cuda_executor(movement, problem.element_bytes, options)
                                            : make_host_executor(movement, problem.element_bytes, options);
}

}  // namespace

const char* name(Algorithm algorithm) noexcept {
    return word_of(words, algorithm);
}

Algorithm parse_algorithm(std::string_view word) {
    return parse_word(words, "algorithm", word);
}

void require_shape(const Extents& in, const Extents& out, const Permutation& permutation) {
    validate(permutation);
    const Extents wanted = permute(in, permutation);
    if (out != wanted) refuse(who, "found an output of extents " + list(out) + ", the input gives " + list(wanted));
}

struct Transpose::Plan {
    std::unique_ptr<Executor> executor;
    int element_bytes;
    std::uintptr_t in_bytes, out_bytes;
};

Transpose::Transpose(const TransposeProblem& problem, const TransposeOptions& options) {
    validate(problem);
    check(options);
    const auto bytes = [&](const Extents& extents, const Strides& strides, Index batch_stride) {
        return static_cast<std::uintptr_t>(span(extents, strides, problem.batch, batch_stride) *
                                           problem.element_bytes);
    };
    plan_ = std::make_unique<Plan>(
        Plan{make_executor(problem, options), problem.element_bytes,
             bytes(problem.extents, problem.in, problem.in_batch),
             bytes(permute(problem.extents, problem.permutation), problem.out, problem.out_batch)});
}

Transpose::~Transpose() = default;
Transpose::Transpose(Transpose&&) noexcept = default;
Transpose& Transpose::operator=(Transpose&&) noexcept = default;

void Transpose::execute(const void* in, void* out, Stream stream) const {
    const auto from = reinterpret_cast<std::uintptr_t>(in);
    const auto to = reinterpret_cast<std::uintptr_t>(out);
    require_pointer(who, in, plan_->element_bytes);
    require_pointer(who, out, plan_->element_bytes);
    if (from < to + plan_->out_bytes && to < from + plan_->in_bytes)
        refuse(who, "input and output overlap in memory; out of place they must not");
    plan_->executor->run(in, out, stream);
}

Algorithm Transpose::algorithm() const noexcept {
    return plan_->executor->algorithm();
}

std::string Transpose::description() const {
    return plan_->executor->description();
}

}  // namespace poisson3d
