#include "symmetric_chirp_tables.hpp"

#include <algorithm>
#include <cstdlib>

#include "convolution_filter.hpp"
#include "convolution_radices.hpp"
#include "roots_of_unity.hpp"
#include "symmetric_chirp.hpp"

namespace poisson3d::lines {

namespace {

template <class T, class Format>
class SymmetricChirp {
public:
    SymmetricChirp(bool sine, Index half, ThreadTeam& team)
        : sine_(sine),
          half_(half),
          team_(team),
          convolution_(symmetric_convolution(half, radix)),
          length_(convolution_.length),
          period_(radix * length_),
          chirp_roots_(4 * half),
          roots_(period_) {}

    void make(AxisTables<T, Format>& tables) const {
        tables.form = Kind::type1;
        tables.plan = make_fft_plan<T, Format>(length_, ffts, {1, convolution_.radices, 1});
        make_symmetric(tables.symmetric, tables.plan);
        for (PairMapTable<T, Format>* map : {&tables.samples_in, &tables.modes_in}) *map = members(true);
        for (PairMapTable<T, Format>* map : {&tables.samples_out, &tables.modes_out}) *map = members(false);
        for (std::size_t k = 0; k < tables.mode_of.size(); ++k) tables.mode_of[k] = static_cast<Index>(k);
        tables.chirp.view.length = static_cast<int>(half_);
        tables.chirp.view.butterflies = static_cast<int>(ffts * butterflies());
        tables.chirp.filter = filter();
    }

private:
    static constexpr int radix = chirped_radix<Format>;
    static constexpr int ffts = radix / 2 + 1;

    [[nodiscard]] Index classes() const { return length_ / 2 + 1; }
    /// Of the last step of one FFT.
    [[nodiscard]] Index butterflies() const { return length_ / convolution_.radices.back(); }
    [[nodiscard]] Index position(int member, Index j) const { return j + (member - radix / 4) * length_; }
    /// w_j
    [[nodiscard]] Complex<long double> chirp(Index j) const { return chirp_roots_(j * j); }

    void make_symmetric(SymmetricTable<T, Format>& table, const FftPlan<T, Format>& plan) const {
        table.view.radix = radix;
        table.view.items = typename Format::Items(static_cast<int>(classes()));
        table.view.sine = sine_;
        table.view.stride = plan.padded_length;
        for (Index j = 0; j < classes(); ++j)
            table.offsets.push_back(word_of<Format>(plan.natural[j], plan.natural[(length_ - j) % length_]));
        for (Index k = 0; k < ffts; ++k)
            for (Index j = 0; j < classes(); ++j) {
                const Complex<T> t = roots_.template rounded<T>(j * k + 3 * k * (period_ / 4));
                table.twiddles.push_back(sine_ ? times_i(t) : t);
            }
    }

    /// `in`: with the weights of what is transformed.
    [[nodiscard]] PairMapTable<T, Format> members(bool in) const {
        PairMapTable<T, Format> map;
        std::vector<Index> index;
        for (int m = 0; m < radix / 2; ++m)
            for (Index j = 0; j < classes(); ++j) {
                const Index at = position(m, j), distance = std::abs(at);
                const bool end = distance == half_;
                const bool there = distance <= half_ && !(sine_ && (end || at == 0));
                index.push_back(there ? distance - (sine_ ? 1 : 0) : no_element_in<typename Format::Word>);
                const Complex<long double> w = chirp(distance);
                const long double weight = !there ? 0 : (in && end ? 0.5L : 1.0L) * (sine_ && at < 0 ? -1 : 1);
                map.alpha.push_back({static_cast<T>(weight * w.re), static_cast<T>(weight * w.im)});
            }
        for (int m = 0; m < radix / 2; m += 2)
            for (Index j = 0; j < classes(); ++j)
                map.words.push_back(word_of<Format>(index[m * classes() + j], index[(m + 1) * classes() + j]));
        return map;
    }

    /// Mode n of FFT k is mode nr + k of conj(w) with its period: a first step of radix r, and FFTs.
    [[nodiscard]] std::vector<Complex<T>> filter() const {
        std::vector<std::vector<Complex<long double>>> values(ffts, std::vector<Complex<long double>>(length_));
        team_.parallel_for(length_, share, [&](Index begin, Index end, int) {
            for (Index j = begin; j < end; ++j) {
                Complex<long double> z[radix];
                for (int m = 0; m < radix; ++m) z[m] = conjugate_chirp(j + m * length_);
                dft(z);
                for (int k = 0; k < ffts; ++k) {
                    const Complex<long double> value = 1.0L / radix * product(roots_(j * k), z[k]);
                    values[k][j] = sine_ ? times_i(value) : value;
                }
            }
        });
        const int last = convolution_.radices.back();
        const Index of_line = ffts * butterflies();
        std::vector<Complex<T>> all(of_line * last);
        for (int k = 0; k < ffts; ++k) {
            const std::vector<Complex<T>> of_fft = filter_of<T>(convolution_.radices, values[k], team_);
            for (int e = 0; e < last; ++e)
                std::copy_n(of_fft.begin() + e * butterflies(), butterflies(),
                            all.begin() + e * of_line + k * butterflies());
        }
        return all;
    }
    static constexpr Index share = 1 << 10;  // of a thread at a time
    [[nodiscard]] Complex<long double> conjugate_chirp(Index at) const {
        const Index distance = std::min(at, period_ - at);
        if (distance > 2 * half_) return {0, 0};
        const Complex<long double> w = chirp(distance);
        return {w.re, -w.im};
    }

    bool sine_;
    Index half_;
    ThreadTeam& team_;
    Convolution convolution_;
    Index length_, period_;
    RootsOfUnity chirp_roots_, roots_;
};

}  // namespace

template <class Format>
Index symmetric_chirp_elements(Index half) {
    constexpr int r = chirped_radix<Format>;
    return (r / 2 + 1) * padded_length_of({1, symmetric_convolution(half, r).radices, 1});
}

template <class T, class Format>
void make_symmetric_chirp(AxisTables<T, Format>& tables, bool sine, Index half, ThreadTeam& team) {
    SymmetricChirp<T, Format>(sine, half, team).make(tables);
}

template Index symmetric_chirp_elements<Compact>(Index);
template Index symmetric_chirp_elements<Plain>(Index);
template void make_symmetric_chirp(AxisTables<float, Compact>&, bool, Index, ThreadTeam&);
template void make_symmetric_chirp(AxisTables<double, Compact>&, bool, Index, ThreadTeam&);
template void make_symmetric_chirp(AxisTables<float, Plain>&, bool, Index, ThreadTeam&);
template void make_symmetric_chirp(AxisTables<double, Plain>&, bool, Index, ThreadTeam&);

}  // namespace poisson3d::lines
