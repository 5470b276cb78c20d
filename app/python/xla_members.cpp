// u := scale · S f + E values of a box that the devices of a mesh share, called by XLA in a program that runs on
// all of them: each call brings the planes of one device, and the last one to come makes the solve of all, on the
// streams of all. On GPUs it is asynchronous; on the host devices are threads of XLA, and it blocks.
#include <xla/ffi/api/ffi.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "command_line/spec.hpp"
#include "meeting.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "stream_order.hpp"
#include "xla_calls.hpp"
#include "xla_values.hpp"

namespace poisson3d::python {

namespace ffi = xla::ffi;

namespace {

/// What the call of a device brings.
struct Part {
    const void* f;
    void* u;
    Index fields;
    std::vector<Values> values;
    double scale;
    Stream stream;
};

template <class T>
class MembersPlan {
public:
    MembersPlan(const Problem& problem, const std::vector<int>& numbers, bool gpu, Method method, Index most)
        : numbers_(numbers),
          gpu_(gpu),
          most_(most),
          members_(gpu ? devices(numbers) : threads(static_cast<int>(numbers.size()))),
          parts_(Decomposition::slabs(problem.grid.points(), members_.size())),
          solver_(problem, parts_, members_, options(method, most)),
          orders_(numbers.size()) {}

    void solve(const std::vector<Part>& parts) {
        if (gpu_) in_streams(parts, [](StreamOrder& order, Stream stream) { order.before(stream); });
        for (Index first = 0; first < parts[0].fields; first += most_) {
            const Index count = std::min(most_, parts[0].fields - first);
            std::vector<FieldBatch<const T>> f;
            std::vector<FieldBatch<T>> u;
            std::vector<BoundaryData<T>> data;
            std::vector<Stream> streams;
            for (std::size_t m = 0; m < parts.size(); ++m) {
                const Extents points = parts_.box(static_cast<int>(m)).points;
                const Index size = points[0] * points[1] * points[2];
                f.emplace_back(static_cast<const T*>(parts[m].f) + first * size, points, count);
                u.emplace_back(static_cast<T*>(parts[m].u) + first * size, points, count);
                data.push_back(data_of<T>(parts[m].values, points, first));
                if (gpu_) streams.push_back(parts[m].stream);
            }
            solver_.solve(f, u, data, static_cast<T>(parts[0].scale), streams);
        }
        if (gpu_) in_streams(parts, [](StreamOrder& order, Stream stream) { order.after(stream); });
    }

private:
    static DistributedOptions options(Method method, Index most) {
        DistributedOptions found;
        found.method = method;
        found.batch = most;
        return found;
    }
    template <class Body>
    void in_streams(const std::vector<Part>& parts, const Body& body) {
        for (std::size_t m = 0; m < parts.size(); ++m) {
            const DeviceScope scope(numbers_[m]);
            body(orders_[m], parts[m].stream);
        }
    }

    std::vector<int> numbers_;
    bool gpu_;
    Index most_;
    Communicator members_;
    Decomposition parts_;
    DistributedSolver<T> solver_;
    std::vector<StreamOrder> orders_;
};

class MembersProblem {
public:
    MembersProblem(const Arguments& arguments, std::vector<int> numbers, const std::string& method)
        : problem_(make_problem(arguments)),
          most_(arguments.batch),
          numbers_(std::move(numbers)),
          method_(app::NameOf{Method::automatic, Method::eliminate, Method::transpose}("method", method)) {
        (void)possible_method(problem_, method_);
    }

    [[nodiscard]] const Grid& grid() const noexcept { return problem_.grid; }

    template <class T>
    void call(std::int64_t site, int device, bool gpu, Part part) {
        const auto found = std::find(numbers_.begin(), numbers_.end(), device);
        if (found == numbers_.end())
            throw Error(ErrorCode::usage, "found a call on device " + std::to_string(device) +
                                              ", which is none of the mesh that this solver was made with");
        meeting(site).meet(static_cast<std::size_t>(found - numbers_.begin()), std::move(part),
                           [&](const std::vector<Part>& parts) {
                               const std::lock_guard lock(mutex_);
                               auto& plan = std::get<std::unique_ptr<MembersPlan<T>>>(plans_);
                               if (!plan)
                                   plan = std::make_unique<MembersPlan<T>>(problem_, numbers_, gpu, method_, most_);
                               plan->solve(parts);
                           });
    }

    void forget() {
        const std::lock_guard lock(mutex_);
        plans_ = {};
    }

private:
    /// As long as a device may take to come, behind all that its program does before.
    static constexpr std::chrono::seconds patience{300};

    /// Calls of different places of programs are apart: on the host XLA may make them in any order.
    Meeting<Part>& meeting(std::int64_t site) {
        const std::lock_guard lock(meetings_lock_);
        return meetings_.try_emplace(site, numbers_.size(), patience).first->second;
    }

    Problem problem_;
    Index most_;
    std::vector<int> numbers_;
    Method method_;
    std::mutex meetings_lock_;
    std::map<std::int64_t, Meeting<Part>> meetings_;
    std::mutex mutex_;
    std::tuple<std::unique_ptr<MembersPlan<float>>, std::unique_ptr<MembersPlan<double>>> plans_;
};

std::mutex registry_lock;
std::deque<MembersProblem> registry;

MembersProblem& registered(std::int64_t number) {
    const std::lock_guard lock(registry_lock);
    return registry.at(static_cast<std::size_t>(number));
}

ffi::Error call(void* stream, std::int32_t device, bool gpu, ffi::AnyBuffer f, ffi::RemainingArgs arrays,
                ffi::Result<ffi::AnyBuffer> u, std::int64_t number, std::int64_t site, std::string_view faces,
                double scale) {
    try {
        MembersProblem& problem = registered(number);
        const auto shape = f.dimensions();
        Part part{f.untyped_data(),
                  u->untyped_data(),
                  shape.size() == 4 ? shape[0] : 1,
                  read_values(problem.grid(), faces, arrays),
                  scale,
                  {stream}};
        if (f.element_type() == ffi::F32)
            problem.call<float>(site, device, gpu, std::move(part));
        else
            problem.call<double>(site, device, gpu, std::move(part));
        return ffi::Error::Success();
    } catch (const Error& error) {
        return ffi::Error(ffi::ErrorCode::kInvalidArgument, error.what());
    } catch (const std::exception& error) {
        return ffi::Error(ffi::ErrorCode::kInternal, error.what());
    }
}

ffi::Error on_host(std::int32_t device, ffi::AnyBuffer f, ffi::RemainingArgs values, ffi::Result<ffi::AnyBuffer> u,
                   std::int64_t problem, std::int64_t site, std::string_view faces, double scale) {
    return call(nullptr, device, false, f, values, u, problem, site, faces, scale);
}

ffi::Error on_gpu(void* stream, std::int32_t device, ffi::AnyBuffer f, ffi::RemainingArgs values,
                  ffi::Result<ffi::AnyBuffer> u, std::int64_t problem, std::int64_t site, std::string_view faces,
                  double scale) {
    return call(stream, device, true, f, values, u, problem, site, faces, scale);
}

template <class Binding>
auto with_arguments(Binding&& binding) {
    return std::forward<Binding>(binding)
        .template Arg<ffi::AnyBuffer>()
        .RemainingArgs()
        .template Ret<ffi::AnyBuffer>()
        .template Attr<std::int64_t>("problem")
        .template Attr<std::int64_t>("site")
        .template Attr<std::string_view>("faces")
        .template Attr<double>("scale");
}

XLA_FFI_DEFINE_HANDLER(host_handler, on_host, with_arguments(ffi::Ffi::Bind().Ctx<ffi::DeviceOrdinal>()));
XLA_FFI_DEFINE_HANDLER(
    gpu_handler, on_gpu,
    with_arguments(ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void*>>().Ctx<ffi::DeviceOrdinal>()));

}  // namespace

std::int64_t register_xla_members(const Arguments& arguments, const std::vector<int>& devices,
                                  const std::string& method) {
    const std::lock_guard lock(registry_lock);
    registry.emplace_back(arguments, devices, method);
    return static_cast<std::int64_t>(registry.size()) - 1;
}

void forget_xla_members(std::int64_t problem) {
    registered(problem).forget();
}

nanobind::object xla_members_handler(bool gpu) {
    return nanobind::capsule(reinterpret_cast<void*>(gpu ? +gpu_handler : +host_handler));
}

}  // namespace poisson3d::python
