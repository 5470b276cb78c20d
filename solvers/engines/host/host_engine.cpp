// The host engine: the five passes on FFTW3 and a team of threads.
//
// A pass walks over blocks of V neighbouring lines (V samples are one cache line). A block is read as lines,
// transposed in registers into rows of V samples, transformed in cache, and its modes leave as whole cache lines of
// the rotated field. The field crosses memory once per pass, read and written.
//
// In memory mode low nothing is rotated (pass_tasks.hpp): lines along y and x are read and written where they lie,
// rows of V samples of neighbouring lines at a time, and u is all there is.
#include <algorithm>
#include <chrono>
#include <map>

#include "axis_kind.hpp"
#include "engine.hpp"
#include "field_checks.hpp"
#include "layout.hpp"
#include "move_rows.hpp"
#include "pass_tasks.hpp"
#include "planned_line.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/text.hpp"
#include "poisson3d/threads.hpp"
#include "schedule.hpp"
#include "spectrum.hpp"
#include "typical_value.hpp"

namespace poisson3d::host {

namespace {

std::string why_unavailable() {
    return row_fft_available() ? std::string{} : row_fft_library();
}

int thread_count(const Options& options) {
    return options.threads > 0 ? options.threads : available_threads();
}

/// As asked, or the fastest that fits what the caller brings or the machine has; low if nothing does.
template <class T>
Memory choose_memory(const Problem& problem, const Options& options) {
    if (options.memory != Memory::automatic) return options.memory;
    const std::size_t room = options.workspace.empty() ? available_host_memory() : options.workspace.size();
    for (const Memory memory : {Memory::fast, Memory::standard})
        if (room == 0 || make_layout<T>(problem, memory, thread_count(options)).bytes <= room) return memory;
    return Memory::low;
}

template <class T>
class HostEngine final : public EngineBase<T> {
public:
    /// The memory mode is chosen.
    HostEngine(const Problem& problem, const Options& options)
        : problem_(problem),
          memory_(options.memory),
          layout_(make_layout<T>(problem, memory_, thread_count(options))),
          team_(layout_.threads),
          kernel_(block_kernel<T>()),
          schedule_(memory_ == Memory::low ? make_schedule_in_place() : make_schedule()) {
        take_workspace(options);
        for (int a = 0; a < 3; ++a) {
            const AxisKind& kind = layout_.kinds[a];
            forward_[a] = line(kind.forward, kind.unknowns, options.effort);
            backward_[a] = line(kind.backward, kind.unknowns, options.effort);
            const std::vector<double> values = eigenvalues(problem.grid.axes[a], problem.discretization);
            eigenvalues_[a].assign(values.begin(), values.end());
            round_trip_ *= static_cast<double>(kind.round_trip);
        }
        for (std::size_t p = 0; p < schedule_.size(); ++p)
            reports_.push_back(
                {describe(schedule_[p], static_cast<int>(p) + 1, problem.grid.labels), 0.0, traffic_of_pass()});
        results_.resize(static_cast<std::size_t>(options.batch));
    }

    /// One field after the other: a small one finds the internal fields in the cache.
    void run(const Call<T>& call, Stream) override {
        if (memory_ == Memory::standard) require_dense(memory_, call.u.dense());
        for (PassReport& report : reports_) {
            report.seconds = 0.0;
            report.bytes = traffic_of_pass() * static_cast<double>(call.fields);
        }
        for (Index b = 0; b < call.fields; ++b) {
            run_field(call.part(b, 1));
            results_[static_cast<std::size_t>(b)] = result_of_field();
        }
    }

    void results(std::span<Result> results, Stream) override {
        std::copy_n(results_.begin(), results.size(), results.begin());
    }

    [[nodiscard]] Engine kind() const noexcept override { return Engine::host; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return team_.size(); }
    [[nodiscard]] std::size_t workspace() const noexcept override { return layout_.bytes; }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override {
        return "host, " + std::to_string(team_.size()) + (team_.size() == 1 ? " thread, " : " threads, ") +
               instruction_set().name + ", " + row_fft_library();
    }

private:
    void run_field(const Call<T>& call) {
        removed_ = T(0);
        shift_ = singular(problem_) ? typical_value(call.f.data, call.f.strides, call.f.extents) : T(0);
        operation_ = call.operation;
        scale_ = call.scale;
        const bool moved = memory_ == Memory::low && meet<T>(call.f, call.u);
        if (moved) move_rows<T>(call.f, call.u);
        const FieldView<const T> f = moved ? FieldView<const T>(call.u) : call.f;
        for (std::size_t p = 0; p < schedule_.size(); ++p) {
            const auto start = std::chrono::steady_clock::now();
            run_pass(schedule_[p], {call.operation, f, call.u, call.scale, call.boundary});
            reports_[p].seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        }
        write_dirichlet_planes(call.u, call.boundary);
    }

    [[nodiscard]] Result result_of_field() const {
        const bool is_singular = operation_ == ModeOperation::divide && singular(problem_);
        if (!is_singular) return {};
        return {true, static_cast<double>(removed_) / round_trip_ + static_cast<double>(shift_) * scale_};
    }

    /// Bytes, of one field.
    [[nodiscard]] double traffic_of_pass() const {
        return 2.0 * sizeof(T) *
               static_cast<double>(layout_.unknowns[0] * layout_.unknowns[1] * layout_.unknowns[2]);
    }

    void take_workspace(const Options& options) {
        if (options.workspace.empty()) {
            own_ = HostBuffer(layout_.bytes);
            base_ = static_cast<std::byte*>(own_.data());
        } else {
            require_workspace(options.workspace, layout_.bytes, HostBuffer::alignment);
            base_ = options.workspace.data();
        }
        // Touch the pages now, by the threads that will use them: a first solve should not pay for it.
        team_.parallel_for(static_cast<Index>(layout_.bytes), Index{2} << 20, [this](Index begin, Index end, int) {
            std::fill(base_ + begin, base_ + end, std::byte{0});
        });
    }

    const LineView<T>* line(Transform transform, Index points, PlanEffort effort) {
        return lines_.try_emplace({transform, points}, transform, points, effort).first->second.view();
    }

    PassTask<T> make_task(const Pass& pass, const Call<T>& call) {
        const bool low = memory_ == Memory::low;
        T* const own = reinterpret_cast<T*>(base_);
        T* const second = layout_.own_second ? reinterpret_cast<T*>(base_ + layout_.second_offset) : call.u.data;
        PassTask<T> task = low ? task_in_place<T>(layout_, pass, call.f, call.u)
                               : rotating_task<T>(layout_, pass, call.f, call.u, own, second);
        const int axis = pass.axis();
        if (pass.direction != Direction::backward) task.forward = forward_[axis];
        if (pass.direction != Direction::forward) task.backward = backward_[axis];
        if (pass.from == Place::input) {
            task.shift = shift_, task.scale = static_cast<T>(call.scale);
            if (call.boundary.any) task.added = &call.boundary;
        }
        if (is_last(pass) && call.boundary.any) task.held = &call.boundary;
        if (pass.direction == Direction::both) {
            const int slow = 1 - task.lanes;
            task.modes = {operation_,
                          eigenvalues_[axis].data(),
                          eigenvalues_[pass.order[slow]].data(),
                          eigenvalues_[pass.order[task.lanes]].data(),
                          static_cast<T>(-problem_.helmholtz),
                          static_cast<T>(1.0 / round_trip_),
                          singular(problem_),
                          &removed_};
        }
        return task;
    }

    /// Lines along z, backward.
    static bool is_last(const Pass& pass) { return pass.direction == Direction::backward && pass.axis() == 2; }

    void run_pass(const Pass& pass, const Call<T>& call) {
        PassTask<T> task = make_task(pass, call);
        const Index blocks = (task.lines + block_lines<T> - 1) / block_lines<T>;
        if (is_last(pass) && operation_ == ModeOperation::divide && singular(problem_) && problem_.gauge.point)
            task.subtract = value_at_gauge(task);
        // Whole slow indices per chunk where there are enough: their blocks complete each other's pages.
        const Index chunks = 8 * team_.size();
        const Index chunk =
            task.slow >= chunks ? task.slow / chunks * blocks : std::max<Index>(1, task.slow * blocks / chunks);
        team_.parallel_for(task.slow * blocks, chunk, [&](Index begin, Index end, int thread) {
            T* const x = scratch(thread, 0);
            T* const y = scratch(thread, 1);
            for (Index unit = begin; unit < end; ++unit)
                kernel_(task, unit / blocks, unit % blocks * block_lines<T>, x, y);
        });
    }

    T* scratch(int thread, int array) const {
        return reinterpret_cast<T*>(base_ + layout_.scratch_offset + layout_.scratch_bytes * (2 * thread + array));
    }

    /// The value the last pass will give the gauge point. The same block of lines goes through the same arithmetic,
    /// so that subtracting it leaves exactly 0 there.
    T value_at_gauge(PassTask<T> task) const {
        const auto [i, j, k] = *problem_.gauge.point;
        const Index line = j / block_lines<T> * block_lines<T>;
        T* const block = reinterpret_cast<T*>(base_ + layout_.gauge_offset);
        task.in += i * task.in_slow + line * task.in_line;
        task.out = block;
        task.lines -= line;
        task.out_line = layout_.unknowns[2];
        kernel_(task, 0, 0, scratch(0, 0), scratch(0, 1));
        return block[(j - line) * task.out_line + k];
    }

    /// Dirichlet nodes on whole planes of the two slower axes; the last pass did those at the ends of lines. The
    /// first axis last: its data stands where faces meet.
    static void write_dirichlet_planes(FieldView<T> u, const BoundaryTerms<T>& terms) {
        for (const int a : {1, 0})
            for (const int side : {0, 1}) {
                if (!terms.fixed[a][side]) continue;
                T* const plane = u.data + (side == 0 ? 0 : u.extents[a] - 1) * u.strides[a];
                for (Index r = 0; r < u.extents[1 - a]; ++r)
                    for (Index k = 0; k < u.extents[2]; ++k)
                        plane[r * u.strides[1 - a] + k] = value_at(terms.face[a][side], r, k);
            }
    }

    Problem problem_;
    Memory memory_;
    Layout layout_;
    ThreadTeam team_;
    BlockKernel<T> kernel_;
    Schedule schedule_;
    HostBuffer own_;
    std::byte* base_ = nullptr;
    std::map<std::pair<Transform, Index>, PlannedLine<T>> lines_;  // axes of one kind and size share a plan
    std::array<const LineView<T>*, 3> forward_{};
    std::array<const LineView<T>*, 3> backward_{};
    std::array<std::vector<T>, 3> eigenvalues_;
    double round_trip_ = 1.0;
    ModeOperation operation_ = ModeOperation::none;
    double scale_ = 1.0;
    T removed_ = 0;                ///< the constant mode of what was left of f …
    T shift_ = 0;                  ///< … when this had been taken from it
    std::vector<Result> results_;  ///< of each field of the last call
    std::vector<PassReport> reports_;
};

template <class T>
std::unique_ptr<EngineBase<T>> make(const Problem& problem, const Options& options) {
    if (!row_fft_available())
        throw Error(ErrorCode::unsupported, "engine host cannot be used: " + why_unavailable());
    Options chosen = options;
    chosen.memory = choose_memory<T>(problem, options);
    while (options.memory == Memory::automatic && chosen.memory != Memory::low) {
        // What the machine has free need not be had: a limit of the address space shows only when it is reached.
        try {
            return std::make_unique<HostEngine<T>>(problem, chosen);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::out_of_memory) throw;
        }
        chosen.memory = chosen.memory == Memory::fast ? Memory::standard : Memory::low;
    }
    return std::make_unique<HostEngine<T>>(problem, chosen);
}

template <class T>
std::size_t workspace_bytes(const Problem& problem, const Options& options) {
    return make_layout<T>(problem, choose_memory<T>(problem, options), thread_count(options)).bytes;
}

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
EngineEntry<T> host_engine() {
    return {Engine::host, &host::why_unavailable, &host::make<T>, &host::workspace_bytes<T>};
}

template EngineEntry<float> host_engine();
template EngineEntry<double> host_engine();

}  // namespace poisson3d
