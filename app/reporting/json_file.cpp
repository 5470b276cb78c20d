#include "reporting/json_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "command_line/paths.hpp"
#include "reporting/json.hpp"

namespace poisson3d::app {

namespace {

/// A standard stream goes on where it is, instead of being opened again at its beginning; other files that are
/// open already are appended to.
int open_directly(const std::string& path) {
    struct stat wanted {
    }, stream{};
    if (stat(path.c_str(), &wanted) == 0 && S_ISREG(wanted.st_mode))
        for (const int number : {STDOUT_FILENO, STDERR_FILENO})
            if (fstat(number, &stream) == 0 && stream.st_dev == wanted.st_dev && stream.st_ino == wanted.st_ino)
                return fcntl(number, F_DUPFD_CLOEXEC, 0);
    return open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

}  // namespace

std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

JsonFile::JsonFile(const std::string& path) {
    if (path.empty() || path == "-") return;
    path_ = path;
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    if ((special && !std::filesystem::is_directory(status)) || names_open_file(path)) {
        const int descriptor = open_directly(path);
        if (descriptor >= 0) direct_.reset(fdopen(descriptor, "w"));
        if (!direct_) fail("open");
    } else {
        file_ = about_option("--json", [&] { return OutputFile(path); });
    }
}

void JsonFile::fail(const char* what) const {
    throw Error(ErrorCode::output,
                std::string("--json: cannot ") + what + " " + path_ + ": " + std::strerror(errno));
}

void JsonFile::finish(const std::string& report, std::vector<OutputFile>& outputs) {
    if (path_.empty() || direct_) return;
    about_option("--json", [&] {
        if (!file_) file_.emplace(path_);  // a second report, since the first could not be published
        OutputFile file = std::move(*file_);
        file_.reset();
        file.write(report + "\n");
        file.finish();
        outputs.push_back(std::move(file));
    });
}

void JsonFile::write(const std::string& report) {
    if (!direct_) return;
    const std::string text = report + "\n";
    if (std::fwrite(text.data(), 1, text.size(), direct_.get()) != text.size()) fail("write");
    // Closing tells of the last bytes; closed it is whatever it tells.
    if (std::fclose(direct_.release()) != 0) fail("write");
}

}  // namespace poisson3d::app
