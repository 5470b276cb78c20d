#include "written.hpp"

#include <algorithm>

#include "chunks.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

// Throws unless the fill value may stand in for what is missing.
void refuse_missing(const Input& input, hid_t creation, const Subject& subject, const std::string& missing) {
    H5D_fill_value_t kind = H5D_FILL_VALUE_ERROR;
    subject.check(H5Pfill_value_defined(creation, &kind), "cannot read its fill value");
    if (kind == H5D_FILL_VALUE_UNDEFINED)
        subject.fail(ErrorCode::data, missing + ", and it has no fill value to take there: write all of it");
    if (input.allow_fill()) return;
    double fill = 0.0;
    subject.check(H5Pget_fill_value(creation, H5T_NATIVE_DOUBLE, &fill), "cannot read its fill value");
    subject.fail(ErrorCode::data, missing + ": write all of it, or give --allow-fill to take its fill value " +
                                      format_number(fill) + " there");
}

// HDF5 fills up what lies behind the end that the file says it has with whatever stands in memory.
void require_inside(hid_t dataset, hsize_t bytes, const Subject& subject) {
    const File file(subject.check(H5Iget_file_id(dataset), "cannot tell its file"));
    const Properties creation(subject.check(H5Fget_create_plist(file.get()), "cannot tell its file"));
    hsize_t user_block = 0;
    haddr_t end = 0;
    subject.check(H5Pget_userblock(creation.get(), &user_block), "cannot tell its file");
    subject.check(H5Fget_eoa(file.get(), &end), "cannot tell its file");
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset > user_block + end || user_block + end - offset < bytes)
        subject.fail("its values begin at byte " + std::to_string(offset) + " and have " + std::to_string(bytes) +
                     " bytes, but the file says that it ends at byte " + std::to_string(user_block + end) +
                     ": the file is damaged");
}

void require_chunks(const Input& input, hid_t dataset, hid_t creation, const Subject& subject) {
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    const Chunked chunks = describe_chunks(dataset, creation, space.get(), subject);
    const hsize_t wanted = chunks.wanted;
#if H5_VERSION_GE(1, 10, 5)
    // The index is walked once. A chunk takes some 30 bytes of it, however small it is itself.
    input.expect_work(5e-6 * static_cast<double>(std::min<hsize_t>(wanted, input.files().bytes() / 30)));
    const hsize_t found = count_chunks(chunks, subject);
    if (found < wanted)
        refuse_missing(
            input, creation, subject,
            std::to_string(wanted - found) + " of its " + std::to_string(wanted) + " chunks were never written");
#else
    // The bytes of packed chunks say nothing: at least it can be told if there are none.
    H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
    subject.check(H5Dget_space_status(dataset, &status), "cannot tell its storage");
    const bool packed = subject.check(H5Pget_nfilters(creation), "cannot read its filters") > 0;
    if (status == H5D_SPACE_STATUS_NOT_ALLOCATED || (status != H5D_SPACE_STATUS_ALLOCATED && !packed))
        refuse_missing(input, creation, subject,
                       "some of its " + std::to_string(wanted) + " chunks were never written");
#endif
}

}  // namespace

hsize_t bytes_of(hid_t dataset, const Subject& subject) {
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    const Type type(subject.check(H5Dget_type(dataset), "cannot read its type"));
    const std::vector<hsize_t> extents = extents_of(space.get(), subject);
    hsize_t bytes = H5Tget_size(type.get());
    for (const hsize_t extent : extents) {
        if (extent != 0 && bytes > (hsize_t{1} << 62U) / extent)
            subject.fail(ErrorCode::data, "found extents " + describe_extents(extents) + ", which no memory holds");
        bytes *= extent;
    }
    return bytes;
}

void require_written(const Input& input, hid_t dataset, hid_t creation, const Subject& subject) {
    const hsize_t bytes = bytes_of(dataset, subject);
    if (bytes == 0) return;
    const H5D_layout_t layout = H5Pget_layout(creation);
    if (layout == H5D_CHUNKED) return require_chunks(input, dataset, creation, subject);
    if (layout == H5D_CONTIGUOUS && H5Dget_offset(dataset) == HADDR_UNDEF)
        return refuse_missing(input, creation, subject, "none of its values was ever written");
    if (layout == H5D_CONTIGUOUS) require_inside(dataset, bytes, subject);
    const hsize_t stored = H5Dget_storage_size(dataset);
    if (stored < bytes)
        subject.fail("has storage for " + std::to_string(stored) + " bytes, wanted " + std::to_string(bytes) +
                     ": the file is damaged");
}

}  // namespace poisson3d::h5
