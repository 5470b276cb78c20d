// What a file contains: walking its links with calls that every HDF5 from 1.10 on has under the same name.
#include <algorithm>
#include <cstddef>
#include <set>

#include "h5.hpp"

namespace poisson3d::h5 {

namespace {

// Links can form cycles, so each object is visited once. An object reference is its address in the file.
bool first_visit(hid_t object, std::set<hobj_ref_t>& visited) {
    hobj_ref_t address = 0;
    return H5Rcreate(&address, object, ".", H5R_OBJECT, -1) >= 0 && visited.insert(address).second;
}

// The data sets of a group come before those of the groups in it, so that a data set that several links lead to is
// listed under its shortest path.
void collect_datasets(hid_t group, const std::string& prefix, std::size_t most, std::set<hobj_ref_t>& visited,
                      std::vector<std::string>& found) {
    const auto names = list_group(group, Subject{ErrorCode::file, prefix});
    for (const H5I_type_t wanted : {H5I_DATASET, H5I_GROUP})
        for (const std::string& name : names) {
            if (found.size() > most) return;
            const Object object(H5Oopen(group, name.c_str(), H5P_DEFAULT));
            if (!object.valid() || H5Iget_type(object.get()) != wanted) continue;  // not valid: a dangling link
            if (!first_visit(object.get(), visited)) continue;
            std::string path = prefix;
            path.append("/").append(name);
            if (wanted == H5I_DATASET)
                found.push_back(path);
            else
                collect_datasets(object.get(), path, most, visited, found);
        }
}

}  // namespace

bool exists(hid_t file, const std::string& path) {
    const Quiet quiet;
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const std::string part = path.substr(0, end);
        if (part != "/" && H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
        if (end == std::string::npos) break;
    }
    const Object object(H5Oopen(file, path.c_str(), H5P_DEFAULT));
    return object.valid();
}

std::vector<std::string> list_group(hid_t group, const Subject& subject) {
    const Quiet quiet;
    H5G_info_t info;
    subject.check(H5Gget_info(group, &info), "cannot list its content");
    std::vector<std::string> names;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        const ssize_t length =
            subject.check(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT),
                          "cannot list its content");
        std::string name(static_cast<std::size_t>(length) + 1, '\0');
        subject.check(
            H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT),
            "cannot list its content");
        name.pop_back();
        names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> list_datasets(hid_t file, std::size_t most) {
    const Quiet quiet;
    std::vector<std::string> found;
    std::set<hobj_ref_t> visited;
    const Object root(H5Oopen(file, "/", H5P_DEFAULT));
    if (root.valid()) static_cast<void>(first_visit(root.get(), visited));
    collect_datasets(file, "", most, visited, found);
    if (found.size() > most) {
        found.resize(most);
        found.emplace_back("and more");
    }
    return found;
}

}  // namespace poisson3d::h5
