#include "input.hpp"

#include <sys/stat.h>

#include <sstream>
#include <utility>
#include <vector>

#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

// External files stay open as long as the file that leads to them: found once, they are the same when they are
// read.
constexpr unsigned open_external_files = 64;

std::string target_of_soft_link(hid_t group, const std::string& link, const H5L_info_t& info, hid_t access) {
    if (info.u.val_size > (std::size_t{1} << 16U)) return "…";
    std::vector<char> target(info.u.val_size + 1, '\0');
    if (H5Lget_val(group, link.c_str(), target.data(), info.u.val_size, access) < 0) return "…";
    return printable(target.data());
}

}  // namespace

Input::Input(const std::string& path, const ReadOptions& options, Heartbeat heartbeat)
    : path_(path), allow_fill_(options.allow_fill), heartbeat_(std::move(heartbeat)), files_(options.outputs) {
    const Quiet quiet;
    const Subject subject{ErrorCode::file, path.empty() ? "(empty name)" : printable_name(path)};
    InputFile named = open_input_file(path, subject);
    const std::size_t bytes = named.bytes();
    const bool is_hdf5 = named.has_signature(subject);
    files_.add(std::move(named));
    if (!is_hdf5)
        subject.fail("found no HDF5 signature in its " + std::to_string(bytes) + " bytes: not an HDF5 file");

    links_ = Properties(subject.check(H5Pcreate(H5P_LINK_ACCESS), "cannot be opened"));
    subject.check(H5Pset_elink_cb(links_.get(), follow, this), "cannot be opened");
    datasets_ = Properties(subject.check(H5Pcreate(H5P_DATASET_ACCESS), "cannot be opened"));
    subject.check(H5Pset_elink_cb(datasets_.get(), follow, this), "cannot be opened");
    subject.check(H5Pset_chunk_cache(datasets_.get(), 10007, chunk_cache_bytes, 1.0), "cannot be opened");
    const Properties access = file_access(subject);
    subject.check(H5Pset_elink_file_cache_size(access.get(), open_external_files), "cannot be opened");

    file_ = File(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
    if (file_.valid()) return;
    const Failure failure = last_failure();
    switch (failure.kind) {
        case Failure::Kind::other: subject.fail("the HDF5 file is damaged, cut off or in use: " + failure.reason);
        case Failure::Kind::memory: subject.fail(ErrorCode::out_of_memory, failure.reason);
        default: subject.fail("cannot be opened: " + failure.reason);
    }
}

// Called by HDF5 before it opens the file of an external link.
herr_t Input::follow(const char* parent, const char* group, const char* child, const char* object, unsigned* flags,
                     hid_t, void* self) noexcept {
    const auto* input = static_cast<const Input*>(self);
    try {
        *flags = H5F_ACC_RDONLY;
        const std::string to = printable(child, 200) + ":" + printable(object == nullptr ? "" : object);
        const Subject subject{
            ErrorCode::file, name_of(parent, "group", group == nullptr ? "/" : group) + ", external link to " + to};
        input->files_.add(open_external_file(parent, child, subject));
        return 0;
    } catch (...) {
        input->refused_ = std::current_exception();
        return -1;
    }
}

void Input::refuse_link(hid_t group, const std::string& link, const std::string& path,
                        const Failure& failure) const {
    if (refused_) std::rethrow_exception(std::exchange(refused_, nullptr));
    const Subject subject{ErrorCode::file, name_of(path_, "link", path)};
    if (failure.kind == Failure::Kind::memory) subject.fail(ErrorCode::out_of_memory, failure.reason);
    if (failure.kind != Failure::Kind::other) subject.fail("cannot be followed: " + failure.reason);
    H5L_info_t info;
    subject.check(H5Lget_info(group, link.c_str(), &info, links_.get()), "cannot be followed");
    if (info.type == H5L_TYPE_SOFT)
        subject.fail("found a soft link to " + target_of_soft_link(group, link, info, links_.get()) +
                     " that leads nowhere: " + failure.reason);
    if (info.type == H5L_TYPE_EXTERNAL)
        subject.fail("found an external link that leads nowhere: " + failure.reason);
    subject.fail("the object cannot be opened, the file is damaged: " + failure.reason);
}

Object Input::find(const std::string& path) const {
    const Quiet quiet;
    const Subject subject{ErrorCode::file, name_of(path_, "object", path)};
    refused_ = nullptr;
    Object here(subject.check(H5Oopen(file_.get(), "/", H5P_DEFAULT), "cannot be opened"));
    std::istringstream parts(path);
    std::string so_far;
    for (std::string part; std::getline(parts, part, '/');) {
        if (part.empty() || part == ".") continue;
        so_far += "/" + part;
        if (H5Iget_type(here.get()) != H5I_GROUP) return Object();
        const htri_t there = subject.check(H5Lexists(here.get(), part.c_str(), links_.get()), "cannot look for it");
        if (there == 0) return Object();
        Object next(H5Oopen(here.get(), part.c_str(), links_.get()));
        if (!next.valid()) {
            const Failure failure = last_failure();
            refuse_link(here.get(), part, so_far, failure);
        }
        here = std::move(next);
    }
    return here;
}

Dataset Input::open_dataset(const std::string& path) const {
    const Subject subject{ErrorCode::file, name_of(path_, "dataset", path)};
    refused_ = nullptr;
    Dataset dataset(H5Dopen2(file_.get(), path.c_str(), datasets_.get()));
    if (!dataset.valid()) {
        const Failure failure = last_failure();
        if (refused_) std::rethrow_exception(std::exchange(refused_, nullptr));
        subject.fail(failure.kind == Failure::Kind::memory ? ErrorCode::out_of_memory : ErrorCode::file,
                     "cannot be opened: " + failure.reason);
    }
    // Another program may have changed what a name means between our look at it and HDF5's.
    const File holder(subject.check(H5Iget_file_id(dataset.get()), "cannot tell its file"));
    void* handle = nullptr;
    subject.check(H5Fget_vfd_handle(holder.get(), H5P_DEFAULT, &handle), "cannot tell its file");
    struct stat found = {};
    if (fstat(*static_cast<int*>(handle), &found) != 0 || !files_.contains(found))
        subject.fail("its file was replaced by another one while it was opened");
    return dataset;
}

}  // namespace poisson3d::h5
