// What rank 0 asks of the others.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "ranks/message.hpp"
#include "ranks/ranks.hpp"

namespace poisson3d::app {

/// Each is a message of its own; what else travels is said beside it.
enum class OrderKind {
    plan,           ///< to all; a MemberTask and the rank's boundary values follow
    renew,          ///< to all: what apply took is there again
    take,           ///< planes first … first + count of the right-hand side follow
    read_shared,    ///< to all: each its planes of a data set, whose DatasetName follows; number: the scale
    solve,          ///< to all; number: the scale
    copy,           ///< to all: times a copy of the planes
    give,           ///< planes first … first + count of the solution are sent back
    largest,        ///< to all: of |u|
    write_shared,   ///< to all: each its planes of u, into a data set, whose DatasetName follows
    faces,          ///< to all: what stands on free faces
    apply,          ///< to all: L u
    give_operator,  ///< planes of L u are sent back
    release,        ///< to all: forget the plan
    end,            ///< to all; number: the exit code
};

struct Order {
    OrderKind kind = OrderKind::end;
    Index first = 0, count = 0;
    double number = 0.0;
};

/// A data set of a file that all ranks open.
struct DatasetName {
    std::vector<char> file, dataset;
    DatasetName() = default;
    DatasetName(const std::string& path, const std::string& name)
        : file(path.begin(), path.end()), dataset(name.begin(), name.end()) {}
};
template <class Archive>
void describe(Archive& archive, DatasetName& name) {
    archive(name.file, name.dataset);
}

/// What members are planned for, the same on all ranks.
struct MemberTask {
    Problem problem;
    std::array<int, 2> shape{1, 1};  ///< of the decomposition
    DistributedOptions options;
    bool in_double = true;
    bool on_devices = false;  ///< a GPU for each rank

    [[nodiscard]] Decomposition parts() const { return Decomposition::pencils(problem.grid.points(), shape); }
};

template <class Archive>
void describe(Archive& archive, Axis& axis) {
    archive(axis.points, axis.spacing, axis.origin, axis.centering, axis.lower, axis.upper, axis.robin);
    archive(axis.positions, axis.widths, axis.custom.conductances, axis.custom.weights);
}

template <class Archive>
void describe(Archive& archive, MemberTask& task) {
    for (Axis& axis : task.problem.grid.axes) describe(archive, axis);
    archive(task.problem.grid.labels, task.problem.discretization, task.problem.helmholtz, task.problem.gauge);
    archive(task.shape, task.options, task.in_double, task.on_devices);
}

inline void order(Ranks& ranks, int rank, const Order& one) {
    ranks.send(rank, &one, sizeof one);
}

inline void order_all(Ranks& ranks, const Order& one) {
    for (int rank = 1; rank < ranks.size(); ++rank) order(ranks, rank, one);
}

}  // namespace poisson3d::app
