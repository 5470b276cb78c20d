#include "array.hpp"

#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "poisson3d/error.hpp"

namespace poisson3d::python {

namespace nb = nanobind;

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& found, const std::string& wanted) {
    throw Error(ErrorCode::usage, name + ": found " + found + ", wanted " + wanted);
}

void set_axes(Array& array, std::size_t axes) {
    if (axes > Array::max_axes) refuse(array.name, std::to_string(axes) + " axes", "3, or 4 for a batch");
    array.axes = static_cast<int>(axes);
}

/// Strides in bytes become strides in elements.
Index in_elements(const Array& array, Index bytes, Index element) {
    if (bytes % element != 0)
        refuse(array.name, "a stride of " + std::to_string(bytes) + " bytes",
               "a multiple of the " + std::to_string(element) + " bytes of an element");
    return bytes / element;
}

void set_dense_strides(Array& array) {
    Index stride = 1;
    for (int a = array.axes - 1; a >= 0; --a) {
        array.strides[a] = stride;
        stride *= array.shape[a];
    }
}

/// "float64" for "d", "<f8"…; what cannot be solved for is left as it was found.
std::string name_of_format(std::string_view format) {
    constexpr bool little = true;  // the machines that this is built for
    if (format.size() > 1 && (format[0] == '<' || format[0] == '@' || format[0] == '=' || format[0] == '|'))
        format.remove_prefix(1);
    if (little && (format == "d" || format == "f8")) return "float64";
    if (little && (format == "f" || format == "f4")) return "float32";
    return "elements of kind '" + std::string(format) + "'";
}

std::string name_of(nb::dlpack::dtype type) {
    if (type.lanes != 1) return "vectors of elements";
    const std::string bits = std::to_string(type.bits);
    switch (static_cast<int>(type.code)) {
        case 0: return "int" + bits;
        case 1: return "uint" + bits;
        case 2: return "float" + bits;
        case 4: return "bfloat" + bits;
        case 5: return "complex" + bits;
        case 6: return "bool";
        default: return "elements of DLPack kind " + std::to_string(type.code);
    }
}

Array read_buffer(nb::handle object, const std::string& name) {
    const auto release = [](Py_buffer* buffer) {
        PyBuffer_Release(buffer);
        delete buffer;
    };
    auto made = std::make_unique<Py_buffer>();
    if (PyObject_GetBuffer(object.ptr(), made.get(), PyBUF_STRIDES | PyBUF_FORMAT) != 0) throw nb::python_error();
    const std::shared_ptr<Py_buffer> buffer(made.release(), release);
    Array array;
    array.name = name;
    array.element = name_of_format(buffer->format == nullptr ? "B" : buffer->format);
    array.data = buffer->buf;
    array.read_only = buffer->readonly != 0;
    array.holder = buffer;
    set_axes(array, static_cast<std::size_t>(buffer->ndim));
    for (int a = 0; a < array.axes; ++a) {
        array.shape[a] = buffer->shape[a];
        array.strides[a] = in_elements(array, buffer->strides[a], buffer->itemsize);
    }
    return array;
}

Array read_capsule(nb::handle object, const std::string& name) {
    auto tensor = std::make_shared<nb::ndarray<nb::ro>>(nb::cast<nb::ndarray<nb::ro>>(object));
    Array array;
    array.name = name;
    array.element = name_of(tensor->dtype());
    array.data = const_cast<void*>(static_cast<const void*>(tensor->data()));
    set_axes(array, tensor->ndim());
    for (int a = 0; a < array.axes; ++a) {
        array.shape[a] = static_cast<Index>(tensor->shape(static_cast<std::size_t>(a)));
        array.strides[a] = tensor->stride(static_cast<std::size_t>(a));
    }
    constexpr int host = 1, cuda = 2, pinned = 3, managed = 13;  // DLDeviceType
    const int memory = tensor->device_type();
    if (memory == cuda || memory == managed)
        array.device = tensor->device_id();
    else if (memory != host && memory != pinned)
        refuse(name, "memory of DLPack device type " + std::to_string(memory),
               "host memory or that of a CUDA device");
    array.holder = tensor;
    return array;
}

/// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html. It does not tell which device.
Array read_interface(const nb::dict& interface, const std::string& name) {
    Array array;
    array.name = name;
    const auto text = nb::cast<std::string>(interface["typestr"]);
    array.element = name_of_format(text);
    const auto data = nb::cast<nb::tuple>(interface["data"]);
    array.data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(data[0]));
    array.read_only = nb::cast<bool>(data[1]);
    const auto shape = nb::cast<nb::tuple>(interface["shape"]);
    set_axes(array, shape.size());
    for (int a = 0; a < array.axes; ++a) array.shape[a] = nb::cast<Index>(shape[a]);
    set_dense_strides(array);
    if (interface.contains("strides") && !interface["strides"].is_none()) {
        const auto strides = nb::cast<nb::tuple>(interface["strides"]);
        const Index element = text.size() > 2 ? std::stoll(text.substr(2)) : 1;
        for (int a = 0; a < array.axes; ++a)
            array.strides[a] = in_elements(array, nb::cast<Index>(strides[a]), element);
    }
    array.device = Array::any_device;
    return array;
}

/// Strides along axes of one element mean nothing and may be anything: make them those of a dense array.
void settle_strides(Array& array) {
    for (int a = array.axes - 1; a >= 0; --a)
        if (array.shape[a] == 1)
            array.strides[a] = a + 1 == array.axes ? 1 : array.shape[a + 1] * array.strides[a + 1];
}

}  // namespace

Array read_array(nb::handle object, const std::string& name) {
    Array array;
    if (PyCapsule_CheckExact(object.ptr()))
        array = read_capsule(object, name);
    else if (PyObject_CheckBuffer(object.ptr()) != 0)
        array = read_buffer(object, name);
    else if (PyDict_Check(object.ptr()))
        array = read_interface(nb::borrow<nb::dict>(object), name);
    else
        throw nb::type_error((name + ": found " + nb::cast<std::string>(nb::str(object.type().attr("__name__"))) +
                              ", wanted an array")
                                 .c_str());
    settle_strides(array);
    return array;
}

Array read_host_array(nb::handle object, const std::string& name, const std::string& why) {
    Array array = read_array(object, name);
    if (array.device)
        throw Error(ErrorCode::unsupported, name + ": found in " +
                                                memory_name(array.device == Array::any_device ? 0 : array.device) +
                                                ", wanted in " + memory_name(std::nullopt) + ", " + why);
    return array;
}

std::string spell_shape(const Index* shape, int axes) {
    std::string text = "(";
    for (int a = 0; a < axes; ++a) text += (a > 0 ? ", " : "") + std::to_string(shape[a]);
    return text + (axes == 1 ? ",)" : ")");
}

std::string memory_name(const std::optional<int>& device) {
    return device ? "the memory of GPU " + std::to_string(*device) : "host memory";
}

void require_elements(const Array& array, const char* wanted, bool written) {
    if (array.element != wanted)
        refuse(array.name, array.element, std::string(wanted) + ", the type of this solver");
    if (written && array.read_only) refuse(array.name, "an array that is read only", "one that may be written");
}

void require_shape(const Array& array, const Index* shape, int axes) {
    bool same = array.axes == axes;
    for (int a = 0; same && a < axes; ++a) same = array.shape[a] == shape[a];
    if (!same) refuse(array.name, "shape " + spell_shape(array.shape.data(), array.axes), spell_shape(shape, axes));
    if (array.strides[axes - 1] != 1)
        refuse(array.name, "stride " + std::to_string(array.strides[axes - 1]) + " along the last axis",
               "the last axis contiguous: pass a contiguous copy (numpy.ascontiguousarray and its kin)");
}

template <class T>
FieldBatch<T> view_fields(const Array& array, const Extents& points) {
    using Element = std::remove_const_t<T>;
    require_elements(array, element_name<Element>(), !std::is_const_v<T>);
    const int lead = array.axes == 4 ? 1 : 0;
    const std::array<Index, 4> wanted{array.shape[0], points[0], points[1], points[2]};
    require_shape(array, lead == 1 ? wanted.data() : points.data(), 3 + lead);
    const FieldView<T> first(static_cast<T*>(array.data), points,
                             {array.strides[lead], array.strides[lead + 1], array.strides[lead + 2]});
    return {first, lead == 1 ? array.shape[0] : 1, lead == 1 ? array.strides[0] : 0};
}

template <class T>
std::vector<std::array<FieldView<T>, 3>> view_gradients(const Array& array, const Extents& n, Index batch) {
    const std::array<Index, 5> shape{batch, 3, n[0], n[1], n[2]};
    const int lead = batch > 0 ? 1 : 0;
    require_elements(array, element_name<T>(), true);
    require_shape(array, shape.data() + 1 - lead, 4 + lead);
    const Index* stride = array.strides.data() + lead;
    std::vector<std::array<FieldView<T>, 3>> gradients(static_cast<std::size_t>(lead == 1 ? batch : 1));
    for (std::size_t b = 0; b < gradients.size(); ++b)
        for (std::size_t a = 0; a < 3; ++a)
            gradients[b][a] = {static_cast<T*>(array.data) + static_cast<Index>(a) * stride[0] +
                                   (lead == 1 ? static_cast<Index>(b) * array.strides[0] : 0),
                               n,
                               {stride[1], stride[2], stride[3]}};
    return gradients;
}

template std::vector<std::array<FieldView<float>, 3>> view_gradients(const Array&, const Extents&, Index);
template std::vector<std::array<FieldView<double>, 3>> view_gradients(const Array&, const Extents&, Index);
template FieldBatch<float> view_fields(const Array&, const Extents&);
template FieldBatch<double> view_fields(const Array&, const Extents&);
template FieldBatch<const float> view_fields(const Array&, const Extents&);
template FieldBatch<const double> view_fields(const Array&, const Extents&);

}  // namespace poisson3d::python
