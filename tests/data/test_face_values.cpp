// Boundary values in the field file: numbers and arrays in every layout, and those that are refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "h5_test_file.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

const std::vector<double> one{-2.5};

/// Row a, column b of a face: tells its place and its face.
double on_face(const std::string& face, hsize_t a, hsize_t b) {
    return static_cast<double>(1000 * face[0] + 100 * a + b) + (face[2] == 'l' ? 0.25 : 0.5);
}

std::vector<double> face_values(const std::string& face, const std::vector<hsize_t>& extents) {
    std::vector<double> values;
    for (hsize_t a = 0; a < extents[0]; ++a)
        for (hsize_t b = 0; b < extents[1]; ++b) values.push_back(on_face(face, a, b));
    return values;
}

class ReadFaces : public Folder {
protected:
    using Make = std::function<void(TestFile&)>;
    /// A field of 5 x 4 x 3 points and the group, with what `make` puts into it.
    void file(const Make& make) const {
        TestFile file(path());
        file.rhs();
        file.group("/boundary_values");
        make(file);
    }
    [[nodiscard]] FaceData read(const std::string& face, const Make& make) const {
        file(make);
        return FieldReader(path()).boundary_values(face);
    }
    void refuse(ErrorCode code, const std::string& face, std::vector<std::string> parts, const Make& make) const {
        parts.insert(parts.end(), {path(), "/boundary_values/" + face});
        file(make);
        expect_error(code, parts, [&] { static_cast<void>(FieldReader(path()).boundary_values(face)); });
    }
};

TEST_F(ReadFaces, NumbersOfEveryTypeAndRank) {
    for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE})
        for (const std::vector<hsize_t>& extents : {std::vector<hsize_t>{}, std::vector<hsize_t>{1},
                                                    std::vector<hsize_t>{1, 1}, std::vector<hsize_t>{1, 1, 1}}) {
            const FaceData found =
                read("y_upper", [&](TestFile& f) { f.dataset("/boundary_values/y_upper", type, extents, one); });
            EXPECT_FALSE(found.array);
            EXPECT_EQ(found.values, one);
        }
}

// Extents are those of the two other axes in index order, whatever the axes are called.
TEST_F(ReadFaces, ArraysOnEveryFaceAndLabel) {
    for (const std::string labels : {"xyz", "zyx", "yzx", "pqr"})
        for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
            std::map<std::string, std::vector<hsize_t>> wanted;
            for (const std::string side : {"_lower", "_upper"}) {
                wanted[labels[0] + side] = {4, 3};
                wanted[labels[1] + side] = {5, 3};
                wanted[labels[2] + side] = {5, 4};
            }
            file([&](TestFile& f) {
                f.texts("axis_labels", {3}, {labels.substr(0, 1), labels.substr(1, 1), labels.substr(2, 1)});
                for (const auto& [face, extents] : wanted)
                    f.dataset("/boundary_values/" + face, type, extents, face_values(face, extents));
            });
            const FieldReader reader(path());
            EXPECT_EQ(reader.header().boundary_values.size(), 6U);
            for (const auto& [face, extents] : wanted) {
                const FaceData found = reader.boundary_values(face);
                EXPECT_TRUE(found.array);
                EXPECT_EQ(found.extents,
                          (std::array{static_cast<Index>(extents[0]), static_cast<Index>(extents[1])}));
                EXPECT_EQ(found.values, face_values(face, extents)) << face;
            }
        }
}

TEST_F(ReadFaces, ChunkedPackedAndExtendible) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::array<hsize_t, 2> chunk{2, 2};
    H5Pset_chunk(creation, 2, chunk.data());
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 6);
    H5Pset_fletcher32(creation);
    const auto values = face_values("z_lower", {5, 4});
    const FaceData found = read("z_lower", [&](TestFile& f) {
        f.dataset("/boundary_values/z_lower", H5T_IEEE_F32BE, {5, 4}, values, creation,
                  {H5S_UNLIMITED, H5S_UNLIMITED});
    });
    H5Pclose(creation);
    EXPECT_EQ(found.values, values);
}

TEST_F(ReadFaces, WrongShapes) {
    const auto shaped = [](const std::string& face, const std::vector<hsize_t>& extents) {
        return [=](TestFile& f) { f.dataset("/boundary_values/" + face, H5T_IEEE_F64LE, extents, {}); };
    };
    refuse(ErrorCode::data, "x_lower", {"2-D of extents 3 x 4", "one number", "4 x 3", "y and z"},
           shaped("x_lower", {3, 4}));
    refuse(ErrorCode::data, "y_lower", {"2-D of extents 4 x 3", "5 x 3", "x and z"}, shaped("y_lower", {4, 3}));
    refuse(ErrorCode::data, "z_upper", {"2-D of extents 5 x 3", "5 x 4", "x and y"}, shaped("z_upper", {5, 3}));
    refuse(ErrorCode::data, "z_upper", {"1-D of extents 20", "5 x 4"}, shaped("z_upper", {20}));
    refuse(ErrorCode::data, "x_upper", {"3-D of extents 1 x 4 x 3", "4 x 3"}, shaped("x_upper", {1, 4, 3}));
    refuse(ErrorCode::data, "x_upper", {"1-D of extents 0", "one number"}, shaped("x_upper", {0}));
    refuse(ErrorCode::data, "x_upper", {"no values", "one number"}, [](TestFile& f) {
        const hid_t space = H5Screate(H5S_NULL);
        H5Dclose(H5Dcreate2(f.id(), "/boundary_values/x_upper", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT));
        H5Sclose(space);
    });
}

TEST_F(ReadFaces, WrongObjects) {
    refuse(ErrorCode::data, "x_lower", {"int32", "float32 or float64"},
           [](TestFile& f) { f.dataset("/boundary_values/x_lower", H5T_STD_I32LE, {}, {1.0}); });
    refuse(ErrorCode::data, "x_lower", {"found a group", "data set"},
           [](TestFile& f) { f.group("/boundary_values/x_lower"); });
    refuse(ErrorCode::file, "x_lower", {"/nowhere", "leads nowhere"}, [](TestFile& f) {
        H5Lcreate_soft("/nowhere", f.id(), "/boundary_values/x_lower", H5P_DEFAULT, H5P_DEFAULT);
    });
    refuse(ErrorCode::file, "x_lower", {"virtual"}, [](TestFile& f) {
        const std::array<hsize_t, 2> extents{4, 3};
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, extents.data(), nullptr);
        H5Pset_virtual(creation, space, "source.h5", "/face", space);
        f.dataset("/boundary_values/x_lower", H5T_IEEE_F64LE, {4, 3}, {}, creation);
        H5Sclose(space);
        H5Pclose(creation);
    });
    file([](TestFile& f) { f.dataset("/boundary_values/x_lower", H5T_IEEE_F64LE, {}, one); });
    expect_error(ErrorCode::usage, {path(), "/boundary_values", "x_upper"},
                 [&] { static_cast<void>(FieldReader(path()).boundary_values("x_upper")); });
}

TEST_F(ReadFaces, NumbersThatAreNone) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [bad, word] :
         {std::pair{std::nan(""), "nan"}, std::pair{infinity, "found inf"}, std::pair{-infinity, "found -inf"}})
        for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F64BE}) {
            refuse(ErrorCode::data, "y_lower", {word, "finite"},
                   [&, b = bad](TestFile& f) { f.dataset("/boundary_values/y_lower", type, {}, {b}); });
            auto values = face_values("y_lower", {5, 3});
            values[3 * 3 + 1] = bad;
            values.back() = std::nan("");
            refuse(ErrorCode::data, "y_lower", {word, "[3, 1]", "finite"}, [&](TestFile& f) {
                f.dataset("/boundary_values/y_lower", type, {5, 3}, values);
            });
        }
}

TEST_F(ReadFaces, WrittenOnesAreReadBack) {
    Grid grid;
    for (std::size_t a = 0; a < 3; ++a) grid.axes[a].points = std::array<Index, 3>{5, 4, 3}[a];
    grid.labels = {'z', 'y', 'x'};
    const auto values = face_values("y_upper", {5, 3});
    {
        FieldWriter writer(path());
        writer.create<float>("/rhs", grid, 0.0);
        const Field<float> zero = [] {
            Field<float> field({5, 4, 3});
            std::fill_n(field.data(), field.size(), 0.0F);
            return field;
        }();
        writer.write<float>("/rhs", 0, zero.view());
        writer.write_boundary_values("y_upper", {5, 3}, values);
        writer.write_boundary_value("x_lower", 1.0 / 3.0);
        writer.commit();
    }
    const FieldReader reader(path());
    EXPECT_EQ(reader.header().boundary_values, (std::vector<std::string>{"x_lower", "y_upper"}));
    EXPECT_EQ(reader.boundary_values("y_upper").values, values);
    EXPECT_EQ(reader.boundary_values("x_lower").values, std::vector<double>{1.0 / 3.0});
}

}  // namespace
}  // namespace poisson3d::test
