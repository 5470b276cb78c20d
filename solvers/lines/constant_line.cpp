#include "constant_line.hpp"

namespace poisson3d::lines {

namespace {

/// Q_0, Q_1, … of a line.
template <class T>
class PrefixSums {
public:
    PrefixSums(const ChainTables<T>& chain, const T* f, long stride, Wide<T> mean)
        : chain_(chain), f_(f), stride_(stride), mean_(mean) {}

    [[nodiscard]] Wide<T> sum() const { return sum_; }
    /// From Q_j to Q_{j+1}; reads f_j.
    void advance(int j) {
        const Wide<T> rest = Wide<T>(static_cast<double>(f_[j * stride_])) - mean_;
        sum_ = sum_ - rest * static_cast<double>(chain_.volumes[j]);
    }

private:
    const ChainTables<T>& chain_;
    const T* f_;
    long stride_;
    Wide<T> mean_, sum_{0.0};
};

}  // namespace

template <class T>
ConstantLine<T>::ConstantLine(const ChainTables<T>& chain, bool singular)
    : chain_(chain), ring_(chain.links[0] > T(0)), singular_(singular) {
    const auto add = [&](T conductance) {
        if (conductance > T(0))
            resistance_ = resistance_ + Wide<T>(1.0) / Wide<T>(static_cast<double>(conductance));
    };
    for (const T each : chain.volumes) volume_ = volume_ + Wide<T>(static_cast<double>(each));
    for (int j = ring_ ? 0 : 1; j < chain.view.nodes; ++j) add(chain.links[j]);
    for (const T ground : chain.view.ground) add(ground);
}

template <class T>
T ConstantLine<T>::solve(T* f, long stride) const {
    const int n = chain_.view.nodes;
    const auto at = [&](const std::vector<T>& numbers, int j) { return Wide<T>(static_cast<double>(numbers[j])); };
    Wide<T> mean{0.0};
    if (singular_) {
        for (int j = 0; j < n; ++j) mean = mean + at(chain_.volumes, j) * static_cast<double>(f[j * stride]);
        mean = mean / volume_;
    }

    // Σ Q_j/g_j for 0 < j < n, and Q_n.
    PrefixSums<T> prefix(chain_, f, stride, mean);
    Wide<T> drop{0.0};
    for (int j = 0; j < n; ++j) {
        if (j > 0) drop = drop + prefix.sum() / static_cast<double>(chain_.links[j]);
        prefix.advance(j);
    }
    const Wide<T> all = prefix.sum();
    const auto ground = [&](int side) { return static_cast<double>(chain_.view.ground[side]); };
    Wide<T> first_current{0.0};  // q_0
    Wide<T> first{0.0};          // u_0
    if (singular_) {
        if (ring_) first_current = -drop / resistance_;
    } else if (ground(0) == 0.0) {
        first = all / ground(1) + drop;
    } else {
        first_current = ground(1) == 0.0 ? -all : -(drop + all / ground(1)) / resistance_;
        first = -first_current / ground(0);
    }

    const auto for_each_u = [&](const auto& body) {
        PrefixSums<T> sums(chain_, f, stride, mean);
        Wide<T> u = first;
        for (int j = 0; j < n; ++j) {
            if (j > 0) u = u - (first_current + sums.sum()) / static_cast<double>(chain_.links[j]);
            sums.advance(j);
            body(j, u);
        }
    };
    Wide<T> mean_of_u{0.0};
    if (singular_) {
        for_each_u([&](int j, Wide<T> u) { mean_of_u = mean_of_u + u * static_cast<double>(chain_.volumes[j]); });
        mean_of_u = mean_of_u / volume_;
    }
    for_each_u([&](int j, Wide<T> u) { f[j * stride] = static_cast<T>(static_cast<double>(u - mean_of_u)); });
    return static_cast<T>(static_cast<double>(mean));
}

template class ConstantLine<float>;
template class ConstantLine<double>;

}  // namespace poisson3d::lines
