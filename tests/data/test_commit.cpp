// A file appears only when it is whole, and a failure leaves nothing behind.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "marked_field.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::test {
namespace {

void write_whole(const std::string& path, double shift = 0.0) {
    FieldWriter writer(path);
    writer.create<double>("/solution", example_grid(), 0.0);
    const Field<double> field = marked_field<double>({5, 4, 3}, shift);
    writer.write<double>("/solution", 0, field.view());
    writer.commit();
}

double first_value(const std::string& path) {
    Field<double> field({5, 4, 3});
    FieldReader(path, {.dataset = "/solution"}).read(0, field.view());
    return field.view()(0, 0, 0);
}

class Commit : public Folder {};

TEST_F(Commit, AppearsOnlyOnCommit) {
    {
        FieldWriter writer(path());
        writer.create<double>("/solution", example_grid(), 0.0);
        writer.attributes("/solution", {Attribute{"note", std::string("unfinished")}});
        for (const std::string& name : files()) EXPECT_EQ(name.rfind(".poisson3d-", 0), 0U) << name;
    }
    EXPECT_TRUE(files().empty()) << "an abandoned file was left";
    write_whole(path(), 1.0);
    EXPECT_EQ(first_value(path()), 1.25);
    {
        FieldWriter writer(path());
        writer.create<double>("/solution", example_grid(), 0.0);
        EXPECT_EQ(first_value(path()), 1.25);
    }
    EXPECT_EQ(first_value(path()), 1.25);
    write_whole(path(), 2.0);
    EXPECT_EQ(first_value(path()), 2.25);
    EXPECT_EQ(files(), std::vector<std::string>{"field.h5"});
}

TEST_F(Commit, TwoWritersOfOneNameDoNotMeet) {
    FieldWriter one(path()), two(path());
    const Field<double> first = marked_field<double>({5, 4, 3}, 1.0), second = marked_field<double>({5, 4, 3}, 2.0);
    for (FieldWriter* writer : {&one, &two}) writer->create<double>("/solution", example_grid(), 0.0);
    one.write<double>("/solution", 0, first.view());
    two.write<double>("/solution", 0, second.view());
    two.commit();
    EXPECT_EQ(first_value(path()), 2.25);
    one.commit();
    EXPECT_EQ(first_value(path()), 1.25);
    expect_error(ErrorCode::internal, {"committed"}, [&] { one.commit(); });
    EXPECT_EQ(first_value(path()), 1.25);
}

TEST_F(Commit, FinishedFilesAppearTogether) {
    FieldWriter one(path("one.h5")), two(path("two.h5"));
    const Field<double> field = marked_field<double>({5, 4, 3}, 1.0);
    std::vector<OutputFile> finished;
    for (FieldWriter* writer : {&one, &two}) {
        writer->create<double>("/solution", example_grid(), 0.0);
        expect_error(ErrorCode::internal, {"plane 0"}, [&] { static_cast<void>(writer->finish()); });
        writer->write<double>("/solution", 0, field.view());
        finished.push_back(writer->finish());
        expect_error(ErrorCode::internal, {"no more data"},
                     [&] { writer->write<double>("/solution", 0, field.view()); });
    }
    EXPECT_FALSE(std::filesystem::exists(path("one.h5")) || std::filesystem::exists(path("two.h5")));
    publish(finished);
    EXPECT_EQ(first_value(path("one.h5")), 1.25);
    EXPECT_EQ(first_value(path("two.h5")), 1.25);
    EXPECT_EQ(files().size(), 2U);
    expect_error(ErrorCode::internal, {"published before"}, [&] { publish(finished); });
}

TEST_F(Commit, NothingIsPublishedBeforeAllIsFinished) {
    std::vector<OutputFile> outputs;
    outputs.emplace_back(path("one"));
    outputs.emplace_back(path("two"));
    outputs[0].write("1");
    outputs[0].finish();
    expect_error(ErrorCode::internal, {"two", "not finished"}, [&] { publish(outputs); });
    outputs.clear();
    EXPECT_TRUE(files().empty());
}

TEST_F(Commit, RefusesAFieldWithAHole) {
    {
        FieldWriter writer(path());
        writer.create<double>("/solution", example_grid(), 0.0);
        const Field<double> field = marked_field<double>({5, 4, 3});
        writer.write<double>("/solution", 0, field.view().slab(0, 3));
        writer.write<double>("/solution", 4, field.view().slab(0, 1));
        expect_error(ErrorCode::internal, {"/solution", "plane 3"}, [&] { writer.commit(); });
        expect_error(ErrorCode::internal, {"/other"}, [&] { writer.write<double>("/other", 0, field.view()); });
        expect_error(ErrorCode::usage, {"/solution"}, [&] { writer.write<double>("/solution", 1, field.view()); });
    }
    EXPECT_TRUE(files().empty());
}

TEST_F(Commit, FollowsSymbolicLinks) {
    std::filesystem::create_directory(path("real"));
    write_whole(path("real/field.h5"), 1.0);
    std::filesystem::create_symlink(path("real/field.h5"), path("link.h5"));
    write_whole(path("link.h5"), 2.0);
    EXPECT_TRUE(std::filesystem::is_symlink(path("link.h5")));
    EXPECT_EQ(first_value(path("real/field.h5")), 2.25);
    std::filesystem::create_symlink("real/new.h5", path("dangling.h5"));
    write_whole(path("dangling.h5"), 3.0);
    EXPECT_TRUE(std::filesystem::is_symlink(path("dangling.h5")));
    EXPECT_EQ(first_value(path("real/new.h5")), 3.25);
}

TEST_F(Commit, PlacesThatTakeNoFile) {
    const auto refuse = [](const std::string& place, const std::vector<std::string>& parts) {
        expect_error(ErrorCode::output, parts, [&] { FieldWriter{place}; });
    };
    refuse("", {"name of a file"});
    refuse(folder().string(), {folder().string(), "is a directory"});
    refuse(path("none/field.h5"), {path("none/field.h5"), "no directory", path("none")});
    refuse("/dev/null", {"/dev/null", "not a regular file"});
    write_whole(path("file"));
    refuse(path("file/field.h5"), {path("file/field.h5"), "is not a directory"});
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Commit, PlacesThatMayNotBeWritten) {
    if (geteuid() == 0) {
        expect_error(ErrorCode::output, {"/proc/poisson3d.h5", "cannot be made"},
                     [] { FieldWriter{"/proc/poisson3d.h5"}; });
        GTEST_SKIP() << "permissions do not bind root";
    }
    write_whole(path("kept.h5"));
    using std::filesystem::perms;
    std::filesystem::permissions(path("kept.h5"), perms::owner_read);
    expect_error(ErrorCode::output, {"kept.h5", "may not be written"}, [&] { FieldWriter{path("kept.h5")}; });
    std::filesystem::permissions(folder(), perms::owner_read | perms::owner_exec);
    expect_error(ErrorCode::output, {"new.h5", "no file can be made"}, [&] { FieldWriter{path("new.h5")}; });
    std::filesystem::permissions(folder(), perms::owner_all);
}

// A limit on the size of files acts as a full disk does: the write fails in the middle.
TEST_F(Commit, FullDisk) {
    write_whole(path(), 1.0);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const Extents points{64, 64, 64};
    Field<double> field(points);
    std::fill_n(field.data(), field.size(), 1.0);
    // Room for nothing, for the head only, for half of the field, for all but the last metadata.
    for (const rlim_t room : {rlim_t{100}, rlim_t{4096}, rlim_t{1} << 20, (rlim_t{1} << 21) + 4096}) {
        SCOPED_TRACE(room);
        ::testing::internal::CaptureStderr();
        expect_error(ErrorCode::output, {path(), "cannot be written", "File too large"}, [&] {
            const rlimit limit{room, before.rlim_max};
            setrlimit(RLIMIT_FSIZE, &limit);
            FieldWriter writer(path());
            writer.create<double>("/solution", example_grid(points), 0.0);
            writer.write_boundary_values("z_lower", {64, 64}, std::vector<double>(64 * 64, 1.0));
            writer.write_boundary_value("y_lower", 1.0);
            writer.write<double>("/solution", 0, field.view());
            for (int i = 0; i < 100; ++i)
                writer.attributes("/solution", {Attribute{"filler" + std::to_string(i), std::string(1000, 'x')}});
            writer.commit();
        });
        setrlimit(RLIMIT_FSIZE, &before);
        EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
        EXPECT_EQ(files(), std::vector<std::string>{"field.h5"});
        EXPECT_EQ(first_value(path()), 1.25);
    }
    std::signal(SIGXFSZ, handler);
    expect_error(ErrorCode::output, {path(), "EiB", "left"}, [&] {
        FieldWriter(path()).create<double>("/solution", example_grid({Index{1} << 20, 1 << 20, 1 << 20}), 0.0);
    });
    expect_error(ErrorCode::output, {path(), "EiB", "left"},
                 [&] { FieldWriter(path()).require_space(std::uint64_t{1} << 62); });
}

}  // namespace
}  // namespace poisson3d::test
