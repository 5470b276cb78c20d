// The attributes of a field file: every form that is accepted, and one clear sentence for every form that is not.
#include <cmath>
#include <functional>
#include <limits>

#include "h5_test_file.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

using Change = std::function<void(TestFile&)>;

class ReadAttributes : public Folder {
protected:
    // The header of a file whose /rhs has what `change` adds.
    FieldHeader header(const Change& change) {
        {
            TestFile file(path());
            file.rhs();
            change(file);
        }
        return FieldReader(path()).header();
    }
    void refuse(const std::vector<std::string>& parts, const Change& change) {
        std::vector<std::string> all{path(), "/rhs"};
        all.insert(all.end(), parts.begin(), parts.end());
        expect_error(ErrorCode::data, all, [&] { header(change); });
    }
};

constexpr Boundary P = Boundary::periodic, D = Boundary::dirichlet, N = Boundary::neumann;
using Faces = std::array<std::array<Boundary, 2>, 3>;

TEST_F(ReadAttributes, NothingIsGuessed) {
    const FieldHeader found = header([](TestFile&) {});
    EXPECT_EQ(found.path, path());
    EXPECT_EQ(found.dataset, "/rhs");
    EXPECT_FALSE(found.spacing.has_value());
    EXPECT_FALSE(found.boundary.has_value());
    EXPECT_EQ(found.origin, (std::array{0.0, 0.0, 0.0}));
    EXPECT_EQ(found.centering, (std::array{Centering::cell, Centering::cell, Centering::cell}));
    EXPECT_EQ(found.helmholtz, 0.0);
    EXPECT_EQ(found.labels, (std::array{'x', 'y', 'z'}));
    EXPECT_FALSE(found.has_exact);
    EXPECT_TRUE(found.boundary_values.empty());
}

TEST_F(ReadAttributes, NumbersOfAnyType) {
    for (const hid_t type : {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE, H5T_STD_I8LE, H5T_STD_U16BE,
                             H5T_STD_I64BE, H5T_NATIVE_LDOUBLE}) {
        const FieldHeader found = header([&](TestFile& file) {
            file.numbers("spacing", type, {3}, {1.0, 2.0, 3.0});
            file.numbers("origin", type, {1, 3}, {4.0, 5.0, 6.0});
            file.numbers("helmholtz", type, {}, {7.0});
        });
        EXPECT_EQ(found.spacing, (std::array{1.0, 2.0, 3.0}));
        EXPECT_EQ(found.origin, (std::array{4.0, 5.0, 6.0}));
        EXPECT_EQ(found.helmholtz, 7.0);
    }
    EXPECT_EQ(header([](TestFile& file) { file.numbers("helmholtz", H5T_IEEE_F64LE, {1}, {-2.5}); }).helmholtz,
              -2.5);
}

TEST_F(ReadAttributes, TextOfAnyKind) {
    const std::vector<std::string> words{"periodic", "dirichlet:neumann", "neumann"};
    const Faces wanted{{{P, P}, {D, N}, {N, N}}};
    for (const H5T_cset_t set : {H5T_CSET_ASCII, H5T_CSET_UTF8}) {
        for (const H5T_str_t padding : {H5T_STR_NULLTERM, H5T_STR_NULLPAD, H5T_STR_SPACEPAD})
            for (const std::size_t length : {18U, 30U})
                EXPECT_EQ(header([&](TestFile& file) {
                              file.fixed_texts("boundary", padding, length, {3}, words, set);
                          }).boundary,
                          wanted);
        EXPECT_EQ(header([&](TestFile& file) { file.texts("boundary", {3}, words, set); }).boundary, wanted);
    }
    // Text that fills its length to the last byte has no terminator.
    EXPECT_EQ(header([&](TestFile& file) {
                  file.fixed_texts("boundary", H5T_STR_NULLPAD, 9, {}, {"dirichlet"});
              }).boundary,
              (Faces{{{D, D}, {D, D}, {D, D}}}));
}

TEST_F(ReadAttributes, BoundaryOfOneThreeOrSixWords) {
    const auto boundary = [&](const std::vector<hsize_t>& extents, const std::vector<std::string>& words) {
        return header([&](TestFile& file) { file.texts("boundary", extents, words); }).boundary;
    };
    EXPECT_EQ(boundary({}, {"neumann"}), (Faces{{{N, N}, {N, N}, {N, N}}}));
    EXPECT_EQ(boundary({1}, {"neumann"}), (Faces{{{N, N}, {N, N}, {N, N}}}));
    EXPECT_EQ(boundary({3}, {"periodic", "neumann", "dirichlet"}), (Faces{{{P, P}, {N, N}, {D, D}}}));
    const std::vector<std::string> six{"dirichlet", "neumann", "periodic", "periodic", "neumann", "dirichlet"};
    EXPECT_EQ(boundary({6}, six), (Faces{{{D, N}, {P, P}, {N, D}}}));
    EXPECT_EQ(boundary({3, 2}, six), (Faces{{{D, N}, {P, P}, {N, D}}}));
}

TEST_F(ReadAttributes, CenteringAndLabels) {
    FieldHeader found = header([](TestFile& file) {
        file.texts("centering", {3}, {"node", "cell", "node"});
        file.fixed_texts("axis_labels", H5T_STR_NULLPAD, 1, {3}, {"z", "y", "x"});
        file.group("/boundary_values");
        file.dataset("/boundary_values/z_lower", H5T_IEEE_F64LE, {}, {1.0});
        file.dataset("/boundary_values/x_upper", H5T_IEEE_F64LE, {}, {1.0});
    });
    EXPECT_EQ(found.centering, (std::array{Centering::node, Centering::cell, Centering::node}));
    EXPECT_EQ(found.labels, (std::array{'z', 'y', 'x'}));
    EXPECT_EQ(found.boundary_values, (std::vector<std::string>{"x_upper", "z_lower"}));
    found = header([](TestFile& file) { file.texts("centering", {}, {"node"}); });
    EXPECT_EQ(found.centering, (std::array{Centering::node, Centering::node, Centering::node}));
}

TEST_F(ReadAttributes, RefusesNumbersInALayoutOfTheirOwn) {
    const hid_t type = H5Tcopy(H5T_IEEE_F64LE);
    ASSERT_GE(H5Tset_ebias(type, 1000), 0);
    refuse({"spacing", "float of 64 bits in a layout of its own"}, [&](TestFile& file) {
        file.numbers("spacing", type, {3}, {1.0, 2.0, 3.0});
    });
    H5Tclose(type);
}

TEST_F(ReadAttributes, RefusesWrongNumbers) {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    const auto spacing = [](const std::vector<hsize_t>& extents, const std::vector<double>& values) {
        return [=](TestFile& file) { file.numbers("spacing", H5T_IEEE_F64LE, extents, values); };
    };
    refuse({"spacing", "1 number,", "3 finite numbers above 0"}, spacing({}, {0.1}));
    refuse({"spacing", "1 number,"}, spacing({1}, {0.1}));
    refuse({"spacing", "2 numbers"}, spacing({2}, {0.1, 0.1}));
    refuse({"spacing", "4 numbers"}, spacing({4}, {1, 1, 1, 1}));
    refuse({"spacing", "found 0,"}, spacing({3}, {1, 0, 1}));
    refuse({"spacing", "found -0.5,"}, spacing({3}, {1, 1, -0.5}));
    refuse({"spacing", "nan"}, spacing({3}, {nan, 1, 1}));
    refuse({"spacing", "inf"}, spacing({3}, {1, 1, infinity}));
    refuse({"spacing", "text", "3 finite numbers"}, [](TestFile& f) { f.texts("spacing", {3}, {"1", "1", "1"}); });
    refuse({"origin", "2 numbers", "3 finite numbers"}, [](TestFile& f) {
        f.numbers("origin", H5T_IEEE_F64LE, {2}, {0, 0});
    });
    refuse({"origin", "nan"}, [&](TestFile& f) { f.numbers("origin", H5T_IEEE_F64LE, {3}, {0, nan, 0}); });
    refuse({"helmholtz", "3 numbers", "one finite number"}, [](TestFile& f) {
        f.numbers("helmholtz", H5T_IEEE_F64LE, {3}, {0, 0, 0});
    });
    refuse({"helmholtz", "inf"}, [&](TestFile& f) { f.numbers("helmholtz", H5T_IEEE_F64LE, {}, {-infinity}); });
    refuse({"Helmholtz", "lower case: helmholtz"},
           [](TestFile& f) { f.numbers("Helmholtz", H5T_IEEE_F64LE, {}, {1}); });
}

TEST_F(ReadAttributes, RefusesWrongText) {
    const auto boundary = [](const std::vector<std::string>& words) {
        return [=](TestFile& file) { file.texts("boundary", {words.size()}, words); };
    };
    refuse({"attribute boundary", "'periodc'", "periodic, dirichlet, neumann, robin or free"},
           boundary({"periodc"}));
    refuse({"attribute boundary", "''"}, boundary({""}));
    refuse({"attribute boundary", "'x=periodic,y=neumann'"}, boundary({"x=periodic,y=neumann"}));
    refuse({"attribute boundary", "'robbin'"}, boundary({"periodic", "robbin", "neumann"}));
    refuse({"attribute boundary", "'dirichlet:neumann'"},
           boundary({"periodic", "periodic", "neumann", "neumann", "dirichlet:neumann", "neumann"}));
    refuse({"attribute boundary", "2 texts", "or 6"}, boundary({"periodic", "neumann"}));
    refuse({"attribute boundary", "periodic below and neumann above", "axis y"},
           boundary({"periodic", "periodic:neumann", "neumann"}));
    refuse({"attribute boundary", "dirichlet below and periodic above", "axis z"},
           boundary({"periodic", "periodic", "neumann", "neumann", "dirichlet", "periodic"}));
    refuse({"attribute boundary", "int32", "one text"}, [](TestFile& f) {
        f.numbers("boundary", H5T_STD_I32LE, {3}, {0, 1, 2});
    });
    refuse({"attribute centering", "'face'", "cell or node"},
           [](TestFile& f) { f.texts("centering", {}, {"face"}); });
    refuse({"attribute centering", "2 texts"}, [](TestFile& f) { f.texts("centering", {2}, {"cell", "cell"}); });
    refuse({"attribute axis_labels", "1 text", "3 different letters"},
           [](TestFile& f) { f.texts("axis_labels", {}, {"xyz"}); });
    refuse({"attribute axis_labels", "found xyx"}, [](TestFile& f) {
        f.texts("axis_labels", {3}, {"x", "y", "x"});
    });
    refuse({"attribute axis_labels", "'lon'"}, [](TestFile& f) { f.texts("axis_labels", {3}, {"lon", "y", "x"}); });
    refuse({"attribute axis_labels", "'1'"}, [](TestFile& f) { f.texts("axis_labels", {3}, {"1", "2", "3"}); });
}

TEST_F(ReadAttributes, RefusesUnknownFaces) {
    expect_error(ErrorCode::data, {"/boundary_values", "w_lower", "x_lower, x_upper, y_lower"}, [&] {
        header([](TestFile& file) {
            file.group("/boundary_values");
            file.dataset("/boundary_values/w_lower", H5T_IEEE_F64LE, {}, {1.0});
        });
    });
    expect_error(ErrorCode::data, {"/boundary_values", "wanted a group"}, [&] {
        header([](TestFile& file) { file.dataset("/boundary_values", H5T_IEEE_F64LE, {}, {1.0}); });
    });
}

}  // namespace
}  // namespace poisson3d::test
