#include "sweep_plan.hpp"

#include "pass_tasks.hpp"

namespace poisson3d::host {

std::vector<Sweep> make_sweeps(const Schedule& schedule, const Layout& layout, int threads, int lines) {
    const bool enough = threads == 1 || layout.unknowns[0] >= Index{8} * threads;
    const bool across_z = axis_across(layout.unknowns, schedule[1].axis(), lines) == 2;
    if (enough && across_z) return {{0, 2}, {2, 1}, {3, 2}};
    return {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
}

std::string describe(const Sweep& sweep, int number, const Schedule& schedule, const std::array<char, 3>& labels) {
    std::string name = std::to_string(number);
    for (std::size_t p = sweep.first; p < sweep.first + sweep.passes; ++p)
        name += std::string(" ") + labels[schedule[p].axis()];
    return name + " " + poisson3d::describe(schedule[sweep.first].direction);
}

}  // namespace poisson3d::host
