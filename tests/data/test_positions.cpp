// Positions of axes and numbers of Robin faces in the field file: read, refused, written and read back.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "h5_test_file.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

const std::vector<double> five{0.0, 0.5, 1.5, 1.75, 4.0}, four{-1.0, 0.5, 1.5, 1.75};

class ReadPositions : public Folder {
protected:
    using Make = std::function<void(TestFile&)>;
    /// The header of a field of 5 x 4 x 3 points and the group, with what `make` puts into it.
    [[nodiscard]] FieldHeader header(const Make& make) const {
        {
            TestFile file(path());
            file.rhs();
            file.group("/positions");
            make(file);
        }
        return FieldReader(path()).header();
    }
    void refuse(ErrorCode code, std::vector<std::string> parts, const Make& make) const {
        parts.push_back(path());
        expect_error(code, parts, [&] { static_cast<void>(header(make)); });
    }
    static Make axis(const std::string& name, const std::vector<double>& values, hid_t type = H5T_IEEE_F64LE) {
        return [=](TestFile& file) { file.dataset("/positions/" + name, type, {values.size()}, values); };
    }
};

TEST_F(ReadPositions, OfAnyTypeAndAnyAxis) {
    for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
        EXPECT_EQ(header(axis("y", five, type)).positions, (std::array<std::vector<double>, 3>{{{}, five, {}}}));
        EXPECT_EQ(header(axis("y", four, type)).positions, (std::array<std::vector<double>, 3>{{{}, four, {}}}));
        EXPECT_EQ(header(axis("x", five, type)).positions[0], five);
        EXPECT_EQ(header(axis("z", four, type)).positions[2], four);
    }
    EXPECT_EQ(header([](TestFile&) {}).positions, (std::array<std::vector<double>, 3>{}));
    const auto turned = [](TestFile& file) {
        file.texts("axis_labels", {3}, {"z", "y", "x"});
        file.dataset("/positions/x", H5T_IEEE_F64LE, {4}, four);
    };
    EXPECT_EQ(header(turned).positions[2], four);
}

TEST_F(ReadPositions, PackedOnes) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::array<hsize_t, 1> chunk{2};
    H5Pset_chunk(creation, 1, chunk.data());
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 6);
    EXPECT_EQ(header([&](TestFile& file) {
                  file.dataset("/positions/y", H5T_IEEE_F64BE, {5}, five, creation);
              }).positions[1],
              five);
    H5Pclose(creation);
}

TEST_F(ReadPositions, OfOtherCountsOrShapesAreRefused) {
    refuse(ErrorCode::data, {"/positions/y", "found 3 numbers", "wanted 5 numbers, the faces of cells, or 4"},
           axis("y", {0.0, 1.0, 2.0}));
    refuse(ErrorCode::data, {"/positions/z", "found 5 numbers", "wanted 4 numbers"}, axis("z", five));
    refuse(ErrorCode::data, {"/positions/y", "2-D of extents 5 x 1", "wanted 1-D"}, [](TestFile& file) {
        file.dataset("/positions/y", H5T_IEEE_F64LE, {5, 1}, five);
    });
    refuse(ErrorCode::data, {"/positions/y", "int32", "float32 or float64"}, axis("y", five, H5T_STD_I32LE));
    refuse(ErrorCode::data, {"/positions/y", "found a group"}, [](TestFile& file) { file.group("/positions/y"); });
    refuse(ErrorCode::data, {"group /positions", "found w", "names of axes: x, y, z"}, axis("w", five));
    refuse(ErrorCode::data, {"group /positions", "found y_lower", "names of axes: x, y, z"}, axis("y_lower", five));
    {
        TestFile file(path());
        file.rhs();
        file.dataset("/positions", H5T_IEEE_F64LE, {5}, five);
    }
    expect_error(ErrorCode::data, {path(), "/positions", "wanted a group"}, [&] { FieldReader reader(path()); });
}

TEST_F(ReadPositions, ThatAreNoNumbersAreRefused) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        std::vector<double> values = five;
        values[3] = bad;
        refuse(ErrorCode::data,
               {"/positions/y", std::isnan(bad) ? "found nan" : "found inf", "at index 3", "finite"},
               axis("y", values));
    }
}

TEST_F(ReadPositions, RobinFacesHaveTwoNumbers) {
    const FieldHeader found = header([](TestFile& file) {
        file.texts("boundary", {3}, {"periodic", "robin", "neumann:robin"});
        file.numbers("robin_y_lower", H5T_IEEE_F64LE, {2}, {1.0, 2.5});
        file.numbers("robin_z_upper", H5T_STD_I32LE, {2}, {0.0, 3.0});
    });
    EXPECT_EQ((*found.boundary)[1], (std::array{Boundary::robin, Boundary::robin}));
    EXPECT_EQ((*found.boundary)[2], (std::array{Boundary::neumann, Boundary::robin}));
    EXPECT_EQ(found.robin[1][0], (Robin{1.0, 2.5}));
    EXPECT_FALSE(found.robin[1][1].has_value());
    EXPECT_EQ(found.robin[2][1], (Robin{0.0, 3.0}));
    refuse(ErrorCode::data, {"/rhs", "attribute robin_y_upper", "found 1 number", "alpha and beta"},
           [](TestFile& file) { file.numbers("robin_y_upper", H5T_IEEE_F64LE, {}, {1.0}); });
    refuse(ErrorCode::data, {"/rhs", "attribute robin_y_upper", "nan"}, [](TestFile& file) {
        file.numbers("robin_y_upper", H5T_IEEE_F64LE, {2}, {1.0, std::nan("")});
    });
    refuse(ErrorCode::data, {"Robin_y_upper", "lower case: robin_y_upper"}, [](TestFile& file) {
        file.numbers("Robin_y_upper", H5T_IEEE_F64LE, {2}, {1.0, 2.0});
    });
}

TEST_F(ReadPositions, WrittenOnesAreReadBack) {
    Grid grid;
    for (std::size_t a = 0; a < 3; ++a) grid.axes[a].points = std::array<Index, 3>{5, 4, 3}[a];
    Axis& y = grid.axes[1];
    y.lower = Boundary::dirichlet, y.upper = Boundary::robin;
    y.robin[1] = {0.75, 1.0 / 3.0};
    for (const bool widths : {false, true}) {
        y.positions.clear(), y.widths.clear();
        if (widths)
            y.widths = {0.5, 1.0, 0.25, 2.25};
        else
            y.positions = five;
        {
            FieldWriter writer(path());
            const Field<float> zero = [] {
                Field<float> field({5, 4, 3});
                std::fill_n(field.data(), field.size(), 0.0F);
                return field;
            }();
            for (const char* name : {"/rhs", "/exact"}) {
                writer.create<float>(name, grid, 0.0);
                writer.write<float>(name, 0, zero.view());
            }
            writer.commit();
        }
        const FieldHeader found = FieldReader(path()).header();
        EXPECT_EQ(found.positions, (std::array<std::vector<double>, 3>{{{}, five, {}}}));
        EXPECT_EQ((*found.spacing)[1], 1.0);  // their mean
        EXPECT_EQ(found.robin[1][1], y.robin[1]);
        EXPECT_FALSE(found.robin[1][0].has_value());
        EXPECT_EQ((*found.boundary)[1], (std::array{Boundary::dirichlet, Boundary::robin}));
        std::filesystem::remove(path());
    }
}

}  // namespace
}  // namespace poisson3d::test
