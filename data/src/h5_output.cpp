#include "h5_output.hpp"

#include <utility>

namespace poisson3d::h5 {

Output::Output(const std::string& path) : output_(path), subject_{ErrorCode::output, path} {
    const Quiet quiet;
    const Properties access = file_access(subject_);
    // Closing the file must close all: what a handle kept open would be flushed later, or never.
    subject_.check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "cannot be made");
    // The oldest format that holds each object, which old tools and VTK 9.1 read.
    subject_.check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST), "cannot be made");
    // Values that are read back come as they are asked for: HDF5 would fetch 64 KiB for each run of less.
    subject_.check(H5Pset_sieve_buf_size(access.get(), 512), "cannot be made");
    use_descriptor(access, output_.descriptor(), subject_);
    file_ =
        File(subject_.check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), "cannot be made"));
}

Output::~Output() {
    const Quiet quiet;
    if (file_.valid() && H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0) abandon();
}

void Output::abandon() noexcept {
    for (Dataset& dataset : datasets_) dataset.abandon();
    file_.abandon();
}

hid_t Output::file() const {
    if (!file_.valid()) subject_.fail(ErrorCode::internal, "was committed and takes no more data");
    return file_.get();
}

hid_t Output::create(const Subject& about, const std::string& name, hid_t type, const Space& space,
                     const std::vector<hsize_t>& chunk, int level) {
    const Quiet quiet;
    const Properties links(about.check(H5Pcreate(H5P_LINK_CREATE), "cannot be made"));
    about.check(H5Pset_create_intermediate_group(links.get(), 1), "cannot be made");
    const Properties creation(about.check(H5Pcreate(H5P_DATASET_CREATE), "cannot be made"));
    about.check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), "cannot be made");
    about.check(H5Pset_obj_track_times(creation.get(), false), "cannot be made");
    const Properties access(about.check(H5Pcreate(H5P_DATASET_ACCESS), "cannot be made"));
    if (!chunk.empty()) {
        about.check(H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()), "cannot be made");
        about.check(H5Pset_shuffle(creation.get()), "cannot be made");
        about.check(H5Pset_deflate(creation.get(), static_cast<unsigned>(level)), "cannot be made");
        // A chunk that is written in parts stays until it is whole.
        about.check(H5Pset_chunk_cache(access.get(), 521, std::size_t{4} << 20U, 1.0), "cannot be made");
    }
    // First an entry of the list, so that no opened data set is without an owner if there is no memory for one.
    Dataset& made = datasets_.emplace_back();
    made = Dataset(
        about.check(H5Dcreate2(file(), name.c_str(), type, space.get(), links.get(), creation.get(), access.get()),
                    "cannot be made"));
    return made.get();
}

OutputFile Output::finish() {
    const Quiet quiet;
    subject_.check(H5Fflush(file(), H5F_SCOPE_LOCAL), "cannot be written");
    for (Dataset& dataset : datasets_) subject_.check(dataset.close(), "cannot be written");
    subject_.check(file_.close(), "cannot be written");
    output_.finish();
    return std::move(output_);
}

}  // namespace poisson3d::h5
