#include "h5_attributes.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

// An attribute that exists, opened: what both kinds of reading begin with.
struct Opened {
    Subject subject;
    AttributeHandle attribute;
    Type type;
    Space space;
    std::size_t count = 0;
};

// More than any attribute of a field file holds, and so little that no product of two of them wraps.
constexpr std::size_t max_elements = std::size_t{1} << 16, max_element_bytes = std::size_t{1} << 16,
                      max_bytes = std::size_t{1} << 20;

// The number of elements. A file may claim any extents, and HDF5's own product of them wraps.
std::size_t count_elements(hid_t space, const Subject& subject, const std::string& wanted) {
    if (H5Sget_simple_extent_type(space) == H5S_NULL) return 0;
    const std::vector<hsize_t> extents = extents_of(space, subject);
    hsize_t count = 1;
    for (const hsize_t extent : extents) {
        if (extent == 0) return 0;
        if (count > max_elements / extent)
            subject.fail(ErrorCode::data, "found extents " + describe_extents(extents) + ", wanted " + wanted);
        count *= extent;
    }
    return static_cast<std::size_t>(count);
}

std::optional<Opened> open_attribute(hid_t object, const Subject& owner, const std::string& name,
                                     const std::string& wanted) {
    Opened opened{{ErrorCode::file, owner.name + ", attribute " + name}, AttributeHandle(), Type(), Space(), 0};
    const Subject& subject = opened.subject;
    if (subject.check(H5Aexists(object, name.c_str()), "cannot look for it") == 0) return std::nullopt;
    opened.attribute =
        AttributeHandle(subject.check(H5Aopen(object, name.c_str(), H5P_DEFAULT), "cannot be opened"));
    opened.type = Type(subject.check(H5Aget_type(opened.attribute.get()), "cannot read its type"));
    opened.space = Space(subject.check(H5Aget_space(opened.attribute.get()), "cannot read its shape"));
    opened.count = count_elements(opened.space.get(), subject, wanted);
    const std::size_t element = H5Tget_size(opened.type.get());
    if (element == 0) subject.fail("cannot read its type");
    if (element > max_element_bytes || opened.count > max_bytes / element)
        subject.fail(ErrorCode::data, "found " + std::to_string(opened.count) + " elements of " +
                                          std::to_string(element) + " bytes each, wanted " + wanted);
    return opened;
}

// Padding is NULs or blanks, whatever the type says: writers in Fortran and MATLAB do not agree with themselves.
std::string trimmed(const char* text, std::size_t length) {
    std::string value(text, length);
    value.resize(std::min(value.find('\0'), value.size()));
    const std::size_t first = value.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return value.substr(first, value.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> read_variable_texts(const Opened& opened) {
    std::vector<std::string> texts = read_heap_texts(opened.attribute.get(), opened.count, opened.subject);
    for (std::string& text : texts) text = trimmed(text.data(), text.size());
    return texts;
}

std::vector<std::string> read_fixed_texts(const Opened& opened) {
    const std::size_t length = H5Tget_size(opened.type.get());
    std::vector<char> bytes(length * opened.count);
    opened.subject.check(H5Aread(opened.attribute.get(), opened.type.get(), bytes.data()), "cannot be read");
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < opened.count; ++i) texts.push_back(trimmed(bytes.data() + i * length, length));
    return texts;
}

}  // namespace

std::optional<std::vector<double>> read_numbers(hid_t object, const Subject& owner, const std::string& name,
                                                const std::string& wanted) {
    const Quiet quiet;
    const auto opened = open_attribute(object, owner, name, wanted);
    if (!opened) return std::nullopt;
    const Subject& subject = opened->subject;
    const H5T_class_t kind = H5Tget_class(opened->type.get());
    // A layout of its own is a type that a damaged file makes, and that readers disagree about.
    const std::size_t bytes = H5Tget_size(opened->type.get());
    const bool strange = kind == H5T_FLOAT && (bytes == 4 || bytes == 8) && !is_float32_or_64(opened->type.get());
    if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || strange)
        subject.fail(ErrorCode::data, "found " + describe_type(opened->type.get()) + ", wanted " + wanted);
    std::vector<double> values(opened->count);
    if (opened->count > 0)
        subject.check(H5Aread(opened->attribute.get(), H5T_NATIVE_DOUBLE, values.data()), "cannot be read");
    for (const double value : values)
        if (!std::isfinite(value))
            subject.fail(ErrorCode::data, "found " + format_number(value) + ", wanted " + wanted);
    return values;
}

std::optional<std::vector<std::string>> read_texts(hid_t object, const Subject& owner, const std::string& name,
                                                   const std::string& wanted) {
    const Quiet quiet;
    const auto opened = open_attribute(object, owner, name, wanted);
    if (!opened) return std::nullopt;
    const Subject& subject = opened->subject;
    if (H5Tget_class(opened->type.get()) != H5T_STRING)
        subject.fail(ErrorCode::data, "found " + describe_type(opened->type.get()) + ", wanted " + wanted);
    if (opened->count == 0) return std::vector<std::string>{};
    const htri_t variable = subject.check(H5Tis_variable_str(opened->type.get()), "cannot read its type");
    return variable > 0 ? read_variable_texts(*opened) : read_fixed_texts(*opened);
}

namespace {

struct Names {
    std::vector<std::string> names;
    std::exception_ptr failure;  // it must not pass through C code
};

// Called by HDF5 for each attribute.
herr_t take_name(hid_t, const char* name, const H5A_info_t*, void* client) noexcept {
    auto& listing = *static_cast<Names*>(client);
    try {
        listing.names.emplace_back(name);
        return 0;
    } catch (...) {
        listing.failure = std::current_exception();
        return -1;
    }
}

}  // namespace

std::vector<std::string> attribute_names(hid_t object, const Subject& subject) {
    const Quiet quiet;
    Names listing;
    const herr_t answer = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, take_name, &listing);
    if (listing.failure) std::rethrow_exception(listing.failure);
    subject.check(answer, "cannot list its attributes");
    return std::move(listing.names);
}

namespace {

void write_values(hid_t object, const Subject& owner, const std::string& name, hid_t type, bool scalar,
                  std::size_t count, const void* values) {
    const Quiet quiet;
    const Subject subject{owner.code, owner.name + ", attribute " + name};
    if (subject.check(H5Aexists(object, name.c_str()), "cannot look for it") > 0)
        subject.check(H5Adelete(object, name.c_str()), "cannot be replaced");
    const hsize_t extent = count;
    const Space space(subject.check(
        scalar ? H5Screate(H5S_SCALAR) : (count == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &extent, nullptr)),
        "cannot make its shape"));
    AttributeHandle attribute(subject.check(
        H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), "cannot be made"));
    if (scalar || count > 0) subject.check(H5Awrite(attribute.get(), type, values), "cannot be written");
    subject.check(attribute.close(), "cannot be written");
}

void write_texts(hid_t object, const Subject& subject, const std::string& name, bool scalar,
                 const std::vector<std::string>& texts) {
    const Quiet quiet;
    const Type type(subject.check(H5Tcopy(H5T_C_S1), "cannot make a text type"));
    subject.check(H5Tset_size(type.get(), H5T_VARIABLE), "cannot make a text type");
    subject.check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "cannot make a text type");
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    write_values(object, subject, name, type.get(), scalar, pointers.size(), pointers.data());
}

struct ValueWriter {
    hid_t object;
    const Subject& subject;
    const std::string& name;

    void operator()(const double& value) const { number(value, H5T_NATIVE_DOUBLE); }
    void operator()(const long long& value) const { number(value, H5T_NATIVE_LLONG); }
    void operator()(const std::string& text) const { write_texts(object, subject, name, true, {text}); }
    void operator()(const std::vector<double>& values) const { list(values, H5T_NATIVE_DOUBLE); }
    void operator()(const std::vector<long long>& values) const { list(values, H5T_NATIVE_LLONG); }
    void operator()(const std::vector<std::string>& texts) const {
        write_texts(object, subject, name, false, texts);
    }

    template <class Value>
    void number(const Value& value, hid_t type) const {
        write_values(object, subject, name, type, true, 1, &value);
    }
    template <class Value>
    void list(const std::vector<Value>& values, hid_t type) const {
        write_values(object, subject, name, type, false, values.size(), values.data());
    }
};

}  // namespace

void write_attribute(hid_t object, const Subject& subject, const Attribute& attribute) {
    std::visit(ValueWriter{object, subject, attribute.name}, attribute.value);
}

void write_fixed_text(hid_t object, const Subject& subject, const std::string& name, const std::string& text) {
    const Quiet quiet;
    const Type type(subject.check(H5Tcopy(H5T_C_S1), "cannot make a text type"));
    subject.check(H5Tset_size(type.get(), text.size()), "cannot make a text type");
    subject.check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "cannot make a text type");
    write_values(object, subject, name, type.get(), true, 1, text.data());
}

}  // namespace poisson3d::h5
