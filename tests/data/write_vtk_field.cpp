// write_vtk_field FILE POINTS LABELS CENTERING TYPE: fields whose values tell where they belong, in FILE with links
// for VTK where they lie as VTK wants them, and in FILE.vtkhdf. POINTS: 4x5x7, in index order; TYPE: float, double.
// Solution: x + 100 y + 10000 z + x y z at the physical place of each point; its gradient; FILE.vtkhdf also holds
// the places themselves as arrays x, y, z.
#include <cstdio>
#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/vtk_file.hpp"

namespace {

using namespace poisson3d;
using Place = std::array<double, 3>;

Grid make_grid(const Extents& points, const std::string& labels, Centering centering) {
    Grid grid;
    grid.axes[0] = {points[0], 0.5, -0.75, centering, Boundary::periodic, Boundary::periodic};
    grid.axes[1] = {points[1], 0.25, 1.0, centering, Boundary::dirichlet, Boundary::neumann};
    grid.axes[2] = {points[2], 2.0, 0.125, centering, Boundary::neumann, Boundary::neumann};
    grid.labels = {labels[0], labels[1], labels[2]};
    return grid;
}

// The direction x, y or z of each axis: that of its label, or its place in index order if the labels are others.
std::array<std::size_t, 3> directions(const Grid& grid) {
    const std::string labels(grid.labels.begin(), grid.labels.end());
    if (labels.find('x') == labels.npos || labels.find('y') == labels.npos || labels.find('z') == labels.npos)
        return {0, 1, 2};
    std::array<std::size_t, 3> found{};
    for (std::size_t a = 0; a < 3; ++a) found[a] = static_cast<std::size_t>(labels[a] - 'x');
    return found;
}

template <class T, class Value>
Field<T> fill(const Grid& grid, const Value& value) {
    Field<T> field(grid.points());
    const Extents n = grid.points();
    const std::array<std::size_t, 3> along = directions(grid);
    for (Index i = 0; i < n[0]; ++i)
        for (Index j = 0; j < n[1]; ++j)
            for (Index k = 0; k < n[2]; ++k) {
                Place place{};
                place[along[0]] = grid.axes[0].position(i);
                place[along[1]] = grid.axes[1].position(j);
                place[along[2]] = grid.axes[2].position(k);
                field.view()(i, j, k) = static_cast<T>(value(place));
            }
    return field;
}

double marked(const Place& at) {
    return at[0] + 100 * at[1] + 10000 * at[2] + at[0] * at[1] * at[2];
}

double slope(const Place& at, std::size_t direction) {
    const Place constant{1, 100, 10000};
    return constant[direction] + at[(direction + 1) % 3] * at[(direction + 2) % 3];
}

template <class T>
void write_files(const std::string& path, const Grid& grid) {
    FieldWriter writer(path);
    VtkWriter vtk(path + ".vtkhdf", grid);
    std::vector<std::string> names{"/solution"};
    const Field<T> solution = fill<T>(grid, marked);
    writer.create<T>("/solution", grid, 0.0);
    writer.write<T>("/solution", 0, solution.view());
    vtk.write<T>("solution", in_memory(solution.view()));
    std::array<VtkWriter::Source<T>, 3> components;
    std::array<Field<T>, 3> gradient, back;
    for (std::size_t a = 0; a < 3; ++a) {
        const std::string name = std::string("/gradient/") + grid.labels[a];
        const std::size_t direction = directions(grid)[a];
        gradient[a] = fill<T>(grid, [direction](const Place& at) { return slope(at, direction); });
        writer.create<T>(name, grid, 0.0);
        writer.write<T>(name, 0, gradient[a].view());
        names.push_back(name);
        components[a] = [&writer, &memory = back[a], name](const Extents& first, const Extents& count) {
            memory = Field<T>(count);
            writer.read_back(name, first, memory.view());
            return FieldView<const T>(memory.view());
        };
    }
    vtk.write<T>("gradient", components);
    for (const std::size_t direction : {0, 1, 2}) {
        const Field<T> place = fill<T>(grid, [direction](const Place& at) { return at[direction]; });
        vtk.write<T>(std::string(1, "xyz"[direction]), in_memory(place.view()));
    }
    writer.attributes("/solution", {Attribute{"engine", "host"}, Attribute{"residual_max", 1.5e-15}});
    writer.link_vtk(grid, names);
    writer.commit();
    vtk.finish().publish();
}

Extents parse_extents(const char* text) {
    long long n[3] = {0, 0, 0};
    if (std::sscanf(text, "%lldx%lldx%lld", &n[0], &n[1], &n[2]) != 3)
        throw Error(ErrorCode::usage, std::string("wanted points like 4x5x7, found ") + text);
    return {n[0], n[1], n[2]};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) return 2;
    try {
        const Grid grid = make_grid(parse_extents(argv[2]), argv[3], parse_centering(argv[4]));
        if (std::string(argv[5]) == "float")
            write_files<float>(argv[1], grid);
        else
            write_files<double>(argv[1], grid);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
