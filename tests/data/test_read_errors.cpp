// Files and data sets that cannot be read, each with its code and a sentence that names what was found.
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <sstream>

#include "h5_test_file.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

class ReadErrors : public Folder {
protected:
    void write_bytes(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }
    void refuse(ErrorCode code, const std::vector<std::string>& parts) const {
        std::vector<std::string> all{path()};
        all.insert(all.end(), parts.begin(), parts.end());
        expect_error(code, all, [&] { FieldReader{path()}; });
    }
    void refuse_dataset(const std::vector<std::string>& parts, const std::function<void(TestFile&)>& make) const {
        {
            TestFile file(path());
            make(file);
        }
        refuse(ErrorCode::data, parts);
    }
};

TEST_F(ReadErrors, FilesThatAreNone) {
    refuse(ErrorCode::file, {"no such file"});
    std::filesystem::create_directory(path());
    refuse(ErrorCode::file, {"directory"});
    std::filesystem::remove(path());
    write_bytes("");
    refuse(ErrorCode::file, {"0 bytes", "not an HDF5 file"});
    write_bytes("x,y,z\n1,2,3\n");
    refuse(ErrorCode::file, {"12 bytes", "not an HDF5 file"});
    write_bytes("\x89HDF\r\n\x1a\n and then nothing that makes sense");
    refuse(ErrorCode::file, {"damaged"});
    expect_error(ErrorCode::file, {"(empty name)"}, [] { FieldReader{""}; });
    expect_error(ErrorCode::file, {"/dev/null", "no regular file"}, [] { FieldReader{"/dev/null"}; });
}

TEST_F(ReadErrors, FilesThatAreCutOff) {
    { TestFile(path()).rhs(); }
    const auto bytes = std::filesystem::file_size(path());
    for (const auto kept : {bytes - 1, bytes / 2, std::uintmax_t{100}}) {
        std::filesystem::resize_file(path(), kept);
        refuse(ErrorCode::file, {"cut off"});
    }
}

TEST_F(ReadErrors, UserBlocksAreSkipped) {
    { TestFile(path()).rhs(); }
    std::ifstream stream(path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    write_bytes(std::string(1024, '#') + bytes);
    EXPECT_EQ(FieldReader(path()).header().points, (Extents{5, 4, 3}));
}

TEST_F(ReadErrors, NothingIsPrinted) {
    ::testing::internal::CaptureStderr();
    write_bytes("\x89HDF\r\n\x1a\n and then nothing that makes sense");
    refuse(ErrorCode::file, {});
    { TestFile(path()).group("/rhs"); }
    refuse(ErrorCode::data, {});
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(ReadErrors, DataSetsThatAreMissing) {
    refuse_dataset({"/rhs", "no data sets"}, [](TestFile&) {});
    refuse_dataset({"/rhs", "the file has /density, /group/deep (--dataset"}, [](TestFile& file) {
        file.group("/group");
        file.dataset("/group/deep", H5T_IEEE_F32LE, {1, 1, 1}, {1});
        file.dataset("/density", H5T_IEEE_F32LE, {1, 1, 1}, {1});
        file.group("/Alias");
        H5Lcreate_hard(file.id(), "/density", file.id(), "/Alias/density", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/nowhere", file.id(), "/rhs2", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_hard(file.id(), "/", file.id(), "/group/cycle", H5P_DEFAULT, H5P_DEFAULT);
    });
    refuse_dataset({"/rhs", "/d0, /d1, /d2, /d3, /d4, /d5, /d6, /d7, and more"}, [](TestFile& file) {
        for (const char c : std::string("0123456789"))
            file.dataset(std::string("/d") + c, H5T_IEEE_F32LE, {1, 1, 1}, {1});
    });
    refuse_dataset({"/rhs", "found a group", "data set"}, [](TestFile& file) { file.group("/rhs"); });
}

TEST_F(ReadErrors, DataSetsOfTheWrongShape) {
    const auto shaped = [](const std::vector<hsize_t>& extents) {
        return [=](TestFile& file) { file.dataset("/rhs", H5T_IEEE_F64LE, extents, {}); };
    };
    refuse_dataset({"/rhs", "a single value", "3-D"}, shaped({}));
    refuse_dataset({"/rhs", "1-D", "3-D"}, shaped({8}));
    refuse_dataset({"/rhs", "2-D of extents 8 x 9", "3-D"}, shaped({8, 9}));
    refuse_dataset({"/rhs", "4-D of extents 2 x 3 x 4 x 5", "3-D"}, shaped({2, 3, 4, 5}));
    refuse_dataset({"/rhs", "5 x 0 x 3", "at least one point"}, shaped({5, 0, 3}));
    refuse_dataset({"/rhs", "no values"}, [](TestFile& file) {
        const hid_t space = H5Screate(H5S_NULL);
        H5Dclose(H5Dcreate2(file.id(), "/rhs", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space);
    });
}

TEST_F(ReadErrors, DataSetsOfTheWrongType) {
    const auto typed = [](hid_t type) {
        return [=](TestFile& file) { file.dataset("/rhs", type, {2, 2, 2}, {}); };
    };
    refuse_dataset({"/rhs", "bit field", "float32 or float64"}, typed(H5T_STD_B32LE));
    refuse_dataset({"/rhs", "text", "float32 or float64"}, typed(H5T_C_S1));
    refuse_dataset({"/rhs", "float of 128 bits", "float32 or float64"}, typed(H5T_NATIVE_LDOUBLE));

    // Four bytes, but with the bits of a bfloat16 in the upper half: same size, other numbers.
    const hid_t odd = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_ebias(odd, 63);
    refuse_dataset({"/rhs", "layout of its own", "float32 or float64"}, typed(odd));

    const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(pair, "r", 0, H5T_IEEE_F64LE);
    H5Tinsert(pair, "i", 8, H5T_IEEE_F64LE);
    refuse_dataset({"/rhs", "complex", "float32 or float64"}, typed(pair));
    const hid_t compound = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(compound, "density", 0, H5T_IEEE_F64LE);
    H5Tinsert(compound, "species", 8, H5T_STD_I64LE);
    refuse_dataset({"/rhs", "compound", "float32 or float64"}, typed(compound));
    for (const hid_t type : {odd, pair, compound}) H5Tclose(type);
}

TEST_F(ReadErrors, VirtualDataSets) {
    refuse_dataset({}, [](TestFile&) {});
    {
        TestFile file(path());
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hid_t space = H5Screate_simple(3, default_extents.data(), nullptr);
        H5Pset_virtual(creation, space, path("source.h5").c_str(), "/rhs", space);
        file.dataset("/rhs", H5T_IEEE_F64LE, default_extents, {}, creation);
        H5Sclose(space);
        H5Pclose(creation);
    }
    refuse(ErrorCode::file, {"/rhs", "virtual", "h5repack"});
}

TEST_F(ReadErrors, DamagedChunks) {
    const std::vector<hsize_t> extents{8, 16, 16};
    {
        TestFile file(path());
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const std::array<hsize_t, 3> chunk{2, 16, 16};
        H5Pset_chunk(creation, 3, chunk.data());
        H5Pset_fletcher32(creation);
        file.dataset("/rhs", H5T_IEEE_F64LE, extents, marked_values(extents), creation);
        H5Pclose(creation);
    }
    // Flip one bit of one number: 613.25 = marked(6, 1, 3) stands in the last chunk alone.
    std::string bytes;
    {
        std::ifstream stream(path(), std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(stream), {});
    }
    const double value = marked(6, 1, 3);
    const std::size_t at = bytes.rfind(std::string(reinterpret_cast<const char*>(&value), sizeof value));
    ASSERT_NE(at, std::string::npos);
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    write_bytes(bytes);

    const FieldReader reader(path());
    Field<double> field({8, 16, 16});
    reader.read(0, field.view().slab(0, 6));
    EXPECT_EQ(field.view()(5, 15, 15), marked(5, 15, 15));
    expect_error(ErrorCode::file, {path(), "/rhs", "cannot be read"}, [&] { reader.read(0, field.view()); });
}

TEST_F(ReadErrors, FirstNumberThatIsNone) {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    for (const hid_t type : {H5T_IEEE_F32BE, H5T_IEEE_F64LE})
        for (const double bad : {nan, infinity, -infinity})
            for (const Extents& at : {Extents{0, 0, 0}, Extents{3, 2, 1}, Extents{4, 3, 2}}) {
                auto values = marked_values(default_extents);
                values[static_cast<std::size_t>((at[0] * 4 + at[1]) * 3 + at[2])] = bad;
                values.back() = nan;
                { TestFile(path()).dataset("/rhs", type, default_extents, values); }
                const FieldReader reader(path());
                std::ostringstream index;
                index << '[' << at[0] << ", " << at[1] << ", " << at[2] << ']';
                const bool last = at == Extents{4, 3, 2};
                const std::string shown = last || bad != bad ? "nan" : bad > 0 ? "found inf" : "found -inf";
                Field<double> wide({5, 4, 3});
                expect_error(ErrorCode::data, {path(), "/rhs", index.str(), shown},
                             [&] { reader.read(0, wide.view()); });
                Field<float> narrow({2, 4, 3});
                if (at[0] >= 3)
                    expect_error(ErrorCode::data, {path(), "/rhs", index.str(), shown},
                                 [&] { reader.read(3, narrow.view()); });
            }
}

TEST_F(ReadErrors, NumbersTooLargeForSinglePrecision) {
    auto values = marked_values(default_extents);
    values[17] = 1e300;
    { TestFile(path()).dataset("/rhs", H5T_IEEE_F64LE, default_extents, values); }
    const FieldReader reader(path());
    Field<double> wide({5, 4, 3});
    reader.read(0, wide.view());
    EXPECT_EQ(wide.view()(1, 1, 2), 1e300);
    Field<float> narrow({5, 4, 3});
    expect_error(ErrorCode::data, {"1e+300", "[1, 1, 2]", "single precision"},
                 [&] { reader.read(0, narrow.view()); });
}

}  // namespace
}  // namespace poisson3d::test
