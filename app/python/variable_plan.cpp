#include "variable_plan.hpp"

#include <algorithm>

#include "array.hpp"
#include "boundary.hpp"
#include "plan_lock.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::python {

namespace nb = nanobind;

namespace {

template <class T>
class VariablePlanOf final : public VariablePlan {
public:
    VariablePlanOf(const Problem& problem, const Options& options, std::optional<double> scaling)
        : problem_(problem), solver_(problem, options, scaling) {
        if (solver_.engine() != Engine::host) device_ = options.device;
    }

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
                         int max_iterations, nb::handle guess, std::uintptr_t stream) override {
        const Array from = read(f, "f"), to = read(u, "out");
        const FieldView<const T> f_view = field<const T>(from, points());
        const FieldView<T> u_view = field<T>(to, points());
        const VariableControl control{tolerance, max_iterations, !guess.is_none()};
        Array start;
        if (control.start_from_u) start = read(guess, "guess");
        const ReadBoundary<T> data = read_boundary<T>(boundary, problem_.grid, 1, from.device);
        if (!from.device || data.arrays.empty()) validate(problem_.grid, data.data);
        return lock_([&] {
            wait(from.device, stream);
            if (control.start_from_u) copy(field<const T>(start, points()), u_view, start.device, to.device);
            return solver_.solve(f_view, u_view, data.data, static_cast<T>(scale), control);
        });
    }

    void apply(nb::handle u, nb::handle f, std::uintptr_t stream) override {
        const Array from = read(u, "u"), to = read(f, "out");
        const FieldView<const T> u_view = field<const T>(from, points());
        const FieldView<T> f_view = field<T>(to, points());
        lock_([&] {
            wait(from.device, stream);
            solver_.apply(u_view, f_view);
        });
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
        if (!device_) return read_host_array(object, name, "where engine host solves variable coefficients");
        Array array = read_array(object, name);
        if (array.device == Array::any_device) array.device = device_;
        if (array.device && array.device != device_)
            throw Error(ErrorCode::usage, name + ": found in " + memory_name(array.device) + ", wanted in " +
                                              memory_name(device_) + " or " + memory_name(std::nullopt));
        return array;
    }

    /// What the stream's owner did to arrays comes first.
    static void wait(const std::optional<int>& device, std::uintptr_t stream) {
        if (!device) return;
        const DeviceScope scope(*device);
        synchronize({reinterpret_cast<void*>(stream)});
    }

    /// Of fields in the same memory.
    static void copy(FieldView<const T> from, FieldView<T> to, const std::optional<int>& from_device,
                     const std::optional<int>& to_device) {
        if (from.data == to.data) return;
        if (from_device != to_device)
            throw Error(ErrorCode::usage, "guess: found in " + memory_name(from_device) + ", wanted in " +
                                              memory_name(to_device) + ", where out is");
        std::optional<DeviceScope> scope;
        if (to_device) scope.emplace(*to_device);
        const auto move = [&](T* target, const T* source, Index count) {
            if (to_device)
                copy_on_device(target, source, static_cast<std::size_t>(count) * sizeof(T));
            else
                std::copy_n(source, count, target);
        };
        if (from.dense() && to.dense()) return move(to.data, from.data, to.size());
        for (Index i = 0; i < to.extents[0]; ++i)
            for (Index j = 0; j < to.extents[1]; ++j) move(&to(i, j, 0), &from(i, j, 0), to.extents[2]);
    }

    template <class U>
    static FieldView<U> field(const Array& array, const Extents& extents) {
        require_shape(array, extents.data(), 3);
        return view_fields<U>(array, extents).first;
    }

    Problem problem_;
    std::optional<int> device_;  ///< none: the solver works on the host
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
