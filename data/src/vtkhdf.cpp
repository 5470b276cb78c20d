#include "vtkhdf.hpp"

#include <algorithm>

#include "h5_attributes.hpp"

namespace poisson3d {

namespace {

std::array<std::size_t, 3> axes_by_label(const std::array<char, 3>& labels) {
    std::array<char, 3> sorted = labels;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != std::array{'x', 'y', 'z'}) return {0, 1, 2};
    std::array<std::size_t, 3> axes{};
    for (std::size_t a = 0; a < 3; ++a) axes[static_cast<std::size_t>(labels[a] - 'x')] = a;
    return axes;
}

std::string point_data_name(std::string path) {
    path.erase(0, path.find_first_not_of('/'));
    std::replace(path.begin(), path.end(), '/', '_');
    return path;
}

}  // namespace

VtkImage vtk_image(const Grid& grid) {
    VtkImage image;
    image.axes = axes_by_label(grid.labels);
    for (std::size_t v = 0; v < 3; ++v) {
        const Axis& axis = grid.axes[image.axes[v]];
        image.doubled[v] = axis.points == 1;
        image.points[v] = image.doubled[v] ? 2 : axis.points;
        image.origin[v] = axis.position(0) - (image.doubled[v] ? 0.5 * axis.step() : 0.0);
        image.spacing[v] = axis.step();
    }
    if (std::ranges::all_of(grid.axes, [](const Axis& axis) { return axis.uniform(); })) return image;
    for (std::size_t v = 0; v < 3; ++v) {
        const Axis& axis = grid.axes[image.axes[v]];
        image.coordinates[v] = coordinates(axis);
        if (!image.doubled[v]) continue;
        const double middle = axis.position(0), half = 0.5 * axis.length();
        image.coordinates[v] = {middle - half, middle + half};
    }
    return image;
}

bool lies_as_vtk_image(const Grid& grid) {
    const VtkImage image = vtk_image(grid);
    return image.axes == std::array<std::size_t, 3>{2, 1, 0} && image.doubled == std::array{false, false, false} &&
           !image.rectilinear();
}

void write_vtkhdf(hid_t file, const h5::Subject& subject, const VtkImage& image) {
    const h5::Quiet quiet;
    h5::Group group(subject.check(H5Gcreate2(file, "/VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                  "cannot make the group /VTKHDF"));
    if (image.rectilinear()) {
        h5::write_fixed_text(group.get(), subject, "Type", "RectilinearGrid");
        for (const Attribute& attribute : attribute_list(
                 Attribute{"Version", std::vector<long long>{2, 7}},
                 Attribute{"Dimensions", std::vector<long long>(image.points.begin(), image.points.end())}))
            h5::write_attribute(group.get(), subject, attribute);
        subject.check(group.close(), "cannot write /VTKHDF");
        return;
    }
    std::vector<long long> extent;
    for (const Index points : image.points) {
        extent.push_back(0);
        extent.push_back(points - 1);
    }
    h5::write_fixed_text(group.get(), subject, "Type", "ImageData");
    using Numbers = std::vector<double>;
    for (const Attribute& attribute :
         attribute_list(Attribute{"Version", std::vector<long long>{1, 0}}, Attribute{"WholeExtent", extent},
                        Attribute{"Origin", Numbers(image.origin.begin(), image.origin.end())},
                        Attribute{"Spacing", Numbers(image.spacing.begin(), image.spacing.end())},
                        Attribute{"Direction", Numbers{1, 0, 0, 0, 1, 0, 0, 0, 1}}))
        h5::write_attribute(group.get(), subject, attribute);
    subject.check(group.close(), "cannot write /VTKHDF");
}

void link_vtkhdf(hid_t file, const h5::Subject& subject, const Grid& grid,
                 const std::vector<std::string>& datasets) {
    const h5::Quiet quiet;
    write_vtkhdf(file, subject, vtk_image(grid));
    h5::Group points(subject.check(H5Gcreate2(file, "/VTKHDF/PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   "cannot make the group /VTKHDF/PointData"));
    for (const std::string& dataset : datasets)
        subject.check(H5Lcreate_hard(file, dataset.c_str(), points.get(), point_data_name(dataset).c_str(),
                                     H5P_DEFAULT, H5P_DEFAULT),
                      "cannot link a data set into /VTKHDF/PointData");
    subject.check(points.close(), "cannot write /VTKHDF/PointData");
}

}  // namespace poisson3d
