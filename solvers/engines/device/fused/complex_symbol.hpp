// The middle pass of complex lines (complex_lines.hpp), by blocks whose lines share numbers of the symbol: at one
// or two slots of the slow axis, k and 2n − k, one after the other. Where modes of z are real numbers, columns at
// these two slots are the halves of one complex line.
//
// Shared memory: the lines, and behind them what summed_symbol_numbers() counts: one number serves both halves.
#pragma once

#include <algorithm>

#include "complex_rows.hpp"
#include "known_plan.hpp"
#include "summed_symbol.hpp"

namespace poisson3d::fused {

/// Real columns first … of a block that are there, at two slots, or at one, whose other half is nothing.
template <class T>
class SlotColumns {
public:
    template <class Line>
    POISSON3D_HD SlotColumns(const ComplexTask<T, Line>& task, Index first, Index slot, Index other)
        : there(task.lines - first < task.count ? static_cast<int>(task.lines - first) : task.count),
          paired_(other >= 0),
          in_(task.in + slot * task.in_slow + first),
          out_(task.out + slot * task.out_slow + first),
          in_other_(paired_ ? (other - slot) * task.in_slow : 0),
          out_other_(paired_ ? (other - slot) * task.out_slow : 0),
          in_sample_(task.in_sample),
          out_sample_(task.out_sample) {}

    [[nodiscard]] POISSON3D_HD Complex<T> read(int line, int j) const {
        const T* const at = in_ + line + j * in_sample_;
        const T re = load_field(at), im = load_field(at + in_other_);
        return {re, paired_ ? im : T(0)};
    }
    POISSON3D_HD void write(int line, int j, Complex<T> z) const {
        T* const at = out_ + line + j * out_sample_;
        at[0] = z.re;
        if (paired_) at[out_other_] = z.im;
    }

    struct Walk {
        const SlotColumns& columns;
        int line, at, apart;
        POISSON3D_HD Complex<T> next() {
            const Complex<T> z = columns.read(line, at);
            at += apart;
            return z;
        }
        POISSON3D_HD void next(Complex<T> z) {
            columns.write(line, at, z);
            at += apart;
        }
    };
    [[nodiscard]] POISSON3D_HD Walk read_from(int line, int first, int apart) const {
        return {*this, line, first, apart};
    }
    [[nodiscard]] POISSON3D_HD Walk write_from(int line, int first, int apart) const {
        return {*this, line, first, apart};
    }

    int there;

private:
    bool paired_;
    const T* in_;
    T* out_;
    Index in_other_, out_other_, in_sample_, out_sample_;
};

/// `values`: line · pitch + row.
template <class T, class Line>
POISSON3D_HD void multiply_modes(const ComplexTask<T, Line>& task, int there, const T* values, int pitch,
                                 Complex<T>* lines) {
    const int q = task.butterflies();
    along_lines(task.modes.items, task.count, [&](int o, int line) {
        if (line >= there) return;
        const T* const of_line = values + line * pitch;
        const int other = other_butterfly(o, q);
        Complex<T>* const at = lines + line * task.pitch;
        Complex<T> a[8], b[8];
        read_butterflies<8>(task.modes, o, at, a, b);
        const auto multiply = [&](Complex<T>(&z)[8], int first) {
            dft(z);
            POISSON3D_UNROLL
            for (int m = 0; m < 8; ++m) {
                const int row = m < 4 ? q * m + first : q * (8 - m) - first;
                z[m] = exchanged(task.factor * of_line[row] * z[m]);
            }
            dft(z);
        };
        multiply(a, o);
        multiply(b, other);
        write_butterflies<8>(task.modes, o, at, a, b);
    });
}

/// `slots`: of real modes of z.
template <bool slots, class T, class Line, class Barrier>
POISSON3D_HD void run_complex_symbol(const ComplexTask<T, Line>& task, const SummedSymbol<T>& symbol, int chunk,
                                     int group, Complex<T>* shared, const Barrier& barrier) {
    constexpr int count = complex_count<T>;
    const SymbolMemory<count, T> memory(&shared[count * task.pitch].re, symbol);
    const Index first = Index{task.count} * chunk;
    POISSON3D_ROLLED
    for (int i = 0; i < (slots ? 1 : 2); ++i) {
        const Index slot = symbol.slots[2 * group + i];
        if (slot < 0) break;
        const auto columns = [&] {
            if constexpr (slots)
                return SlotColumns<T>(task, first, slot, symbol.slots[2 * group + 1]);
            else
                return ComplexColumns<T>(task, first, slot);
        }();
        load_columns<true>(task, columns, shared);
        if (i == 0)
            sum_symbol(symbol, slot, first, task.lines, memory, barrier);
        else
            barrier();
        inner_steps<false>(task, shared, barrier);
        multiply_modes(task, columns.there, memory.values, memory.pitch, shared);
        barrier();
        inner_steps<true>(task, shared, barrier);
        store_columns<true>(task, columns, shared);  // each thread where it will load the next slot
    }
}

/// A task of lines that are known when kernels are compiled, from one of any lines; false if these are others.
template <class T, int rows>
bool set_known(ComplexTask<T, KnownComplex<T, rows>>& known, const ComplexTask<T>& task) {
    using Line = KnownComplex<T, rows>;
    if (task.pitch != known.pitch || !same_butterflies(task.samples, known.samples) ||
        !same_butterflies(task.modes, known.modes) || !same_steps<Line>(task.fft))
        return false;
    known.samples.twiddles = task.samples.twiddles;
    known.fft.twiddles = task.fft.twiddles;
    known.in = task.in, known.out = task.out;
    known.in_slow = task.in_slow, known.in_line = task.in_line, known.in_sample = task.in_sample;
    known.out_slow = task.out_slow, known.out_line = task.out_line, known.out_sample = task.out_sample;
    known.lines = task.lines, known.slow = task.slow;
    known.scale = task.scale, known.factor = task.factor;
    known.square = task.square;
    return true;
}

/// Whether lines have these passes: DFTs with outer steps of radix 8, and few radices between.
template <class T>
bool has_complex_passes(const AxisTables<T, Compact>& tables) {
    return tables.form == Kind::type2 && tables.outer != Outer::any && tables.samples.view.radix == 8 &&
           tables.modes.view.radix == 8 && tables.plan.count == 1 && tables.plan.length % 16 == 0 &&
           std::ranges::all_of(tables.plan.radices.inner,
                               [](int radix) { return has_inner_radix(Inner::common, radix); });
}

/// Of a block of lines of `rows` elements, with as many numbers of the symbol beside them.
template <class T>
BlockShape complex_shape(int rows, int pitch, Index beside) {
    BlockShape shape;
    shape.count = complex_count<T>;
    shape.threads = complex_threads<T>(rows);
    shape.bytes = static_cast<std::size_t>(2 * shape.count * Index{pitch} + beside) * sizeof(T);
    return shape;
}

/// Blocks of a pass for each slow index.
template <class T>
int complex_chunks(const ComplexTask<T>& task, bool rows) {
    const Index lines = Index{rows ? 2 : 1} * task.count;
    return static_cast<int>((task.lines + lines - 1) / lines);
}

/// `half`: of padded lines. `slots`: see run_complex_symbol(). Asynchronous on `stream`; throw Error{device} when
/// refused.
template <class T>
void launch_complex_pass(ComplexPass pass, bool half, const ComplexTask<T>& task, const BlockShape& shape,
                         bool early, Stream stream);
template <class T>
void launch_complex_symbol(bool slots, const ComplexTask<T>& task, const SummedSymbol<T>& symbol, int groups,
                           const BlockShape& shape, bool early, Stream stream);

/// The same by kernels that know lines of `rows` elements, which are padded; false if these are others.
template <int rows, class T>
bool launch_known_complex_pass(ComplexPass pass, const ComplexTask<T>& task, const BlockShape& shape, bool early,
                               Stream stream);
template <int rows, class T>
bool launch_known_complex_symbol(bool slots, const ComplexTask<T>& task, const SummedSymbol<T>& symbol, int groups,
                                 const BlockShape& shape, bool early, Stream stream);

/// launch.template operator()<rows>() for the lengths that have such kernels.
template <class Launch>
bool with_known_rows(int rows, const Launch& launch) {
    switch (rows) {
        case 256: return launch.template operator()<256>();
        case 512: return launch.template operator()<512>();
        case 1024: return launch.template operator()<1024>();
        default: return false;
    }
}

/// Calls body.template operator()<pass>().
template <class Body>
void with_complex_pass(ComplexPass pass, const Body& body) {
    switch (pass) {
        case ComplexPass::rows_there: return body.template operator()<ComplexPass::rows_there>();
        case ComplexPass::columns_there: return body.template operator()<ComplexPass::columns_there>();
        case ComplexPass::columns_back: return body.template operator()<ComplexPass::columns_back>();
        case ComplexPass::rows_back: return body.template operator()<ComplexPass::rows_back>();
        case ComplexPass::rows_there_turned: return body.template operator()<ComplexPass::rows_there_turned>();
        case ComplexPass::rows_back_turned: return body.template operator()<ComplexPass::rows_back_turned>();
    }
}

}  // namespace poisson3d::fused
