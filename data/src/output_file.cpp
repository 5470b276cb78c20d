#include "poisson3d/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "descriptor.hpp"
#include "file_bytes.hpp"
#include "output_path.hpp"
#include "poisson3d/error.hpp"
#include "temporary_file.hpp"

namespace poisson3d {

namespace fs = std::filesystem;

OutputFile::OutputFile(const std::string& path) : path_(path) {
    const OutputPath found = is_stream() ? OutputPath{"", temporary_directory(), {}} : find_output(path);
    target_ = found.target;
    try {
        temporary_ = std::make_unique<TemporaryFile>(found.directory, found.replaced);
    } catch (const std::system_error& error) {
        fail("cannot be made in directory " + found.directory + ": " + error.code().message());
    }
}

OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&& other) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&& other) noexcept = default;

int OutputFile::descriptor() const noexcept {
    return temporary_ ? temporary_->descriptor() : -1;
}

void OutputFile::fail(const std::string& what) const {
    fail_output(path_, what);
}

void OutputFile::require_space(std::uint64_t bytes) const {
    const fs::path target = is_stream() ? fs::path(temporary_directory()) / "-" : fs::path(target_);
    require_room(target.has_parent_path() ? target.parent_path().string() : ".", bytes,
                 [this](const std::string& what) { fail(what); });
}

void OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor(), bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail("cannot be written: " + std::generic_category().message(errno));
        bytes.remove_prefix(static_cast<std::size_t>(done));
    }
}

bool OutputFile::finished() const noexcept {
    return temporary_ && (is_stream() ? stream_finished_ : temporary_->finished());
}

void OutputFile::copy_to_standard_output() const {
    std::vector<char> part(std::size_t{1} << 16U);
    const h5::Subject subject{ErrorCode::output, "standard output"};
    if (lseek(descriptor(), 0, SEEK_SET) != 0) fail("cannot be read back");
    while (const std::size_t count = read_next(descriptor(), part.data(), part.size(), subject))
        for (std::size_t done = 0; done < count;) {
            const ssize_t some = ::write(STDOUT_FILENO, part.data() + done, count - done);
            if (some < 0 && errno == EINTR) continue;
            if (some < 0) subject.fail("cannot be written: " + std::generic_category().message(errno));
            done += static_cast<std::size_t>(some);
        }
}

std::string OutputFile::hidden_path() {
    if (is_stream() || !finished()) throw Error(ErrorCode::internal, path_ + ": is not finished, or has no name");
    try {
        temporary_->link(target_, false);
        return fs::absolute(temporary_->name()).string();
    } catch (const std::system_error& error) {
        fail("cannot be given a name: " + error.code().message());
    }
}

void OutputFile::sync() {
    try {
        const Descriptor again(open(temporary_->name().c_str(), O_RDONLY | O_CLOEXEC));
        if (again.get() < 0) throw std::system_error(errno, std::generic_category());
        sync_to_disk(again.get());
    } catch (const std::system_error& error) {
        fail("cannot be written: " + error.code().message());
    }
}

void OutputFile::finish() {
    if (descriptor() < 0 || stream_finished_) throw Error(ErrorCode::internal, path_ + ": was finished before");
    if (is_stream()) {
        stream_finished_ = true;
        return;
    }
    try {
        temporary_->finish(target_);
    } catch (const std::system_error& error) {
        temporary_.reset();
        fail("cannot be written: " + error.code().message());
    }
}

}  // namespace poisson3d
