#include "vtkhdf.hpp"

#include <algorithm>
#include <array>

#include "h5_attributes.hpp"

namespace poisson3d {

namespace {

using Directions = std::array<std::size_t, 3>;

// The physical direction (0 = x, 1 = y, 2 = z) of each axis of the grid.
Directions physical_directions(const std::array<char, 3>& labels) {
    std::array<char, 3> sorted = labels;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != std::array{'x', 'y', 'z'}) return {0, 1, 2};
    Directions directions{};
    for (std::size_t a = 0; a < 3; ++a) directions[a] = static_cast<std::size_t>(labels[a] - 'x');
    return directions;
}

std::string point_data_name(std::string path) {
    path.erase(0, path.find_first_not_of('/'));
    std::replace(path.begin(), path.end(), '/', '_');
    return path;
}

void write_numbers(hid_t group, const h5::Subject& subject, const char* name, std::vector<double> values) {
    h5::write_attribute(group, subject, Attribute::of(name, std::move(values)));
}

}  // namespace

void write_vtkhdf(hid_t file, const h5::Subject& subject, const Grid& grid,
                  const std::vector<std::string>& datasets) {
    const h5::Quiet quiet;
    h5::Group group(subject.check(H5Gcreate2(file, "/VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                  "cannot make the group /VTKHDF"));
    const Directions directions = physical_directions(grid.labels);
    std::vector<long long> extent;
    std::vector<double> origin(3), spacing, direction(9, 0.0);
    for (std::size_t v = 0; v < 3; ++v) {  // v: VTK's axis, the fastest first
        const std::size_t a = 2 - v;
        extent.insert(extent.end(), {0, grid.axes[a].points - 1});
        spacing.push_back(grid.axes[a].spacing);
        origin[directions[a]] = grid.axes[a].position(0);
        direction[3 * directions[a] + v] = 1.0;  // column v is the direction of axis v
    }
    h5::write_fixed_text(group.get(), subject, "Type", "ImageData");
    h5::write_integers(group.get(), subject, "Version", {1, 0});
    h5::write_integers(group.get(), subject, "WholeExtent", extent);
    write_numbers(group.get(), subject, "Origin", origin);
    write_numbers(group.get(), subject, "Spacing", spacing);
    write_numbers(group.get(), subject, "Direction", direction);

    h5::Group points(subject.check(H5Gcreate2(group.get(), "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   "cannot make the group /VTKHDF/PointData"));
    for (const std::string& dataset : datasets)
        subject.check(H5Lcreate_hard(file, dataset.c_str(), points.get(), point_data_name(dataset).c_str(),
                                     H5P_DEFAULT, H5P_DEFAULT),
                      "cannot link a data set into /VTKHDF/PointData");
    subject.check(points.close(), "cannot write /VTKHDF/PointData");
    subject.check(group.close(), "cannot write /VTKHDF");
}

}  // namespace poisson3d
