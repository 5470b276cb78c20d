// An engine executes the schedule. Solver owns one and knows nothing else of it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "boundary_terms.hpp"
#include "poisson3d/solver.hpp"
#include "schedule.hpp"

namespace poisson3d {

/// What one solve or apply is asked to do; views and data already checked (Solver::solve says what they are).
template <class T>
struct Call {
    ModeOperation operation = ModeOperation::none;
    FieldView<const T> f;  ///< the first of a batch
    FieldView<T> u;
    double scale = 1.0;
    BoundaryTerms<T> boundary;  ///< `any` is false without data
    Index fields = 1;
    Index f_next = 0, u_next = 0;  ///< elements from a field to the next
    /// A power of two that `scale` and the factors of `boundary` lack (range.hpp): modes get it with their
    /// normalisation.
    double restore = 1.0;

    /// `count` of the fields, from number `first` on.
    [[nodiscard]] Call part(Index first, Index count) const {
        Call call = *this;
        call.f.data += first * f_next;
        call.u.data += first * u_next;
        call.boundary = boundary.from_field(first);
        call.fields = count;
        return call;
    }
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
    /// One for each of the first fields of the last call, as many as are asked for. Waits for the stream.
    virtual void results(std::span<Result> results, Stream stream) = 0;

    /// `walls` with the values that the last call found on free faces, where there are some. Waits for the stream.
    virtual BoundaryData<T> faces(const BoundaryData<T>& walls, Stream) { return walls; }

    [[nodiscard]] virtual Engine kind() const noexcept = 0;
    [[nodiscard]] virtual Memory memory() const noexcept = 0;
    [[nodiscard]] virtual int threads() const noexcept = 0;
    [[nodiscard]] virtual std::size_t workspace() const noexcept = 0;
    [[nodiscard]] virtual const std::vector<PassReport>& passes() const noexcept = 0;
    [[nodiscard]] virtual std::string description() const = 0;
};

/// One of these per engine; in a build or on a machine that lacks it, `unavailable` says why and `make` throws
/// Error{unsupported} or Error{device} with the same words. `refuses` says what keeps it from a problem that others
/// solve; empty: nothing.
template <class T>
struct EngineEntry {
    Engine kind;
    std::string (*unavailable)();
    std::string (*refuses)(const Problem&, const Options&);
    std::unique_ptr<EngineBase<T>> (*make)(const Problem&, const Options&);
    std::size_t (*workspace_bytes)(const Problem&, const Options&);
};

/// What every engine requires of its caller. They throw Error{usage}.
void require_threads(int threads);
void require_batch(Index batch);
void require_dense(Memory memory, bool dense_solution);
void require_workspace(std::span<std::byte> given, std::size_t bytes, std::size_t alignment);

template <class T>
EngineEntry<T> host_engine();
template <class T>
EngineEntry<T> cufft_engine();
template <class T>
EngineEntry<T> fused_engine();

}  // namespace poisson3d
