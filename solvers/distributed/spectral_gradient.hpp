// Spectral derivatives by members: along axes that are not cut each transforms the lines of its box, along a cut
// one those that it has after all have moved (whole_lines.hpp).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "device_gradient.hpp"
#include "host_gradient.hpp"
#include "poisson3d/error.hpp"
#include "whole_lines.hpp"

namespace poisson3d {

template <class T>
class SpectralGradient {
public:
    SpectralGradient(const Problem& problem, const std::vector<Box>& boxes, int threads, Way way,
                     Transport& transport, ThreadTeam& team)
        : transport_(transport), team_(team) {
        const Extents points = problem.grid.points();
        for (const Box& box : boxes)
            for (std::size_t a = 0; a < 3; ++a)
                cut_[a] = cut_[a] || (size_of(box) > 0 && box.points[a] != points[a]);
        plan(problem, boxes, {!cut_[0], !cut_[1], !cut_[2]}, threads, own_);
        for (int a = 0; a < 3; ++a) {
            if (!cut_[static_cast<std::size_t>(a)]) continue;
            const std::vector<Box> lines = boxes_of_lines(points, a, static_cast<int>(boxes.size()));
            Moved& moved = moved_[static_cast<std::size_t>(a)];
            const bool slabs = !cut_[1] && !cut_[2], on_devices = transport.device(transport.mine().front()) >= 0;
            if (slabs && on_devices)
                moved.lines = std::make_unique<LinesOfSlabs<T>>(boxes, lines, way, transport, team);
            else
                moved.lines = std::make_unique<MovedLines<T>>(boxes, lines, way, transport, team);
            plan(problem, lines, {a == 0, a == 1, a == 2}, threads, moved.derivatives);
        }
    }
    /// Once, after all members have been made.
    void prepare() {
        for (const Moved& moved : moved_)
            if (moved.lines) moved.lines->prepare(transport_);
    }

    /// Views are checked. A call of all members; which of them want a component along a cut axis they agree on.
    void evaluate(std::span<const FieldView<const T>> u, std::span<const std::array<FieldView<T>, 3>> gradient,
                  const std::array<bool, 3>& wanted, std::span<const Stream> streams) {
        for_each(own_, [&](std::size_t m) {
            std::array<FieldView<T>, 3> here = gradient[m];
            for (std::size_t a = 0; a < 3; ++a)
                if (cut_[a]) here[a] = {};
            own_[m].evaluate(u[m], here, streams.empty() ? Stream{} : streams[m]);
        });
        for (std::size_t a = 0; a < 3; ++a) {
            if (!cut_[a] || !wanted[a]) continue;
            Moved& moved = moved_[a];
            out_.clear();
            for (const auto& components : gradient) out_.push_back(components[a]);
            moved.lines->there(u, streams);
            for_each(moved.derivatives, [&](std::size_t m) {
                std::array<FieldView<T>, 3> here;
                here[a] = moved.lines->results(m);
                moved.derivatives[m].evaluate(moved.lines->lines(m), here, streams.empty() ? Stream{} : streams[m]);
            });
            moved.lines->back(out_, streams);
        }
    }

    [[nodiscard]] const std::array<bool, 3>& cut() const noexcept { return cut_; }
    [[nodiscard]] Traffic traffic() const noexcept {
        Traffic all;
        for (const Moved& moved : moved_)
            if (moved.lines)
                all.messages += moved.lines->traffic().messages, all.bytes += moved.lines->traffic().bytes;
        return all;
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        const auto add = [&](const std::vector<Derivatives>& all) {
            for (const Derivatives& one : all)
                sum +=
                    (one.on_host ? one.on_host->workspace() : 0) + (one.on_device ? one.on_device->workspace() : 0);
        };
        add(own_);
        for (const Moved& moved : moved_) {
            add(moved.derivatives);
            if (moved.lines) sum += moved.lines->bytes();
        }
        return sum;
    }

private:
    /// Of one of my members, in a box; none without points.
    struct Derivatives {
        std::unique_ptr<HostGradient<T>> on_host;
        std::unique_ptr<DeviceGradient<T>> on_device;
        [[nodiscard]] bool any() const noexcept { return on_host || on_device; }
        void evaluate(FieldView<const T> u, const std::array<FieldView<T>, 3>& out, Stream stream) {
            if (on_device) return on_device->evaluate(u, out, stream);
            on_host->spectral(u, out);
        }
    };
    struct Moved {
        std::unique_ptr<WholeLines<T>> lines;  ///< null: not cut
        std::vector<Derivatives> derivatives;
    };

    /// Axes that are not wanted have any kind.
    void plan(const Problem& problem, const std::vector<Box>& boxes, const std::array<bool, 3>& wanted, int threads,
              std::vector<Derivatives>& all) {
        for (const int m : transport_.mine()) {
            Derivatives& one = all.emplace_back();
            const Box& box = boxes[static_cast<std::size_t>(m)];
            if (size_of(box) == 0 || wanted == std::array{false, false, false}) continue;
            Problem here = problem;
            for (std::size_t a = 0; a < 3; ++a)
                if (!wanted[a]) here.grid.axes[a] = Axis{box.points[a], 1.0};
            Options options;
            options.threads = threads;
            options.engine = Engine::host;
            if (const int device = transport_.device(m); device < 0) {
                one.on_host = make_host_gradient<T>(here, options);
            } else {
                options.device = device;
                one.on_device = make_device_gradient<T>(here, options, 0, wanted);
            }
        }
    }
    template <class Body>
    void for_each(const std::vector<Derivatives>& all, const Body& body) const {
        team_.parallel_for(static_cast<Index>(all.size()), 1, [&](Index begin, Index end, int) {
            for (Index m = begin; m < end; ++m)
                if (all[static_cast<std::size_t>(m)].any()) body(static_cast<std::size_t>(m));
        });
    }

    Transport& transport_;
    ThreadTeam& team_;
    std::array<bool, 3> cut_{};
    std::vector<Derivatives> own_;
    std::array<Moved, 3> moved_;
    std::vector<FieldView<T>> out_;
};

}  // namespace poisson3d
