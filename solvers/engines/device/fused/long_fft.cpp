#include "long_fft.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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
    return has_radices(length) ? padded_length_of(inner_radices(length)) : chirp_padded_length(length);
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

}  // namespace

template <class T>
bool LongFft<T>::has(Index length) {
    return columns_of<T>(length) > 0;
}

template <class T>
LongFft<T>::LongFft(Index length)
    : columns_(columns_of<T>(length), length / columns_of<T>(length)),
      rows_(length / columns_of<T>(length), columns_of<T>(length)) {
    const RootsOfUnity roots(length);
    columns_.twiddles.reserve(static_cast<std::size_t>(length));
    for (Index k = 0; k < columns_.view.length; ++k)
        for (Index p = 0; p < columns_.view.other; ++p) columns_.twiddles.push_back(roots.rounded<T>(k * p));
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
    synchronize();
}

template <class T>
void LongFft<T>::run(Index ffts, Complex<T>* in, Complex<T>* out, Stream stream) const {
    launch_long_fft(columns_.view, columns_.shape, true, ffts, in, in, stream);
    launch_long_fft(rows_.view, rows_.shape, false, ffts, in, out, stream);
}

template class LongFft<float>;
template class LongFft<double>;

}  // namespace poisson3d::fused
