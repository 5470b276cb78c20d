#include "fused_shape.hpp"
#include "known_chirp_pass.hpp"
#include "known_periodic_pass.hpp"
#include "launch_pass.hpp"
#include "matrix_plan.hpp"

namespace poisson3d::fused {

namespace {

/// Of a chirp that kernels know; false if they do not.
template <class T>
bool known_chirp_block(const AxisTables<T, Compact>& tables, BlockShape& shape) {
    const auto is = [&](const BlockShape& known) {
        shape = known;
        return true;
    };
    if (tables.outer == Outer::chirp)
        return with_known_length(KnownChirpLengths{}, known_chirp_length(tables.plan.fft),
                                 [&]<int size>() { return is(known_chirp_shape<size, T>); });
    return tables.kind.forward == Transform::dft &&
           with_known_length(KnownPeriodicLengths{}, known_periodic_length(tables.chirp.view.length),
                             [&]<int size>() { return is(known_periodic_shape<size, T>); });
}

/// Of lines by matrices: 64 bytes of every element, and tables.
BlockShape matrix_shape(const MatrixWork& work, std::size_t line_bytes, std::size_t element_bytes) {
    const std::size_t tables = work.table_bytes(element_bytes);
    BlockShape shape;
    shape.count = 32 / static_cast<int>(element_bytes);
    shape.threads = 32 * fastest_block(work, shape.count).warps;
    const auto bytes = [&] { return static_cast<std::size_t>(shape.count) * line_bytes + tables; };
    while (shape.count > 1 && bytes() > max_shared()) shape.count /= 2;
    shape.bytes = bytes();
    return shape;
}

}  // namespace

template <class T>
BlockShape block_shape(const AxisTables<T, Compact>& tables, Index lines) {
    if (BlockShape known; known_chirp_block(tables, known)) {
        // Kernels that do not know these lines pad them.
        known.bytes = known.count * static_cast<std::size_t>(tables.plan.pitch) * 2 * sizeof(T);
        return known;
    }
    const std::size_t line_bytes = static_cast<std::size_t>(tables.plan.pitch) * 2 * sizeof(T);
    if (tables.outer == Outer::matrix_steps)
        return matrix_shape(matrix_work(tables.kind, tables.plan.radices.inner), line_bytes, sizeof(T));
    return block_shape_of(max_items(tables), line_bytes, sizeof(T), tables.chirp.view.length > 0, lines,
                          max_shared());
}

template <class T>
bool lines_fit(const Axis& axis, LineMethod method) {
    if (!has_tables(axis, method)) return false;
    constexpr Index banks = 128 / static_cast<Index>(2 * sizeof(T));
    const AxisKind kind = axis_kind(axis);
    const std::size_t tables =
        method == LineMethod::matrix_steps ? matrix_work(kind, matrix_radices(kind)).table_bytes(sizeof(T)) : 0;
    const auto elements = static_cast<std::size_t>(line_elements<Compact>(axis, method) + banks);
    return elements * 2 * sizeof(T) + tables <= max_shared();
}

template BlockShape block_shape(const AxisTables<float, Compact>&, Index);
template BlockShape block_shape(const AxisTables<double, Compact>&, Index);
template bool lines_fit<float>(const Axis&, LineMethod);
template bool lines_fit<double>(const Axis&, LineMethod);

}  // namespace poisson3d::fused
