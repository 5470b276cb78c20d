#include "long_fft.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "convolution_filter.hpp"
#include "convolution_radices.hpp"
#include "launch_pass.hpp"
#include "poisson3d/device_memory.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::fused {

using namespace lines;

namespace {

/// All steps in shared memory, primes last.
Radices inner_radices(Index length) {
    std::vector<int> inner = length > 1 ? InnerRadices().of(length) : std::vector<int>{};
    std::stable_sort(inner.begin(), inner.end(),
                     [](int a, int b) { return !prime_step_radix(a) && prime_step_radix(b); });
    return {1, std::move(inner), 1};
}

Index padded_side(Index length) {
    return has_radices(length) ? padded_length_of(inner_radices(length)) : chirp_padded_length<Compact>(length);
}

template <class T>
bool side_fits(Index length) {
    if (length > std::numeric_limits<std::uint16_t>::max() / 4) return false;
    const Index padded = padded_side(length);
    constexpr Index banks = 128 / static_cast<Index>(2 * sizeof(T));
    return padded <= std::numeric_limits<std::uint16_t>::max() &&
           static_cast<std::size_t>(padded + banks) * 2 * sizeof(T) <= max_shared();
}

/// What a side takes, by sweeps over shared memory of its elements.
double cost_of_side(Index length) {
    if (!has_radices(length)) return 12.0;
    return 4.0 + static_cast<double>(inner_radices(length).inner.size());
}

/// n₁ of the best two; 0: there are none.
template <class T>
Index columns_of(Index length) {
    Index best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index a = 2; a * a <= length; ++a) {
        if (length % a != 0) continue;
        const Index b = length / a;
        if (!side_fits<T>(a) || !side_fits<T>(b)) continue;
        const double cost = cost_of_side(a) + cost_of_side(b);
        if (cost <= least) best = a, least = cost;  // the last ones are the most even
    }
    return best;
}

bool is_smooth(Index length) {
    for (const Index p : {2, 3, 5, 7})
        while (length % p == 0) length /= p;
    return length == 1;
}

/// Of the FFTs that do one of `length`: that, or the least of a chirp; 0: no sides fit.
template <class T>
Index total_length(Index length) {
    if (columns_of<T>(length) > 0) return length;
    const Index first = 2 * length - 1, longest_side = static_cast<Index>(max_shared() / (2 * sizeof(T)));
    if (first > longest_side * longest_side) return 0;
    for (Index m = first; m < 2 * first + 16; ++m)
        if (is_smooth(m) && columns_of<T>(m) > 0 && InnerRadices().of(m).size() <= max_steps) return m;
    return 0;
}

}  // namespace

template <class T>
bool LongFft<T>::has(Index length) {
    return total_length<T>(length) > 0;
}

template <class T>
LongFft<T>::LongFft(Index length)
    : length_(length),
      total_(total_length<T>(length)),
      columns_(columns_of<T>(total_), total_ / columns_of<T>(total_)),
      rows_(columns_.view.other, columns_.view.length) {
    const RootsOfUnity roots(total_);
    columns_.twiddles.reserve(static_cast<std::size_t>(total_));
    for (Index k = 0; k < columns_.view.length; ++k)
        for (Index p = 0; p < columns_.view.other; ++p) columns_.twiddles.push_back(roots.rounded<T>(k * p));
    if (by_chirp()) make_chirp();
}

template <class T>
void LongFft<T>::make_chirp() {
    std::vector<Complex<long double>> values(static_cast<std::size_t>(total_));
    const RootsOfUnity roots(2 * length_);
    for (Index j = 0; j < length_; ++j) {
        const Complex<long double> w = roots(j * j);  // e^{−iπ j²/n}, the argument reduced exactly
        chirp_.push_back({static_cast<T>(w.re), static_cast<T>(w.im)});
        values[j] = values[(total_ - j) % total_] = {w.re, -w.im};
    }
    ThreadTeam alone(1);
    filter_ = modes_of<T>(InnerRadices().of(total_), values, alone);
}

template <class T>
LongFft<T>::Side::Side(Index length, Index other) {
    if (has_radices(length)) {
        plan = make_fft_plan<T, Compact>(length, 1, inner_radices(length));
    } else {
        ThreadTeam alone(1);
        ChirpPlan<T, Compact> by_chirp = make_chirp_plan<T, Compact>(length, 1, alone);
        plan = std::move(by_chirp.plan);
        chirp = std::move(by_chirp.tables);
    }
    for (Index j = 0; j < length; ++j)
        places.push_back(word_of<Compact>(plan.natural[static_cast<std::size_t>(j)],
                                          plan.reversed[static_cast<std::size_t>(j)]));
    view.length = static_cast<int>(length);
    view.elements = WorkItems(view.length);
    view.other = static_cast<int>(other);
    view.pitch = plan.pitch;
    // Runs of 128 bytes, if some blocks share a multiprocessor then.
    constexpr int run = 128 / static_cast<int>(2 * sizeof(T));
    const auto bytes = [&](int count) {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(view.pitch) * 2 * sizeof(T);
    };
    shape.count = run;
    while (shape.count > 1 && bytes(shape.count) > std::size_t{70} << 10) shape.count /= 2;
    while (1 << view.shift < shape.count) ++view.shift;
    shape.bytes = bytes(shape.count);
    shape.threads = 2 * shape.bytes <= max_shared() ? 128 : 256;
}

template <class T>
template <class Visit>
void LongFft<T>::Side::for_each_array(const Visit& visit) {
    visit(plan.words, view.fft.words);
    visit(plan.twiddles, view.fft.twiddles);
    visit(chirp.chirp, view.chirp.chirp);
    visit(chirp.filter, view.chirp.filter);
    visit(places, view.places);
    visit(twiddles, view.twiddles);
}

template <class T>
void LongFft<T>::reserve(device::WorkspaceLayout& layout) {
    for (Side* side : {&columns_, &rows_}) {
        device::WorkspaceLayout inside;
        side->for_each_array([&](const auto& array, auto&) { inside.take(array.size() * sizeof(array[0])); });
        side->offset = layout.take(inside.end());
    }
    chirp_offset_ = layout.take(chirp_.size() * sizeof(chirp_[0]));
    filter_offset_ = layout.take(filter_.size() * sizeof(filter_[0]));
}

template <class T>
void LongFft<T>::upload(std::byte* workspace) {
    for (Side* side : {&columns_, &rows_}) {
        side->view.fft = side->plan.fft;
        side->view.chirp = side->chirp.view;
        device::WorkspaceLayout inside;
        side->for_each_array([&](const auto& array, auto& address) {
            const std::size_t bytes = array.size() * sizeof(array[0]);
            if (bytes == 0) return;
            std::byte* const place = workspace + side->offset + inside.take(bytes);
            copy_to_device(place, array.data(), bytes);
            address = reinterpret_cast<decltype(address + 0)>(place);
        });
    }
    const auto copy = [&](const std::vector<Complex<T>>& numbers, std::size_t offset) {
        copy_to_device(workspace + offset, numbers.data(), numbers.size() * sizeof(numbers[0]));
        return reinterpret_cast<const Complex<T>*>(workspace + offset);
    };
    if (by_chirp())
        chirp_on_device_ = copy(chirp_, chirp_offset_), filter_on_device_ = copy(filter_, filter_offset_);
    synchronize();
}

template <class T>
Complex<T>* LongFft<T>::run(Index ffts, Complex<T>* lines, Complex<T>* work, Stream stream) const {
    const auto columns = [&](const LongFftData<T>& data) {
        launch_long_fft(columns_.view, columns_.shape, true, data, stream);
    };
    const auto rows = [&](const LongFftData<T>& data) {
        launch_long_fft(rows_.view, rows_.shape, false, data, stream);
    };
    const Index n = length_, m = total_;
    if (!by_chirp()) {
        columns({lines, lines, ffts, n, n});
        rows({lines, work, ffts, n, n});
        return work;
    }
    Complex<T>* const other = work + ffts * m;
    columns({lines, work, ffts, n, m, chirp_on_device_, n});
    rows({work, other, ffts, m, m, filter_on_device_, m});
    columns({other, other, ffts, m, m});
    rows({other, lines, ffts, m, n, chirp_on_device_, n});
    return lines;
}

template class LongFft<float>;
template class LongFft<double>;

}  // namespace poisson3d::fused
