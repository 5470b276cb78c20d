// What control groups leave, on made-up trees of files: both versions, limits at any level, namespaces.
#include "control_group.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace poisson3d {
namespace {

namespace files = std::filesystem;

class MadeUpGroups : public testing::Test {
protected:
    MadeUpGroups() : root_(files::temp_directory_path() / ("poisson3d-groups-" + std::to_string(getpid()))) {}
    ~MadeUpGroups() override { files::remove_all(root_); }

    void write(const std::string& path, const std::string& text) const {
        const files::path file = root_.string() + path;
        files::create_directories(file.parent_path());
        std::ofstream(file) << text << '\n';
    }
    /// A group of version 2.
    void limit(const std::string& directory, const std::string& max, std::size_t used,
               std::size_t files = 0) const {
        write(directory + "/memory.max", max);
        write(directory + "/memory.current", std::to_string(used));
        write(directory + "/memory.stat", "anon 5\ninactive_file " + std::to_string(files) + "\nslab 7");
    }
    /// Of version 1.
    void old_limit(const std::string& directory, const std::string& max, std::size_t used,
                   std::size_t files = 0) const {
        write(directory + "/memory.limit_in_bytes", max);
        write(directory + "/memory.usage_in_bytes", std::to_string(used));
        write(directory + "/memory.stat",
              "inactive_file 1\ntotal_inactive_file_x 2\ntotal_inactive_file " + std::to_string(files));
    }
    void version_two(const std::string& group, const std::string& mounted = "/") const {
        write("/proc/self/cgroup", "0::" + group);
        write("/proc/self/mountinfo",
              "23 1 8:1 / / rw - ext4 /dev/vda rw\n30 23 0:26 " + mounted +
                  " /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup2 rw,nsdelegate");
    }
    [[nodiscard]] std::size_t left() const { return ControlGroups(root_.string()).memory_left(); }
    [[nodiscard]] double processors() const { return ControlGroups(root_.string()).processors(); }

    files::path root_;
};

constexpr std::size_t none = SIZE_MAX;
const std::string sys = "/sys/fs/cgroup";

TEST_F(MadeUpGroups, WithoutFilesThereIsNoLimit) {
    EXPECT_EQ(left(), none);
    EXPECT_TRUE(std::isinf(processors()));
    version_two("/user.slice");
    EXPECT_EQ(left(), none);
    EXPECT_TRUE(std::isinf(processors()));
}

TEST_F(MadeUpGroups, TheLeastOfAllLevelsCounts) {
    version_two("/system.slice/slurmd/job_7/step_0/task_3");
    const std::string job = sys + "/system.slice/slurmd/job_7";
    limit(job + "/step_0/task_3", "max", 900);
    EXPECT_EQ(left(), none);
    limit(job, "5000", 1200, 200);
    EXPECT_EQ(left(), 4000U);
    limit(job + "/step_0", "3500", 700);
    EXPECT_EQ(left(), 2800U);
    limit(sys + "/system.slice", "10000", 9000);
    EXPECT_EQ(left(), 1000U);
    limit(sys + "/system.slice", "10000", 20000);
    EXPECT_EQ(left(), 0U);
}

TEST_F(MadeUpGroups, HighLimitsCountToo) {
    version_two("/a");
    limit(sys + "/a", "max", 100);
    write(sys + "/a/memory.high", "1100");
    EXPECT_EQ(left(), 1000U);
}

TEST_F(MadeUpGroups, OfVersionOneThroughTheListedControllers) {
    write("/proc/self/cgroup",
          "9:name=systemd:/x\n5:cpuacct,cpu:/slurm/job_7\n4:hugetlb,memory:/slurm/job_7/step\n0::/");
    write("/proc/self/mountinfo",
          "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
          "32 31 0:29 / /sys/fs/cgroup/cpu\\040time rw - cgroup cgroup rw,cpu,cpuacct\n"
          "35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory,hugetlb");
    old_limit(sys + "/memory", "9223372036854771712", 100);
    EXPECT_EQ(left(), none);
    old_limit(sys + "/memory/slurm/job_7/step", "9223372036854771712", 100);
    old_limit(sys + "/memory/slurm/job_7", "8000", 3000, 500);
    EXPECT_EQ(left(), 5500U);
    write(sys + "/cpu time/slurm/job_7/cpu.cfs_quota_us", "-1");
    write(sys + "/cpu time/slurm/job_7/cpu.cfs_period_us", "100000");
    EXPECT_TRUE(std::isinf(processors()));
    write(sys + "/cpu time/slurm/cpu.cfs_quota_us", "250000");
    write(sys + "/cpu time/slurm/cpu.cfs_period_us", "100000");
    EXPECT_EQ(processors(), 2.5);
}

TEST_F(MadeUpGroups, InAContainerTheMountBeginsBelowTheRoot) {
    version_two("/docker/abc/inner", "/docker/abc");
    limit(sys + "/inner", "6000", 1000);
    EXPECT_EQ(left(), 5000U);
    limit(sys, "4000", 1000);
    EXPECT_EQ(left(), 3000U);
    version_two("/docker/abcdef", "/docker/abc");  // another group: only what is mounted can be seen
    EXPECT_EQ(left(), 3000U);
    version_two("/../outside", "/");
    EXPECT_EQ(left(), 3000U);
}

TEST_F(MadeUpGroups, TheLeastCpuQuotaCounts) {
    version_two("/a/b/c");
    write(sys + "/a/b/c/cpu.max", "max 100000");
    EXPECT_TRUE(std::isinf(processors()));
    write(sys + "/a/b/cpu.max", "400000 100000");
    EXPECT_EQ(processors(), 4.0);
    write(sys + "/a/cpu.max", "150000 100000");
    EXPECT_EQ(processors(), 1.5);
}

TEST_F(MadeUpGroups, WithTheMachineAndTheLimitsOfTheProcess) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto all = [&](std::size_t address_space, std::size_t data) {
        return memory_left(root_.string(), ControlGroups(root_.string()), address_space, data);
    };
    EXPECT_EQ(all(none, none), 0U) << "unknown";
    version_two("/a");
    write("/proc/meminfo", "MemTotal:       4000 kB\nMemAvailable:   3000 kB");
    write("/proc/self/statm", "50 20 10 1 0 8 0");
    EXPECT_EQ(all(none, none), 3000U * 1024);
    EXPECT_EQ(all(150 * page, none), 100 * page);
    EXPECT_EQ(all(none, 30 * page), 22 * page);
    EXPECT_EQ(all(10 * page, none), 1U) << "nothing is left";
    limit(sys + "/a", "9000", 1000);
    EXPECT_EQ(all(150 * page, 30 * page), 8000U);
}

TEST(ControlGroups, OfThisProcessAreAskedQuickly) {
    const std::size_t first = memory_left("", control_groups(), none, none);
    EXPECT_GT(first, std::size_t{1} << 20);
    EXPECT_GE(control_groups().processors(), 0.0);
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 100; ++i) memory_left("", control_groups(), none, none);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(passed.count() / 100, 2e-3);
    std::printf("one question: %.0f us\n", passed.count() / 100 * 1e6);
}

}  // namespace
}  // namespace poisson3d
