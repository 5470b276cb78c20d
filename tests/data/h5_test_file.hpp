// HDF5 files of every shape, made with the C API alone, so that the reader is not judged by its own writer.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "poisson3d/error.hpp"

namespace poisson3d::test {

/// A folder that is gone with the test.
class Folder : public ::testing::Test {
protected:
    Folder() {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(info->test_suite_name()) + "-" + info->name();
        for (char& c : name)
            if (c == '/') c = '_';
        folder_ = std::filesystem::temp_directory_path() / (name + "-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    ~Folder() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    [[nodiscard]] std::string path(const std::string& name = "field.h5") const { return (folder_ / name).string(); }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            names.push_back(entry.path().filename().string());
        return names;
    }

private:
    std::filesystem::path folder_;
};

/// The file extents of most tests: all different, so that swapped axes show.
inline const std::vector<hsize_t> default_extents{5, 4, 3};

/// A value that every float type holds exactly and that tells its place.
inline double marked(long long i, long long j, long long k) {
    return static_cast<double>(100 * i + 10 * j + k) + 0.25;
}

inline std::vector<double> marked_values(const std::vector<hsize_t>& n) {
    std::vector<double> values;
    for (hsize_t i = 0; i < n[0]; ++i)
        for (hsize_t j = 0; j < n[1]; ++j)
            for (hsize_t k = 0; k < n[2]; ++k)
                values.push_back(
                    marked(static_cast<long long>(i), static_cast<long long>(j), static_cast<long long>(k)));
    return values;
}

/// An HDF5 file being made. Each call aborts the test if HDF5 refuses.
class TestFile {
public:
    explicit TestFile(const std::string& path)
        : file_(good(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT))) {}
    ~TestFile() { H5Fclose(file_); }
    TestFile(const TestFile&) = delete;
    TestFile& operator=(const TestFile&) = delete;

    static hid_t good(hid_t answer) {
        if (answer < 0) throw std::runtime_error("HDF5 refused what the test asked");
        return answer;
    }
    [[nodiscard]] hid_t id() const { return file_; }

    /// A data set of `type` in the file, given in double; without values nothing is written.
    void dataset(const std::string& name, hid_t type, const std::vector<hsize_t>& extents,
                 const std::vector<double>& values, hid_t creation = H5P_DEFAULT,
                 const std::vector<hsize_t>& largest = {}) {
        const hid_t space =
            good(extents.empty() ? H5Screate(H5S_SCALAR)
                                 : H5Screate_simple(static_cast<int>(extents.size()), extents.data(),
                                                    largest.empty() ? nullptr : largest.data()));
        const hid_t set = good(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
        if (!values.empty()) good(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
        H5Dclose(set);
        H5Sclose(space);
    }
    /// /rhs as most tests want it.
    void rhs() { dataset("/rhs", H5T_IEEE_F64LE, default_extents, marked_values(default_extents)); }

    void group(const std::string& name) {
        H5Gclose(good(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    }

    /// Numbers as `type`; extents {} make a scalar.
    void numbers(const std::string& name, hid_t type, const std::vector<hsize_t>& extents,
                 const std::vector<double>& values) {
        std::vector<char> bytes(values.size() * std::max(H5Tget_size(type), sizeof(double)));
        std::copy_n(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double), bytes.data());
        good(H5Tconvert(H5T_NATIVE_DOUBLE, type, values.size(), bytes.data(), nullptr, H5P_DEFAULT));
        attribute(name, type, extents, bytes.data());
    }
    /// Text of fixed length with this padding.
    void fixed_texts(const std::string& name, H5T_str_t padding, std::size_t length,
                     const std::vector<hsize_t>& extents, const std::vector<std::string>& texts,
                     H5T_cset_t set = H5T_CSET_ASCII) {
        const hid_t type = good(H5Tcopy(H5T_C_S1));
        good(H5Tset_size(type, length));
        good(H5Tset_strpad(type, padding));
        good(H5Tset_cset(type, set));
        std::string bytes;
        for (const std::string& text : texts) {
            bytes += text;
            bytes.append(length - text.size(), padding == H5T_STR_SPACEPAD ? ' ' : '\0');
        }
        attribute(name, type, extents, bytes.data());
        H5Tclose(type);
    }
    /// Text of variable length.
    void texts(const std::string& name, const std::vector<hsize_t>& extents, const std::vector<std::string>& texts,
               H5T_cset_t set = H5T_CSET_UTF8) {
        const hid_t type = good(H5Tcopy(H5T_C_S1));
        good(H5Tset_size(type, H5T_VARIABLE));
        good(H5Tset_cset(type, set));
        std::vector<const char*> pointers;
        pointers.reserve(texts.size());
        for (const std::string& text : texts) pointers.push_back(text.c_str());
        attribute(name, type, extents, pointers.data());
        H5Tclose(type);
    }

    void attribute(const std::string& name, hid_t type, const std::vector<hsize_t>& extents, const void* values) {
        const hid_t space =
            good(extents.empty() ? H5Screate(H5S_SCALAR)
                                 : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr));
        const hid_t set = good(H5Oopen(file_, "/rhs", H5P_DEFAULT));
        const hid_t attribute = good(H5Acreate2(set, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
        good(H5Awrite(attribute, type, values));
        H5Aclose(attribute);
        H5Oclose(set);
        H5Sclose(space);
    }

private:
    hid_t file_;
};

/// Runs `action`, which must throw Error{code} with all of `parts` in its message.
template <class Action>
void expect_error(ErrorCode code, const std::vector<std::string>& parts, const Action& action) {
    try {
        action();
        FAIL() << "no error; wanted " << name(code) << " with " << ::testing::PrintToString(parts);
    } catch (const Error& error) {
        EXPECT_STREQ(name(error.code()), name(code)) << error.what();
        for (const std::string& part : parts)
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
                << "wanted: " << part << "\nfound:  " << error.what();
    }
}

}  // namespace poisson3d::test
