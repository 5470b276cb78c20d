// Every float layout HDF5 has is read to the same values, whole or in slabs, into any view.
#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include "h5_test_file.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

struct StoredType {
    const char* name;
    std::function<hid_t()> type;
};
const std::vector<StoredType> types{{"float32 little endian", [] { return H5T_IEEE_F32LE; }},
                                    {"float32 big endian", [] { return H5T_IEEE_F32BE; }},
                                    {"float64 little endian", [] { return H5T_IEEE_F64LE; }},
                                    {"float64 big endian", [] { return H5T_IEEE_F64BE; }}};

struct Layout {
    const char* name;
    std::function<void(hid_t creation)> set;
    bool extendible = false;
};
void set_chunk(hid_t creation) {
    const std::array<hsize_t, 3> chunk{2, 3, 2};
    H5Pset_chunk(creation, 3, chunk.data());
}
const std::vector<Layout> layouts{
    {"contiguous", [](hid_t) {}},
    {"chunked 2 x 3 x 2", set_chunk},
    {"chunked 2 x 3 x 2, shuffle, deflate, fletcher32",
     [](hid_t creation) {
         set_chunk(creation);
         H5Pset_shuffle(creation);
         H5Pset_deflate(creation, 6);
         H5Pset_fletcher32(creation);
     }},
    {"chunked 2 x 3 x 2, extendible", set_chunk, true},
    {"compact", [](hid_t creation) { H5Pset_layout(creation, H5D_COMPACT); }},
};

class ReadLayout : public Folder, public ::testing::WithParamInterface<std::tuple<std::size_t, std::size_t>> {
protected:
    [[nodiscard]] const StoredType& stored() const { return types[std::get<0>(GetParam())]; }
    [[nodiscard]] const Layout& layout() const { return layouts[std::get<1>(GetParam())]; }
    void make() const {
        TestFile file(path());
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        layout().set(creation);
        file.dataset("/rhs", stored().type(), default_extents, marked_values(default_extents), creation,
                     layout().extendible ? std::vector<hsize_t>{H5S_UNLIMITED, 4, 3} : std::vector<hsize_t>{});
        H5Pclose(creation);
    }
};

template <class T>
void expect_marked(Index first, FieldView<const T> view) {
    for (Index i = 0; i < view.extents[0]; ++i)
        for (Index j = 0; j < view.extents[1]; ++j)
            for (Index k = 0; k < view.extents[2]; ++k)
                ASSERT_EQ(view(i, j, k), static_cast<T>(marked(first + i, j, k))) << i << " " << j << " " << k;
}

TEST_P(ReadLayout, GivesTheSameValues) {
    make();
    const FieldReader reader(path());
    EXPECT_EQ(reader.header().points, (Extents{5, 4, 3}));
    EXPECT_EQ(reader.header().type_name, stored().name);
    EXPECT_EQ(reader.header().storage, layout().name);
    EXPECT_EQ(reader.header().type_bytes, static_cast<int>(H5Tget_size(stored().type())));

    Field<double> whole({5, 4, 3});
    reader.read(0, whole.view());
    expect_marked<double>(0, whole.view());
    Field<float> slab({2, 4, 3});
    for (const Index first : {3, 0, 2}) {
        reader.read(first, slab.view());
        expect_marked<float>(first, slab.view());
    }
}

INSTANTIATE_TEST_SUITE_P(AllTypesAndLayouts, ReadLayout,
                         ::testing::Combine(::testing::Range<std::size_t>(0, 4),
                                            ::testing::Range<std::size_t>(0, 5)));

class ReadView : public Folder {};

// Strides of a view, in elements: a pitch, ghost layers, and planes that are no whole number of rows apart.
template <class T>
void expect_only_the_view_is_written(const FieldReader& reader, const Strides& strides, Index offset) {
    std::vector<T> memory(2000, T(-7));
    const FieldView<T> view(memory.data() + offset, {5, 4, 3}, strides);
    reader.read(0, view);
    expect_marked<T>(0, view);
    Index written = 0;
    for (const T value : memory) written += value != T(-7) ? 1 : 0;
    EXPECT_EQ(written, 60) << "elements between the rows were touched";
}

TEST_F(ReadView, LeavesGapsAlone) {
    { TestFile(path()).rhs(); }
    const FieldReader reader(path());
    for (const Strides& strides : {Strides{12, 3, 1}, Strides{20, 5, 1}, Strides{42, 7, 1}, Strides{29, 7, 1},
                                   Strides{3, 15, 1}, Strides{50, 3, 1}}) {
        SCOPED_TRACE(::testing::PrintToString(strides));
        expect_only_the_view_is_written<double>(reader, strides, 0);
        expect_only_the_view_is_written<float>(reader, strides, 57);
    }
}

TEST_F(ReadView, RefusesViewsThatDoNotFit) {
    { TestFile(path()).rhs(); }
    const FieldReader reader(path());
    Field<double> field({5, 4, 3});
    expect_error(ErrorCode::usage, {"5 x 4 x 3"}, [&] { reader.read(1, field.view()); });
    expect_error(ErrorCode::usage, {"5 x 4 x 3"}, [&] { reader.read(-1, field.view().slab(0, 2)); });
    Field<double> turned({5, 3, 4});
    expect_error(ErrorCode::usage, {"5 x 3 x 4"}, [&] { reader.read(0, turned.view()); });
    expect_error(ErrorCode::usage, {"overlap"}, [&] {
        reader.read(0, FieldView<double>(field.data(), {5, 4, 3}, {12, 2, 1}));
    });
}

TEST_F(ReadView, TellsProgressToTheEnd) {
    const std::vector<hsize_t> extents{70, 300, 300};
    {
        TestFile file(path());
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const std::array<hsize_t, 3> chunk{7, 300, 100};
        H5Pset_chunk(creation, 3, chunk.data());
        file.dataset("/rhs", H5T_IEEE_F32BE, extents, marked_values(extents), creation);
        H5Pclose(creation);
    }
    const FieldReader reader(path());
    EXPECT_EQ(reader.planes_per_slab(), 21) << "16 MiB hold 23 planes, which are three whole chunks of 7";
    Field<double> field({70, 300, 300});
    for (Index first = 0; first < 70; first += 21)
        reader.read(first, field.view().slab(first, std::min<Index>(21, 70 - first)));
    expect_marked<double>(0, field.view());
    // At once: bytes are swapped in a buffer that holds less than that.
    std::fill_n(field.data(), field.size(), 0.0);
    reader.read(0, field.view());
    expect_marked<double>(0, field.view());
}

TEST_F(ReadView, SlabsAreNeverEmpty) {
    {
        TestFile file(path());
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const std::array<hsize_t, 3> chunk{1000, 1, 1};
        H5Pset_chunk(creation, 3, chunk.data());
        file.dataset("/rhs", H5T_IEEE_F32LE, {3, 1, 1}, {1, 2, 3}, creation, {H5S_UNLIMITED, 1, 1});
        H5Pclose(creation);
    }
    EXPECT_EQ(FieldReader(path()).planes_per_slab(), 3) << "no more than the field has";
}

TEST_F(ReadView, FindsExactAndReadsIt) {
    {
        TestFile file(path());
        file.rhs();
        auto values = marked_values(default_extents);
        for (double& value : values) value += 1000.0;
        file.dataset("/exact", H5T_IEEE_F32BE, default_extents, values);
        file.dataset("/small", H5T_IEEE_F32BE, {2, 2, 2}, std::vector<double>(8));
    }
    ReadOptions options;
    options.look_for_exact = true;
    const FieldReader reader(path(), options);
    EXPECT_TRUE(reader.header().has_exact);
    Field<double> slab({2, 4, 3});
    reader.read_from("/exact", 3, slab.view());
    EXPECT_EQ(slab.view()(1, 2, 1), 1000.0 + marked(4, 2, 1));
    expect_error(ErrorCode::data, {"/small", "2 x 2 x 2", "5 x 4 x 3"},
                 [&] { reader.read_from("/small", 0, slab.view()); });
    expect_error(ErrorCode::data, {"/none", "/exact, /rhs, /small"},
                 [&] { reader.read_from("/none", 0, slab.view()); });
    options.dataset = "/small";
    const FieldHeader other = FieldReader(path(), options).header();
    EXPECT_FALSE(other.has_exact);
    EXPECT_NE(other.exact_problem.find("5 x 4 x 3"), std::string::npos) << other.exact_problem;
}

TEST_F(ReadView, ReadsExternalFilesOnlyWhole) {
    {
        TestFile file(path());
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_external(creation, path("part1.bin").c_str(), 16, 20 * 8);
        H5Pset_external(creation, path("part2.bin").c_str(), 0, 40 * 8);
        file.dataset("/rhs", H5T_IEEE_F64LE, default_extents, marked_values(default_extents), creation);
        H5Pclose(creation);
    }
    Field<double> field({5, 4, 3});
    {
        const FieldReader reader(path());
        EXPECT_EQ(reader.header().storage, "external");
        reader.read(0, field.view());
        expect_marked<double>(0, field.view());
    }
    // HDF5 itself would read zeros.
    std::filesystem::resize_file(path("part2.bin"), 40 * 8 - 1);
    expect_error(ErrorCode::file, {"part2.bin", "319 bytes", "320"}, [&] { FieldReader{path()}; });
    std::filesystem::remove(path("part1.bin"));
    expect_error(ErrorCode::file, {"part1.bin", "no such file"}, [&] { FieldReader{path()}; });
}

}  // namespace
}  // namespace poisson3d::test
