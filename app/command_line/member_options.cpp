// The options of members that share the box: how many, where they are, and how they solve.
#include <algorithm>
#include <limits>
#include <numeric>

#include "command_line/option_set.hpp"

namespace poisson3d::app {

namespace {

/// "2", the first two, or "0,2,3", each for a member.
std::vector<int> parse_devices(const std::string& option, const std::string& text) {
    if (text.find(',') != std::string::npos) return parse_list(option, text, parse_count);
    constexpr Index most = 1024;  // more than any machine has
    const Index count = parse_integer(option, text, 1);
    if (count > most)
        throw Error(ErrorCode::usage,
                    option + ": found '" + text + "', wanted the number of GPUs, or their numbers: 0,2,3");
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

}  // namespace

void add_member_devices(OptionSet& set, std::vector<int>& devices) {
    set.add(in_solving, "--devices", "N|LIST", "",
            "divide the box between members on N GPUs, or on those of a list: 0,2,3", into(devices, parse_devices));
}

void add_method(OptionSet& set, std::optional<Method>& method) {
    set.add(in_solving, "--method", "NAME", "automatic",
            "how members treat the first axis: eliminate it (little to send), transpose (the field is sent twice, "
            "the result has the bits of one member), or automatic (eliminate where possible)",
            into(method, NameOf{Method::automatic, Method::eliminate, Method::transpose}));
}

void add_members(OptionSet& set, SolveOptions& options) {
    set.add(in_solving, "--members", "N", "",
            "divide the box between N members, groups of threads of this process; under mpirun each rank is one",
            [&options](const std::string& option, const std::string& text) {
                options.members = static_cast<int>(
                    std::min<Index>(parse_integer(option, text, 1), std::numeric_limits<int>::max()));
            });
    add_method(set, options.method);
    set.add(
        in_solving, "--decomposition", "NAME", "automatic",
        "the part of each member: slabs, pencils (slabs cut along the second axis), rows and columns of pencils "
        "(4x2), or automatic (slabs while there are planes for all)",
        into(options.decomposition, parse_member_grid));
    add_member_devices(set, options.devices);
}

void require_one_choice(const std::optional<int>& device, const std::vector<int>& devices,
                        const std::optional<int>& members) {
    if (device && !devices.empty())
        throw Error(ErrorCode::usage,
                    "--device names a GPU that has all of the box, and --devices those that share it: give only "
                    "one of them");
    if (members && !devices.empty())
        throw Error(
            ErrorCode::usage,
            "--members shares the box between processors, and --devices between GPUs: give only one of them");
}

}  // namespace poisson3d::app
