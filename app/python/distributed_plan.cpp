#include "distributed_plan.hpp"

#include <span>

#include "array.hpp"
#include "boundary.hpp"
#include "plan_lock.hpp"
#include "poisson3d/error.hpp"

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
                      const DistributedOptions& options)
        : problem_(problem),
          parts_(parts),
          members_(members),
          batch_(options.batch),
          solver_(problem, parts, members, options) {
        const Extents points = mine().points;
        for (std::size_t a = 0; a < 3; ++a) here_.axes[a].points = points[a];
        here_.labels = problem.grid.labels;
    }

    void solve(nb::handle f, nb::handle u, nb::handle boundary, double scale) override {
        ReadBoundary<T> data;
        const Fields fields = alone_before(members_, [&] {
            Fields read = read_fields(f, u);
            data = read_boundary<T>(boundary, here_, read.from.count, std::nullopt);
            return read;
        });
        lock_([&] {
            solver_.solve(std::span(&fields.from, 1), std::span(&fields.to, 1),
                          std::span<const BoundaryData<T>>(&data.data, 1), static_cast<T>(scale));
            solved_ = true;
        });
    }

    void apply(nb::handle f, nb::handle u, double scale) override {
        const Fields fields = alone_before(members_, [&] { return read_fields(f, u); });
        lock_([&] {
            for (Index b = 0; b < fields.from.count; ++b) {
                const FieldView<const T> from = fields.from[b];
                const FieldView<T> to = fields.to[b];
                solver_.apply(std::span(&from, 1), std::span(&to, 1), static_cast<T>(scale));
            }
        });
    }

    [[nodiscard]] std::vector<Result> results() override {
        return lock_([&] {
            if (!solved_) throw Error(ErrorCode::usage, "no result: nothing was solved yet");
            return solver_.results();
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
        const std::vector<double> all = coordinates(problem_.grid.axes[a]);
        const auto first = all.begin() + mine().first[a];
        return {first, first + mine().points[a]};
    }
    [[nodiscard]] Method method() const override { return solver_.method(); }
    [[nodiscard]] Traffic traffic() const override { return solver_.traffic(); }
    [[nodiscard]] int threads() const override { return solver_.threads(); }
    [[nodiscard]] std::size_t workspace() const override { return solver_.workspace(); }
    [[nodiscard]] std::string description() const override { return solver_.description(); }

private:
    struct Fields {
        Array f, u;
        FieldBatch<const T> from;
        FieldBatch<T> to;
    };

    [[nodiscard]] Box mine() const { return parts_.box(members_.mine().front()); }

    Fields read_fields(nb::handle f, nb::handle u) const {
        Fields fields{read(f, "f"), {}, {}, {}};
        fields.u = u.is(f) ? fields.f : read(u, "out");  // a DLPack capsule can be taken over once only
        fields.u.name = "out";
        fields.from = view_fields<const T>(fields.f, mine().points);
        require_shape(fields.u, fields.f.shape.data(), fields.f.axes);
        fields.to = view_fields<T>(fields.u, mine().points);
        if (fields.from.count < 1 || fields.from.count > batch_)
            throw Error(ErrorCode::usage, "f: found a batch of " + std::to_string(fields.from.count) +
                                              ", wanted from 1 to " + std::to_string(batch_) +
                                              ", the batch this solver was planned for");
        return fields;
    }

    static Array read(nb::handle object, const std::string& name) {
        return read_host_array(object, name, "where members solve");
    }

    Problem problem_;
    Decomposition parts_;
    Communicator members_;
    Index batch_;
    Grid here_;  ///< my points, for the extents of parts of faces
    PlanLock lock_;
    DistributedSolver<T> solver_;
    bool solved_ = false;
};

}  // namespace

std::unique_ptr<DistributedPlan> make_distributed_plan(app::Precision precision, const Arguments& arguments,
                                                       const Communicator& members, const Cuts& cuts,
                                                       const std::string& method) {
    Problem problem;
    DistributedOptions options;
    Decomposition parts = alone_before(members, [&] {
        problem = make_problem(arguments);
        options.method = app::NameOf{Method::automatic, Method::eliminate, Method::transpose}("method", method);
        options.threads = arguments.threads;
        options.batch = arguments.batch;
        return decompose(problem.grid.points(), members, cuts);
    });
    const nb::gil_scoped_release released;
    if (cuts.box)
        parts = Decomposition::boxes(problem.grid.points(), {Box{cuts.box->first, cuts.box->second}}, members);
    if (precision == app::Precision::single_precision)
        return std::make_unique<DistributedPlanOf<float>>(problem, parts, members, options);
    return std::make_unique<DistributedPlanOf<double>>(problem, parts, members, options);
}

}  // namespace poisson3d::python
