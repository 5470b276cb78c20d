// write_vtk_field FILE LABELS CENTERING: a field whose values tell where they belong, linked for VTK.
// Solution: x + 100 y + 10000 z + x y z at the physical place of each point; /gradient/x: minus that.
#include <cstdio>
#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/field_file.hpp"

namespace {

using namespace poisson3d;

Grid make_grid(const std::string& labels, Centering centering) {
    Grid grid;
    grid.axes[0] = {4, 0.5, -3.0, centering, Boundary::periodic, Boundary::periodic};
    grid.axes[1] = {5, 0.25, 10.0, centering, Boundary::dirichlet, Boundary::neumann};
    grid.axes[2] = {7, 2.0, 0.125, centering, Boundary::neumann, Boundary::neumann};
    grid.labels = {labels[0], labels[1], labels[2]};
    return grid;
}

// x, y, z of a point: the position along the axis of that label, or in index order if the labels are others.
std::array<double, 3> place(const Grid& grid, const std::array<Index, 3>& index) {
    std::array<double, 3> where{};
    const std::string labels(grid.labels.begin(), grid.labels.end());
    const bool named =
        labels.find('x') != labels.npos && labels.find('y') != labels.npos && labels.find('z') != labels.npos;
    for (std::size_t a = 0; a < 3; ++a)
        where[named ? static_cast<std::size_t>(labels[a] - 'x') : a] = grid.axes[a].position(index[a]);
    return where;
}

void write_file(const std::string& path, const Grid& grid) {
    Field<double> field(grid.points()), minus(grid.points());
    const Extents n = grid.points();
    for (Index i = 0; i < n[0]; ++i)
        for (Index j = 0; j < n[1]; ++j)
            for (Index k = 0; k < n[2]; ++k) {
                const auto [x, y, z] = place(grid, {i, j, k});
                field.view()(i, j, k) = x + 100 * y + 10000 * z + x * y * z;
                minus.view()(i, j, k) = -field.view()(i, j, k);
            }
    FieldWriter writer(path);
    writer.create<double>("/solution", grid, 0.0);
    writer.create<double>("/gradient/x", grid, 0.0);
    writer.write_all<double>("/solution", field.view());
    writer.write_all<double>("/gradient/x", minus.view());
    writer.attributes("/solution", {Attribute::of("engine", "host"), Attribute::of("residual_max", 1.5e-15)});
    writer.link_vtk(grid, {"/solution", "/gradient/x"});
    writer.commit();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    try {
        write_file(argv[1], make_grid(argv[2], parse_centering(argv[3])));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
