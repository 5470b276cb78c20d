// The last step of outputs: their names.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "descriptor.hpp"
#include "output_path.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/output_file.hpp"
#include "temporary_file.hpp"

namespace poisson3d {

namespace {

constexpr std::chrono::milliseconds longest_wait{2000};

/// A directory that is held open to lock it and to put it on disk; one that may not be read can do neither.
class Directory {
public:
    explicit Directory(const std::string& target) {
        const std::size_t end = target.rfind('/');
        const std::string path = end == std::string::npos ? "." : target.substr(0, end + 1);
        descriptor_ = Descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (descriptor_.get() < 0 && errno != EACCES) fail_output(path, std::generic_category().message(errno));
        if (descriptor_.get() >= 0 && fstat(descriptor_.get(), &status_) != 0) status_ = {};
    }
    [[nodiscard]] std::pair<dev_t, ino_t> identity() const { return {status_.st_dev, status_.st_ino}; }

    /// False if it cannot be locked, or another process has the lock for too long.
    [[nodiscard]] bool lock(std::chrono::steady_clock::time_point last) const {
        while (descriptor_.get() >= 0) {
            if (flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) return true;
            if ((errno != EWOULDBLOCK && errno != EINTR) || std::chrono::steady_clock::now() > last) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    void unlock() const { static_cast<void>(descriptor_.get() >= 0 && flock(descriptor_.get(), LOCK_UN) == 0); }
    void sync() const {
        if (descriptor_.get() >= 0) sync_to_disk(descriptor_.get());
    }

private:
    Descriptor descriptor_;
    struct stat status_ {};
};

/// Each once, and in the same order in every process, so that none waits for another that waits for it.
std::vector<Directory> directories_of(const std::vector<std::string>& targets) {
    std::vector<Directory> found;
    for (const std::string& target : targets) found.emplace_back(target);
    std::sort(found.begin(), found.end(),
              [](const Directory& a, const Directory& b) { return a.identity() < b.identity(); });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const Directory& a, const Directory& b) { return a.identity() == b.identity(); }),
                found.end());
    return found;
}

bool lock_all(const std::vector<Directory>& directories) {
    const auto last = std::chrono::steady_clock::now() + longest_wait;
    bool all = true;
    for (const Directory& directory : directories) all = directory.lock(last) && all;
    return all;
}

/// "; new are a and b, as before are c" for files of which the first `done` were renamed.
std::string what_is_new(const std::vector<OutputFile*>& files, std::size_t done) {
    std::string renamed, left;
    for (std::size_t i = 0; i < files.size(); ++i)
        (i < done ? renamed : left) += std::string(" ") + files[i]->path() + ",";
    std::string text;
    if (!renamed.empty()) text += "; new:" + renamed.substr(0, renamed.size() - 1);
    if (!left.empty() && files.size() > 1) text += "; as before:" + left.substr(0, left.size() - 1);
    return text;
}

}  // namespace

void publish(std::vector<OutputFile>& files) {
    std::vector<OutputFile*> named;
    std::vector<std::string> targets;
    for (OutputFile& file : files) {
        if (!file.finished())
            throw Error(ErrorCode::internal, file.path_ + ": is not finished, or was published before");
        if (file.is_stream()) continue;
        named.push_back(&file);
        targets.push_back(file.target_);
    }
    const std::vector<Directory> directories = directories_of(targets);
    const bool alone = lock_all(directories);
    std::size_t current = 0, renamed = 0;
    const char* step = "cannot be given its name: ";
    try {
        for (; current < named.size(); ++current) named[current]->temporary_->link(targets[current], alone);
        for (current = 0; current < named.size(); renamed = ++current)
            named[current]->temporary_->rename(targets[current]);
        for (const Directory& directory : directories) directory.unlock();
        step = "the directory of its name cannot be written: ";
        current = 0;
        for (const Directory& directory : directories) directory.sync();
    } catch (const std::system_error& error) {
        for (OutputFile& file : files) file.temporary_.reset();
        named[current]->fail(step + error.code().message() + what_is_new(named, renamed));
    }
    for (const OutputFile& file : files)
        if (file.is_stream()) file.copy_to_standard_output();
    for (OutputFile& file : files) file.temporary_.reset();
}

void OutputFile::publish() {
    std::vector<OutputFile> one;
    one.push_back(std::move(*this));
    try {
        poisson3d::publish(one);
    } catch (...) {
        *this = std::move(one.front());
        throw;
    }
    *this = std::move(one.front());
}

}  // namespace poisson3d
