#include "variable_plan.hpp"

#include <algorithm>

#include "array.hpp"
#include "boundary.hpp"
#include "plan_lock.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::python {

namespace nb = nanobind;

namespace {

template <class T>
class VariablePlanOf final : public VariablePlan {
public:
    VariablePlanOf(const Problem& problem, const Options& options, std::optional<double> scaling)
        : problem_(problem), solver_(problem, options, scaling) {}

    void set_points(nb::handle coefficient, nb::handle helmholtz) override {
        const Array array = read(coefficient, "coefficient");
        const FieldView<const T> view = field<const T>(array, points());
        const Lambda lambda(*this, helmholtz);
        lock_([&] { solver_.set_coefficient(view, lambda.view); });
    }

    void set_faces(const std::array<nb::object, 3>& coefficient, nb::handle helmholtz) override {
        std::array<Array, 3> arrays;
        std::array<FieldView<const T>, 3> views;
        for (std::size_t a = 0; a < 3; ++a) {
            Extents extents = points();
            ++extents[a];
            arrays[a] = read(coefficient[a], std::string("coefficient[") + std::to_string(a) + "]");
            views[a] = field<const T>(arrays[a], extents);
        }
        const Lambda lambda(*this, helmholtz);
        lock_([&] { solver_.set_coefficient(views, lambda.view); });
    }

    VariableResult solve(nb::handle f, nb::handle u, nb::handle boundary, double scale, double tolerance,
                         int max_iterations, nb::handle guess) override {
        const Array from = read(f, "f"), to = read(u, "out");
        const FieldView<const T> f_view = field<const T>(from, points());
        const FieldView<T> u_view = field<T>(to, points());
        VariableControl control{tolerance, max_iterations, !guess.is_none()};
        if (control.start_from_u) {
            const Array start = read(guess, "guess");
            const FieldView<const T> view = field<const T>(start, points());
            if (view.data != u_view.data)
                for (Index i = 0; i < points()[0]; ++i)
                    for (Index j = 0; j < points()[1]; ++j)
                        std::copy_n(&view(i, j, 0), points()[2], &u_view(i, j, 0));
        }
        const ReadBoundary<T> data = read_boundary<T>(boundary, problem_.grid, 1, std::nullopt);
        validate(problem_.grid, data.data);
        return lock_([&] { return solver_.solve(f_view, u_view, data.data, static_cast<T>(scale), control); });
    }

    void apply(nb::handle u, nb::handle f) override {
        const Array from = read(u, "u"), to = read(f, "out");
        const FieldView<const T> u_view = field<const T>(from, points());
        const FieldView<T> f_view = field<T>(to, points());
        lock_([&] { solver_.apply(u_view, f_view); });
    }

    [[nodiscard]] double scaling() const override { return solver_.scaling(); }
    [[nodiscard]] int threads() const override { return solver_.threads(); }
    [[nodiscard]] std::size_t workspace() const override { return solver_.workspace(); }
    [[nodiscard]] std::string description() const override { return solver_.description(); }

private:
    [[nodiscard]] Extents points() const { return problem_.grid.points(); }

    /// λ at the points, or nothing.
    struct Lambda {
        Array array;
        FieldView<const T> view{};

        Lambda(const VariablePlanOf& plan, nb::handle object) {
            if (object.is_none()) return;
            array = plan.read(object, "helmholtz");
            view = field<const T>(array, plan.points());
        }
    };

    Array read(nb::handle object, const std::string& name) const {
        lock_.require_here();
        return read_host_array(object, name, "where variable coefficients are solved");
    }

    template <class U>
    static FieldView<U> field(const Array& array, const Extents& extents) {
        require_shape(array, extents.data(), 3);
        return view_fields<U>(array, extents).first;
    }

    Problem problem_;
    PlanLock lock_;
    VariableSolver<T> solver_;
};

}  // namespace

std::unique_ptr<VariablePlan> make_variable_plan(app::Precision precision, const Arguments& arguments,
                                                 std::optional<double> scaling) {
    const Problem problem = make_problem(arguments);
    const Options options = make_options(arguments);
    const nb::gil_scoped_release released;
    if (precision == app::Precision::single_precision)
        return std::make_unique<VariablePlanOf<float>>(problem, options, scaling);
    return std::make_unique<VariablePlanOf<double>>(problem, options, scaling);
}

}  // namespace poisson3d::python
