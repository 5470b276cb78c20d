// What a file contains: walking its links with calls that every HDF5 from 1.10 on has under the same name.
#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <set>

#include "h5.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

struct Link {
    std::string name;
    H5L_type_t type;
};

struct Listing {
    std::vector<Link> links;
    std::size_t most;
    std::exception_ptr failure;  // it must not pass through C code
};

// Called by HDF5 for each link; ends the walk when there are enough.
herr_t take_link(hid_t, const char* name, const H5L_info_t* info, void* client) noexcept {
    auto& listing = *static_cast<Listing*>(client);
    try {
        listing.links.push_back({name, info->type});
    } catch (...) {
        listing.failure = std::current_exception();
        return -1;
    }
    return listing.links.size() >= listing.most ? 1 : 0;
}

std::vector<Link> links_of(hid_t group, const Subject& subject, std::size_t most) {
    Listing listing{{}, most, nullptr};
    const herr_t answer = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, take_link, &listing);
    if (listing.failure) std::rethrow_exception(listing.failure);
    subject.check(answer, "cannot list its content");
    return std::move(listing.links);
}

// Links can form cycles, so each object is visited once. An object reference is its address in the file.
bool first_visit(hid_t object, std::set<hobj_ref_t>& visited) {
    hobj_ref_t address = 0;
    return H5Rcreate(&address, object, ".", H5R_OBJECT, -1) >= 0 && visited.insert(address).second;
}

}  // namespace

std::vector<std::string> list_group(hid_t group, const Subject& subject, std::size_t most) {
    const Quiet quiet;
    std::vector<std::string> names;
    for (Link& link : links_of(group, subject, most)) names.push_back(std::move(link.name));
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> list_datasets(hid_t file) {
    constexpr std::size_t most = 8, max_links = 1000, max_levels = 32;
    struct Level {
        std::string path;
        std::size_t depth;
    };
    const Quiet quiet;
    std::vector<std::string> found;
    std::set<hobj_ref_t> visited;
    std::size_t looked_at = 0;
    bool more = false;
    std::deque<Level> groups{{"/", 0}};  // the nearest to the root first
    for (; !groups.empty() && found.size() <= most && looked_at < max_links; groups.pop_front()) {
        const auto [path, depth] = groups.front();
        const Object group(H5Oopen(file, path.c_str(), H5P_DEFAULT));
        if (!group.valid() || !first_visit(group.get(), visited)) continue;
        const Subject subject{ErrorCode::file, "group " + printable(path)};
        for (const Link& link : links_of(group.get(), subject, max_links)) {
            if (++looked_at > max_links || found.size() > most) break;
            const std::string below = (path == "/" ? path : path + "/") + link.name;
            if (link.type == H5L_TYPE_EXTERNAL) found.push_back(printable(below) + " (an external link)");
            if (link.type != H5L_TYPE_HARD) continue;  // what a soft link leads to has a hard one elsewhere
            const Object object(H5Oopen(group.get(), link.name.c_str(), H5P_DEFAULT));
            const H5I_type_t kind = object.valid() ? H5Iget_type(object.get()) : H5I_BADID;
            if (kind == H5I_GROUP && depth < max_levels) groups.push_back({below, depth + 1});
            if (kind == H5I_GROUP && depth >= max_levels) more = true;
            if (kind == H5I_DATASET && first_visit(object.get(), visited)) found.push_back(printable(below));
        }
    }
    more = more || found.size() > most || !groups.empty();
    if (found.size() > most) found.resize(most);
    if (more) found.emplace_back("and more");
    return found;
}

}  // namespace poisson3d::h5
