// Central differences by members: each in its box at once, where values beyond it count with weight 0, then, from
// planes that were brought together, what stands at its edges (part_rule.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "device_arrays.hpp"
#include "device_gradient.hpp"
#include "edge_planes.hpp"
#include "host_gradient.hpp"
#include "member_memory.hpp"
#include "part_rule.hpp"
#include "placed_boxes.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

template <class T>
class CentralGradient {
public:
    /// `threads`: of each member on a host.
    CentralGradient(const Problem& problem, const std::vector<Box>& boxes, int threads,
                    const Transport& transport) {
        std::array<AxisRule<T>, 3> rules;
        for (std::size_t a = 0; a < 3; ++a) rules[a] = make_axis_rule<T>(problem.grid.axes[a], slopes_[a]);
        std::vector<WantedPlane> wanted;
        for (const int m : transport.mine()) {
            parts_.emplace_back().device = transport.device(m);
            parts_.back().member = m;
        }
        for (int m = 0; m < static_cast<int>(boxes.size()); ++m) add_member(problem, boxes, m, rules, wanted);
        for (Part& part : parts_)
            if (part.device < 0) {
                Options options;
                options.engine = Engine::host;
                options.threads = threads;
                part.on_host = make_host_gradient<T>(problem, options);
            } else {
                point_to_device(part);
            }
        planes_.emplace(boxes, wanted, transport);
    }

    /// Once, after all members have been made.
    void prepare(Transport& transport) { planes_->prepare(transport); }

    /// Views and data are checked. Components without data are left out.
    void evaluate(std::span<const FieldView<const T>> u, std::span<const std::array<FieldView<T>, 3>> gradient,
                  std::span<const BoundaryData<T>> boundary, ThreadTeam& team, std::span<const Stream> streams) {
        planes_->bring(u, team, streams);
        team.parallel_for(static_cast<Index>(parts_.size()), 1, [&](Index begin, Index end, int) {
            for (Index n = begin; n < end; ++n) {
                const auto m = static_cast<std::size_t>(n);
                if (size_of(parts_[m].box) == 0) continue;
                evaluate(parts_[m], u[m], gradient[m], boundary.empty() ? BoundaryData<T>{} : boundary[m],
                         streams.empty() ? Stream{} : streams[m]);
            }
        });
    }

    [[nodiscard]] Traffic traffic() const noexcept {
        return {planes_->messages(), static_cast<double>(sizeof(T)) * static_cast<double>(planes_->elements())};
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = planes_->bytes();
        for (const Part& part : parts_) sum += part.across.bytes();
        return sum;
    }

private:
    struct Edge {
        int axis;
        EdgeRule<T> rule;
        std::size_t first_plane;  ///< by its number among those that are wanted
    };
    /// What a member of mine has.
    struct Part {
        int member = 0, device = -1;
        Box box;
        std::array<AxisRule<T>, 3> rules;
        std::vector<Edge> edges;
        std::unique_ptr<HostGradient<T>> on_host;
        DeviceArrays<T> slopes;
        MemberMemory<T> across;  ///< a plane across axis 2, whose points are not side by side in fields
    };

    void add_member(const Problem& problem, const std::vector<Box>& boxes, int m,
                    const std::array<AxisRule<T>, 3>& rules, std::vector<WantedPlane>& wanted) {
        const Box& box = boxes[static_cast<std::size_t>(m)];
        const auto mine = std::ranges::find(parts_, m, &Part::member);
        if (mine != parts_.end()) mine->box = box;
        if (size_of(box) == 0) return;
        for (int a = 0; a < 3; ++a) {
            PartRule<T> part = rule_of_part(rules[static_cast<std::size_t>(a)], box.first[a], box.points[a]);
            if (mine != parts_.end()) mine->rules[static_cast<std::size_t>(a)] = part.rule;
            for (EdgeRule<T>& edge : part.edges) {
                require_own_data(problem, box, a, edge);
                const std::size_t first = wanted.size();
                for (const Index point : edge.points) wanted.push_back({m, a, point});
                if (mine == parts_.end()) continue;
                if (a == 2 && mine->across.bytes() == 0)
                    mine->across = MemberMemory<T>(box.points[0] * box.points[1], mine->device);
                mine->edges.push_back({a, std::move(edge), first});
            }
        }
    }

    /// An axis of two points may need the data of the face at its other end.
    static void require_own_data(const Problem& problem, const Box& box, int axis, const EdgeRule<T>& edge) {
        const Index last = problem.grid.axes[static_cast<std::size_t>(axis)].points - 1;
        const bool lower = edge.rule.first.data[0] != T(0) && box.first[axis] > 0;
        const bool upper = edge.rule.first.data[1] != T(0) && box.first[axis] + box.points[axis] <= last;
        if (edge.rule.points == 1 && (lower || upper))
            throw Error(ErrorCode::unsupported,
                        std::string("the gradient along ") + problem.grid.labels[static_cast<std::size_t>(axis)] +
                            ": found two points that two members have, one of them a node on a Dirichlet face, "
                            "wanted one member that has both, or three points");
    }

    /// Rules of uneven axes read arrays, of which each device has its own.
    void point_to_device(Part& part) {
        if (std::ranges::all_of(slopes_, [](const Slopes<T>& each) { return each.lower.empty(); })) return;
        const DeviceScope scope(part.device);
        part.slopes = {&slopes_[0].lower, &slopes_[0].upper, &slopes_[1].lower,
                       &slopes_[1].upper, &slopes_[2].lower, &slopes_[2].upper};
        const auto point = [&](std::size_t a, AxisRule<T>& rule) {
            if (rule.lower == nullptr) return;
            rule.lower = part.slopes[2 * a] + (rule.lower - slopes_[a].lower.data());
            rule.upper = part.slopes[2 * a + 1] + (rule.upper - slopes_[a].upper.data());
        };
        for (std::size_t a = 0; a < 3; ++a) point(a, part.rules[a]);
        for (Edge& edge : part.edges) point(static_cast<std::size_t>(edge.axis), edge.rule.rule);
    }

    void evaluate(Part& part, FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient,
                  const BoundaryData<T>& boundary, Stream stream) const {
        GradientTask<T> task;
        task.u = u.data;
        task.u_x = u.strides[0], task.u_y = u.strides[1];
        for (std::size_t a = 0; a < 3; ++a) {
            task.rule[a] = part.rules[a];
            for (std::size_t side = 0; side < 2; ++side) task.face[a][side] = boundary.faces[a][side];
            if (gradient[a].data == nullptr) continue;
            task.out[a] = gradient[a].data;
            task.out_x[a] = gradient[a].strides[0], task.out_y[a] = gradient[a].strides[1];
            task.planes = part.box.points[0];
        }
        if (task.planes == 0) return;
        run(part, task, stream);
        for (const Edge& edge : part.edges)
            if (gradient[static_cast<std::size_t>(edge.axis)].data != nullptr)
                evaluate(part, edge, gradient[static_cast<std::size_t>(edge.axis)], boundary, stream);
    }

    /// Its planes are those of the first axis of a field, of which one is differentiated along it.
    void evaluate(Part& part, const Edge& edge, FieldView<T> component, const BoundaryData<T>& boundary,
                  Stream stream) const {
        const auto [rows, columns] = axes_of_plane(edge.axis);
        Extents at{};
        at[static_cast<std::size_t>(edge.axis)] =
            edge.rule.at - part.box.first[static_cast<std::size_t>(edge.axis)];
        T* const first = &component(at[0], at[1], at[2]);
        const bool spread = edge.axis == 2;
        GradientTask<T> task;
        task.u = edge.rule.points.empty() ? nullptr : planes_->plane(edge.first_plane);
        task.u_y = part.box.points[columns];
        task.u_x = part.box.points[rows] * task.u_y;
        task.out[0] = spread ? part.across.data() : first;
        task.out_y[0] = spread ? task.u_y : component.strides[rows];
        task.first = edge.rule.slot, task.planes = 1;
        task.rule[0] = edge.rule.rule;
        task.rule[1].points = part.box.points[rows], task.rule[2].points = part.box.points[columns];
        for (std::size_t side = 0; side < 2; ++side)
            task.face[0][side] = boundary.faces[static_cast<std::size_t>(edge.axis)][side];
        run(part, task, stream);
        if (!spread) return;
        if (part.device >= 0) {
            const DeviceScope scope(part.device);
            PlacedBoxes plane;
            plane.add(PlacedBox::packed(at, {part.box.points[0], part.box.points[1], 1}, part.across.data()),
                      sizeof(T));
            return launch_take_boxes<T>(plane, component, stream);
        }
        for (Index i = 0; i < part.box.points[0]; ++i)
            for (Index j = 0; j < part.box.points[1]; ++j)
                first[i * component.strides[0] + j * component.strides[1]] =
                    part.across.data()[i * part.box.points[1] + j];
    }

    static void run(Part& part, const GradientTask<T>& task, Stream stream) {
        if (part.device < 0) return part.on_host->central(task);
        const DeviceScope scope(part.device);
        launch_gradient(task, stream);
    }

    std::array<Slopes<T>, 3> slopes_;
    std::vector<Part> parts_;  ///< of my members
    std::optional<EdgePlanes<T>> planes_;
};

}  // namespace poisson3d
