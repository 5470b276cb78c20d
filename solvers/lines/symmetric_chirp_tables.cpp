#include "symmetric_chirp_tables.hpp"

#include <algorithm>
#include <cstdlib>

#include "convolution_filter.hpp"
#include "convolution_radices.hpp"
#include "poisson3d/error.hpp"
#include "roots_of_unity.hpp"
#include "symmetric_chirp.hpp"

namespace poisson3d::lines {

namespace {

template <class T, class Format>
class SymmetricChirp {
public:
    SymmetricChirp(const SymmetricLine& line, ThreadTeam& team)
        : line_(line),
          team_(team),
          convolution_(symmetric_convolution(line.half, radix)),
          length_(convolution_.length),
          period_(radix * length_),
          chirp_roots_(16 * line.half),
          roots_(2 * period_) {}

    void make(AxisTables<T, Format>& tables) const {
        tables.form = Kind::type1;
        tables.plan = make_fft_plan<T, Format>(length_, ffts, {1, convolution_.radices, 1});
        if (coprime()) drop_twiddles(tables.plan);
        tables.symmetric = classes_of(line_.samples, tables.plan);
        tables.mode_symmetric = classes_of(line_.modes, tables.plan);
        tables.samples_in = members(line_.samples, true);
        tables.samples_out = members(line_.samples, false);
        tables.modes_in = members(line_.modes, true);
        tables.modes_out = members(line_.modes, false);
        for (std::size_t k = 0; k < tables.mode_of.size(); ++k) tables.mode_of[k] = static_cast<Index>(k);
        tables.chirp.view.length = static_cast<int>(line_.half);
        tables.chirp.view.butterflies = static_cast<int>(ffts * butterflies());
        tables.chirp.filter = filter();
    }

private:
    static constexpr int radix = chirped_radix<Format>;
    static constexpr int ffts = radix / 2 + 1;

    /// Whether kernels know the line's numbers, among them that its two steps need no twiddles (known_chirp.hpp).
    [[nodiscard]] bool coprime() const {
        return Format::few_twiddles && convolution_.known() && known_chirp_radices(length_).coprime();
    }
    /// Kernels that know less multiply by 1.
    void drop_twiddles(FftPlan<T, Format>& plan) const {
        std::fill(plan.twiddles.begin(), plan.twiddles.end(), Complex<T>{1, 0});
        const std::vector<int> places = plan.natural;
        for (Index j = 0; j < length_; ++j) plan.natural[j] = places[known_chirp_radices(length_).place(j)];
    }
    /// The mode in element e of butterfly d of the last step of one FFT.
    [[nodiscard]] Index mode(Index d, Index e) const {
        return coprime() ? known_chirp_radices(length_).mode(d, e) : d + butterflies() * e;
    }

    /// In the middle of an even length one is its own opposite, but not half way between samples.
    [[nodiscard]] Index classes(const ChirpSide& side) const {
        return side.half_way ? (length_ + 1) / 2 : length_ / 2 + 1;
    }
    /// Of tables: as many for either side, so that kernels may know it.
    [[nodiscard]] Index row() const { return length_ / 2 + 1; }
    /// Of the last step of one FFT.
    [[nodiscard]] Index butterflies() const { return length_ / convolution_.radices.back(); }
    /// Positions are whole or half: they come doubled.
    [[nodiscard]] Index position(const ChirpSide& side, int member, Index j) const {
        return 2 * (j + (member - radix / 4) * length_) + (side.half_way ? 1 : 0);
    }
    /// w at a doubled position.
    [[nodiscard]] Complex<long double> chirp(Index twice) const { return chirp_roots_(twice * twice); }

    [[nodiscard]] SymmetricTable<T, Format> classes_of(const ChirpSide& side,
                                                       const FftPlan<T, Format>& plan) const {
        SymmetricTable<T, Format> table;
        const Index behind = side.half_way ? 1 : 0;
        table.view.radix = radix;
        table.view.items = typename Format::Items(static_cast<int>(classes(side)));
        table.view.row = static_cast<int>(row());
        table.view.sine = line_.sine;
        table.view.half_way = static_cast<int>(behind);
        table.view.stride = plan.padded_length;
        for (Index j = 0; j < row(); ++j)
            table.offsets.push_back(
                word_of<Format>(plan.natural[j], plan.natural[(length_ - behind - j) % length_]));
        for (Index k = 0; k < ffts; ++k)
            for (Index j = 0; j < row(); ++j) {
                const Complex<T> t = roots_.template rounded<T>((2 * j + behind) * k + 3 * k * (period_ / 2));
                table.twiddles.push_back(line_.sine ? times_i(t) : t);
            }
        return table;
    }

    /// `in`: with the weights of what is transformed.
    [[nodiscard]] PairMapTable<T, Format> members(const ChirpSide& side, bool in) const {
        PairMapTable<T, Format> map;
        map.view.from = static_cast<int>(side.first);
        map.view.last = static_cast<int>(side.last);
        std::vector<Index> index;
        for (int m = 0; m < radix / 2; ++m)
            for (Index j = 0; j < row(); ++j) {
                const Index at = position(side, m, j), twice = std::abs(at), distance = twice / 2;
                const bool there = j < classes(side) && distance >= side.first && distance <= side.last;
                index.push_back(there ? distance - side.first : no_element_in<typename Format::Word>);
                const Complex<long double> w = chirp(twice);
                const bool end = in && twice == 2 * line_.half;
                const long double weight = !there ? 0 : (end ? 0.5L : 1.0L) * (line_.sine && at < 0 ? -1 : 1);
                map.alpha.push_back({static_cast<T>(weight * w.re), static_cast<T>(weight * w.im)});
            }
        for (int m = 0; m < radix / 2; m += 2)
            for (Index j = 0; j < row(); ++j)
                map.words.push_back(word_of<Format>(index[m * row() + j], index[(m + 1) * row() + j]));
        return map;
    }

    /// Mode n of FFT k is mode nr + k of conj(w) with its period, at distances of samples and modes: a first step
    /// of radix r, and FFTs. Each side that is half way behind its samples multiplies mode n by e^{−πi n/L}, and so
    /// do distances that are half ones: together that is one sample of shift, or none.
    [[nodiscard]] std::vector<Complex<T>> filter() const {
        const Index half = line_.samples.half_way != line_.modes.half_way ? 1 : 0;
        const Index shift = line_.samples.half_way || line_.modes.half_way ? 1 : 0;
        std::vector<std::vector<Complex<long double>>> values(ffts, std::vector<Complex<long double>>(length_));
        team_.parallel_for(length_, share, [&](Index begin, Index end, int) {
            for (Index j = begin; j < end; ++j) {
                Complex<long double> z[radix];
                for (int m = 0; m < radix; ++m) z[m] = conjugate_chirp(2 * (j + m * length_) + half);
                dft(z);
                for (int k = 0; k < ffts; ++k) {
                    const Complex<long double> value = 1.0L / radix * product(roots_((2 * j + half) * k), z[k]);
                    values[k][(j + shift) % length_] = line_.sine ? times_i(value) : value;
                }
            }
        });
        const int last = convolution_.radices.back();
        const Index of_line = ffts * butterflies();
        std::vector<Complex<T>> all(of_line * last);
        for (int k = 0; k < ffts; ++k) {
            const std::vector<Complex<T>> of_fft = filter_of<T>(convolution_.radices, values[k], team_);
            for (int e = 0; e < last; ++e)
                for (Index d = 0; d < butterflies(); ++d)
                    all[e * of_line + k * butterflies() + d] = of_fft[mode(d, e)];
        }
        return all;
    }
    static constexpr Index share = 1 << 10;  // of a thread at a time
    [[nodiscard]] Complex<long double> conjugate_chirp(Index twice) const {
        const Index distance = std::min(twice, 2 * period_ - twice);
        if (distance > 4 * line_.half) return {0, 0};
        const Complex<long double> w = chirp(distance);
        return {w.re, -w.im};
    }

    SymmetricLine line_;
    ThreadTeam& team_;
    Convolution convolution_;
    Index length_, period_;
    RootsOfUnity chirp_roots_, roots_;  ///< of half positions
};

}  // namespace

SymmetricLine symmetric_line(const AxisKind& kind) {
    const Index n = kind.unknowns;
    const ChirpSide half_way{true, 0, n - 1}, from_zero{false, 0, n - 1}, from_one{false, 1, n};
    switch (kind.forward) {
        case Transform::dct1: return {false, n - 1, from_zero, from_zero};
        case Transform::dst1: return {true, n + 1, from_one, from_one};
        case Transform::dct2: return {false, n, half_way, from_zero};
        case Transform::dst2: return {true, n, half_way, from_one};
        case Transform::dct3: return {false, n, from_zero, half_way};
        case Transform::dst3: return {true, n, from_one, half_way};
        case Transform::dct4: return {false, n, half_way, half_way};
        case Transform::dst4: return {true, n, half_way, half_way};
        case Transform::dft:
        case Transform::inverse_dft: break;
    }
    throw Error(ErrorCode::internal, "a periodic line is neither even nor odd");
}

template <class Format>
Index symmetric_chirp_elements(Index half) {
    constexpr int r = chirped_radix<Format>;
    return (r / 2 + 1) * padded_length_of({1, symmetric_convolution(half, r).radices, 1});
}

template <class T, class Format>
void make_symmetric_chirp(AxisTables<T, Format>& tables, const SymmetricLine& line, ThreadTeam& team) {
    SymmetricChirp<T, Format>(line, team).make(tables);
}

template Index symmetric_chirp_elements<Compact>(Index);
template Index symmetric_chirp_elements<Plain>(Index);
template void make_symmetric_chirp(AxisTables<float, Compact>&, const SymmetricLine&, ThreadTeam&);
template void make_symmetric_chirp(AxisTables<double, Compact>&, const SymmetricLine&, ThreadTeam&);
template void make_symmetric_chirp(AxisTables<float, Plain>&, const SymmetricLine&, ThreadTeam&);
template void make_symmetric_chirp(AxisTables<double, Plain>&, const SymmetricLine&, ThreadTeam&);

}  // namespace poisson3d::lines
