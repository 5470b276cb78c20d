// An array of any Python library as what it is: a pointer, a shape, strides, a kind of element, and the memory it
// is in. No copies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>  // in every file alike: a cast to std::string must mean one thing

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "poisson3d/field.hpp"

namespace poisson3d::python {

/// What was read from an object that Python holds. Holds that object's memory while it lives; made and destroyed
/// with the interpreter's lock held, used without.
struct Array {
    static constexpr int max_axes = 5;
    static constexpr int any_device = -1;

    std::string name;     ///< of the argument: "f"
    std::string element;  ///< "float64"
    void* data = nullptr;
    int axes = 0;
    std::array<Index, max_axes> shape{};
    std::array<Index, max_axes> strides{};  ///< in elements
    std::optional<int> device;  ///< the GPU it lies on, any_device if that is not told; none: host memory
    bool read_only = false;
    std::shared_ptr<void> holder;  ///< lets go of the memory
};

/// Reads an object with the buffer protocol (host memory: NumPy), a DLPack capsule (any memory), or the dictionary
/// of the CUDA array interface. Throws TypeError for anything else; Error{usage} for more than five axes, for
/// strides that are no multiples of the element, and for memory that is neither host memory nor a CUDA device.
Array read_array(nanobind::handle object, const std::string& name);

/// The same of what works in host memory alone. Throws Error{unsupported} for memory of a GPU; `why` ends the
/// message.
Array read_host_array(nanobind::handle object, const std::string& name, const std::string& why);

/// "(3, 4, 5)"
std::string spell_shape(const Index* shape, int axes);

/// "host memory", "the memory of GPU 0"
std::string memory_name(const std::optional<int>& device);

/// The name of T as the libraries of Python write it.
template <class T>
constexpr const char* element_name() {
    return sizeof(T) == 4 ? "float32" : "float64";
}

// Views of arrays. All throw Error{usage} naming the argument, what was found and what is wanted: elements of T,
// these extents, the last axis contiguous, writable where T is not const.

/// One field of shape `points`, or as many as the first of four axes says.
template <class T>
FieldBatch<T> view_fields(const Array& array, const Extents& points);

/// The components of a gradient: (3, n0, n1, n2), or, where `batch` is not 0, with as many fields before.
template <class T>
std::vector<std::array<FieldView<T>, 3>> view_gradients(const Array& array, const Extents& points, Index batch);

/// Throws Error{usage} unless the elements are float32 (or float64), and writable if `written`.
void require_elements(const Array& array, const char* wanted, bool written);

/// Throws Error{usage} unless the shape is exactly this.
void require_shape(const Array& array, const Index* shape, int axes);

}  // namespace poisson3d::python
