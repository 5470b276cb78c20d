// Padded lines of radix 8 where every axis has DFTs: cosine and sine of one wave number along z stand side by side,
// one complex number, and lines along the other two axes are complex lines like those of any DFT. Nothing is
// combined or split along them, since what multiplies modes is real and the same for wave numbers k and −k:
//
//     rows there       f → Z_k = 2 (Re F_k − i Im F_k), k = 0 … N/2, of two rows at once
//     columns there    DFT
//     middle           DFT, times −K, DFT back
//     columns back     DFT back
//     rows back        Z → u
//
// A DFT back is one there of numbers whose real and imaginary parts are exchanged, before and after it. `half`: of
// a padded line only the first half is there, which is all that is read, transformed, and written.
//
// Shared memory holds `count` complex lines; those of columns are neighbours. Host and device share this file.
#pragma once

#include "axis_tables.hpp"
#include "known_sides.hpp"
#include "symbol_pass.hpp"

namespace poisson3d::fused {

/// Turned: with modes of z as planes (complex_rows.hpp).
enum class ComplexPass : std::uint8_t {
    rows_there,
    columns_there,
    columns_back,
    rows_back,
    rows_there_turned,
    rows_back_turned
};
constexpr bool in_rows(ComplexPass pass) {
    return pass != ComplexPass::columns_there && pass != ComplexPass::columns_back;
}

/// Complex lines of a block: their numbers fill 64 bytes.
template <class T>
inline constexpr int complex_count = 32 / static_cast<int>(sizeof(T));

/// Threads of a block: one for each pair of butterflies of its lines, up to as many as registers allow, of one or
/// two blocks that share a multiprocessor.
template <class T>
constexpr int complex_threads(int rows) {
    const int units = rows / 16 * complex_count<T>;
    const int most = rows > 1280 ? 512 : 256;
    return units < 64 ? 64 : units < most ? (units + 31) / 32 * 32 : most;
}

/// What a block knows of its lines when it is compiled: nothing, or all (known_line.hpp).
struct AnyLine {};
template <class T, int rows>
using KnownComplex = KnownLine<Ends::periodic, rows, T, complex_threads<T>(rows)>;

template <class T, class Line>
struct ComplexLine {
    using Samples = KnownSide<Line, Side::samples>;
    using Modes = KnownSide<Line, Side::modes>;
    static constexpr int pitch = Line::pitch;
    ButterflyPairs<T, Samples> samples;
    ButterflyPairs<T, Modes> modes;
    LineFft<T, Modes> fft;
};
template <class T>
struct ComplexLine<T, AnyLine> {
    int pitch = 0;
    ButterflyPairs<T, Compact> samples, modes;
    LineFft<T, Compact> fft;
};

/// Element j of complex line l at slow index s stands at s · slow + j · sample + 2 l; of rows, real line l at
/// s · slow + l · line.
template <class T, class Line = AnyLine>
struct ComplexTask : ComplexLine<T, Line> {
    static constexpr int count = complex_count<T>, shift = sizeof(T) == 8 ? 2 : 3;
    const T* in = nullptr;
    T* out = nullptr;
    Index in_slow = 0, in_line = 0, in_sample = 0;
    Index out_slow = 0, out_line = 0, out_sample = 0;
    Index lines = 0, slow = 0;
    T scale = 1;                         ///< of rows there: what f is multiplied with
    T factor = 1;                        ///< of the middle pass: what modes are multiplied with besides
    const Complex<T>* square = nullptr;  ///< of padded lines of r² elements (square_lines.hpp), …
    int none = 0;                        ///< … and this

    /// Butterflies of an outer step: N/8.
    [[nodiscard]] POISSON3D_HD int butterflies() const { return 2 * this->samples.items.count; }
};

template <class T>
POISSON3D_HD Complex<T> exchanged(Complex<T> z) {
    return {z.im, z.re};
}

/// The other butterfly of modes of a pair.
POISSON3D_HD int other_butterfly(int o, int butterflies) {
    return o == 0 ? butterflies / 2 : butterflies - o;
}

/// The first step of a DFT there of the samples that read(j) gives, and the last step of one back, whose samples
/// write(j, number) takes.
template <bool half, class T, class Line, class Read>
POISSON3D_HD void samples_in(const ComplexTask<T, Line>& task, int o, Complex<T>* at, const Read& read) {
    constexpr int there = half ? 4 : 8;
    const int q = task.butterflies();
    Complex<T> a[8], b[8];
    POISSON3D_UNROLL
    for (int k = 0; k < there; ++k) a[k] = read(o + q * k);
    POISSON3D_UNROLL
    for (int k = 0; k < there; ++k) b[k] = read(q - 1 - o + q * k);
    dft<half>(a);
    dft<half>(b);
    apply_twiddles<8>(task.samples, o, a, b);
    write_butterflies<8>(task.samples, o, at, a, b);
}
template <bool half, class T, class Line, class Write>
POISSON3D_HD void samples_out(const ComplexTask<T, Line>& task, int o, const Complex<T>* at, const Write& write) {
    constexpr int there = half ? 4 : 8;
    const int q = task.butterflies();
    Complex<T> a[8], b[8];
    read_butterflies<8>(task.samples, o, at, a, b);
    apply_twiddles<8>(task.samples, o, a, b);
    dft(a);
    dft(b);
    POISSON3D_UNROLL
    for (int k = 0; k < there; ++k) write(o + q * k, a[k]);
    POISSON3D_UNROLL
    for (int k = 0; k < there; ++k) write(q - 1 - o + q * k, b[k]);
}

/// The steps between, there or back. A barrier follows each.
template <bool in_time, class T, class Line, class Barrier>
POISSON3D_HD void inner_steps(const ComplexTask<T, Line>& task, Complex<T>* lines, const Barrier& barrier) {
    POISSON3D_ROLLED
    for (int s = 0; s < task.fft.steps; ++s) {
        inner_step<in_time, Inner::common>(task.fft, s, lines, task.pitch, task.count);
        barrier();
    }
}

/// Columns first … of a block that are there, at a slow index of `in` and one of `out`.
template <class T>
class ComplexColumns {
public:
    template <class Line>
    POISSON3D_HD ComplexColumns(const ComplexTask<T, Line>& task, Index first, Index slow)
        : there(task.lines - first < task.count ? static_cast<int>(task.lines - first) : task.count),
          in_(reinterpret_cast<const Complex<T>*>(task.in + slow * task.in_slow) + first),
          out_(reinterpret_cast<Complex<T>*>(task.out + slow * task.out_slow) + first),
          in_sample_(task.in_sample / 2),
          out_sample_(task.out_sample / 2) {}

    [[nodiscard]] POISSON3D_HD Complex<T> read(int line, int j) const {
        return load_field(in_ + line + j * in_sample_);
    }
    POISSON3D_HD void write(int line, int j, Complex<T> z) const { store_field(out_ + line + j * out_sample_, z); }

    /// Elements first, first + apart, … of a line, one after the other.
    struct Read {
        const Complex<T>* at;
        Index step;
        POISSON3D_HD Complex<T> next() {
            const Complex<T> z = load_field(at);
            at += step;
            return z;
        }
    };
    struct Write {
        Complex<T>* at;
        Index step;
        POISSON3D_HD void next(Complex<T> z) {
            store_field(at, z);
            at += step;
        }
    };
    [[nodiscard]] POISSON3D_HD Read read_from(int line, int first, int apart) const {
        return {in_ + line + first * in_sample_, apart * in_sample_};
    }
    [[nodiscard]] POISSON3D_HD Write write_from(int line, int first, int apart) const {
        return {out_ + line + first * out_sample_, apart * out_sample_};
    }

    int there;

private:
    const Complex<T>* in_;
    Complex<T>* out_;
    Index in_sample_, out_sample_;
};

template <bool half, class T, class Line, class Columns>
POISSON3D_HD void load_columns(const ComplexTask<T, Line>& task, const Columns& columns, Complex<T>* lines) {
    across_lines(task.samples.items, task.shift, [&](int o, int line) {
        if (line >= columns.there) return;
        samples_in<half>(task, o, lines + line * task.pitch, [&](int j) { return columns.read(line, j); });
    });
}
template <bool half, class T, class Line, class Columns>
POISSON3D_HD void store_columns(const ComplexTask<T, Line>& task, const Columns& columns, const Complex<T>* lines) {
    across_lines(task.samples.items, task.shift, [&](int o, int line) {
        if (line >= columns.there) return;
        samples_out<half>(task, o, lines + line * task.pitch,
                          [&](int j, Complex<T> z) { columns.write(line, j, exchanged(z)); });
    });
}

template <class T, class Line>
POISSON3D_HD void store_column_modes(const ComplexTask<T, Line>& task, const ComplexColumns<T>& columns,
                                     const Complex<T>* lines) {
    const int q = task.butterflies();
    across_lines(task.modes.items, task.shift, [&](int o, int line) {
        if (line >= columns.there) return;
        Complex<T> a[8], b[8];
        read_butterflies<8>(task.modes, o, lines + line * task.pitch, a, b);
        const int other = other_butterfly(o, q);
        dft(a);
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) columns.write(line, o + q * m, a[m]);
        dft(b);
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) columns.write(line, other + q * m, b[m]);
    });
}
template <class T, class Line>
POISSON3D_HD void load_column_modes(const ComplexTask<T, Line>& task, const ComplexColumns<T>& columns,
                                    Complex<T>* lines) {
    const int q = task.butterflies();
    across_lines(task.modes.items, task.shift, [&](int o, int line) {
        if (line >= columns.there) return;
        const int other = other_butterfly(o, q);
        Complex<T> a[8], b[8];
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) a[m] = exchanged(columns.read(line, o + q * m));
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) b[m] = exchanged(columns.read(line, other + q * m));
        dft(a);
        dft(b);
        write_butterflies<8>(task.modes, o, lines + line * task.pitch, a, b);
    });
}

}  // namespace poisson3d::fused
