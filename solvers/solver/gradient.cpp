// Gradient: checks what it is given, chooses who computes, hands over.
#include "poisson3d/gradient.hpp"

#include <algorithm>
#include <string>

#include "device_arrays.hpp"
#include "device_gradient.hpp"
#include "engine.hpp"
#include "field_checks.hpp"
#include "gradient_rule.hpp"
#include "host_gradient.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "source_gradient.hpp"

namespace poisson3d {

namespace {

bool is_spectral(const Problem& problem) {
    return problem.discretization == Discretization::spectral;
}

Engine choose_engine(const Problem& problem, const Options& options) {
    if (needs_source(problem)) {
        if (options.engine == Engine::cufft)
            throw Error(ErrorCode::unsupported, std::string("spectral gradients with free faces: found engine ") +
                                                    name(options.engine) + ", wanted host or fused");
        if (options.engine == Engine::automatic) return Engine::host;
    }
    if (options.engine == Engine::automatic) return automatic_engine();
    if (options.engine != Engine::host) require_device_gradient(options.engine);
    return options.engine;
}

/// Options of a gradient whose engine has been chosen.
Options with_engine(Options options, Engine engine) {
    options.engine = engine;
    return options;
}

/// `options` of an engine: of derivatives of fields, up to where memory of a SourceGradient begins.
template <class T>
std::size_t bytes_before_source(const Problem& problem, const Options& options) {
    const bool on_host = options.engine == Engine::host;
    const std::size_t alignment = on_host ? HostBuffer::alignment : 256;
    const std::size_t bytes =
        on_host ? host_gradient_bytes<T>(problem, options) : device_gradient_bytes<T>(problem, options);
    return (bytes + alignment - 1) / alignment * alignment;
}

template <class T>
std::size_t bytes_of(const Problem& problem, const Options& options) {
    if (needs_source(problem))
        return bytes_before_source<T>(problem, options) + SourceGradient<T>::workspace_bytes(problem, options);
    if (options.engine == Engine::host) return host_gradient_bytes<T>(problem, options);
    return is_spectral(problem) ? device_gradient_bytes<T>(problem, options) : 0;
}

}  // namespace

template <class T>
struct Gradient<T>::Plan {
    Plan(const Problem& wanted, const Options& asked)
        : problem(wanted),
          engine(choose_engine(wanted, asked)),
          device(asked.device),
          may_meet_device(asked.engine != Engine::host),
          options(asked) {
        if (engine == Engine::host) host();
        if (needs_source(wanted))
            source = std::make_unique<SourceGradient<T>>(wanted, options_of_source());
        else if (engine != Engine::host && is_spectral(wanted) &&
                 (asked.engine != Engine::automatic || !asked.workspace.empty()))
            device_part();
        for (int a = 0; a < 3; ++a) {
            base.rule[a] = make_axis_rule<T>(wanted.grid.axes[a], slopes[a]);
            names[a] = std::string("d/d") + wanted.grid.labels[a];
        }
    }

    /// A workspace that is given has what derivatives take first, then what the solvers do.
    [[nodiscard]] Options options_of_source() const {
        Options rest = with_engine(options, engine);
        if (options.workspace.empty()) return rest;
        require_workspace(options.workspace, bytes_of<T>(problem, rest), HostBuffer::alignment);
        rest.workspace = options.workspace.subspan(bytes_before_source<T>(problem, rest));
        return rest;
    }

    /// Of a plan for a GPU its threads start with the first fields in host memory, in memory of their own.
    HostGradient<T>& host() {
        if (on_host == nullptr) {
            Options here = options;
            if (engine != Engine::host) here.workspace = {};
            on_host = make_host_gradient<T>(problem, here);
        }
        return *on_host;
    }

    /// Spectral derivatives on a GPU. Where the engine was chosen for the caller, fields may all be the host's:
    /// then nothing is taken of the device.
    DeviceGradient<T>& device_part() {
        if (spectral_on_device == nullptr) spectral_on_device = make_device_gradient<T>(problem, options);
        return *spectral_on_device;
    }

    /// Checks the views; true if there is something to do. `first` below 0: all planes are wanted.
    bool require_views(FieldView<const T> u, Index first, const std::array<FieldView<T>, 3>& gradient) const {
        require_view(problem.grid.points(), u, "u");
        Extents extents = problem.grid.points();
        bool any = false;
        for (int a = 0; a < 3; ++a) {
            if (gradient[a].data == nullptr) continue;
            if (first >= 0 && !any) extents[0] = gradient[a].extents[0];
            require_view(extents, gradient[a], names[a].c_str());
            any = true;
        }
        if (extents[0] < 0 || std::max<Index>(first, 0) > u.extents[0] - extents[0])
            throw Error(ErrorCode::usage, "found planes " + std::to_string(first) + " to " +
                                              std::to_string(first + extents[0] - 1) + " asked for, u has " +
                                              std::to_string(u.extents[0]) + " planes");
        return any;
    }

    /// True if the fields are in device memory.
    [[nodiscard]] bool all_on_device(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient) const {
        if (!may_meet_device) return false;
        const bool there = on_device(u.data);
        for (int a = 0; a < 3; ++a)
            if (gradient[a].data != nullptr && on_device(gradient[a].data) != there)
                throw Error(ErrorCode::usage,
                            "one field is in host memory, the other on the device: found u on the " +
                                std::string(there ? "device, " : "host, ") + names[a] +
                                (there ? " on the host" : " on the device") + ", wanted both on one side");
        return there;
    }

    void central(FieldView<const T> u, Index first, const std::array<FieldView<T>, 3>& gradient,
                 const BoundaryData<T>& boundary, bool there, Stream stream) {
        GradientTask<T> task = base;
        task.u = u.data;
        task.u_x = u.strides[0], task.u_y = u.strides[1];
        task.first = first;
        for (int a = 0; a < 3; ++a) {
            for (int side = 0; side < 2; ++side) task.face[a][side] = boundary.faces[a][side];
            if (gradient[a].data == nullptr) continue;
            task.out[a] = gradient[a].data;
            task.out_x[a] = gradient[a].strides[0], task.out_y[a] = gradient[a].strides[1];
            task.planes = gradient[a].extents[0];
        }
        if (task.planes == 0) return;
        if (!there) return host().central(task);
        const DeviceScope scope(device);
        point_to_device(task);
        launch_gradient(task, stream);
    }

    /// The arrays of uneven axes, there since the first fields were.
    void point_to_device(GradientTask<T>& task) {
        const bool uneven = std::ranges::any_of(slopes, [](const Slopes<T>& each) { return !each.lower.empty(); });
        if (uneven && slopes_there.empty())
            slopes_there = {&slopes[0].lower, &slopes[0].upper, &slopes[1].lower,
                            &slopes[1].upper, &slopes[2].lower, &slopes[2].upper};
        for (std::size_t a = 0; a < 3; ++a) {
            if (slopes[a].lower.empty()) continue;
            task.rule[a].lower = slopes_there[2 * a];
            task.rule[a].upper = slopes_there[2 * a + 1];
        }
    }

    Problem problem;
    Engine engine;
    int device;
    bool may_meet_device;  ///< host engines asked for by name are not held up by a question to the driver
    Options options;
    std::unique_ptr<HostGradient<T>> on_host;
    std::unique_ptr<SourceGradient<T>> source;
    std::unique_ptr<DeviceGradient<T>> spectral_on_device;
    std::array<Slopes<T>, 3> slopes;
    DeviceArrays<T> slopes_there;
    GradientTask<T> base;
    std::array<std::string, 3> names;
};

template <class T>
Gradient<T>::Gradient(const Problem& problem, const Options& options) {
    validate(problem);
    require_threads(options.threads);
    plan_ = std::make_unique<Plan>(problem, options);
}

template <class T>
Gradient<T>::~Gradient() = default;
template <class T>
Gradient<T>::Gradient(Gradient&&) noexcept = default;
template <class T>
Gradient<T>& Gradient<T>::operator=(Gradient&&) noexcept = default;

template <class T>
std::size_t Gradient<T>::workspace_bytes(const Problem& problem, const Options& options) {
    validate(problem);
    require_threads(options.threads);
    return bytes_of<T>(problem, with_engine(options, choose_engine(problem, options)));
}

template <class T>
void Gradient<T>::evaluate(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient,
                           const BoundaryData<T>& boundary, Stream stream) {
    if (needs_source(plan_->problem))
        throw Error(ErrorCode::unsupported,
                    "the spectral gradient beside free faces cannot be found from u in the box alone: "
                    "evaluate_with_source() takes the right-hand side, too");
    require_possible(plan_->problem, boundary);
    if (!plan_->require_views(u, -1, gradient)) return;
    const bool there = plan_->all_on_device(u, gradient);
    if (!is_spectral(plan_->problem)) return plan_->central(u, 0, gradient, boundary, there, stream);
    if (there) return plan_->device_part().evaluate(u, gradient, stream);
    plan_->host().spectral(u, gradient);
}

template <class T>
void Gradient<T>::evaluate_with_source(FieldView<const T> u, FieldView<const T> f, T scale,
                                       const std::array<FieldView<T>, 3>& gradient, const BoundaryData<T>& boundary,
                                       Stream stream) {
    if (!needs_source(plan_->problem)) return evaluate(u, gradient, boundary, stream);
    require_possible(plan_->problem, boundary);
    require_no_free_data(plan_->problem, boundary);
    require_view(plan_->problem.grid.points(), f, "f");
    if (!plan_->require_views(u, -1, gradient)) return;
    const bool there = plan_->all_on_device(u, gradient);
    if (plan_->may_meet_device && on_device(f.data) != there)
        throw Error(ErrorCode::usage,
                    std::string("one field is in host memory, the other on the device: found u on the ") +
                        (there ? "device, f on the host" : "host, f on the device") + ", wanted both on one side");
    if (there && plan_->engine == Engine::host)
        throw Error(
            ErrorCode::unsupported,
            "spectral gradients with free faces: found fields in device memory and engine host, wanted engine "
            "fused");
    const auto differentiate = [&](FieldView<const T> field, const std::array<FieldView<T>, 3>& only) {
        there ? plan_->device_part().evaluate(field, only, stream) : plan_->host().spectral(field, only);
    };
    for (int a = 0; a < 3; ++a) {
        if (gradient[a].data == nullptr) continue;
        std::array<FieldView<T>, 3> only;
        only[a] = gradient[a];
        if (plan_->problem.grid.axes[a].unbounded())
            plan_->source->derive(a, differentiate, f, scale, gradient[a], stream);
        else
            differentiate(u, only);
    }
}

template <class T>
void Gradient<T>::evaluate_planes(FieldView<const T> u, Index first, const std::array<FieldView<T>, 3>& gradient,
                                  const BoundaryData<T>& boundary, Stream stream) {
    require_possible(plan_->problem, boundary);
    if (is_spectral(plan_->problem))
        throw Error(ErrorCode::unsupported,
                    "a spectral gradient needs whole lines and cannot be evaluated plane by plane: evaluate all");
    if (first < 0)
        throw Error(ErrorCode::usage, "found first plane " + std::to_string(first) + ", wanted 0 or more");
    if (!plan_->require_views(u, first, gradient)) return;
    plan_->central(u, first, gradient, boundary, plan_->all_on_device(u, gradient), stream);
}

template <class T>
Engine Gradient<T>::engine() const noexcept {
    return plan_->engine;
}
template <class T>
int Gradient<T>::threads() const noexcept {
    return plan_->on_host != nullptr ? plan_->on_host->threads() : 0;
}
template <class T>
std::size_t Gradient<T>::workspace() const noexcept {
    if (needs_source(plan_->problem))
        return bytes_of<T>(plan_->problem, with_engine(plan_->options, plan_->engine));
    return (plan_->on_host != nullptr ? plan_->on_host->workspace() : 0) +
           (plan_->spectral_on_device != nullptr ? plan_->spectral_on_device->workspace() : 0);
}

template class Gradient<float>;
template class Gradient<double>;

}  // namespace poisson3d
