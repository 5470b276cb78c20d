#include "arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "error_guard.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::c {

namespace {

// The enumerators of the header and those of C++ have the same numbers.
template <class C, class Enum>
constexpr bool same(C number, Enum value) {
    return static_cast<int>(number) == static_cast<int>(value);
}
static_assert(same(POISSON3D_PERIODIC, Boundary::periodic) && same(POISSON3D_DIRICHLET, Boundary::dirichlet) &&
              same(POISSON3D_NEUMANN, Boundary::neumann) && same(POISSON3D_ROBIN, Boundary::robin) &&
              same(POISSON3D_FREE, Boundary::free) && same(POISSON3D_MIDDLE_ELIMINATE, Middle::eliminate) &&
              same(POISSON3D_CELL, Centering::cell) && same(POISSON3D_NODE, Centering::node) &&
              same(POISSON3D_SECOND_ORDER, Discretization::second_order) &&
              same(POISSON3D_SPECTRAL, Discretization::spectral));
static_assert(same(POISSON3D_ENGINE_AUTOMATIC, Engine::automatic) && same(POISSON3D_ENGINE_HOST, Engine::host) &&
              same(POISSON3D_ENGINE_CUFFT, Engine::cufft) && same(POISSON3D_ENGINE_FUSED, Engine::fused) &&
              same(POISSON3D_MEMORY_AUTOMATIC, Memory::automatic) && same(POISSON3D_MEMORY_FAST, Memory::fast) &&
              same(POISSON3D_MEMORY_STANDARD, Memory::standard) && same(POISSON3D_MEMORY_LOW, Memory::low));

/// No struct of any version is larger: a size above this was never set.
constexpr std::size_t absurd_size = 1 << 16;

[[noreturn]] void refuse(const std::string& sentence) {
    throw Error(ErrorCode::usage, sentence);
}

void require_zero(int reserved, const std::string& what) {
    if (reserved != 0) refuse("found " + std::to_string(reserved) + " in " + what + ", wanted 0");
}

Axis read_axis(const poisson3d_axis& axis, int number) {
    const std::string who = "problem.axes[" + std::to_string(number) + "].";
    require_zero(axis.reserved, who + "reserved");
    return {axis.points,
            axis.spacing,
            axis.origin,
            read_enum(axis.centering, Centering::node, who + "centering"),
            read_enum(axis.lower, Boundary::free, who + "lower"),
            read_enum(axis.upper, Boundary::free, who + "upper")};
}

std::vector<double> read_numbers(const double* numbers, Index count) {
    return numbers == nullptr || count <= 0 ? std::vector<double>{} : std::vector<double>(numbers, numbers + count);
}

/// As many numbers as the axis must have: C cannot say how many there are.
void read_uneven(const poisson3d_uneven_axis& given, Axis& axis, int number) {
    if ((given.conductances == nullptr) != (given.weights == nullptr))
        refuse("problem.uneven[" + std::to_string(number) + "]." +
               (given.weights == nullptr ? "weights" : "conductances") +
               " is a null pointer, wanted conductances and weights or neither");
    const Index steps = step_count(axis);
    axis.positions = read_numbers(given.positions, steps + 1);
    axis.widths = read_numbers(given.widths, steps);
    axis.custom.conductances =
        read_numbers(given.conductances, steps + (axis.centering == Centering::cell ? 1 : 0));
    axis.custom.weights = read_numbers(given.weights, axis.points);
    for (int side = 0; side < 2; ++side) axis.robin[side] = {given.alpha[side], given.beta[side]};
}

/// Three printable letters, or none for the usual ones.
void read_labels(const char (&labels)[8], Grid& grid) {
    if (labels[0] == '\0') return;
    for (int a = 0; a < 3; ++a)
        if (labels[a] <= ' ' || labels[a] > '~')
            refuse("problem.labels has no letter for axis " + std::to_string(a) +
                   ", wanted three, such as \"xyz\"");
    std::copy_n(labels, 3, grid.labels.begin());
}

template <class T>
T read_constant(double value, const std::string& who) {
    if (std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<T>::max()))
        throw Error(ErrorCode::data,
                    who + ": found " + format_number(value) + ", beyond the range of single precision");
    return static_cast<T>(value);
}

}  // namespace

void require_pointer(const void* pointer, const char* what) {
    if (pointer == nullptr) refuse(std::string(what) + " is a null pointer");
}

void require_size(const void* structure, std::size_t found, std::size_t oldest, std::size_t newest,
                  const char* what) {
    if (found < oldest || found > absurd_size)
        refuse("found " + std::string(what) + ".size " + std::to_string(found) + ", wanted sizeof, which is " +
               std::to_string(newest) + " in this version");
    const auto* const bytes = static_cast<const unsigned char*>(structure);
    for (std::size_t i = newest; i < found; ++i)
        if (bytes[i] != 0)
            refuse(std::string(what) + " says more than this version understands: it has " + std::to_string(found) +
                   " bytes, known are " + std::to_string(newest) +
                   ", and the rest is not zero; use a newer library or leave out what is new");
}

void require_enum(int value, int last, const std::string& what) {
    if (value < 0 || value > last)
        refuse("found " + std::to_string(value) + " in " + what + ", wanted 0 to " + std::to_string(last));
}

Problem read_problem(const poisson3d_problem* given) {
    // The first version ended before `uneven`.
    const poisson3d_problem read = read_sized(given, "problem", offsetof(poisson3d_problem, uneven));
    Problem problem;
    for (int a = 0; a < 3; ++a) {
        problem.grid.axes[a] = read_axis(read.axes[a], a);
        read_uneven(read.uneven[a], problem.grid.axes[a], a);
    }
    read_labels(read.labels, problem.grid);
    problem.helmholtz = read.helmholtz;
    problem.discretization = read_enum(read.discretization, Discretization::spectral, "problem.discretization");
    require_enum(read.gauge, POISSON3D_GAUGE_BOX_MEAN, "problem.gauge");
    if (read.gauge == POISSON3D_GAUGE_POINT)
        problem.gauge.point = {read.gauge_point[0], read.gauge_point[1], read.gauge_point[2]};
    problem.gauge.mean = read.gauge == POISSON3D_GAUGE_BOX_MEAN;
    if (read.gauge == POISSON3D_GAUGE_FAR && !grows_far_away(problem))
        refuse(
            "found POISSON3D_GAUGE_FAR in problem.gauge, which needs one or two axes with free faces and nothing "
            "that holds u");
    return problem;
}

Options read_options(const poisson3d_options* given) {
    if (given == nullptr) return {};
    // The first version ended before `batch`.
    const poisson3d_options read = read_sized(given, "options", offsetof(poisson3d_options, batch));
    Options options;
    options.engine = read_enum(read.engine, Engine::fused, "options.engine");
    options.memory = read_enum(read.memory, Memory::low, "options.memory");
    options.threads = read.threads;
    options.device = read.device;
    if ((read.workspace == nullptr) != (read.workspace_bytes == 0))
        refuse("options.workspace is " + std::string(read.workspace == nullptr ? "a null pointer" : "given") +
               ", but options.workspace_bytes is " + std::to_string(read.workspace_bytes) +
               ": wanted both or neither");
    options.workspace = {static_cast<std::byte*>(read.workspace), read.workspace_bytes};
    if (read.batch < 0) refuse("found " + std::to_string(read.batch) + " in options.batch, wanted at least 0");
    options.batch = read.batch == 0 ? 1 : read.batch;
    options.middle = read_enum(read.middle, Middle::eliminate, "options.middle");
    require_zero(read.reserved, "options.reserved");
    return options;
}

template <class T>
BoundaryData<T> read_boundary(const Grid& grid, const Boundaries<T>* given) {
    BoundaryData<T> boundary;
    if (given == nullptr) return boundary;
    const Boundaries<T> read = read_sized(given, "boundary");
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const auto& face = read.faces[axis][side];
            const std::string who = "boundary data of " + face_name(grid, axis, side);
            const Index columns = extents_of_face(grid.points(), axis)[1];
            if (face.data != nullptr && face.stride != 0 && face.stride < columns)
                refuse(who + ": found rows " + std::to_string(face.stride) + " elements apart, wanted at least " +
                       std::to_string(columns) + ", or 0 for no gaps");
            if (face.field_stride < 0)
                refuse(who + ": found field_stride " + std::to_string(face.field_stride) + ", wanted at least 0");
            boundary.faces[axis][side] = {read_constant<T>(face.constant, who), face.data,
                                          face.stride == 0 ? columns : face.stride, face.field_stride};
        }
    return boundary;
}

template BoundaryData<float> read_boundary(const Grid&, const poisson3d_boundary_float*);
template BoundaryData<double> read_boundary(const Grid&, const poisson3d_boundary*);

void require_tag(const void* plan, Tag wanted, const char* what) {
    require_pointer(plan, what);
    Tag found{};
    std::memcpy(&found, plan, sizeof found);
    if (found != wanted)
        refuse(std::string(what) +
               " is not of the kind this function takes: it was made for another precision "
               "or by another function");
}

void write_info(const Description& description, poisson3d_info* info) {
    require_pointer(info, "info");
    const std::size_t size = info->size;
    poisson3d_info known{};
    if (size < sizeof size || size > absurd_size)
        refuse("found info.size " + std::to_string(size) + ", wanted sizeof, which is " +
               std::to_string(sizeof known) + " in this version");
    known.size = size;
    known.engine = static_cast<int>(description.engine);
    known.memory = static_cast<int>(description.memory);
    known.threads = description.threads;
    known.refinements = description.refinements;
    known.workspace_bytes = description.workspace;
    known.batch = description.batch;
    known.engine_name = name(description.engine);
    known.memory_name = name(description.memory);
    known.description = description.text.c_str();
    std::memset(info, 0, size);
    std::memcpy(info, &known, std::min(size, sizeof known));
}

}  // namespace poisson3d::c

int poisson3d_default_options(poisson3d_options* options, std::size_t size) {
    return poisson3d::c::guarded([&] {
        poisson3d::c::require_pointer(options, "options");
        if (size < offsetof(poisson3d_options, batch) || size > poisson3d::c::absurd_size)
            poisson3d::c::refuse("found size " + std::to_string(size) +
                                 ", wanted sizeof(poisson3d_options), which is " + std::to_string(sizeof *options) +
                                 " in this version");
        std::memset(options, 0, size);
        options->size = size;
    });
}
