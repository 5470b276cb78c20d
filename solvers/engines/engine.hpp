// An engine executes the schedule. Solver owns one and knows nothing else of it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "boundary_terms.hpp"
#include "host/kernels.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

using host::ModeOperation;

/// What one solve or apply is asked to do; views and data already checked (Solver::solve says what they are).
template <class T>
struct Call {
    ModeOperation operation = ModeOperation::none;
    FieldView<const T> f;
    FieldView<T> u;
    double scale = 1.0;
    BoundaryTerms<T> boundary;  ///< `any` is false without data
};

template <class T>
class EngineBase {
public:
    virtual ~EngineBase() = default;
    EngineBase() = default;
    EngineBase(const EngineBase&) = delete;
    EngineBase& operator=(const EngineBase&) = delete;

    /// Executes the schedule from f to u.
    virtual void run(const Call<T>& call, Stream stream) = 0;
    virtual Result result(Stream stream) = 0;

    [[nodiscard]] virtual Engine kind() const noexcept = 0;
    [[nodiscard]] virtual Memory memory() const noexcept = 0;
    [[nodiscard]] virtual int threads() const noexcept = 0;
    [[nodiscard]] virtual std::size_t workspace() const noexcept = 0;
    [[nodiscard]] virtual const std::vector<PassReport>& passes() const noexcept = 0;
    [[nodiscard]] virtual std::string description() const = 0;
};

/// One of these per engine; in a build or on a machine that lacks it, `unavailable` says why and `make` throws
/// Error{unsupported} or Error{device} with the same words.
template <class T>
struct EngineEntry {
    Engine kind;
    std::string (*unavailable)();
    std::unique_ptr<EngineBase<T>> (*make)(const Problem&, const Options&);
    std::size_t (*workspace_bytes)(const Problem&, const Options&);
};

/// What every engine asks of its caller. Throw Error{usage}.
void require_threads(int threads);
void require_dense(Memory memory, bool dense_solution);
void require_workspace(std::span<std::byte> given, std::size_t bytes, std::size_t alignment);

template <class T>
EngineEntry<T> host_engine();
template <class T>
EngineEntry<T> cufft_engine();
template <class T>
EngineEntry<T> fused_engine();

}  // namespace poisson3d
