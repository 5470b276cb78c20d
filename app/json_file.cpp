#include "json_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

JsonFile::JsonFile(const std::string& path) {
    if (path.empty() || path == "-") return;
    path_ = path;
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status))
        temporary_ = path + ".part" + std::to_string(getpid());
    file_.reset(std::fopen(temporary_.empty() ? path.c_str() : temporary_.c_str(), "w"));
    if (!file_) fail("open");
}

JsonFile::~JsonFile() {
    if (file_ && !temporary_.empty()) unlink(temporary_.c_str());
}

JsonFile::JsonFile(JsonFile&& other) noexcept = default;

JsonFile& JsonFile::operator=(JsonFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(temporary_, other.temporary_);
    std::swap(file_, other.file_);
    return *this;
}

void JsonFile::fail(const char* what) const {
    throw Error(ErrorCode::output,
                std::string("--json: cannot ") + what + " " + path_ + ": " + std::strerror(errno));
}

void JsonFile::write(const Json& json) {
    if (!file_) return;
    const std::string text = json.text() + "\n";
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
        fail("write");
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename to");
    temporary_.clear();
    file_.reset();
}

}  // namespace poisson3d::app
