#include "line_plan.hpp"

#include <utility>

#include "poisson3d/error.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d {

namespace {

/// e^{−iπ a/b} for many a ≥ 0, argument reduced exactly.
class Phase {
public:
    explicit Phase(Index b) : roots_(2 * b) {}
    Complex<long double> operator()(Index a) const { return roots_(a); }

private:
    RootsOfUnity roots_;
};

template <class T>
class Builder {
public:
    Builder(Transform transform, Index points) : n_(points) {
        plan_.transform = transform;
        plan_.points = points;
        plan_.load.resize(points);
        plan_.store.resize(points);
    }

    LinePlan<T> build() {
        switch (plan_.transform) {
            case Transform::dft: real_dft(); break;
            case Transform::inverse_dft: inverse_dft(); break;
            case Transform::dct2: type2(false); break;
            case Transform::dst2: type2(true); break;
            case Transform::dct3: type3(false); break;
            case Transform::dst3: type3(true); break;
            case Transform::dct4: n_ % 2 == 0 ? type4_even(false) : type4_odd(false); break;
            case Transform::dst4: n_ % 2 == 0 ? type4_even(true) : type4_odd(true); break;
            case Transform::dct1:
            case Transform::dst1: throw Error(ErrorCode::internal, "a line plan of type I");
        }
        return std::move(plan_);
    }

private:
    /// Appends a table α_0 … α_{count−1} and returns its offset.
    template <class Alpha>
    Index table(Index count, Alpha alpha) {
        const auto offset = static_cast<Index>(plan_.tables.size());
        for (Index q = 0; q < count; ++q) {
            const Complex<long double> value = alpha(q);
            plan_.tables.push_back({static_cast<T>(value.re), static_cast<T>(value.im)});
        }
        return offset;
    }

    void load(Index sample, Index row, bool negative = false) { put(plan_.load, sample, row, negative); }
    void store(Index mode, Index row, bool negative = false) { put(plan_.store, mode, row, negative); }
    static void put(std::vector<RowRef<T>>& refs, Index index, Index row, bool negative) {
        refs[index] = {static_cast<std::int32_t>(row), negative ? T(-1) : T(1)};
    }

    void real_dft() {
        for (Index j = 0; j < n_; ++j) load(j, j), store(j, j);
        const Index after = table(n_, [&](Index q) -> Complex<long double> {
            return 2 * q <= n_ ? Complex<long double>{0.5L, 0} : Complex<long double>{0, 0.5L};
        });
        plan_.step = {n_, 1, Pairing::none, Pairing::mirror, 0, after};
    }

    void inverse_dft() {
        for (Index j = 0; j < n_; ++j) load(j, j), store(j, j);
        const Index before = table(n_, [&](Index q) -> Complex<long double> {
            if (q == 0 || 2 * q == n_) return {0.5L, 0};
            return 2 * q < n_ ? Complex<long double>{1, 0} : Complex<long double>{0, 1};
        });
        plan_.step = {n_, 1, Pairing::mirror, Pairing::none, before, 0};
    }

    // DST-II: negate odd samples, DCT-II, reverse the modes.
    void type2(bool sine) {
        for (Index j = 0; j < n_; ++j) {
            load(j, makhoul_row(j, n_), sine && j % 2 == 1);
            store(j, sine ? n_ - 1 - j : j);
        }
        const Index after = table(n_, Phase(2 * n_));
        plan_.step = {n_, 1, Pairing::none, Pairing::mirror, 0, after};
    }

    // DST-III: reverse the samples, DCT-III, negate odd modes.
    void type3(bool sine) {
        for (Index j = 0; j < n_; ++j) {
            load(j, sine ? n_ - 1 - j : j);
            store(j, makhoul_row(j, n_), sine && j % 2 == 1);
        }
        const Phase phase(2 * n_);
        const Index before = table(n_, [&](Index q) { return q == 0 ? Complex<long double>{0.5L, 0} : phase(q); });
        plan_.step = {n_, 1, Pairing::mirror, Pairing::none, before, 0};
    }

    // DST-IV: reverse the samples, DCT-IV, negate odd modes. Here and below for both lengths.
    void type4_even(bool sine) {
        const Index half = n_ / 2;
        const auto sample = [&](Index j) { return sine ? n_ - 1 - j : j; };
        for (Index j = 0; j < half; ++j) {
            load(sample(2 * j), 2 * j);
            load(sample(n_ - 1 - 2 * j), 2 * j + 1);
            store(2 * j, 2 * j);
            store(n_ - 1 - 2 * j, partner(Pairing::cross, 2 * j, n_), sine);  // an odd mode
        }
        // Row 2j holds t_j (p + i q), row 2j + 1 its conjugate for real lines: α there is −i conj(t_j).
        const auto conjugate = [](Complex<long double> z) -> Complex<long double> { return {-z.im, -z.re}; };
        const Phase quarter(4 * n_);
        const Index before = table(n_, [&](Index r) {
            const Complex<long double> t = quarter(4 * (r / 2) + 1);
            return r % 2 == 0 ? t : conjugate(t);
        });
        const Phase phase(n_);
        const Index after = table(n_, [&](Index r) {
            if (r % 2 == 0) return phase(r / 2);
            return conjugate(phase(partner(Pairing::cross, r, n_) / 2));
        });
        plan_.step = {n_, 2, Pairing::adjacent, Pairing::cross, before, after};
    }

    void type4_odd(bool sine) {
        // y_i = x̃((n−1)/2 + 4i), x̃ the extension of x that is even about −½ and odd about n−½.
        for (Index i = 0; i < n_; ++i) {
            const Index s = ((n_ - 1) / 2 + 4 * i) % (4 * n_);
            const Index fold = s % (2 * n_);  // x̃(s + 2n) = −x̃(s)
            const Index j = fold < n_ ? fold : 2 * n_ - 1 - fold;
            const bool negative = (fold >= n_) != (s >= 2 * n_);
            load(sine ? n_ - 1 - j : j, i, negative);
        }
        std::vector<Index> mode_of_row(n_);
        for (Index k = 0; k < n_; ++k) {
            const Index row = (2 * k + 1) % n_;
            store(k, row, sine && k % 2 == 1);
            mode_of_row[row] = k;
        }
        const Phase phase(4);
        const Index after = table(n_, [&](Index q) { return phase(2 * mode_of_row[q] + 1); });
        plan_.step = {n_, 1, Pairing::none, Pairing::mirror, 0, after};
    }

    Index n_;
    LinePlan<T> plan_;
};

}  // namespace

template <class T>
LinePlan<T> make_line_plan(Transform transform, Index points) {
    return Builder<T>(transform, points).build();
}

template <class T>
LinePlan<T> transposed(LinePlan<T> plan) {
    std::swap(plan.load, plan.store);
    std::swap(plan.step.split, plan.step.combine);
    std::swap(plan.step.split_table, plan.step.combine_table);
    return plan;
}

template LinePlan<float> make_line_plan(Transform, Index);
template LinePlan<double> make_line_plan(Transform, Index);
template LinePlan<float> transposed(LinePlan<float>);
template LinePlan<double> transposed(LinePlan<double>);

}  // namespace poisson3d
