// The rotating sweep: finishes one axis (column orbits), turns the matrix, begins the next (row orbits).
//
// A block takes column orbits × row orbits. While loading, a thread holds one column orbit of one row in registers,
// lanes run over neighbouring orbits, so that every element of the orbit is read as a run. Results stand in shared
// memory as [line][row]. While storing, a thread holds one row orbit of one line, lanes again over neighbouring
// orbits, so that lines are written in runs of at least 128 bytes. Bytes moved: the field once in, once out; shared
// memory once in, once out. Odd pitches keep both phases free of bank conflicts.
#include "device_orbits.cuh"

namespace poisson3d::cufft {

namespace {

/// Orbits of a block: so many that runs have 128 to 512 bytes and the tile at most 36 KiB; registers for at least
/// `resident` blocks on a multiprocessor.
template <class T, int ColumnSize, int RowSize>
struct RotateShape {
    static constexpr bool wide = sizeof(T) == 8;
    static constexpr bool pairs = ColumnSize == 2 && RowSize == 2;
    static constexpr bool longest = ColumnSize == 16 || RowSize == 16;
    static constexpr int column_orbits = ColumnSize >= 8 || RowSize >= 8 ? (wide ? 8 : 16) : (wide ? 16 : 32);
    static constexpr int row_orbits = longest ? 8 : (pairs ? 32 : 16);
    static constexpr int lines = ColumnSize * column_orbits;
    static constexpr int rows = RowSize * row_orbits;
    static constexpr int pitch = rows + 1;
    static constexpr int load_tasks = rows * column_orbits;
    static constexpr int store_tasks = lines * row_orbits;
    static constexpr int threads = longest ? 128 : 256;
    static constexpr int resident = !wide ? 1 : ColumnSize == 16 ? 5 : RowSize == 16 || pairs ? 4 : 1;
    static_assert(load_tasks % threads == 0 && store_tasks % threads == 0, "whole rounds");
    static_assert(threads % column_orbits == 0 && threads % row_orbits == 0, "a thread keeps its orbit");
    static_assert(lines * pitch * 2 * sizeof(T) <= 48 * 1024, "the tile fits static shared memory");
};

template <class T, int ColumnSize, int RowSize, Repair repairing>
__global__ void __launch_bounds__((RotateShape<T, ColumnSize, RowSize>::threads),
                                  (RotateShape<T, ColumnSize, RowSize>::resident))
    rotate_kernel(const RotateTask<T> task, int column_tiles, int row_tiles) {
    using Shape = RotateShape<T, ColumnSize, RowSize>;
    __shared__ __align__(16) unsigned char shared[Shape::lines * Shape::pitch * 2 * sizeof(T)];
    auto* const tile = reinterpret_cast<Complex<T>*>(shared);

    const auto [b, within] = cuda::divide(blockIdx.x, static_cast<Index>(column_tiles) * row_tiles);
    const auto key = static_cast<int>(within);
    const int column_tile = key / row_tiles;  // row tiles first: neighbours complete each other's runs
    const int row_tile = key - column_tile * row_tiles;
    const int column0 = column_tile * Shape::column_orbits;
    const int row0 = row_tile * Shape::row_orbits;
    const int t = threadIdx.x;

    {
        const int lane = t % Shape::column_orbits;
        const bool valid = column0 + lane < task.column_count;
        const int orbit = task.first_column + column0 + lane;
        Places<T, ColumnSize> column;
        column.read(task.columns.in, task.columns.count, orbit, valid);
        Coefficients<T, ColumnSize> coefficients;
        if (valid) coefficients.read(task.columns, orbit);
        const Complex<T>* const from = task.in + b * task.in_batch;
        constexpr int step = Shape::threads / Shape::column_orbits;
        constexpr int rounds = Shape::load_tasks / Shape::threads;
        constexpr int at_once = ColumnSize >= 8 ? 1 : (rounds < 4 ? rounds : 4);
#pragma unroll 1
        for (int round = 0; round < rounds; round += at_once) {
            Complex<T> z[at_once][ColumnSize];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const int r = t / Shape::column_orbits + (round + i) * step;
                const int s = r / Shape::row_orbits;
                const int o = row0 + r % Shape::row_orbits;
                bool there = valid && o < task.row_count;
                Index offset = 0;
                if constexpr (repairing == Repair::rows) {
                    there = there && 2 * b + s < task.halves;
                    offset = static_cast<Index>(o) * task.in_row + s * task.in_half;
                } else {
                    const int row = there ? task.rows.in[s * task.rows.count + task.first_row + o] : -1;
                    there = row >= 0;
                    offset = row * task.in_row;
                }
#pragma unroll
                for (int e = 0; e < ColumnSize; ++e)
                    z[i][e] = there && column.index[e] >= 0 ? load_field(from + offset + column.index[e])
                                                            : Complex<T>{0, 0};
            }
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                post(coefficients, task.columns.sine, z[i]);
                if constexpr (repairing == Repair::columns) repair(z[i][0], z[i][1]);
                const int r = t / Shape::column_orbits + (round + i) * step;
#pragma unroll
                for (int e = 0; e < ColumnSize; ++e)
                    store(tile + (e * Shape::column_orbits + lane) * Shape::pitch + r, z[i][e]);
            }
        }
    }
    __syncthreads();

    const int lane = t % Shape::row_orbits;
    if (row0 + lane >= task.row_count) return;
    const int orbit = task.first_row + row0 + lane;
    Places<T, RowSize> place;
    place.read(task.rows.out, task.rows.count, orbit, true);
    Coefficients<T, RowSize> coefficients;
    coefficients.read(task.rows, orbit);
    Complex<T>* const to = task.out + b * task.out_batch;
    constexpr int step = Shape::threads / Shape::row_orbits;
#pragma unroll(RowSize >= 8 ? 1 : 4)
    for (int i = 0; i < Shape::store_tasks / Shape::threads; ++i) {
        const int line = t / Shape::row_orbits + i * step;
        const int e = line / Shape::column_orbits;
        const int column = column0 + line % Shape::column_orbits;
        if (column >= task.column_count) continue;
        Index offset = 0;
        if constexpr (repairing == Repair::columns) {
            if (2 * b + e >= task.halves) continue;
            offset = static_cast<Index>(column) * task.out_line + e * task.out_half;
        } else {
            const int index = task.columns.out[e * task.columns.count + task.first_column + column];
            if (index < 0) continue;
            offset = index * task.out_line;
        }
        Complex<T> z[RowSize];
#pragma unroll
        for (int s = 0; s < RowSize; ++s) z[s] = load(tile + line * Shape::pitch + s * Shape::row_orbits + lane);
        if constexpr (repairing == Repair::rows) repair(z[0], z[1]);
        pre(coefficients, task.rows.sine, z);
#pragma unroll
        for (int s = 0; s < RowSize; ++s) store_position(to + offset, place.index[s], z[s], task.mirror);
    }
}

template <class T, int ColumnSize, int RowSize, Repair repairing>
void launch(const RotateTask<T>& task, Stream stream) {
    using Shape = RotateShape<T, ColumnSize, RowSize>;
    const Index column_tiles = divide_up(task.column_count, Shape::column_orbits);
    const Index row_tiles = divide_up(task.row_count, Shape::row_orbits);
    rotate_kernel<T, ColumnSize, RowSize, repairing>
        <<<blocks(task.batches * column_tiles * row_tiles), Shape::threads, 0, queue(stream)>>>(
            task, static_cast<int>(column_tiles), static_cast<int>(row_tiles));
    check(cudaGetLastError(), "launch of a rotating sweep");
}

}  // namespace

template <class T>
void launch_rotate(const RotateTask<T>& task, Stream stream) {
    if (task.column_count == 0 || task.row_count == 0 || task.batches == 0) return;
    const bool wide_rows = task.rows.size > 2;  // forward passes have long column orbits, backward ones long rows
    with_orbit_size(wide_rows ? task.rows.size : task.columns.size, [&]<int size>() {
        switch (task.repair) {
            case Repair::none:
                return wide_rows ? launch<T, 2, size, Repair::none>(task, stream)
                                 : launch<T, size, 2, Repair::none>(task, stream);
            case Repair::rows: return launch<T, size, 2, Repair::rows>(task, stream);
            case Repair::columns: return launch<T, 2, size, Repair::columns>(task, stream);
        }
    });
}

template void launch_rotate(const RotateTask<float>&, Stream);
template void launch_rotate(const RotateTask<double>&, Stream);

}  // namespace poisson3d::cufft
