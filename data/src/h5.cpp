#include "h5.hpp"

#include <array>
#include <csignal>
#include <cstddef>

#include "poisson3d/hdf5_start.hpp"

namespace poisson3d::h5 {

namespace {

// HDF5 would close at exit what is still open. The only files that are still open then are outputs that could not
// be flushed (see FieldWriter): closing them fails again, and HDF5 1.10 then uses memory that it has freed. Must
// come before the first use of HDF5, but not before main(), where nobody could take an error.
volatile std::sig_atomic_t starting = 0;

bool start() {
    starting = 1;
    const bool started = H5dont_atexit() >= 0 && H5open() >= 0;
    starting = 0;
    if (!started) throw Error(ErrorCode::out_of_memory, "out of host memory: HDF5 cannot start");
    return started;
}

void before_first_use() {
    [[maybe_unused]] static const bool started = start();
}

}  // namespace

Quiet::Quiet() {
    before_first_use();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() {
    H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

namespace {

// Called by HDF5 for each entry of the stack, the most specific one first. Must not throw through C code.
herr_t take_first_line(unsigned, const H5E_error2_t* entry, void* client) noexcept {
    auto& text = *static_cast<std::array<char, 512>*>(client);
    if (text[0] != '\0' || entry->desc == nullptr) return 0;
    for (std::size_t i = 0; i + 1 < text.size() && entry->desc[i] != '\0'; ++i) text[i] = entry->desc[i];
    return 0;
}

}  // namespace

std::string reason() {
    std::array<char, 512> line{};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first_line, &line);
    std::string text = line[0] == '\0' ? "HDF5 gives no reason" : line.data();
    // "file write failed: time = …, error message = 'File too large', buf = 0x…" says two things of interest.
    const std::string mark = "error message = '";
    const std::size_t found = text.find(mark);
    if (found == std::string::npos) return text;
    const std::size_t first = found + mark.size();
    return text.substr(0, text.find(':')) + ": " + text.substr(first, text.find('\'', first) - first);
}

void Subject::fail(const std::string& what) const {
    fail(code, what);
}

void Subject::fail(ErrorCode other, const std::string& what) const {
    throw Error(other, name + ": " + what);
}

Properties file_access(const Subject& subject) {
    before_first_use();
    Properties access(subject.check(H5Pcreate(H5P_FILE_ACCESS), "cannot be opened"));
#if (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0)) || H5_VERSION_GE(1, 12, 1)
    subject.check(H5Pset_file_locking(access.get(), true, true), "cannot be opened");
#endif
    return access;
}

namespace {

// Where IEEE 754 puts sign, exponent and mantissa; HDF5 can describe any other layout as well.
struct FloatLayout {
    std::size_t size, sign, exponent, exponent_bits, mantissa, mantissa_bits, bias;
};
constexpr FloatLayout single_precision{4, 31, 23, 8, 0, 23, 127};
constexpr FloatLayout double_precision{8, 63, 52, 11, 0, 52, 1023};

bool has_layout(hid_t type, const FloatLayout& wanted) {
    if (H5Tget_size(type) != wanted.size) return false;
    FloatLayout found{};
    if (H5Tget_fields(type, &found.sign, &found.exponent, &found.exponent_bits, &found.mantissa,
                      &found.mantissa_bits) < 0)
        return false;
    return found.sign == wanted.sign && found.exponent == wanted.exponent &&
           found.exponent_bits == wanted.exponent_bits && found.mantissa == wanted.mantissa &&
           found.mantissa_bits == wanted.mantissa_bits && H5Tget_ebias(type) == wanted.bias &&
           H5Tget_norm(type) == H5T_NORM_IMPLIED;
}

std::string byte_order(hid_t type) {
    switch (H5Tget_order(type)) {
        case H5T_ORDER_LE: return " little endian";
        case H5T_ORDER_BE: return " big endian";
        default: return " in an unusual byte order";
    }
}

// h5py writes complex numbers as a compound of two floats.
bool is_complex(hid_t type) {
    if (H5Tget_nmembers(type) != 2) return false;
    for (const unsigned member : {0U, 1U})
        if (H5Tget_member_class(type, member) != H5T_FLOAT) return false;
    return true;
}

}  // namespace

bool is_float32_or_64(hid_t type) {
    const Quiet quiet;
    if (H5Tget_class(type) != H5T_FLOAT) return false;
    const H5T_order_t order = H5Tget_order(type);
    if (order != H5T_ORDER_LE && order != H5T_ORDER_BE) return false;
    return has_layout(type, single_precision) || has_layout(type, double_precision);
}

std::string describe_type(hid_t type) {
    const Quiet quiet;
    const std::string bits = std::to_string(8 * H5Tget_size(type));
    switch (H5Tget_class(type)) {
        case H5T_FLOAT:
            if (is_float32_or_64(type) || H5Tget_size(type) <= 2) return "float" + bits + byte_order(type);
            return "float of " + bits + " bits in a layout of its own";
        case H5T_INTEGER: return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits;
        case H5T_STRING: return "text";
        case H5T_COMPOUND: return is_complex(type) ? "complex" : "compound";
        case H5T_ENUM: return "enumeration";
        case H5T_ARRAY: return "array type";
        case H5T_VLEN: return "sequences of variable length";
        case H5T_REFERENCE: return "references";
        case H5T_BITFIELD: return "bit field";
        case H5T_OPAQUE: return "opaque bytes";
        default: return "a type HDF5 does not name";
    }
}

std::string describe_extents(const std::vector<hsize_t>& extents) {
    if (extents.empty()) return "a single value";
    std::string text;
    for (const hsize_t extent : extents) text += (text.empty() ? "" : " x ") + std::to_string(extent);
    return text;
}

std::vector<hsize_t> extents_of(hid_t space, const Subject& subject) {
    const int rank = subject.check(H5Sget_simple_extent_ndims(space), "cannot read its shape");
    std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
    if (rank > 0) subject.check(H5Sget_simple_extent_dims(space, extents.data(), nullptr), "cannot read its shape");
    return extents;
}

template <>
hid_t native_type<float>() {
    return H5T_NATIVE_FLOAT;
}
template <>
hid_t native_type<double>() {
    return H5T_NATIVE_DOUBLE;
}

}  // namespace poisson3d::h5

namespace poisson3d {

bool hdf5_is_starting() noexcept {
    return h5::starting != 0;
}

}  // namespace poisson3d
