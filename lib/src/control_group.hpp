// What the control groups of this process leave to it. A group's limit holds for all groups below it, so batch
// systems and containers may set theirs at any level from the process' own group up to the root.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace poisson3d {

/// Groups of version 2 (one tree) and of version 1 (a tree for each controller), as /proc/self names them now.
/// Mount points are read once, when an object is made.
class ControlGroups {
public:
    /// `root` stands before all paths; tests have trees of files of their own.
    explicit ControlGroups(std::string root = {});

    /// The least of limit − usage over all levels, in bytes; SIZE_MAX without a limit. Pages of files that were
    /// read lately count as free: the system takes them back when asked.
    [[nodiscard]] std::size_t memory_left() const;
    /// The least CPU quota over all levels, in processors; infinity without one.
    [[nodiscard]] double processors() const;

private:
    struct Mount {
        std::string controller;  ///< "memory" or "cpu"; empty: version 2
        std::string root;        ///< the group that is mounted
        std::string point;
    };
    /// Calls look(directory, whether it is of version 2) for all groups of a controller.
    void for_each_level(const char* controller, const std::function<void(const std::string&, bool)>& look) const;

    std::string root_;
    std::vector<Mount> mounts_;
};

/// Of this process.
const ControlGroups& control_groups();

/// The memory that a process can still have: what the machine has, its control groups, and the limits of its
/// address space and of its data (`address_space`, `data`: RLIMIT_AS and RLIMIT_DATA, SIZE_MAX if there is none).
/// At least 1; 0 if it is unknown.
std::size_t memory_left(const std::string& root, const ControlGroups& groups, std::size_t address_space,
                        std::size_t data);

}  // namespace poisson3d
