// A transpose whose hook sees whole lines: for passes that transform a line in shared memory on its way.
//
// A block takes as many neighbouring input rows (lines) as fill 128 bytes of an output row — 32 of 4 bytes, 16 of
// 8, 8 of 16 — with all their columns, lets the hook work on them in shared memory, and writes every column as one
// 128-byte segment. Lines must fit: columns · 136 bytes, so 1708 columns with 227 KiB. Output pitches that are
// multiples of 128 bytes keep the segments whole; internal fields have such pitches.
#pragma once

#include "strip.cuh"

namespace poisson3d::cuda {

/// The lines of a block in shared memory: at(l, c) is column c of line l. Lines 0 … count − 1 exist.
template <class Word>
struct Lines {
    static constexpr int most = 128 / static_cast<int>(sizeof(Word));
    static constexpr int pitch = most + 1;
    Word* data;
    Index batch, first;  ///< matrix of the batch, and input row of line 0
    int count, columns;

    __device__ __forceinline__ Word& at(int line, int column) const { return data[column * pitch + line]; }
};

/// Leaves the lines as they are.
struct NoLineHook {
    template <class Word>
    __device__ void operator()(const Lines<Word>&) const {}
};

// As many that a warp has a line of 512 in flight at once.
constexpr int line_threads = 512;

/// The hook is called by all threads of the block, between two barriers, as hook(lines).
template <class Word, class Hook>
__global__ void __launch_bounds__(line_threads)
    lines_kernel(MatrixBatch m, Index groups, const Word* __restrict__ in, Word* __restrict__ out, Hook hook) {
    extern __shared__ __align__(16) unsigned char shared[];
    const auto [b, group] = divide(blockIdx.x, groups);
    const Offsets at = offsets(m, b);
    Lines<Word> lines{reinterpret_cast<Word*>(shared), b, group * Lines<Word>::most, 0,
                      static_cast<int>(m.columns)};
    lines.count = static_cast<int>(min(static_cast<Index>(Lines<Word>::most), m.rows - lines.first));

    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const Word* const from = in + at.in + lines.first * m.in_pitch;
    for (int line = warp; line < lines.count; line += line_threads / 32) {
        const Word* const row = from + line * m.in_pitch;
#pragma unroll 16
        for (int c = lane; c < lines.columns; c += 32) lines.at(line, c) = row[c];
    }
    __syncthreads();
    hook(lines);
    __syncthreads();
    constexpr int columns_at_once = line_threads / Lines<Word>::most;
    const int line = threadIdx.x % Lines<Word>::most;
    Word* const to = out + at.out + lines.first + line;
    if (line >= lines.count) return;
#pragma unroll 16
    for (int c = threadIdx.x / Lines<Word>::most; c < lines.columns; c += columns_at_once)
        to[c * m.out_pitch] = lines.at(line, c);
}

/// Columns whose lines fit the shared memory of the current device.
template <class Word>
bool lines_fit(const MatrixBatch& m) {
    int device = 0;
    int most = 0;
    check(cudaGetDevice(&device), "current device");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "shared memory of the device");
    return m.columns * Lines<Word>::pitch * static_cast<Index>(sizeof(Word)) <= most;
}

template <class Word, class Hook>
void launch_lines(const MatrixBatch& m, const Hook& hook, const Word* in, Word* out, cudaStream_t stream) {
    const int bytes = static_cast<int>(m.columns) * Lines<Word>::pitch * static_cast<int>(sizeof(Word));
    const Index groups = divide_up(m.rows, Lines<Word>::most);
    if (bytes > 48 * 1024) allow_shared(lines_kernel<Word, Hook>, bytes);
    lines_kernel<Word, Hook>
        <<<blocks(groups * batches(m)), line_threads, bytes, stream>>>(m, groups, in, out, hook);
    check(cudaGetLastError(), "launch of the line transpose");
}

}  // namespace poisson3d::cuda
