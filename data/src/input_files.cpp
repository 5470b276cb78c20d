#include "input_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

bool same(const struct stat& one, const struct stat& other) noexcept {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

[[noreturn]] void fail_of(int number, const Subject& subject) {
    subject.fail(number == ENOMEM ? ErrorCode::out_of_memory : subject.code, describe_errno(number));
}

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a directory";
    if (S_ISFIFO(mode)) return "a named pipe, no regular file";
    if (S_ISSOCK(mode)) return "a socket, no regular file";
    return "a device, no regular file";
}

void require_regular(const struct stat& found, const Subject& subject) {
    if (!S_ISREG(found.st_mode))
        subject.fail(std::string("found ") + kind_of(found.st_mode) + ", wanted an HDF5 file");
}

namespace fs = std::filesystem;

// Where HDF5 looks for the file `name` of an external link in the file `parent`, in its order.
std::vector<std::string> names_to_try(const std::string& parent, const std::string& name) {
    std::vector<std::string> names;
    fs::path relative = name;
    if (relative.is_absolute()) {
        names.push_back(name);
        relative = relative.filename();  // the file may have moved with its parent
    }
    if (const char* prefixes = std::getenv("HDF5_EXT_PREFIX")) {  // NOLINT(concurrency-mt-unsafe)
        std::istringstream list(prefixes);
        for (std::string prefix; std::getline(list, prefix, ':');)
            if (!prefix.empty()) names.push_back((fs::path(prefix) / relative).string());
    }
    std::error_code ignored;
    names.push_back((fs::absolute(parent, ignored).parent_path() / relative).string());
    names.push_back(relative.string());
    names.push_back((fs::canonical(parent, ignored).parent_path() / relative).string());
    return names;
}

}  // namespace

bool InputFile::has_signature(const Subject& subject) const {
    constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    for (std::size_t at = 0; at + signature.size() <= bytes(); at = at == 0 ? 512 : 2 * at) {
        std::array<char, 8> start{};
        ssize_t count = 0;
        do count = pread(descriptor.get(), start.data(), start.size(), static_cast<off_t>(at));
        while (count < 0 && errno == EINTR);
        if (count < 0) fail_of(errno, subject);
        if (start == signature) return true;
    }
    return false;
}

InputFile open_input_file(const std::string& path, const Subject& subject) {
    struct stat found = {};
    // Asked before it is opened: opening a named pipe or a device may wait for ever, or do something.
    if (stat(path.c_str(), &found) != 0) fail_of(errno, subject);
    require_regular(found, subject);
    int number = -1;
    do number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    while (number < 0 && errno == EINTR);
    if (number < 0) fail_of(errno, subject);
    InputFile file{path, Descriptor(number), {}, false};
    if (fstat(number, &file.found) != 0) fail_of(errno, subject);
    require_regular(file.found, subject);
    return file;
}

InputFile open_external_file(const std::string& parent, const std::string& name, const Subject& subject) {
    for (const std::string& candidate : names_to_try(parent, name)) {
        struct stat found = {};
        if (candidate.empty() || stat(candidate.c_str(), &found) != 0 || S_ISDIR(found.st_mode)) continue;
        const Subject about{subject.code, subject.name + ", " + printable_name(candidate)};
        InputFile file = open_input_file(candidate, about);
        if (!file.has_signature(about)) about.fail("found no HDF5 signature in it: not an HDF5 file");
        return file;
    }
    subject.fail(
        "leads nowhere: there is no such file; it was looked for in the directory of the file with the link "
        "and in the working directory (HDF5_EXT_PREFIX names others)");
}

void InputFiles::refuse_outputs(const InputFile& file) const {
    for (const OutputName& output : outputs_) {
        struct stat found = {};
        if (output.path.empty() || stat(output.path.c_str(), &found) != 0 || !same(found, file.found)) continue;
        const std::string which = files_.empty() ? std::string("the input file itself")
                                                 : printable_name(file.path) + ", which the input " +
                                                       printable_name(files_[0].path) +
                                                       " leads to by an external link or as a file of raw values";
        throw OutputIsInput(output.option, output.option + ": found " + printable_name(output.path) +
                                               ", which is " + which + ": an input is never overwritten");
    }
}

void InputFiles::add(InputFile file) {
    refuse_outputs(file);
    const auto known = std::find_if(files_.begin(), files_.end(),
                                    [&](const InputFile& other) { return same(other.found, file.found); });
    if (known == files_.end())
        files_.push_back(std::move(file));
    else if (file.by_name && !known->by_name)
        known->path = std::move(file.path), known->by_name = true;
}

bool InputFiles::contains(const struct stat& file) const noexcept {
    return std::any_of(files_.begin(), files_.end(),
                       [&](const InputFile& known) { return same(known.found, file); });
}

std::vector<InputIdentity> InputFiles::identities() const {
    std::vector<InputIdentity> all;
    for (const InputFile& file : files_)
        all.push_back({file.path, static_cast<std::uint64_t>(file.found.st_dev),
                       static_cast<std::uint64_t>(file.found.st_ino)});
    return all;
}

std::size_t InputFiles::bytes() const noexcept {
    std::size_t sum = 0;
    for (const InputFile& file : files_) sum += file.bytes();
    return sum;
}

void InputFiles::require_unchanged() const {
    for (const InputFile& file : files_) {
        const Subject subject{ErrorCode::file, printable_name(file.path)};
        struct stat now = {};
        if (fstat(file.descriptor.get(), &now) != 0) fail_of(errno, subject);
        if (now.st_size != file.found.st_size)
            subject.fail("changed while it was read (" + std::to_string(file.found.st_size) + " bytes, now " +
                         std::to_string(now.st_size) + "): what was read of it may be neither the old nor the new");
        const auto &before = file.found.st_mtim, &after = now.st_mtim;
        if (before.tv_sec != after.tv_sec || before.tv_nsec != after.tv_nsec)
            subject.fail("was written to while it was read (" + std::to_string(now.st_size) +
                         " bytes, as before): what was read of it may be neither the old nor the new");
        if (!file.by_name) continue;
        if (stat(file.path.c_str(), &now) != 0) fail_of(errno, subject);
        if (!same(now, file.found)) subject.fail("was replaced by another file while it was read");
    }
}

}  // namespace poisson3d::h5
