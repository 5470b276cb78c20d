// What is written is read back: fields, attributes, links for VTK.
#include <algorithm>
#include <tuple>

#include "marked_field.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

class Write : public Folder {};

template <class T>
class WriteType : public Folder {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(WriteType, Types);

TYPED_TEST(WriteType, IsReadBack) {
    using T = TypeParam;
    const Field<T> solution = marked_field<T>({5, 4, 3}), other = marked_field<T>({5, 4, 3}, 1000.0);
    {
        FieldWriter writer(this->path());
        writer.create<T>("/solution", example_grid(), -1.5);
        writer.create<T>("/gradient/x", example_grid(), -1.5);
        writer.write<T>("/solution", 0, solution.view());
        for (const Index first : {3, 1, 0}) writer.write<T>("/gradient/x", first, other.view().slab(first, 2));
        writer.commit();
    }
    EXPECT_EQ(this->files(), std::vector<std::string>{"field.h5"});
    const FieldReader reader(this->path(), {.dataset = "/solution"});
    const FieldHeader& header = reader.header();
    EXPECT_EQ(header.points, (Extents{5, 4, 3}));
    EXPECT_EQ(header.type_bytes, static_cast<int>(sizeof(T)));
    EXPECT_EQ(header.storage, "contiguous");
    EXPECT_EQ(header.spacing, (std::array{0.5, 0.25, 0.125}));
    EXPECT_EQ(header.origin, (std::array{-1.0, 2.0, 7.0}));
    EXPECT_EQ(header.helmholtz, -1.5);
    EXPECT_EQ(header.centering, (std::array{Centering::cell, Centering::node, Centering::cell}));
    EXPECT_EQ(header.labels, (std::array{'z', 'y', 'x'}));
    using Faces = std::array<std::array<Boundary, 2>, 3>;
    EXPECT_EQ(header.boundary, (Faces{{{Boundary::periodic, Boundary::periodic},
                                       {Boundary::dirichlet, Boundary::neumann},
                                       {Boundary::neumann, Boundary::dirichlet}}}));
    Field<T> found({5, 4, 3});
    reader.read(0, found.view());
    expect_marked(found);
    reader.read_from("/gradient/x", 0, found.view());
    expect_marked(found, 1000.0);
}

TEST_F(Write, TakesViewsWithGaps) {
    std::vector<double> memory(2000, -7.0);
    const FieldView<double> view(memory.data() + 57, {5, 4, 3}, {29, 7, 1});
    for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 4; ++j)
            for (Index k = 0; k < 3; ++k) view(i, j, k) = marked(i, j, k);
    FieldWriter writer(path());
    writer.create<double>("/solution", example_grid(), 0.0);
    writer.write<double>("/solution", 0, view);
    writer.commit();
    Field<double> found({5, 4, 3});
    FieldReader(path(), {.dataset = "/solution"}).read(0, found.view());
    expect_marked(found);
}

TEST_F(Write, ReportAttributes) {
    {
        FieldWriter writer(path());
        writer.create<float>("/solution", example_grid(), 0.0);
        const Field<float> field = marked_field<float>({5, 4, 3});
        writer.write<float>("/solution", 0, field.view());
        writer.attributes("/solution",
                          {Attribute{"residual_max", 1e-300}, Attribute{"steps", 7}, Attribute{"bytes", 1LL << 40},
                           Attribute{"engine", "h\u00f4te"}, Attribute{"seconds", std::vector<double>{0.5, 0.25}},
                           Attribute{"passes", std::vector<std::string>{"1 z forward", ""}},
                           Attribute{"none", std::vector<double>{}}, Attribute{"helmholtz", 4.0}});
        writer.attributes("/solution", {Attribute{"steps", 8}});
        writer.commit();
    }
    const hid_t file = TestFile::good(H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const auto read = [&](const char* name, hid_t type, void* to) {
        const hid_t attribute = TestFile::good(H5Aopen_by_name(file, "/solution", name, H5P_DEFAULT, H5P_DEFAULT));
        TestFile::good(H5Aread(attribute, type, to));
        H5Aclose(attribute);
    };
    double number = 0.0;
    read("residual_max", H5T_NATIVE_DOUBLE, &number);
    EXPECT_EQ(number, 1e-300);
    read("helmholtz", H5T_NATIVE_DOUBLE, &number);
    EXPECT_EQ(number, 4.0) << "an attribute of the same name is replaced";
    long long integer = 0;
    read("steps", H5T_NATIVE_LLONG, &integer);
    EXPECT_EQ(integer, 8);
    read("bytes", H5T_NATIVE_LLONG, &integer);
    EXPECT_EQ(integer, 1LL << 40);
    std::array<double, 2> numbers{};
    read("seconds", H5T_NATIVE_DOUBLE, numbers.data());
    EXPECT_EQ(numbers, (std::array{0.5, 0.25}));
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    std::array<char*, 2> words{};
    read("engine", text, words.data());
    EXPECT_STREQ(words[0], "h\u00f4te");
    H5free_memory(words[0]);
    read("passes", text, words.data());
    EXPECT_STREQ(words[0], "1 z forward");
    EXPECT_STREQ(words[1], "");
    for (char* word : words) H5free_memory(word);
    H5Tclose(text);
    H5Fclose(file);
}

// Read by HDF5 itself: the type and the shape in the file are what other programs meet.
TEST_F(Write, BoundaryValues) {
    const std::vector<double> values{0.5, -1.25, 3.0, 1e-300, 7.0, -0.0};
    {
        FieldWriter writer(path());
        writer.create<float>("/rhs", example_grid(), 0.0);
        const Field<float> field = marked_field<float>({5, 4, 3});
        writer.write<float>("/rhs", 0, field.view());
        writer.write_boundary_value("z_lower", -2.5);
        writer.write_boundary_values("y_upper", {2, 3}, values);
        expect_error(ErrorCode::usage, {path(), "/boundary_values/z_lower", "before"},
                     [&] { writer.write_boundary_value("z_lower", 1.0); });
        expect_error(ErrorCode::usage, {path(), "/boundary_values/x_upper", "6 values", "3 x 3"}, [&] {
            writer.write_boundary_values("x_upper", {3, 3}, values);
        });
        expect_error(ErrorCode::usage, {path(), "/boundary_values/x_upper", "0 values"}, [&] {
            writer.write_boundary_values("x_upper", {0, 3}, {});
        });
        writer.commit();
        expect_error(ErrorCode::internal, {path(), "committed"},
                     [&] { writer.write_boundary_value("x_lower", 1.0); });
    }
    const hid_t file = TestFile::good(H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    EXPECT_LE(H5Lexists(file, "/boundary_values/x_upper", H5P_DEFAULT), 0) << "a refused face left a data set";
    for (const auto& [name, wanted, extents] :
         {std::tuple{"/boundary_values/z_lower", std::vector<double>{-2.5}, std::vector<hsize_t>{}},
          std::tuple{"/boundary_values/y_upper", values, std::vector<hsize_t>{2, 3}}}) {
        const hid_t set = TestFile::good(H5Dopen2(file, name, H5P_DEFAULT));
        const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
        EXPECT_GT(H5Tequal(type, H5T_NATIVE_DOUBLE), 0) << name;
        std::vector<hsize_t> found(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
        H5Sget_simple_extent_dims(space, found.data(), nullptr);
        EXPECT_EQ(found, extents) << name;
        std::vector<double> read(wanted.size());
        TestFile::good(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()));
        EXPECT_EQ(read, wanted) << name;
        H5Tclose(type);
        H5Sclose(space);
        H5Dclose(set);
    }
    H5Fclose(file);
}

TEST_F(Write, LinksForVtkShareTheData) {
    {
        FieldWriter writer(path());
        writer.create<double>("/solution", example_grid(), 0.0);
        writer.create<double>("/gradient/x", example_grid(), 0.0);
        const Field<double> field = marked_field<double>({5, 4, 3});
        for (const char* name : {"/solution", "/gradient/x"}) writer.write<double>(name, 0, field.view());
        EXPECT_TRUE(writer.link_vtk(example_grid(), {"/solution", "/gradient/x"}));
        writer.commit();
    }
    Field<double> found({5, 4, 3});
    for (const char* name : {"/VTKHDF/PointData/solution", "/VTKHDF/PointData/gradient_x"}) {
        FieldReader(path(), {.dataset = name}).read(0, found.view());
        expect_marked(found);
    }
    EXPECT_LT(std::filesystem::file_size(path()), 2 * 60 * 8 + 16384) << "nothing is stored twice";
}

// VTK's filters look at no direction, and its version 9.1 crashes on planes.
TEST_F(Write, NoLinksForVtkToFieldsThatLieOtherwise) {
    std::vector<Grid> others{example_grid({1, 4, 3}), example_grid({5, 1, 3}), example_grid({5, 4, 1})};
    for (const char* labels : {"xyz", "zxy", "yzx", "abc"}) {
        others.push_back(example_grid());
        std::copy_n(labels, 3, others.back().labels.begin());
    }
    for (const Grid& grid : others) {
        const Field<double> field = marked_field<double>(grid.points());
        {
            FieldWriter writer(path());
            writer.create<double>("/solution", grid, 0.0);
            writer.write<double>("/solution", 0, field.view());
            EXPECT_FALSE(writer.link_vtk(grid, {"/solution"}));
            writer.commit();
        }
        Field<double> found(grid.points());
        FieldReader(path(), {.dataset = "/solution"}).read(0, found.view());
        expect_marked(found);
        const hid_t file = TestFile::good(H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
        EXPECT_EQ(H5Lexists(file, "/VTKHDF", H5P_DEFAULT), 0);
        H5Fclose(file);
    }
}

TEST_F(Write, BoxesAreReadBackBeforeTheEnd) {
    FieldWriter writer(path());
    writer.create<float>("/solution", example_grid(), 0.0);
    const Field<float> field = marked_field<float>({5, 4, 3});
    writer.write<float>("/solution", 0, field.view());
    Field<float> box({2, 1, 3});
    writer.read_back("/solution", {3, 2, 0}, box.view());
    for (Index i = 0; i < 2; ++i)
        for (Index k = 0; k < 3; ++k) EXPECT_EQ(box.view()(i, 0, k), field.view()(3 + i, 2, k));
    FieldView<float> gaps(box.data(), {1, 1, 3}, {6, 6, 1});
    gaps.strides[1] = 4;
    expect_error(ErrorCode::internal, {"/solution", "gaps"}, [&] {
        writer.read_back("/solution", {0, 0, 0}, gaps);
    });
    expect_error(ErrorCode::output, {"/solution", "read back"}, [&] {
        writer.read_back("/solution", {4, 0, 0}, box.view());
    });
}

}  // namespace
}  // namespace poisson3d::test
