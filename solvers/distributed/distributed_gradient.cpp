// DistributedGradient: checks what it is given, hands over to central differences or spectral derivatives.
#include "poisson3d/distributed_gradient.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "agreement.hpp"
#include "central_gradient.hpp"
#include "engine.hpp"
#include "field_checks.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "require_members.hpp"
#include "source_solves.hpp"
#include "spectral_gradient.hpp"

namespace poisson3d {

namespace {

void require_sound(const Problem& problem, const Decomposition& parts, const Communicator& members,
                   const DistributedOptions& options) {
    validate(problem);
    require_threads(options.threads);
    require_fitting(problem, parts, members, options.way);
}

std::vector<Box> boxes_of(const Decomposition& parts) {
    std::vector<Box> boxes;
    for (int m = 0; m < parts.members(); ++m) boxes.push_back(parts.box(m));
    return boxes;
}

}  // namespace

template <class T>
struct DistributedGradient<T>::Plan {
    Plan(const Problem& wanted, const Decomposition& parts, const Communicator& all,
         const DistributedOptions& options)
        : problem(wanted),
          boxes(boxes_of(parts)),
          members(all),
          mine(all.mine()),
          on_devices(all.transport().device(mine.front()) >= 0),
          team(on_devices && mine.size() <= 2 ? 1 : static_cast<int>(mine.size())),
          streams(mine.size()) {
        Transport& transport = members.transport();
        agreement.all([&] {
            const int processors = options.threads > 0 ? options.threads : transport.host_threads();
            threads = std::max(1, processors / static_cast<int>(mine.size()));
            if (problem.discretization == Discretization::spectral)
                spectral.emplace(problem, boxes, threads, options.way, transport, team);
            else
                central.emplace(problem, boxes, threads, transport);
        });
        spectral ? spectral->prepare() : central->prepare(transport);
        if (needs_source(problem)) sources.emplace(problem, parts, members, options);
        only.resize(mine.size()), derivative.resize(mine.size());
        if (!on_devices) return;
        std::vector<Transfer> from_first, to_first;
        for (int m = 1; m < members.size(); ++m) {
            from_first.push_back({0, m, nullptr, nullptr, 0, 0, 0, 0});
            to_first.push_back({m, 0, nullptr, nullptr, 0, 0, 0, 0});
        }
        fork = transport.prepare(from_first), join = transport.prepare(to_first);
    }

    /// `f`: of a spectral gradient beside free faces, else nothing.
    void evaluate(std::span<const FieldView<const T>> u, std::span<const FieldView<const T>> f, T scale,
                  std::span<const std::array<FieldView<T>, 3>> gradient, std::span<const BoundaryData<T>> boundary,
                  std::span<const Stream> given) {
        agreement.all([&] {
            home.require_here("this gradient");
            check(u, gradient, boundary, given);
            if (sources) check_source(f, boundary);
        });
        const std::array<bool, 3> components = spectral ? agreed(gradient) : std::array<bool, 3>{};
        std::fill(streams.begin(), streams.end(), Stream{});
        std::copy(given.begin(), given.end(), streams.begin());
        if (fork) fork->run(team, streams);
        if (sources)
            with_source(u, f, scale, gradient, components);
        else if (spectral)
            spectral->evaluate(u, gradient, components, streams);
        else
            central->evaluate(u, gradient, boundary, team, streams);
        if (join) join->run(team, streams);
    }

    /// One component after the other, since f may be the last of them.
    void with_source(std::span<const FieldView<const T>> u, std::span<const FieldView<const T>> f, T scale,
                     std::span<const std::array<FieldView<T>, 3>> gradient, const std::array<bool, 3>& components) {
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const bool free = problem.grid.axes[a].unbounded();
            if ((free || spectral->cut()[a]) && !components[a]) continue;
            for (std::size_t m = 0; m < mine.size(); ++m) {
                only[m] = {};
                only[m][a] = derivative[m] = gradient[m][a];
            }
            spectral->evaluate(free ? f : u, only, {axis == 0, axis == 1, axis == 2}, streams);
            if (free) sources->solve(axis, derivative, scale, streams);
        }
    }

    /// Along cut axes, and free ones beside which all solve, which components all members want.
    std::array<bool, 3> agreed(std::span<const std::array<FieldView<T>, 3>> gradient) {
        std::array<bool, 3> wanted{};
        for (std::size_t a = 0; a < 3; ++a) {
            const bool free = sources && problem.grid.axes[a].unbounded();
            if (!spectral->cut()[a] && !free) continue;
            bool some = false, lacks = false;
            for (std::size_t m = 0; m < mine.size(); ++m)
                if (has_points(m)) (gradient[m][a].data == nullptr ? lacks : some) = true;
            wanted[a] = members.transport().largest(some ? 1 : 0) == 1;
            if (wanted[a] && members.transport().largest(lacks ? 1 : 0) == 1)
                throw Error(ErrorCode::usage,
                            name_of(a) +
                                ": found it left out by some members, wanted by all or none, "
                                "since " +
                                (free ? "they solve for it together" : "lines along it are cut between them"));
        }
        return wanted;
    }

    void check(std::span<const FieldView<const T>> u, std::span<const std::array<FieldView<T>, 3>> gradient,
               std::span<const BoundaryData<T>> boundary, std::span<const Stream> given) const {
        require_count(u.size(), "views of u");
        require_count(gradient.size(), "gradients");
        if (!boundary.empty()) require_count(boundary.size(), "sets of boundary data");
        if (!given.empty()) require_count(given.size(), "streams");
        if (on_devices && mine.size() < static_cast<std::size_t>(members.size()) &&
            capturing(given.empty() ? Stream{} : given.front()))
            throw Error(ErrorCode::usage,
                        "found a stream that is captured in a graph, wanted one that is not: members of other "
                        "processes send messages, for which this one waits");
        for (std::size_t m = 0; m < mine.size(); ++m) {
            if (!has_points(m)) continue;
            const std::string who = " of member " + std::to_string(mine[m]);
            const Extents& points = boxes[static_cast<std::size_t>(mine[m])].points;
            require_view(points, u[m], ("u" + who).c_str());
            require_here(m, u[m].data, "u" + who);
            for (std::size_t a = 0; a < 3; ++a) {
                if (gradient[m][a].data == nullptr) continue;
                require_view(points, gradient[m][a], (name_of(a) + who).c_str());
                require_here(m, gradient[m][a].data, name_of(a) + who);
            }
            if (boundary.empty()) continue;
            require_possible(problem, boundary[m]);
            for (const auto& axis : boundary[m].faces)
                for (const FaceValues<T>& face : axis)
                    if (face.data != nullptr) require_here(m, face.data, "boundary data" + who);
        }
    }

    void check_source(std::span<const FieldView<const T>> f, std::span<const BoundaryData<T>> boundary) const {
        if (f.empty())
            throw Error(ErrorCode::unsupported,
                        "the spectral gradient beside free faces cannot be found from u in the box alone: "
                        "evaluate_with_source() takes the right-hand side, too");
        require_count(f.size(), "views of f");
        for (std::size_t m = 0; m < mine.size(); ++m) {
            if (!has_points(m)) continue;
            const std::string who = "f of member " + std::to_string(mine[m]);
            require_view(boxes[static_cast<std::size_t>(mine[m])].points, f[m], who.c_str());
            require_here(m, f[m].data, who);
            if (!boundary.empty()) require_no_free_data(problem, boundary[m]);
        }
    }

    /// In the memory of its device.
    void require_here(std::size_t m, const T* data, const std::string& what) const {
        if (on_devices) require_in_memory_of(members.transport().device(mine[m]), data, what);
    }
    void require_count(std::size_t found, const char* what) const {
        if (found != mine.size())
            throw Error(ErrorCode::usage, "found " + std::to_string(found) + " " + what + ", wanted " +
                                              std::to_string(mine.size()) + ", one for each of my members");
    }
    [[nodiscard]] bool has_points(std::size_t m) const {
        return size_of(boxes[static_cast<std::size_t>(mine[m])]) > 0;
    }
    [[nodiscard]] std::string name_of(std::size_t axis) const {
        return std::string("d/d") + problem.grid.labels[axis];
    }

    Problem problem;
    std::vector<Box> boxes;  ///< of all members
    Communicator members;
    std::vector<int> mine;
    Agreement agreement{members.transport()};
    bool on_devices;
    ThreadTeam team;  ///< a thread for each of my members
    std::vector<Stream> streams;
    int threads = 1;  ///< of each member
    std::optional<CentralGradient<T>> central;
    std::optional<SpectralGradient<T>> spectral;
    std::optional<SourceSolves<T>> sources;  ///< of a spectral gradient beside free faces
    std::vector<std::array<FieldView<T>, 3>> only;
    std::vector<FieldView<T>> derivative;
    std::unique_ptr<Transfers> fork, join;  ///< what all do comes after what the first one has done, and before
    HomeProcess home{};
};

template <class T>
DistributedGradient<T>::DistributedGradient(const Problem& problem, const Decomposition& parts,
                                            const Communicator& members, const DistributedOptions& options) {
    Agreement(members.transport()).all([&] { require_sound(problem, parts, members, options); });
    plan_ = std::make_unique<Plan>(problem, parts, members, options);
}

template <class T>
DistributedGradient<T>::~DistributedGradient() = default;
template <class T>
DistributedGradient<T>::DistributedGradient(DistributedGradient&&) noexcept = default;
template <class T>
DistributedGradient<T>& DistributedGradient<T>::operator=(DistributedGradient&&) noexcept = default;

template <class T>
void DistributedGradient<T>::evaluate(std::span<const FieldView<const T>> u,
                                      std::span<const std::array<FieldView<T>, 3>> gradient,
                                      std::span<const BoundaryData<T>> boundary, std::span<const Stream> streams) {
    plan_->evaluate(u, {}, T(1), gradient, boundary, streams);
}
template <class T>
void DistributedGradient<T>::evaluate_with_source(std::span<const FieldView<const T>> u,
                                                  std::span<const FieldView<const T>> f, T scale,
                                                  std::span<const std::array<FieldView<T>, 3>> gradient,
                                                  std::span<const BoundaryData<T>> boundary,
                                                  std::span<const Stream> streams) {
    plan_->evaluate(u, f, scale, gradient, boundary, streams);
}

template <class T>
Traffic DistributedGradient<T>::traffic() const noexcept {
    Traffic all = plan_->spectral ? plan_->spectral->traffic() : plan_->central->traffic();
    if (plan_->sources) {
        const Traffic solves = plan_->sources->traffic();
        all.messages += solves.messages, all.bytes += solves.bytes;
    }
    return all;
}
template <class T>
std::size_t DistributedGradient<T>::workspace() const noexcept {
    return (plan_->spectral ? plan_->spectral->bytes() : plan_->central->bytes()) +
           (plan_->sources ? plan_->sources->bytes() : 0);
}
template <class T>
int DistributedGradient<T>::threads() const noexcept {
    return plan_->threads * static_cast<int>(plan_->mine.size());
}

template class DistributedGradient<float>;
template class DistributedGradient<double>;

}  // namespace poisson3d
