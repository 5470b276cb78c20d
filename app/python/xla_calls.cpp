// u := scale · S f + E values, called by XLA's typed foreign function interface: f is (n0, n1, n2), or a batch (b,
// n0, n1, n2), and so are the values of each face named in `faces`. On a GPU the call is asynchronous on XLA's
// stream. With `damped` the last buffer is λ, one number, which is read on the host: then the call waits for the
// stream, and each value has a plan of its own, of which the last four are kept.
//
// XLA calls from threads of its own, without the interpreter's lock, and nothing here asks for it.
#include "xla_calls.hpp"

#include <xla/ffi/api/ffi.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/recorded_calls.hpp"
#include "stream_order.hpp"
#include "xla_values.hpp"

namespace poisson3d::python {

namespace ffi = xla::ffi;

namespace {

template <class T>
class XlaPlan {
public:
    XlaPlan(const Problem& problem, const Options& options)
        : points_(problem.grid.points()), most_(options.batch), solver_(problem, options) {}

    void solve(const T* f, T* u, Index fields, const std::vector<Values>& values, double scale, Stream stream,
               std::optional<int> device) {
        const std::lock_guard lock(mutex_);
        if (!device) return put(f, u, fields, values, scale, stream);
        const DeviceScope scope(*device);
        order_.before(stream);
        const auto put_in = [&](Stream in) { put(f, u, fields, values, scale, in); };
        if (const DeviceGraph* const graph = calls_.graph({f, u, fields, values, scale}, stream, put_in))
            graph->launch(stream);
        else
            put_in(stream);
        order_.after(stream);
    }

private:
    struct Key {
        const T* f;
        const T* u;
        Index fields;
        std::vector<Values> values;
        double scale;
        friend bool operator==(const Key&, const Key&) = default;
    };

    void put(const T* f, T* u, Index fields, const std::vector<Values>& values, double scale, Stream stream) {
        const Index size = points_[0] * points_[1] * points_[2];
        for (Index first = 0; first < fields; first += most_) {
            const Index count = std::min(most_, fields - first);
            solver_.solve(FieldBatch<const T>(f + first * size, points_, count),
                          FieldBatch<T>(u + first * size, points_, count), data_of<T>(values, points_, first),
                          static_cast<T>(scale), stream);
        }
    }

    Extents points_;
    Index most_;
    std::mutex mutex_;
    Solver<T> solver_;
    RecordedCalls<Key> calls_;
    StreamOrder order_;
};

class XlaProblem {
public:
    explicit XlaProblem(const Arguments& arguments)
        : problem_(make_problem(arguments)), options_(make_options(arguments)) {}

    [[nodiscard]] const Problem& problem() const noexcept { return problem_; }

    template <class T>
    std::shared_ptr<XlaPlan<T>> plan(std::optional<int> device, std::optional<double> helmholtz) {
        const std::lock_guard lock(mutex_);
        Plans<T>& plans = std::get<Plans<T>>(plans_);
        if (!helmholtz) {
            std::shared_ptr<XlaPlan<T>>& plan = plans.own[device.value_or(-1)];
            if (!plan) plan = make<T>(problem_, device);
            return plan;
        }
        const Damped key{device.value_or(-1), *helmholtz};
        auto& kept = plans.damped;
        auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& one) { return one.first == key; });
        if (found == kept.end()) {
            Problem problem = problem_;
            problem.helmholtz = *helmholtz;
            if (kept.size() >= most_damped) kept.pop_back();  // frees its memory before the next takes some
            kept.emplace_front(key, make<T>(problem, device));
        } else {
            std::rotate(kept.begin(), found, found + 1);
        }
        return kept.front().second;
    }

    /// Plans held.
    [[nodiscard]] std::size_t plans() {
        const std::lock_guard lock(mutex_);
        return std::apply([](const auto&... of) { return (... + (of.own.size() + of.damped.size())); }, plans_);
    }
    void forget() {
        const std::lock_guard lock(mutex_);
        plans_ = {};
    }

private:
    using Damped = std::pair<int, double>;  ///< a device, −1 the host, and λ
    static constexpr std::size_t most_damped = 4;

    template <class T>
    struct Plans {
        std::map<int, std::shared_ptr<XlaPlan<T>>> own;                     ///< by device, of the problem's own λ
        std::deque<std::pair<Damped, std::shared_ptr<XlaPlan<T>>>> damped;  ///< the one used last first
    };

    template <class T>
    std::shared_ptr<XlaPlan<T>> make(const Problem& problem, std::optional<int> device) const {
        Options options = options_;
        if (device)
            options.device = *device;
        else
            options.engine = Engine::host;
        return std::make_shared<XlaPlan<T>>(problem, options);
    }

    Problem problem_;
    Options options_;
    std::mutex mutex_;
    std::tuple<Plans<float>, Plans<double>> plans_;
};

std::mutex registry_lock;
std::deque<XlaProblem> registry;

XlaProblem& registered(std::int64_t number) {
    const std::lock_guard lock(registry_lock);
    return registry.at(static_cast<std::size_t>(number));
}

/// The one number of a buffer.
double read_number(const ffi::AnyBuffer& buffer, Stream stream, std::optional<int> device) {
    const auto read = [&]<class T>(T value) {
        if (device) {
            const DeviceScope scope(*device);
            copy_to_host(&value, buffer.untyped_data(), sizeof value, stream);
        } else {
            value = *static_cast<const T*>(buffer.untyped_data());
        }
        return static_cast<double>(value);
    };
    return buffer.element_type() == ffi::F32 ? read(0.0F) : read(0.0);
}

template <class T>
void solve(const ffi::AnyBuffer& f, ffi::AnyBuffer& u, const std::vector<Values>& values, XlaProblem& problem,
           std::optional<double> helmholtz, double scale, Stream stream, std::optional<int> device) {
    const auto shape = f.dimensions();
    const Index fields = shape.size() == 4 ? shape[0] : 1;
    problem.plan<T>(device, helmholtz)
        ->solve(static_cast<const T*>(f.untyped_data()), static_cast<T*>(u.untyped_data()), fields, values, scale,
                stream, device);
}

ffi::Error call(void* stream, std::optional<int> device, ffi::AnyBuffer f, ffi::RemainingArgs arrays,
                ffi::Result<ffi::AnyBuffer> u, std::int64_t number, std::string_view faces, double scale,
                bool damped) {
    try {
        XlaProblem& problem = registered(number);
        const std::vector<Values> values = read_values(problem.problem().grid, faces, arrays);
        std::optional<double> helmholtz;
        if (damped) helmholtz = read_number(buffer(arrays, values.size()), {stream}, device);
        if (f.element_type() == ffi::F32)
            solve<float>(f, *u, values, problem, helmholtz, scale, {stream}, device);
        else
            solve<double>(f, *u, values, problem, helmholtz, scale, {stream}, device);
        return ffi::Error::Success();
    } catch (const Error& error) {
        return ffi::Error(ffi::ErrorCode::kInvalidArgument, error.what());
    } catch (const std::exception& error) {
        return ffi::Error(ffi::ErrorCode::kInternal, error.what());
    }
}

ffi::Error on_host(ffi::AnyBuffer f, ffi::RemainingArgs values, ffi::Result<ffi::AnyBuffer> u, std::int64_t problem,
                   std::string_view faces, double scale, bool damped) {
    return call(nullptr, std::nullopt, f, values, u, problem, faces, scale, damped);
}

ffi::Error on_gpu(void* stream, std::int32_t device, ffi::AnyBuffer f, ffi::RemainingArgs values,
                  ffi::Result<ffi::AnyBuffer> u, std::int64_t problem, std::string_view faces, double scale,
                  bool damped) {
    return call(stream, device, f, values, u, problem, faces, scale, damped);
}

template <class Binding>
auto with_arguments(Binding&& binding) {
    return std::forward<Binding>(binding)
        .template Arg<ffi::AnyBuffer>()
        .RemainingArgs()
        .template Ret<ffi::AnyBuffer>()
        .template Attr<std::int64_t>("problem")
        .template Attr<std::string_view>("faces")
        .template Attr<double>("scale")
        .template Attr<bool>("damped");
}

XLA_FFI_DEFINE_HANDLER(host_handler, on_host, with_arguments(ffi::Ffi::Bind()));
XLA_FFI_DEFINE_HANDLER(
    gpu_handler, on_gpu,
    with_arguments(ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void*>>().Ctx<ffi::DeviceOrdinal>()));

}  // namespace

std::int64_t register_xla_problem(const Arguments& arguments) {
    const std::lock_guard lock(registry_lock);
    registry.emplace_back(arguments);
    return static_cast<std::int64_t>(registry.size()) - 1;
}

void forget_xla_plans(std::int64_t problem) {
    registered(problem).forget();
}

std::size_t xla_plans() {
    const std::lock_guard lock(registry_lock);
    std::size_t all = 0;
    for (XlaProblem& problem : registry) all += problem.plans();
    return all;
}

nanobind::object xla_handler(bool gpu) {
    return nanobind::capsule(reinterpret_cast<void*>(gpu ? +gpu_handler : +host_handler));
}

}  // namespace poisson3d::python
