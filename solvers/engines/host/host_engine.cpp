// The host engine: five passes in three sweeps, on a team of threads.
//
//     sweep 1   per plane of x: lines along z, then along y      forward
//     sweep 2   lines along x                                    forward, mode space, backward
//     sweep 3   per plane of x: lines along y, then along z      backward
//
// An axis that is eliminated instead of transformed takes the place of x; further axes without fast transform are
// multiplied with matrices.
// A pass goes over blocks of V lines (line_walk.hpp) and works in u as it lies (passes.hpp), in every memory mode.
// A plane that fits the cache crosses memory once per sweep. Where there are fewer planes than keep all threads at
// work, or where z is thin, every pass is a sweep.
#include <algorithm>
#include <memory>

#include "beyond_faces.hpp"
#include "engine.hpp"
#include "field_checks.hpp"
#include "field_passes.hpp"
#include "free_faces.hpp"
#include "gauge_shift.hpp"
#include "move_rows.hpp"
#include "padded_engine.hpp"
#include "walled_engine.hpp"

namespace poisson3d::host {

namespace {

/// Everywhere.
std::string why_unavailable() {
    return {};
}

std::string refuses_nothing(const Problem&, const Options&) {
    return {};
}

template <class T>
class HostEngine final : public EngineBase<T> {
public:
    HostEngine(const Problem& problem, const Options& options)
        : memory_(FieldPasses<T>::memory_of(options)),
          passes_(problem, options, eliminated_axis(problem, options.middle), whole_box(problem)),
          gauge_(problem) {
        if (unbounded_axes(problem.grid) > 0)
            beyond_ = make_beyond_faces<T>(problem, options.batch, options.threads);
        for (const Sweep& sweep : passes_.sweeps())
            reports_.push_back(
                {describe(sweep, static_cast<int>(reports_.size()) + 1, passes_.schedule(), problem.grid.labels),
                 0.0, passes_.traffic()});
        results_.resize(static_cast<std::size_t>(options.batch));
    }

    /// One field after the other: a small one stays in the cache from sweep to sweep.
    void run(const Call<T>& call, Stream) override {
        for (PassReport& report : reports_) {
            report.seconds = 0.0;
            report.bytes = passes_.traffic() * static_cast<double>(call.fields);
        }
        fields_ = call.fields;
        for (Index b = 0; b < call.fields; ++b) {
            run_field(call.part(b, 1), b);
            results_[static_cast<std::size_t>(b)] = passes_.result(call.scale * call.restore);
        }
    }

    BoundaryData<T> faces(const BoundaryData<T>& walls, Stream) override {
        return beyond_ != nullptr ? beyond_->data(walls, fields_) : walls;
    }

    void results(std::span<Result> results, Stream) override {
        std::copy_n(results_.begin(), results.size(), results.begin());
    }

    [[nodiscard]] Engine kind() const noexcept override { return Engine::host; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return passes_.team().size(); }
    [[nodiscard]] std::size_t workspace() const noexcept override { return passes_.layout().bytes; }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override { return passes_.description(); }

private:
    void run_field(const Call<T>& call, Index number) {
        passes_.begin(call.operation,
                      singular(passes_.problem()) ? typical_value(call.f.data, call.f.strides, call.f.extents)
                                                  : Constant<T>{},
                      passes_.unknowns_of(call.u));
        const bool moved = overlap<T>(call.f, call.u);
        if (moved) move_rows<T>(call.f, call.u);
        Call<T> here = call;
        if (moved) here.f = call.u;
        for (std::size_t s = 0; s < passes_.sweeps().size(); ++s) {
            timed(reports_[s], [&] { passes_.run_sweep(passes_.sweeps()[s], here); });
        }
        write_dirichlet_planes(call.u, call.boundary, passes_.schedule()[4].axis() == 2 ? 2 : 3);
        if (beyond_ == nullptr || call.operation != ModeOperation::divide) return;
        gauge_.apply(call.u, passes_.team().team());
        for (int side = 0; side < 2; ++side)
            beyond_->keep(number, side, end_plane<const T>(call.u, passes_.eliminated(), side));
        beyond_->keep(number, *passes_.removed());
    }

    Memory memory_;
    FieldPasses<T> passes_;
    GaugeShift<T> gauge_;
    std::unique_ptr<BeyondFaces<T>> beyond_;  ///< null: no face is free
    Index fields_ = 0;                        ///< of the last call
    std::vector<Result> results_;             ///< of each of them
    std::vector<PassReport> reports_;
};

template <class T>
std::unique_ptr<EngineBase<T>> make(const Problem& problem, const Options& options) {
    if (closes_free_axes(problem, options.middle)) return make_walled_engine<T>(problem, options);
    if (pads_free_axes(problem, options.middle)) return make_padded_engine<T>(problem, options);
    return std::make_unique<HostEngine<T>>(problem, options);
}

template <class T>
std::size_t workspace_bytes(const Problem& problem, const Options& options) {
    if (closes_free_axes(problem, options.middle)) return walled_workspace_bytes<T>(problem, options);
    if (pads_free_axes(problem, options.middle)) return padded_engine_bytes<T>(problem, options);
    return make_layout<T>(problem, options.memory, thread_count(options), eliminated_axis(problem, options.middle),
                          whole_box(problem))
        .bytes;
}

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
EngineEntry<T> host_engine() {
    return {Engine::host, &host::why_unavailable, &host::refuses_nothing, &host::make<T>,
            &host::workspace_bytes<T>};
}

template EngineEntry<float> host_engine();
template EngineEntry<double> host_engine();

}  // namespace poisson3d
