// What C hands over, checked and put into the words of C++. Every failure names the argument, what was found and
// what is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "poisson3d.h"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::c {

/// Throws Error{usage} "`what` is a null pointer" if it is.
void require_pointer(const void* pointer, const char* what);

/// Throws Error{usage} unless a struct that says it has `found` bytes has between `oldest` and `newest`, or more
/// that are all zero.
void require_size(const void* structure, std::size_t found, std::size_t oldest, std::size_t newest,
                  const char* what);

/// A struct of any age, as this version knows it: what the caller did not know is zero, which is the default.
/// `oldest` is the size of its first version.
template <class Structure>
Structure read_sized(const Structure* given, const char* what, std::size_t oldest = sizeof(Structure)) {
    require_pointer(given, what);
    std::size_t found = 0;
    std::memcpy(&found, given, sizeof found);
    require_size(given, found, oldest, sizeof(Structure), what);
    Structure read{};
    std::memcpy(&read, given, found < sizeof read ? found : sizeof read);
    return read;
}

Problem read_problem(const poisson3d_problem* problem);
Options read_options(const poisson3d_options* options);  ///< null: all defaults

/// Throws Error{usage} unless 0 ≤ value ≤ last.
void require_enum(int value, int last, const std::string& what);

/// A number that names one of the enumerators up to `last`.
template <class Enum>
Enum read_enum(int value, Enum last, const std::string& what) {
    require_enum(value, static_cast<int>(last), what);
    return static_cast<Enum>(value);
}

/// The struct of boundary data for fields of T.
template <class T>
using Boundaries = std::conditional_t<std::is_same_v<T, float>, poisson3d_boundary_float, poisson3d_boundary>;

/// Null: zero everywhere.
template <class T>
BoundaryData<T> read_boundary(const Grid& grid, const Boundaries<T>* boundary);

/// A field of the grid's shape; null strides: without gaps.
template <class T>
FieldView<T> read_field(const Extents& points, T* data, const std::int64_t* strides) {
    if (strides == nullptr) return {data, points};
    return {data, points, {strides[0], strides[1], strides[2]}};
}

/// Which plan a pointer points to: C casts one into another, and who calls from elsewhere has only addresses. The
/// first member of every plan.
enum class Tag : std::uint64_t {
    plan = 0x3d01'706f'6973'736f,
    plan_float,
    gradient,
    gradient_float,
    mixed,
    communicator,
    distributed,
    distributed_float,
    variable,
    variable_float,
};

/// Throws Error{usage} unless `plan` points to a plan of that kind.
void require_tag(const void* plan, Tag wanted, const char* what);

template <class Plan>
Plan& checked(Plan* plan, const char* what) {
    require_tag(plan, Plan::kind, what);
    return *plan;
}

/// What a plan says of itself, kept with it: C gets pointers to the texts.
struct Description {
    Engine engine = Engine::automatic;
    Memory memory = Memory::automatic;
    int threads = 0;
    int refinements = 0;
    std::size_t workspace = 0;
    Index batch = 1;
    std::string text;
};

/// Fills in what the caller's struct has room for.
void write_info(const Description& description, poisson3d_info* info);

}  // namespace poisson3d::c
