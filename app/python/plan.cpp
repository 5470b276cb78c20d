#include "plan.hpp"

#include <optional>
#include <type_traits>
#include <utility>

#include "array.hpp"
#include "boundary.hpp"
#include "plan_lock.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/gradient.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "stream_order.hpp"

namespace poisson3d::python {

namespace nb = nanobind;

namespace {

Stream stream_of(std::uintptr_t handle) {
    return {reinterpret_cast<void*>(handle)};
}

/// Planned is Solver<T>, or MixedSolver for fields of double.
template <class T, class Planned>
class PlanOf final : public Plan {
    static constexpr bool mixed = std::is_same_v<Planned, MixedSolver>;

public:
    PlanOf(const Problem& problem, const Options& options)
        : problem_(problem), options_(options), solver_(problem, options) {
        if (solver_.engine() != Engine::host) device_ = options.device;
    }

    void solve(nb::handle f, nb::handle u, nb::handle boundary, double scale, std::uintptr_t stream,
               bool keep) override {
        Call call = read_call(f, "f", u, stream, keep);
        const auto from = view_fields<const T>(call.arrays[0], points());
        require_batch(call.arrays, from.count, options_.batch);
        const auto to = view_fields<T>(call.arrays[1], points());
        const BoundaryData<T> data = read_data(boundary, from.count, call);
        run(call, [&] {
            if constexpr (mixed)
                solver_.solve(from.first, to.first, data, scale, call.stream);
            else
                solver_.solve(from, to, data, static_cast<T>(scale), call.stream);
            solved_ = true;
        });
    }

    void apply(nb::handle f, nb::handle u, double scale, std::uintptr_t stream, bool keep) override {
        if constexpr (mixed) {
            throw Error(ErrorCode::unsupported, "a mixed solver has no operator: use one of float64");
        } else {
            Call call = read_call(f, "f", u, stream, keep);
            const auto from = view_fields<const T>(call.arrays[0], points());
            require_batch(call.arrays, from.count, options_.batch);
            const auto to = view_fields<T>(call.arrays[1], points());
            run(call, [&] {
                for (Index b = 0; b < from.count; ++b)
                    solver_.apply(from[b], to[b], static_cast<T>(scale), call.stream);
            });
        }
    }

    void gradient(nb::handle u, nb::handle gradient, nb::handle boundary, nb::handle f, double scale,
                  std::uintptr_t stream, bool keep) override {
        Call call = read_call(u, "u", gradient, stream, keep);
        const auto from = view_fields<const T>(call.arrays[0], points());
        const auto to = view_gradients<T>(call.arrays[1], points(), call.arrays[0].axes == 4 ? from.count : 0);
        BoundaryData<T> data = read_data(boundary, from.count, call);
        std::optional<FieldBatch<const T>> source;
        if (!f.is_none()) {
            call.arrays.push_back(read_array(f, "f"));
            Array& array = call.arrays.back();
            settle_device(array);
            require_shape(array, call.arrays[0].shape.data(), call.arrays[0].axes);
            source = view_fields<const T>(array, points());
        }
        run(call, [&] {
            plan_gradient();
            if constexpr (!mixed)
                if (unbounded_axes(problem_.grid) > 0 && problem_.discretization == Discretization::second_order) {
                    data = faces_of_last_solve(data);
                    if (call.device) free_faces_.put(data, problem_.grid, points(), from.count, call.stream);
                }
            for (Index b = 0; b < from.count; ++b) {
                const std::array<FieldView<T>, 3>& here = to[static_cast<std::size_t>(b)];
                if (source)
                    gradient_->evaluate_with_source(from[b], (*source)[b], static_cast<T>(scale), here,
                                                    of_field(data, b), call.stream);
                else
                    gradient_->evaluate(from[b], here, of_field(data, b), call.stream);
            }
        });
    }

    double freeness(nb::handle u) override {
        if constexpr (mixed) {
            throw Error(ErrorCode::unsupported, "a mixed solver has no free faces");
        } else {
            Array array = read_array(u, "u");
            settle_device(array);
            if (array.device)
                throw Error(ErrorCode::unsupported, "u: found in " + memory_name(array.device) + ", wanted in " +
                                                        memory_name(std::nullopt));
            const auto from = view_fields<const T>(array, points());
            return lock_([&] { return poisson3d::freeness<T>(problem_, from.first, faces_of_last_solve({})); });
        }
    }

    std::vector<Result> results() override {
        return lock_([&]() -> std::vector<Result> {
            if (!solved_) throw Error(ErrorCode::usage, "no result: nothing was solved yet");
            if constexpr (mixed)
                return {solver_.result(order_.last_stream())};
            else
                return solver_.results(order_.last_stream());
        });
    }

    std::vector<PassReport> passes() override {
        return lock_([&] {
            if (solved_) solver_.result(order_.last_stream());
            return solver_.passes();
        });
    }

    void make_wait(std::uintptr_t stream) override {
        if (!device_) return;
        lock_([&] {
            const DeviceScope scope(*device_);  // whose default stream it may be
            order_.make_wait(stream_of(stream));
        });
    }

    std::uintptr_t own_stream() override {
        if (!device_) return 0;
        return lock_([&] {
            const DeviceScope scope(options_.device);
            return reinterpret_cast<std::uintptr_t>(order_.own_stream().handle);
        });
    }

    [[nodiscard]] Engine engine() const override { return solver_.engine(); }
    [[nodiscard]] Memory memory() const override { return solver_.memory(); }
    [[nodiscard]] int threads() const override { return solver_.threads(); }
    [[nodiscard]] std::size_t workspace() const override { return solver_.workspace(); }
    [[nodiscard]] std::string description() const override { return solver_.description(); }
    [[nodiscard]] std::vector<double> positions(int axis) const override {
        const Axis& along = problem_.grid.axes[static_cast<std::size_t>(axis)];
        return coordinates(along);
    }

private:
    /// What a call was given.
    struct Call {
        std::vector<Array> arrays;  ///< the one read, the one written, those of faces
        std::optional<int> device;  ///< where they lie
        Stream stream;
        bool keep;
    };

    [[nodiscard]] Extents points() const { return problem_.grid.points(); }

    Call read_call(nb::handle from, const char* name, nb::handle to, std::uintptr_t stream, bool keep) const {
        lock_.require_here();
        Call call{{}, {}, stream_of(stream), keep};
        call.arrays.push_back(read_array(from, name));
        if (to.is(from)) {  // a DLPack capsule can be taken over once only
            call.arrays.push_back(call.arrays[0]);
            call.arrays[1].name = "out";
        } else {
            call.arrays.push_back(read_array(to, "out"));
        }
        settle_device(call.arrays[0]);
        settle_device(call.arrays[1]);
        call.device = call.arrays[0].device;
        if (call.device && call.device != device_)
            throw Error(ErrorCode::usage, std::string(name) + ": found in " + memory_name(call.device) +
                                              ", wanted in " + memory_name(device_) +
                                              ", where this solver works (engine " +
                                              poisson3d::name(solver_.engine()) + ")");
        if (call.arrays[1].device != call.device)
            throw Error(ErrorCode::usage, "out: found in " + memory_name(call.arrays[1].device) + ", wanted in " +
                                              memory_name(call.device) + ", where " + name + " is");
        return call;
    }

    /// An array that does not tell its device is taken to lie on the plan's.
    void settle_device(Array& array) const {
        if (array.device == Array::any_device) array.device = device_.value_or(0);
    }

    /// f and u have the same shape, and no more fields than were planned for.
    static void require_batch(const std::vector<Array>& arrays, Index fields, Index most) {
        const Array &f = arrays[0], &u = arrays[1];
        require_shape(u, f.shape.data(), f.axes);
        if (fields < 1 || fields > most)
            throw Error(ErrorCode::usage, f.name + ": found a batch of " + std::to_string(fields) +
                                              ", wanted from 1 to " + std::to_string(most) +
                                              ", the batch this solver was planned for");
    }

    /// Data in host memory is checked.
    BoundaryData<T> read_data(nb::handle object, Index fields, Call& call) const {
        ReadBoundary<T> boundary = read_boundary<T>(object, problem_.grid, fields, call.device);
        if (!call.device || boundary.arrays.empty())
            for (Index b = 0; b < (boundary.arrays.empty() ? 1 : fields); ++b)
                validate(problem_.grid, of_field(boundary.data, b));
        for (Array& array : boundary.arrays) call.arrays.push_back(std::move(array));
        return boundary.data;
    }

    /// `walls`, and what the last solve found on free faces.
    BoundaryData<T> faces_of_last_solve(const BoundaryData<T>& walls) {
        if (!solved_)
            throw Error(ErrorCode::usage,
                        "found free faces, whose values the last solve knows: nothing was "
                        "solved yet");
        return solver_.faces(walls, order_.last_stream());
    }

    void plan_gradient() {
        if (gradient_) return;
        Options options = options_;
        if (solver_.engine() == Engine::host) options.engine = Engine::host;
        gradient_.emplace(problem_, options);
    }

    template <class Work>
    void run(Call& call, Work&& work) {
        StreamOrder::Event event;
        lock_([&] {
            if (!call.device) return work();
            const DeviceScope scope(*call.device);
            order_.before(call.stream);
            work();
            event = order_.after(call.stream);
        });
        if (!call.keep) call.arrays.clear();
        order_.keep(std::move(event), std::move(call.arrays));
    }

    Problem problem_;
    Options options_;
    std::optional<int> device_;  ///< the GPU it works on
    PlanLock lock_;
    Planned solver_;
    std::optional<Gradient<T>> gradient_;
    FacesOnDevice<T> free_faces_;
    bool solved_ = false;
    StreamOrder order_;  // destroyed first: waits
};

}  // namespace

std::unique_ptr<Plan> make_plan(Precision precision, const Arguments& arguments) {
    const Problem problem = make_problem(arguments);
    const Options options = make_options(arguments);
    const nb::gil_scoped_release released;
    switch (precision) {
        case Precision::single_precision: return std::make_unique<PlanOf<float, Solver<float>>>(problem, options);
        case Precision::mixed: return std::make_unique<PlanOf<double, MixedSolver>>(problem, options);
        default: return std::make_unique<PlanOf<double, Solver<double>>>(problem, options);
    }
}

std::size_t workspace_bytes(Precision precision, const Arguments& arguments) {
    const Problem problem = make_problem(arguments);
    const Options options = make_options(arguments);
    switch (precision) {
        case Precision::single_precision: return Solver<float>::workspace_bytes(problem, options);
        case Precision::mixed: return MixedSolver::workspace_bytes(problem, options);
        default: return Solver<double>::workspace_bytes(problem, options);
    }
}

}  // namespace poisson3d::python
