#include "external_links.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

namespace fs = std::filesystem;

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

}  // namespace poisson3d::h5
