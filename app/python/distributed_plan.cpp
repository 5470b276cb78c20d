#include "distributed_plan.hpp"

#include <span>

#include "member_arrays.hpp"
#include "plan_lock.hpp"
#include "poisson3d/distributed_gradient.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/free_space.hpp"
#include "stream_order.hpp"

namespace poisson3d::python {

namespace nb = nanobind;

namespace {

/// body(), which no other member takes part in, before a call of all members: what it throws is told to them.
template <class Body>
auto alone_before(const Communicator& members, const Body& body) {
    try {
        return body();
    } catch (const Error& error) {
        const nb::gil_scoped_release released;
        members.refuse(error.code());
        throw;
    } catch (...) {
        const nb::gil_scoped_release released;
        members.refuse(ErrorCode::usage);
        throw;
    }
}

Decomposition decompose(const Extents& points, const Communicator& members, const Cuts& cuts) {
    const auto cut = [&] {
        if (cuts.box) return Decomposition::automatic(points, members.size());  // not used
        if (!cuts.columns.empty()) return Decomposition::pencils(points, cuts.rows, cuts.columns);
        if (!cuts.rows.empty()) return Decomposition::slabs(points, cuts.rows);
        if (cuts.members.size() == 2) return Decomposition::pencils(points, {cuts.members[0], cuts.members[1]});
        if (cuts.word == "automatic") return Decomposition::automatic(points, members.size());
        if (cuts.word == "slabs") return Decomposition::slabs(points, members.size());
        if (cuts.word == "pencils") return Decomposition::pencils(points, members.size());
        throw Error(ErrorCode::usage,
                    "decomposition: found '" + cuts.word + "', wanted automatic, slabs, pencils, or a pair");
    };
    return cuts.order.empty() ? cut() : cut().in_order_of(cuts.order);
}

template <class T>
class DistributedPlanOf final : public DistributedPlan {
public:
    DistributedPlanOf(const Problem& problem, const Decomposition& parts, const Communicator& members,
                      const std::vector<int>& devices, const DistributedOptions& options)
        : problem_(problem),
          parts_(parts),
          members_(members),
          options_(options),
          solver_(problem, parts, members, options),
          orders_(members.mine().size()) {
        for (std::size_t m = 0; m < members.mine().size(); ++m)
            places_.push_back(
                {parts.box(members.mine()[m]).points, devices.empty() ? std::nullopt : std::optional(devices[m])});
    }

    void solve(const nb::list& f, const nb::list& u, const nb::list& boundaries, double scale,
               const Streams& streams, bool keep) override {
        MemberArrays<T> call = read(f, u, boundaries);
        run(call, streams, keep, [&](std::span<const Stream> in) {
            solver_.solve(std::span<const FieldBatch<const T>>(call.from), std::span<const FieldBatch<T>>(call.to),
                          std::span<const BoundaryData<T>>(call.boundary), static_cast<T>(scale), in);
            solved_ = true;
        });
    }

    void apply(const nb::list& f, const nb::list& u, double scale, const Streams& streams, bool keep) override {
        MemberArrays<T> call = read(f, u, {});
        run(call, streams, keep, [&](std::span<const Stream> in) {
            for (Index b = 0; b < call.from[0].count; ++b) {
                std::vector<FieldView<const T>> from;
                std::vector<FieldView<T>> to;
                for (const auto& batch : call.from) from.push_back(batch[b]);
                for (const auto& batch : call.to) to.push_back(batch[b]);
                solver_.apply(std::span(std::as_const(from)), std::span(std::as_const(to)), static_cast<T>(scale),
                              in);
            }
        });
    }

    void gradient(const nb::list& u, const nb::list& gradients, const nb::list& boundaries, const nb::list& f,
                  double scale, const Streams& streams, bool keep) override {
        MemberArrays<T> call = read(u, gradients, boundaries, true, f);
        run(call, streams, keep, [&](std::span<const Stream> in) {
            if (!gradient_) gradient_.emplace(problem_, parts_, members_, options_);
            if (unbounded_axes(problem_.grid) > 0 && problem_.discretization == Discretization::second_order)
                put_free_faces(call.boundary);
            for (Index b = 0; b < call.from[0].count; ++b) {
                std::vector<FieldView<const T>> from, source;
                std::vector<std::array<FieldView<T>, 3>> to;
                std::vector<BoundaryData<T>> walls;
                for (const auto& batch : call.from) from.push_back(batch[b]);
                for (const auto& batch : call.source) source.push_back(batch[b]);
                for (const auto& fields : call.gradients) to.push_back(fields[static_cast<std::size_t>(b)]);
                for (const auto& data : call.boundary) walls.push_back(of_field(data, b));
                if (source.empty())
                    gradient_->evaluate(std::span(std::as_const(from)), std::span(std::as_const(to)),
                                        std::span(std::as_const(walls)), in);
                else
                    gradient_->evaluate_with_source(
                        std::span(std::as_const(from)), std::span(std::as_const(source)), static_cast<T>(scale),
                        std::span(std::as_const(to)), std::span(std::as_const(walls)), in);
            }
        });
    }

    [[nodiscard]] std::vector<Result> results() override {
        return lock_([&] {
            if (!solved_) throw Error(ErrorCode::usage, "no result: nothing was solved yet");
            return solver_.results();
        });
    }
    void make_wait(int member, std::uintptr_t stream) override {
        const auto m = static_cast<std::size_t>(member);
        if (!places_.at(m).device) return;
        lock_([&] {
            const DeviceScope scope(*places_[m].device);  // whose default stream it may be
            orders_[m].make_wait(stream_of(stream));
        });
    }
    std::uintptr_t own_stream(int member) override {
        const auto m = static_cast<std::size_t>(member);
        if (!places_.at(m).device) return 0;
        return lock_([&] {
            const DeviceScope scope(*places_[m].device);
            return reinterpret_cast<std::uintptr_t>(orders_[m].own_stream().handle);
        });
    }
    [[nodiscard]] Box box(int member) const override {
        if (member < 0 || member >= parts_.members())
            throw Error(ErrorCode::usage, "member: found " + std::to_string(member) + ", wanted 0 to " +
                                              std::to_string(parts_.members() - 1));
        return parts_.box(member);
    }
    [[nodiscard]] std::vector<double> positions(int axis) const override {
        const auto a = static_cast<std::size_t>(axis);
        std::vector<double> all = coordinates(problem_.grid.axes[a]);
        if (places_.size() > 1) return all;  // all members are of this process
        const Box mine = parts_.box(members_.mine().front());
        const auto first = all.begin() + mine.first[a];
        return {first, first + mine.points[a]};
    }
    [[nodiscard]] Method method() const override { return solver_.method(); }
    [[nodiscard]] Traffic traffic() const override { return solver_.traffic(); }
    [[nodiscard]] Traffic sent_by(int member) const override {
        if (member < 0 || member >= parts_.members())
            throw Error(ErrorCode::usage, "found member " + std::to_string(member) + ", wanted 0 to " +
                                              std::to_string(parts_.members() - 1));
        return solver_.sent_by(member);
    }
    [[nodiscard]] int threads() const override { return solver_.threads(); }
    [[nodiscard]] std::size_t workspace() const override { return solver_.workspace(); }
    [[nodiscard]] std::string description() const override { return solver_.description(); }

private:
    static Stream stream_of(std::uintptr_t handle) { return {reinterpret_cast<void*>(handle)}; }

    [[nodiscard]] bool on_devices() const { return places_[0].device.has_value(); }

    /// What the last solve found on free faces, at the points of each member. A call of all members.
    void put_free_faces(std::vector<BoundaryData<T>>& boundary) const {
        if (!solved_)
            throw Error(ErrorCode::usage,
                        "found free faces, whose values the last solve knows: nothing was solved yet");
        boundary = solver_.member_faces(boundary);
    }

    MemberArrays<T> read(const nb::list& f, const nb::list& u, const nb::list& boundaries, bool gradients = false,
                         const nb::list& source = {}) const {
        return alone_before(members_, [&] {
            lock_.require_here();
            return read_member_arrays<T>(f, u, boundaries, places_, problem_.grid.labels, options_.batch, gradients,
                                         source);
        });
    }

    /// work(streams), those of members on devices; on the host there are none.
    template <class Work>
    void run(MemberArrays<T>& call, const Streams& given, bool keep, const Work& work) {
        if (!on_devices()) {
            lock_([&] { work(std::span<const Stream>()); });
            return;
        }
        std::vector<Stream> streams;
        for (std::size_t m = 0; m < places_.size(); ++m) streams.push_back(stream_of(given.at(m)));
        std::vector<StreamOrder::Event> events;
        lock_([&] {
            each(streams, [&](std::size_t m) { orders_[m].before(streams[m]); });
            if (call.to_be_copied) copies_.bring(call, places_, streams);
            work(std::span<const Stream>(streams));
            each(streams, [&](std::size_t m) { events.push_back(orders_[m].after(streams[m])); });
            if (call.to_be_copied) copies_.take(call, places_, streams);
        });
        for (std::size_t m = 0; m < places_.size(); ++m)
            orders_[m].keep(std::move(events[m]), keep ? std::move(call.arrays[m]) : std::vector<Array>());
    }

    /// body(member) with its device the current one.
    template <class Body>
    void each(const std::vector<Stream>& streams, const Body& body) {
        for (std::size_t m = 0; m < streams.size(); ++m) {
            const DeviceScope scope(*places_[m].device);
            body(m);
        }
    }

    Problem problem_;
    Decomposition parts_;
    Communicator members_;
    DistributedOptions options_;
    PlanLock lock_;
    std::vector<MemberPlace> places_;  ///< of my members
    DeviceCopies<T> copies_;
    DistributedSolver<T> solver_;
    std::optional<DistributedGradient<T>> gradient_;  ///< since the first one
    bool solved_ = false;
    std::vector<StreamOrder> orders_;  // destroyed first: they wait
};

}  // namespace

std::unique_ptr<DistributedPlan> make_distributed_plan(app::Precision precision, const Arguments& arguments,
                                                       const Communicator& members, const std::vector<int>& devices,
                                                       const Cuts& cuts, const std::string& method,
                                                       const std::string& way, int chunks) {
    Problem problem;
    DistributedOptions options;
    Decomposition parts = alone_before(members, [&] {
        problem = make_problem(arguments);
        options.method = app::NameOf{Method::automatic, Method::eliminate, Method::transpose}("method", method);
        options.way = app::NameOf{Way::automatic, Way::copies, Way::stores, Way::nccl,
                                  Way::staged,    Way::passes, Way::mpi}("way", way);
        options.chunks = chunks;
        options.threads = arguments.threads;
        options.batch = arguments.batch;
        return decompose(problem.grid.points(), members, cuts);
    });
    const nb::gil_scoped_release released;
    if (cuts.box)
        parts = Decomposition::boxes(problem.grid.points(), {Box{cuts.box->first, cuts.box->second}}, members);
    if (precision == app::Precision::single_precision)
        return std::make_unique<DistributedPlanOf<float>>(problem, parts, members, devices, options);
    return std::make_unique<DistributedPlanOf<double>>(problem, parts, members, devices, options);
}

}  // namespace poisson3d::python
