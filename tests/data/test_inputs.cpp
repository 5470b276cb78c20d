// The files behind a field: links, raw values, what leads nowhere, what was never written, what changes meanwhile.
#include <sys/stat.h>

#include <array>
#include <functional>

#include "h5_test_file.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

class Inputs : public Folder {
protected:
    using Make = std::function<void(TestFile&)>;
    void file(const std::string& name, const Make& make) const {
        TestFile made(path(name));
        make(made);
    }
    void link(TestFile& from, const std::string& name, const std::string& to, const std::string& object) const {
        TestFile::good(
            H5Lcreate_external(to.c_str(), object.c_str(), from.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
    }
    void refuse(ErrorCode code, const std::vector<std::string>& parts, const ReadOptions& options = {}) const {
        expect_error(code, parts, [&] { FieldReader(path(), options); });
    }
    /// The output is refused, and named with the input that it is.
    void refuse_output(const std::string& output, const std::vector<std::string>& parts) const {
        ReadOptions options;
        options.outputs = {{"--other", path("not there")}, {"--empty", ""}, {"--picture", output}};
        std::vector<std::string> all{"--picture", output};
        all.insert(all.end(), parts.begin(), parts.end());
        refuse(ErrorCode::usage, all, options);
    }
    [[nodiscard]] std::vector<std::string> names_of_inputs() const {
        std::vector<std::string> names;
        for (const InputIdentity& input : FieldReader(path()).inputs()) {
            struct stat found = {};
            EXPECT_EQ(stat(input.path.c_str(), &found), 0);
            EXPECT_EQ(input.inode, found.st_ino);
            EXPECT_EQ(input.device, found.st_dev);
            names.push_back(std::filesystem::path(input.path).filename().string());
        }
        return names;
    }
    /// Without values, in this layout.
    void empty_rhs(
        const std::function<void(hid_t)>& layout, const Make& then = [](TestFile&) {}) const {
        file("field.h5", [&](TestFile& f) {
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
            layout(creation);
            f.dataset("/rhs", H5T_IEEE_F64LE, {8, 8, 8}, {}, creation);
            H5Pclose(creation);
            then(f);
        });
    }
};

TEST_F(Inputs, TheFileItself) {
    file("field.h5", [](TestFile& f) { f.rhs(); });
    EXPECT_EQ(names_of_inputs(), std::vector<std::string>{"field.h5"});
    std::filesystem::create_symlink(path(), path("soft.h5"));
    std::filesystem::create_hard_link(path(), path("hard.h5"));
    for (const char* name : {"field.h5", "soft.h5", "hard.h5"}) refuse_output(path(name), {"input file itself"});
}

TEST_F(Inputs, FilesBehindExternalLinks) {
    file("field.h5", [&](TestFile& f) {
        f.rhs();
        f.group("/boundary_values");
        link(f, "/boundary_values/x_lower", "between.h5", "/there");
    });
    file("between.h5", [&](TestFile& f) { link(f, "/there", "faces.h5", "/walls/x"); });
    file("faces.h5", [](TestFile& f) {
        f.group("/walls");
        f.dataset("/walls/x", H5T_IEEE_F64LE, {}, {2.0});
    });
    EXPECT_EQ(names_of_inputs(), (std::vector<std::string>{"field.h5", "between.h5", "faces.h5"}));
    EXPECT_EQ(FieldReader(path()).boundary_values("x_lower").values, std::vector<double>{2.0});
    refuse_output(path("between.h5"), {"between.h5", "field.h5", "external link"});
    refuse_output(path("faces.h5"), {"faces.h5"});
}

TEST_F(Inputs, AGroupOfFacesInAnotherFile) {
    file("field.h5", [&](TestFile& f) {
        f.rhs();
        link(f, "/boundary_values", "faces.h5", "/walls");
    });
    file("faces.h5", [](TestFile& f) {
        f.group("/walls");
        f.dataset("/walls/x_lower", H5T_IEEE_F64LE, {}, {2.0});
    });
    EXPECT_EQ(FieldReader(path()).boundary_values("x_lower").values, std::vector<double>{2.0});
    refuse_output(path("faces.h5"), {"faces.h5"});
    std::filesystem::remove(path("faces.h5"));
    refuse(ErrorCode::file, {"field.h5", "faces.h5:/walls", "no such file"});
}

TEST_F(Inputs, RawValues) {
    file("field.h5", [&](TestFile& f) {
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_external(creation, path("raw.bin").c_str(), 0, 60 * 8);
        f.dataset("/rhs", H5T_IEEE_F64LE, default_extents, marked_values(default_extents), creation);
        H5Pclose(creation);
    });
    EXPECT_EQ(names_of_inputs(), (std::vector<std::string>{"field.h5", "raw.bin"}));
    refuse_output(path("raw.bin"), {"raw values"});
    const FieldReader reader(path());
    reader.require_unchanged();
    // HDF5 opens it by its name each time.
    std::filesystem::copy_file(path("raw.bin"), path("copy.bin"));
    std::filesystem::rename(path("copy.bin"), path("raw.bin"));
    expect_error(ErrorCode::file, {"raw.bin", "replaced"}, [&] { reader.require_unchanged(); });
}

TEST_F(Inputs, AnOutputIsRefusedBeforeAnythingElseIsWrong) {
    file("field.h5", [&](TestFile& f) {
        link(f, "/rhs", "data.h5", "/rhs");
        f.group("/boundary_values");
        f.dataset("/boundary_values/q_lower", H5T_IEEE_F64LE, {}, {1.0});
    });
    file("data.h5", [](TestFile& f) { f.rhs(); });
    refuse_output(path("data.h5"), {"data.h5"});
}

TEST_F(Inputs, LinksThatLeadNowhere) {
    const auto with = [&](const std::string& link_name, const Make& make) {
        file("field.h5", [&](TestFile& f) {
            if (link_name != "/rhs") f.rhs();
            if (link_name.find("values/") != std::string::npos) f.group("/boundary_values");
            make(f);
        });
    };
    for (const std::string name : {"/rhs", "/boundary_values", "/boundary_values/x_lower", "/exact"}) {
        ReadOptions options;
        if (name == "/exact") options.exact = name;
        with(name, [&](TestFile& f) { link(f, name, "gone.h5", "/values"); });
        refuse(ErrorCode::file, {"external link to gone.h5:/values", "no such file"}, options);
        with(name, [&](TestFile& f) { link(f, name, "field.h5", "/values"); });
        refuse(ErrorCode::file, {name, "external link that leads nowhere"}, options);
        with(name, [&](TestFile& f) { H5Lcreate_soft("/gone", f.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT); });
        refuse(ErrorCode::file, {name, "soft link to /gone that leads nowhere"}, options);
        with(name,
             [&](TestFile& f) { H5Lcreate_soft(name.c_str(), f.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT); });
        refuse(ErrorCode::file, {name, "leads nowhere", "too many links"}, options);
    }
    // What is not asked for is not looked at.
    EXPECT_EQ(FieldReader(path()).header().exact_problem, "");
    ReadOptions survey;
    survey.look_for_exact = true;
    EXPECT_NE(FieldReader(path(), survey).header().exact_problem.find("leads nowhere"), std::string::npos);
}

TEST_F(Inputs, PipesAndDevicesAreNotOpened) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    file("field.h5", [&](TestFile& f) {
        f.rhs();
        link(f, "/exact", "pipe", "/values");
    });
    ReadOptions options;
    options.exact = "/exact";
    refuse(ErrorCode::file, {"pipe:/values", "named pipe"}, options);
    refuse(ErrorCode::data, {"/none", "/rhs", "/exact (an external link)"}, {"/none", {}, false, false, {}});
    file("field.h5", [&](TestFile& f) {
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_external(creation, path("pipe").c_str(), 0, 60 * 8);
        f.dataset("/rhs", H5T_IEEE_F64LE, default_extents, {}, creation);
        H5Pclose(creation);
    });
    refuse(ErrorCode::file, {"pipe", "named pipe"});
    file("field.h5", [&](TestFile& f) { link(f, "/rhs", "/dev/zero", "/values"); });
    refuse(ErrorCode::file, {"/dev/zero", "a device"});
}

TEST_F(Inputs, NeverWritten) {
    const auto contiguous = [](hid_t) {};
    empty_rhs(contiguous);
    refuse(ErrorCode::data, {"/rhs", "none of its values", "--allow-fill", "fill value 0 "});
    const auto chunked = [](hid_t creation) {
        const std::array<hsize_t, 3> chunk{4, 3, 8};
        H5Pset_chunk(creation, 3, chunk.data());
        const double fill = 2.5;
        H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &fill);
    };
    empty_rhs(chunked);
    refuse(ErrorCode::data, {"/rhs", "6 of its 6 chunks", "--allow-fill", "2.5"});
    // Five points touch two chunks.
    empty_rhs(chunked, [](TestFile& f) {
        const hid_t set = TestFile::good(H5Dopen2(f.id(), "/rhs", H5P_DEFAULT)), space = H5Dget_space(set);
        const std::array<hsize_t, 3> start{0, 0, 0}, count{5, 1, 1};
        const hsize_t five = 5;
        const hid_t memory = H5Screate_simple(1, &five, nullptr);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
        const std::array<double, 5> values{1, 2, 3, 4, 5};
        TestFile::good(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()));
        H5Sclose(memory);
        H5Sclose(space);
        H5Dclose(set);
    });
    refuse(ErrorCode::data, {"/rhs", "4 of its 6 chunks"});
    ReadOptions options;
    options.allow_fill = true;
    Field<double> field({8, 8, 8});
    FieldReader(path(), options).read(0, field.view());
    EXPECT_EQ(field.view()(4, 0, 0), 5.0);
    EXPECT_EQ(field.view()(7, 7, 7), 2.5);
    empty_rhs([&](hid_t creation) {
        chunked(creation);
        H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, nullptr);
    });
    refuse(ErrorCode::data, {"/rhs", "no fill value"}, options);

    const auto face = [&](TestFile& f) {
        f.rhs();
        f.group("/boundary_values");
        f.dataset("/boundary_values/x_lower", H5T_IEEE_F64LE, {}, {});
        f.dataset("/exact", H5T_IEEE_F64LE, default_extents, {});
    };
    file("field.h5", face);
    refuse(ErrorCode::data, {"/boundary_values/x_lower", "--allow-fill"});
    EXPECT_EQ(FieldReader(path(), options).boundary_values("x_lower").values, std::vector<double>{0.0});
    options = {};
    file("field.h5", [](TestFile& f) {
        f.rhs();
        f.dataset("/exact", H5T_IEEE_F64LE, default_extents, {});
    });
    options.exact = "/exact";
    refuse(ErrorCode::data, {"/exact", "--allow-fill"}, options);
}

TEST_F(Inputs, ChangedWhileTheyAreRead) {
    const std::vector<hsize_t> extents{64, 32, 32};
    const Make make = [&](TestFile& f) { f.dataset("/rhs", H5T_IEEE_F64LE, extents, marked_values(extents)); };
    file("field.h5", make);
    Field<double> field({64, 32, 32});
    {
        const FieldReader reader(path());
        reader.read(0, field.view().slab(0, 32));
        // A new file of the old name leaves the old one as it is.
        file("new.h5", make);
        std::filesystem::rename(path("new.h5"), path());
        reader.read(0, field.view());
        reader.require_unchanged();
        EXPECT_EQ(field.view()(63, 31, 31), marked(63, 31, 31));
    }
    const FieldReader reader(path());
    const auto bytes = std::filesystem::file_size(path());
    std::filesystem::resize_file(path(), bytes / 2);
    reader.read(0, field.view());
    EXPECT_EQ(field.view()(63, 31, 31), 0.0) << "HDF5 itself would notice: the test has lost its subject";
    expect_error(ErrorCode::file, {path(), std::to_string(bytes), std::to_string(bytes / 2)},
                 [&] { reader.require_unchanged(); });
    std::filesystem::resize_file(path(), bytes);
    std::filesystem::last_write_time(path(), std::filesystem::file_time_type::clock::now());
    expect_error(ErrorCode::file, {path(), "written to"}, [&] { reader.require_unchanged(); });
}

}  // namespace
}  // namespace poisson3d::test
