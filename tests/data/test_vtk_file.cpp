// Files for VTK: where each number lies, in HDF5's own eyes. What VTK makes of them: test_vtk.py.
#include <algorithm>
#include <numeric>

#include "marked_field.hpp"
#include "poisson3d/vtk_file.hpp"

namespace poisson3d::test {
namespace {

class VtkFile : public Folder {};

template <class T>
hid_t type_of();
template <>
hid_t type_of<float>() {
    return H5T_NATIVE_FLOAT;
}
template <>
hid_t type_of<double>() {
    return H5T_NATIVE_DOUBLE;
}

/// "../X" is /VTKHDF/X, "u" an array of points.
std::string inside(const std::string& name) {
    return name.starts_with("../") ? "/VTKHDF/" + name.substr(3) : "/VTKHDF/PointData/" + name;
}

template <class T>
std::vector<T> read_array(const std::string& path, const std::string& name, const std::vector<hsize_t>& wanted) {
    const hid_t file = TestFile::good(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const hid_t set = TestFile::good(H5Dopen2(file, inside(name).c_str(), H5P_DEFAULT));
    const hid_t space = TestFile::good(H5Dget_space(set));
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    EXPECT_EQ(extents, wanted);
    const hid_t type = TestFile::good(H5Dget_type(set));
    EXPECT_GT(H5Tequal(type, type_of<T>()), 0);
    std::vector<T> values(std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>()));
    TestFile::good(H5Dread(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return values;
}

Grid labelled(const Extents& points, const char* labels) {
    Grid grid = example_grid(points);
    std::copy_n(labels, 3, grid.labels.begin());
    return grid;
}

// Of 18 and 54 MB: several blocks.
template <class T>
void check_turned(const std::string& path, const char* labels, const std::array<std::size_t, 3>& axes) {
    const Extents n{131, 129, 137};
    const Grid grid = labelled(n, labels);
    const Field<T> a = marked_field<T>(n), b = marked_field<T>(n, 0.25), c = marked_field<T>(n, 0.5);
    {
        VtkWriter writer(path, grid);
        writer.write<T>("solution", in_memory(a.view()));
        writer.write<T>("gradient", {in_memory(a.view()), in_memory(b.view()), in_memory(c.view())});
        writer.finish().publish();
    }
    const std::array<Index, 3> m{n[axes[2]], n[axes[1]], n[axes[0]]};  // slowest first
    std::vector<hsize_t> extents(m.begin(), m.end());
    const std::vector<T> scalars = read_array<T>(path, "solution", extents);
    extents.push_back(3);
    const std::vector<T> vectors = read_array<T>(path, "gradient", extents);
    const std::array<const Field<T>*, 3> components{&a, &b, &c};
    std::size_t at = 0, wrong = 0;
    Extents index{};
    for (index[axes[2]] = 0; index[axes[2]] < m[0]; ++index[axes[2]])
        for (index[axes[1]] = 0; index[axes[1]] < m[1]; ++index[axes[1]])
            for (index[axes[0]] = 0; index[axes[0]] < m[2]; ++index[axes[0]], ++at) {
                wrong += scalars[at] != a.view()(index[0], index[1], index[2]);
                for (std::size_t v = 0; v < 3; ++v)
                    wrong += vectors[3 * at + v] != components[axes[v]]->view()(index[0], index[1], index[2]);
            }
    EXPECT_EQ(wrong, 0U) << labels;
}

TEST_F(VtkFile, ArraysRunAlongXFirst) {
    check_turned<double>(path("u.vtkhdf"), "xyz", {0, 1, 2});
    check_turned<double>(path("u.vtkhdf"), "zyx", {2, 1, 0});
    check_turned<float>(path("u.vtkhdf"), "zxy", {1, 2, 0});
    check_turned<float>(path("u.vtkhdf"), "yzx", {2, 0, 1});
}

// Whichever axis it is; the index that is contiguous in memory may be it.
TEST_F(VtkFile, AxesOfOnePointAreDoubled) {
    for (const Extents& n : {Extents{1, 4, 3}, {5, 1, 3}, {5, 4, 1}, {5, 1, 1}, {1, 1, 1}})
        for (const char* labels : {"xyz", "zyx", "zxy"}) {
            const Grid grid = labelled(n, labels);
            const Field<double> field = marked_field<double>(n);
            {
                VtkWriter writer(path("u.vtkhdf"), grid);
                writer.write<double>("solution", in_memory(field.view()));
                writer.finish().publish();
            }
            std::array<std::size_t, 3> axes{};
            for (std::size_t a = 0; a < 3; ++a) axes[static_cast<std::size_t>(labels[a] - 'x')] = a;
            Extents m{};
            for (std::size_t v = 0; v < 3; ++v) m[v] = std::max<Index>(2, n[axes[v]]);
            const std::vector<double> found = read_array<double>(
                path("u.vtkhdf"), "solution",
                {static_cast<hsize_t>(m[2]), static_cast<hsize_t>(m[1]), static_cast<hsize_t>(m[0])});
            std::size_t at = 0;
            for (Index k = 0; k < m[2]; ++k)
                for (Index j = 0; j < m[1]; ++j)
                    for (Index i = 0; i < m[0]; ++i) {
                        Extents index{};
                        index[axes[0]] = std::min(i, n[axes[0]] - 1);
                        index[axes[1]] = std::min(j, n[axes[1]] - 1);
                        index[axes[2]] = std::min(k, n[axes[2]] - 1);
                        ASSERT_EQ(found[at++], field.view()(index[0], index[1], index[2]));
                    }
        }
}

TEST_F(VtkFile, AppearsWhenItIsWhole) {
    const Field<double> field = marked_field<double>({5, 4, 3});
    {
        VtkWriter writer(path("u.vtkhdf"), example_grid());
        writer.write<double>("solution", in_memory(field.view()));
        EXPECT_FALSE(std::filesystem::exists(path("u.vtkhdf")));
    }
    EXPECT_TRUE(files().empty());
    expect_error(ErrorCode::output, {"u.vtkhdf", "left"},
                 [&] { VtkWriter(path("u.vtkhdf"), example_grid()).require_space(std::uint64_t{1} << 62); });
    EXPECT_EQ(VtkWriter(path("u.vtkhdf"), example_grid({5, 1, 3})).bytes(4, 8), 4 * 5 * 2 * 3 * 8U);
}

TEST(VtkName, HasItsEnding) {
    for (const char* name : {"a.vtkhdf", "/b/c.d.vtkhdf"}) EXPECT_TRUE(is_vtk_name(name)) << name;
    for (const char* name : {"", "a", "a.h5", ".vtkhdf", "a/.vtkhdf", "avtkhdf", "a.vtkhdf.h5"})
        EXPECT_FALSE(is_vtk_name(name)) << name;
}

/// Steps of one axis differ: a rectilinear grid with the coordinates of the points, in x, y, z.
TEST_F(VtkFile, OfStepsThatDifferIsARectilinearGrid) {
    const Extents n{3, 4, 5};
    Grid grid = labelled(n, "zyx");
    for (Axis& axis : grid.axes)
        axis = {axis.points, 0.5, 1.0, Centering::cell, Boundary::neumann, Boundary::neumann};
    grid.axes[1].positions = {0.0, 1.0, 3.0, 3.5, 7.0};
    const Field<double> u = marked_field<double>(n);
    {
        VtkWriter writer(path("u.vtkhdf"), grid);
        writer.write<double>("solution", in_memory(u.view()));
        writer.finish().publish();
    }
    EXPECT_EQ(read_array<double>(path("u.vtkhdf"), "solution", {3, 4, 5}),
              std::vector<double>(u.data(), u.data() + 60));
    EXPECT_EQ(read_array<double>(path("u.vtkhdf"), "../XCoordinates", {5}),
              (std::vector<double>{1.25, 1.75, 2.25, 2.75, 3.25}));
    EXPECT_EQ(read_array<double>(path("u.vtkhdf"), "../YCoordinates", {4}),
              (std::vector<double>{0.5, 2.0, 3.25, 5.25}));
    EXPECT_EQ(read_array<double>(path("u.vtkhdf"), "../ZCoordinates", {3}),
              (std::vector<double>{1.25, 1.75, 2.25}));
    const hid_t file = TestFile::good(H5Fopen(path("u.vtkhdf").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const auto numbers = [&](const char* name, std::size_t count) {
        std::vector<long long> values(count);
        const hid_t attribute = TestFile::good(H5Aopen_by_name(file, "/VTKHDF", name, H5P_DEFAULT, H5P_DEFAULT));
        TestFile::good(H5Aread(attribute, H5T_NATIVE_LLONG, values.data()));
        H5Aclose(attribute);
        return values;
    };
    EXPECT_EQ(numbers("Version", 2), (std::vector<long long>{2, 7}));
    EXPECT_EQ(numbers("Dimensions", 3), (std::vector<long long>{5, 4, 3}));
    H5Fclose(file);
}

}  // namespace
}  // namespace poisson3d::test
