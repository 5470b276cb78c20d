// Types and shapes, as HDF5 has them and as people call them.
#include "h5.hpp"

namespace poisson3d::h5 {

namespace {

// Where IEEE 754 puts sign, exponent and mantissa; HDF5 can describe any other layout as well.
struct FloatLayout {
    std::size_t size, sign, exponent, exponent_bits, mantissa, mantissa_bits, bias;
};
constexpr FloatLayout half_precision{2, 15, 10, 5, 0, 10, 15};
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

bool is_converted(hid_t type) {
    const Quiet quiet;
    const H5T_order_t order = H5Tget_order(type);
    if (order != H5T_ORDER_LE && order != H5T_ORDER_BE) return false;
    const std::size_t bytes = H5Tget_size(type);
    if (H5Tget_class(type) == H5T_FLOAT) return has_layout(type, half_precision);
    return H5Tget_class(type) == H5T_INTEGER && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
           H5Tget_precision(type) == 8 * bytes;
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
