// Conductances and weights of axes in the field file: read, refused, written and read back.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "h5_test_file.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

using Lists = std::array<Coefficients, 3>;

// Of axis y, which has 4 points: of cells, of nodes, of periodic nodes.
const std::vector<double> five{0.0, 2.0, 1.5, 0.25, 4.0}, three{2.0, 1.5, 0.25}, four{2.0, 1.5, 0.25, 3.0};
const std::vector<double> weights{0.5, 1.0, 0.75, 2.0};

class ReadCoefficients : public Folder {
protected:
    using Make = std::function<void(TestFile&)>;
    /// The header of a field of 5 x 4 x 3 points and what `make` puts beside it.
    [[nodiscard]] FieldHeader header(const Make& make) const {
        {
            TestFile file(path());
            file.rhs();
            file.group("/conductances");
            file.group("/weights");
            make(file);
        }
        return FieldReader(path()).header();
    }
    void refuse(std::vector<std::string> parts, const Make& make) const {
        parts.push_back(path());
        expect_error(ErrorCode::data, parts, [&] { static_cast<void>(header(make)); });
    }
    static Make both(const std::vector<double>& g, const std::vector<double>& d, hid_t type = H5T_IEEE_F64LE,
                     const std::string& label = "y") {
        return [=](TestFile& file) {
            file.dataset("/conductances/" + label, type, {g.size()}, g);
            file.dataset("/weights/" + label, type, {d.size()}, d);
        };
    }
};

TEST_F(ReadCoefficients, OfAnyTypeAndAnyAxis) {
    for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE})
        for (const auto& g : {three, four, five})
            EXPECT_EQ(header(both(g, weights, type)).coefficients, (Lists{{{}, {g, weights}, {}}}));
    EXPECT_EQ(header(both(three, {1.0, 2.0, 3.0}, H5T_IEEE_F64LE, "z")).coefficients,
              (Lists{{{}, {}, {three, {1.0, 2.0, 3.0}}}}));
    EXPECT_EQ(header([](TestFile&) {}).coefficients, Lists{});
    const FieldHeader turned = header([](TestFile& file) {
        file.texts("axis_labels", {3}, {"y", "z", "x"});
        both(five, {1.0, 2.0, 3.0, 4.0, 5.0})(file);
    });
    EXPECT_EQ(turned.coefficients[0].conductances, five);
}

/// Positions say where the points are, coefficients what the equation is: an axis may have both.
TEST_F(ReadCoefficients, BesidePositions) {
    const FieldHeader found = header([](TestFile& file) {
        both(five, weights)(file);
        file.group("/positions");
        file.dataset("/positions/y", H5T_IEEE_F64LE, {5}, five);
    });
    EXPECT_EQ(found.coefficients[1], (Coefficients{five, weights}));
    EXPECT_EQ(found.positions[1], five);
}

TEST_F(ReadCoefficients, OfOneKindOnlyAreRefused) {
    refuse({"dataset /conductances/y", "found without /weights/y", "both or neither"},
           [](TestFile& file) { file.dataset("/conductances/y", H5T_IEEE_F64LE, {5}, five); });
    refuse({"dataset /weights/z", "found without /conductances/z", "both or neither"},
           [](TestFile& file) { file.dataset("/weights/z", H5T_IEEE_F64LE, {3}, three); });
    {
        TestFile file(path());
        file.rhs();
        file.group("/conductances");
        file.dataset("/conductances/y", H5T_IEEE_F64LE, {5}, five);
    }
    expect_error(ErrorCode::data, {path(), "/conductances/y", "without /weights/y"},
                 [&] { FieldReader reader(path()); });
}

TEST_F(ReadCoefficients, OfOtherCountsOrShapesAreRefused) {
    refuse({"/conductances/y", "found 2 numbers", "wanted 5 numbers for cells", "or 3, between nodes"},
           both({1.0, 2.0}, weights));
    refuse({"/conductances/y", "found 6 numbers", "wanted 5"}, both({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, weights));
    refuse({"/weights/y", "found 3 numbers", "wanted 4 numbers, one for each point"}, both(five, three));
    refuse({"/weights/y", "found 5 numbers", "wanted 4 numbers"}, both(five, five));
    refuse({"/weights/y", "2-D of extents 4 x 1", "wanted 1-D"}, [](TestFile& file) {
        file.dataset("/conductances/y", H5T_IEEE_F64LE, {5}, five);
        file.dataset("/weights/y", H5T_IEEE_F64LE, {4, 1}, weights);
    });
    refuse({"/conductances/y", "int32", "float32 or float64"}, both(five, weights, H5T_STD_I32LE));
    refuse({"/weights/y", "found a group"}, [](TestFile& file) { file.group("/weights/y"); });
    refuse({"group /conductances", "found w", "names of axes: x, y, z"}, both(five, weights, H5T_IEEE_F64LE, "w"));
    {
        TestFile file(path());
        file.rhs();
        file.dataset("/weights", H5T_IEEE_F64LE, {4}, weights);
    }
    expect_error(ErrorCode::data, {path(), "/weights", "wanted a group"}, [&] { FieldReader reader(path()); });
}

TEST_F(ReadCoefficients, OutOfRangeAreRefused) {
    const auto changed = [](std::vector<double> values, double bad) {
        values[2] = bad;
        return values;
    };
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        const char* const found = std::isnan(bad) ? "found nan" : "found inf";
        refuse({"/conductances/y", found, "at index 2", "finite"}, both(changed(five, bad), weights));
        refuse({"/weights/y", found, "at index 2", "finite"}, both(five, changed(weights, bad)));
    }
    refuse({"/conductances/y", "found -1 at index 2", "above 0, or 0 at a Neumann face"},
           both(changed(five, -1.0), weights));
    refuse({"/weights/y", "found -1 at index 2", "above 0"}, both(five, changed(weights, -1.0)));
    refuse({"/weights/y", "found 0 at index 2", "above 0"}, both(five, changed(weights, 0.0)));
}

TEST_F(ReadCoefficients, WrittenOnesAreReadBack) {
    for (const bool placed : {false, true}) {
        Grid grid;
        for (std::size_t a = 0; a < 3; ++a)
            grid.axes[a] = {.points = std::array<Index, 3>{5, 4, 3}[a], .spacing = 0.5};
        grid.axes[1].lower = grid.axes[1].upper = Boundary::neumann;
        grid.axes[1].custom = {five, weights};
        if (placed) grid.axes[1].positions = {-1.0, 0.0, 2.0, 3.0, 7.0};
        {
            Field<float> zero({5, 4, 3});
            std::fill_n(zero.data(), zero.size(), 0.0F);
            FieldWriter writer(path());
            for (const char* name : {"/rhs", "/exact"}) {
                writer.create<float>(name, grid, 0.0);
                writer.write<float>(name, 0, zero.view());
            }
            writer.commit();
        }
        const FieldHeader found = FieldReader(path()).header();
        EXPECT_EQ(found.coefficients, (Lists{{{}, {five, weights}, {}}}));
        EXPECT_EQ(found.positions[1], grid.axes[1].positions);
        EXPECT_EQ((*found.spacing)[1], placed ? 2.0 : 0.5);
        std::filesystem::remove(path());
    }
}

}  // namespace
}  // namespace poisson3d::test
