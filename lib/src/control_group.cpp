#include "control_group.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

#include "small_file.hpp"

namespace poisson3d {

namespace {

constexpr std::size_t no_limit = SIZE_MAX;

/// Whether `word` stands in a list "a,b,c".
bool listed(std::string_view list, std::string_view word) {
    while (true) {
        const std::size_t end = list.find(',');
        if (list.substr(0, end) == word) return true;
        if (end == std::string_view::npos) return false;
        list.remove_prefix(end + 1);
    }
}

/// mountinfo writes spaces and the like as three octal digits.
std::string unescaped(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size()) {
            plain += static_cast<char>(std::strtol(text.substr(i + 1, 3).c_str(), nullptr, 8));
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

/// The part of a group's path below the mounted one. Groups that lie outside of it cannot be seen: what can be seen
/// begins at the mount point.
std::string below(const std::string& mounted, const std::string& group) {
    if (group.find("/..") != std::string::npos) return {};
    if (mounted == "/") return group == "/" ? std::string() : group;
    if (group.compare(0, mounted.size(), mounted) != 0) return {};
    const std::string rest = group.substr(mounted.size());
    return rest.empty() || rest.front() == '/' ? rest : std::string();
}

std::size_t minus(std::size_t limit, std::size_t used) {
    return limit > used ? limit - used : 0;
}

}  // namespace

ControlGroups::ControlGroups(std::string root) : root_(std::move(root)) {
    // "31 23 0:28 /root /point options optional … - type source options"
    std::istringstream lines(read_small_file(root_ + "/proc/self/mountinfo"));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string skipped, mounted, point, word, type, options;
        fields >> skipped >> skipped >> skipped >> mounted >> point;
        while (fields >> word && word != "-") {}
        fields >> type >> skipped >> options;
        if (type == "cgroup2") mounts_.push_back({"", unescaped(mounted), unescaped(point)});
        for (const char* const controller : {"memory", "cpu"})
            if (type == "cgroup" && listed(options, controller))
                mounts_.push_back({controller, unescaped(mounted), unescaped(point)});
    }
}

void ControlGroups::for_each_level(const char* controller,
                                   const std::function<void(const std::string&, bool)>& look) const {
    // "4:memory:/path", several controllers as a list; "0::/path" is of version 2.
    std::istringstream lines(read_small_file(root_ + "/proc/self/cgroup"));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool unified = controllers.empty();
        if (!unified && !listed(controllers, controller)) continue;
        for (const Mount& mount : mounts_) {
            if (mount.controller != (unified ? "" : controller)) continue;
            std::string rest = below(mount.root, line.substr(second + 1));
            for (;;) {
                look(root_ + mount.point + rest, unified);
                if (rest.empty()) break;
                rest.erase(rest.rfind('/'));
            }
        }
    }
}

std::size_t ControlGroups::memory_left() const {
    std::size_t left = no_limit;
    for_each_level("memory", [&](const std::string& directory, bool unified) {
        const auto number = [&](const char* file) {
            return leading_number(read_small_file(directory + "/" + file).c_str());
        };
        // Above memory.high a process is not killed but made to wait for pages that are not given back.
        const std::size_t limit =
            unified ? std::min(number("memory.max").value_or(no_limit), number("memory.high").value_or(no_limit))
                    : number("memory.limit_in_bytes").value_or(no_limit);
        if (limit >= no_limit / 4) return;  // version 1 says so with a very large number
        const std::size_t used = number(unified ? "memory.current" : "memory.usage_in_bytes").value_or(0);
        const std::size_t files = number_after(read_small_file(directory + "/memory.stat"),
                                               unified ? "inactive_file" : "total_inactive_file")
                                      .value_or(0);
        left = std::min(left, minus(limit, minus(used, files)));
    });
    return left;
}

double ControlGroups::processors() const {
    double least = std::numeric_limits<double>::infinity();
    for_each_level("cpu", [&](const std::string& directory, bool unified) {
        std::istringstream text(unified ? read_small_file(directory + "/cpu.max")
                                        : read_small_file(directory + "/cpu.cfs_quota_us") + " " +
                                              read_small_file(directory + "/cpu.cfs_period_us"));
        double quota = 0.0;
        double period = 0.0;
        if (text >> quota >> period && quota > 0.0 && period > 0.0) least = std::min(least, quota / period);
    });
    return least;
}

const ControlGroups& control_groups() {
    static const ControlGroups groups;
    return groups;
}

std::size_t memory_left(const std::string& root, const ControlGroups& groups, std::size_t address_space,
                        std::size_t data) {
    const std::size_t of_machine =
        number_after(read_small_file(root + "/proc/meminfo"), "MemAvailable:").value_or(no_limit / 1024) * 1024;
    std::size_t left = std::min(of_machine, groups.memory_left());
    if (address_space != no_limit || data != no_limit) {
        std::istringstream pages(read_small_file(root + "/proc/self/statm"));
        std::size_t all = 0, skipped = 0, of_data = 0;
        pages >> all >> skipped >> skipped >> skipped >> skipped >> of_data;
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        if (address_space != no_limit) left = std::min(left, minus(address_space, all * page));
        if (data != no_limit) left = std::min(left, minus(data, of_data * page));
    }
    return left >= no_limit / 1024 * 1024 ? 0 : std::max<std::size_t>(left, 1);
}

}  // namespace poisson3d
