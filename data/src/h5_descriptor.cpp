// A file driver as HDF5's manual of virtual file drivers describes them: offsets and sizes are kept here, bytes go
// through pread and pwrite. HDF5 calls it, so nothing may throw.
#include "h5.hpp"

#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>

namespace poisson3d::h5 {

namespace {

struct OpenFile {
    H5FD_t common;  // first: HDF5 knows no more
    int descriptor;
    haddr_t allocated;  // HDF5's end, which may lie behind that of the file
    haddr_t size;
};

OpenFile& mine(H5FD_t* file) {
    return *reinterpret_cast<OpenFile*>(file);
}
const OpenFile& mine(const H5FD_t* file) {
    return *reinterpret_cast<const OpenFile*>(file);
}

// In the words of HDF5's own driver, which last_failure() understands.
herr_t failed(const char* what) {
    const int number = errno;
    H5Epush2(H5E_DEFAULT, __FILE__, what, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR,
             "%s failed: errno = %d, error message = '%s'", what, number, std::strerror(number));
    return -1;
}

extern "C" {

H5FD_t* open_copy(const char*, unsigned, hid_t access, haddr_t) {
    const auto* const original = static_cast<const int*>(H5Pget_driver_info(access));
    if (original == nullptr) return nullptr;
    const int copy = fcntl(*original, F_DUPFD_CLOEXEC, 0);
    struct stat status {};
    if (copy < 0 || fstat(copy, &status) != 0) {
        failed("file open");
        if (copy >= 0) close(copy);
        return nullptr;
    }
    auto* const file = new (std::nothrow) OpenFile{};
    if (file == nullptr) {
        close(copy);
        errno = ENOMEM;
        failed("file open");
        return nullptr;
    }
    file->descriptor = copy;
    file->size = static_cast<haddr_t>(status.st_size);
    return &file->common;
}

herr_t close_copy(H5FD_t* file) {
    const int answer = close(mine(file).descriptor);
    delete &mine(file);
    return answer == 0 || errno == EINTR ? 0 : failed("file close");
}

herr_t tell_features(const H5FD_t*, unsigned long* features) {
    // Those of HDF5's own driver, so that files come out the same, but for the ones that need a name.
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) {
    return mine(file).allocated;
}

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
    mine(file).allocated = end;
    return 0;
}

haddr_t get_size(const H5FD_t* file, H5FD_mem_t) {
    return mine(file).size;
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t from, std::size_t bytes, void* buffer) {
    auto* to = static_cast<std::byte*>(buffer);
    while (bytes > 0) {
        const ssize_t done = pread(mine(file).descriptor, to, bytes, static_cast<off_t>(from));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return failed("file read");
        if (done == 0) {
            std::memset(to, 0, bytes);  // behind the end, as HDF5 expects
            return 0;
        }
        to += done;
        from += static_cast<haddr_t>(done);
        bytes -= static_cast<std::size_t>(done);
    }
    return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t to, std::size_t bytes, const void* buffer) {
    const auto* from = static_cast<const std::byte*>(buffer);
    while (bytes > 0) {
        const ssize_t done = pwrite(mine(file).descriptor, from, bytes, static_cast<off_t>(to));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return failed("file write");
        from += done;
        to += static_cast<haddr_t>(done);
        bytes -= static_cast<std::size_t>(done);
        mine(file).size = std::max(mine(file).size, to);
    }
    return 0;
}

herr_t cut(H5FD_t* file, hid_t, hbool_t) {
    OpenFile& open = mine(file);
    if (open.size == open.allocated) return 0;
    int answer = 0;
    do answer = ftruncate(open.descriptor, static_cast<off_t>(open.allocated));
    while (answer != 0 && errno == EINTR);
    if (answer != 0) return failed("file truncate");
    open.size = open.allocated;
    return 0;
}
}

H5FD_class_t describe_driver() {
    H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(700);  // HDF5 and its registry take those below 512
#endif
    driver.name = "poisson3d_descriptor";
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(int);
    driver.open = open_copy;
    driver.close = close_copy;
    driver.query = tell_features;
    driver.get_eoa = get_allocated;
    driver.set_eoa = set_allocated;
    driver.get_eof = get_size;
    driver.read = read_bytes;
    driver.write = write_bytes;
    driver.truncate = cut;
    constexpr H5FD_mem_t lists[] = H5FD_FLMAP_DICHOTOMY;  // free space of metadata and of values apart
    std::copy(std::begin(lists), std::end(lists), driver.fl_map);
    return driver;
}

}  // namespace

void use_descriptor(const Properties& access, int descriptor, const Subject& subject) {
    static const H5FD_class_t driver = describe_driver();
    static const hid_t registered = H5FDregister(&driver);
    subject.check(registered, "cannot be made");
    subject.check(H5Pset_driver(access.get(), registered, &descriptor), "cannot be made");
}

}  // namespace poisson3d::h5
