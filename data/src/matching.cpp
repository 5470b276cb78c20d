// Data sets of a file by a pattern of their paths.
#include <fnmatch.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "file_formats.hpp"
#include "input.hpp"
#include "poisson3d/field_file.hpp"
#include "trial.hpp"

namespace poisson3d {

namespace {

constexpr std::size_t most_links = 1000000;  // of a group

std::vector<std::string> parts_of(const std::string& path) {
    std::vector<std::string> parts;
    std::istringstream rest(path);
    for (std::string part; std::getline(rest, part, '/');)
        if (!part.empty() && part != ".") parts.push_back(part);
    return parts;
}

// Of the objects below `paths`, those that `part` means.
std::vector<std::string> next_level(const h5::Input& input, const std::vector<std::string>& paths,
                                    const std::string& part) {
    std::vector<std::string> found;
    for (const std::string& path : paths) {
        const h5::Object group = input.find(path);
        if (!group.valid() || H5Iget_type(group.get()) != H5I_GROUP) continue;
        const h5::Subject subject{ErrorCode::file, h5::name_of(input.path(), "group", path.empty() ? "/" : path)};
        if (!is_pattern(part)) {
            found.push_back(path + "/" + part);
            continue;
        }
        for (const std::string& name : h5::list_group(group.get(), subject, most_links))
            if (fnmatch(part.c_str(), name.c_str(), FNM_NOESCAPE) == 0) found.push_back(path + "/" + name);
    }
    return found;
}

std::vector<std::string> find_datasets(const h5::Input& input, const std::string& pattern) {
    const h5::Quiet quiet;
    std::vector<std::string> paths{""};
    for (const std::string& part : parts_of(pattern)) paths = next_level(input, paths, part);
    std::erase_if(paths, [&](const std::string& path) {
        const h5::Object object = input.find(path);
        return !object.valid() || H5Iget_type(object.get()) != H5I_DATASET;
    });
    std::sort(paths.begin(), paths.end(),
              [](const std::string& a, const std::string& b) { return strverscmp(a.c_str(), b.c_str()) < 0; });
    return paths;
}

}  // namespace

bool is_pattern(const std::string& dataset) {
    return dataset.find_first_of("*?[") != std::string::npos;
}

std::string matched_group(const std::string& pattern, const std::string& match) {
    const std::vector<std::string> parts = parts_of(pattern), found = parts_of(match);
    const auto last = std::find_if(parts.rbegin(), parts.rend(), is_pattern);
    const auto count = static_cast<std::size_t>(parts.rend() - last);
    std::string group;
    for (std::size_t i = 0; i < std::min(count, found.size()); ++i) group += "/" + found[i];
    return group;
}

std::vector<std::string> matching_datasets(const std::string& path, const std::string& pattern,
                                           const ReadOptions& options) {
    if (!holds_hdf5(path))
        throw Error(ErrorCode::usage, h5::name_of(path, "dataset", pattern) +
                                          ": a pattern means data sets of an HDF5 file, and this is none");
    std::vector<std::string> found;
    try_in_child(
        path,
        [&](const Heartbeat& heartbeat) {
            static_cast<void>(find_datasets({path, options, heartbeat}, pattern));
        },
        [](const Heartbeat&) {});
    const h5::Reading reading;
    const h5::Input input(path, options, [](double) {});
    found = find_datasets(input, pattern);
    if (!found.empty()) return found;
    const h5::Quiet quiet;
    std::string there;
    for (const std::string& name : h5::list_datasets(input.file())) there += (there.empty() ? "" : ", ") + name;
    const h5::Subject subject{ErrorCode::data, h5::name_of(path, "dataset", pattern)};
    subject.fail("matches no data set; " + (there.empty() ? "the file has none" : "the file has " + there));
}

}  // namespace poisson3d
