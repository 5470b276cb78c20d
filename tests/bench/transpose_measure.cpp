// transpose_shapes: times transposes against a copy of the same size, and sums up.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <tuple>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"
#include "transpose_shapes.hpp"

namespace poisson3d::test {

namespace {

using Json = nlohmann::ordered_json;

/// Two halves of device memory, of which each run takes the next part, so that no run finds what the last one left
/// in the cache.
class Halves {
public:
    explicit Halves(std::size_t bytes) : size_(bytes), in_(bytes), out_(bytes) {
        std::vector<unsigned> noise(1 << 18);
        unsigned state = 1;
        for (unsigned& x : noise) x = state = state * 1664525U + 1013904223U;
        copy_to_device(in_.data(), noise.data(), noise.size() * 4);
        for (std::size_t filled = noise.size() * 4; filled < size_; filled *= 2)
            copy_on_device(at(in_, filled), in_.data(), std::min(filled, size_ - filled));
        // Until the device has reached the clock of a busy one.
        for (int i = 0; i < 100; ++i) copy_on_device(out_.data(), in_.data(), size_);
        synchronize();
    }
    /// Median seconds of work(in, out) on fields of so many bytes, after a first run.
    template <class Work>
    double seconds(std::size_t bytes, int repeat, const Work& work) {
        const std::size_t unit = bytes < (2U << 20) ? 256 : 2U << 20;
        const std::size_t step = (bytes + unit - 1) / unit * unit;
        const std::size_t places = size_ / step;
        // Short works many at a time: a launch by itself would be measured with the gap before it.
        const std::size_t most = std::min<std::size_t>(64, places);
        const std::size_t count = std::clamp<std::size_t>((std::size_t{192} << 20) / step, 1, most);
        std::vector<double> all;
        for (int i = 0; i <= repeat; ++i) {
            timer_.start();
            for (std::size_t k = 0; k < count; ++k, ++place_)
                work(at(in_, place_ % places * step), at(out_, place_ % places * step));
            timer_.stop();
            if (i > 0) all.push_back(timer_.seconds() / static_cast<double>(count));
        }
        std::nth_element(all.begin(), all.begin() + repeat / 2, all.end());
        return all[static_cast<std::size_t>(repeat / 2)];
    }
    double copy_seconds(std::size_t bytes, int repeat) {
        return seconds(bytes, repeat, [&](const void* in, void* out) { copy_on_device(out, in, bytes); });
    }

private:
    static std::byte* at(const DeviceBuffer& buffer, std::size_t offset) {
        return static_cast<std::byte*>(buffer.data()) + offset;
    }
    std::size_t size_;
    DeviceBuffer in_, out_;
    DeviceTimer timer_;
    std::size_t place_ = 0;
};

/// Fractions by element, order and candidate.
class Summary {
public:
    void add(int element, const std::string& order, const std::string& name, double fraction,
             const std::string& shape) {
        all_[{element, order, name}].emplace_back(fraction, shape);
    }
    void print(int worst) {
        for (auto& [key, list] : all_) {
            const auto& [element, order, name] = key;
            std::sort(list.begin(), list.end());
            std::printf("%2d B %-4s %-28s worst %.3f  tenth %.3f  median %.3f  best %.3f ", element, order.c_str(),
                        name.c_str(), list.front().first, list[list.size() / 10].first, list[list.size() / 2].first,
                        list.back().first);
            for (std::size_t i = 0; i < std::min(list.size(), static_cast<std::size_t>(worst)); ++i)
                std::printf("  %s %.2f", list[i].second.c_str(), list[i].first);
            std::printf("\n");
        }
        std::fflush(stdout);
    }

private:
    std::map<std::tuple<int, std::string, std::string>, std::vector<std::pair<double, std::string>>> all_;
};

void write(const ShapeOptions& options, const Json& rows) {
    if (options.json.empty()) return;
    std::ofstream file(options.json);
    file << "[";
    for (std::size_t i = 0; i < rows.size(); ++i) file << (i > 0 ? ",\n" : "\n") << rows[i].dump();
    if (!(file << "\n]\n")) throw Error(ErrorCode::output, "cannot write " + options.json);
}

double rounded(double fraction) {
    return std::round(fraction * 1000) / 1000;
}

}  // namespace

void measure_boxes(const ShapeOptions& options) {
    const std::vector<Extents> shapes = boxes(options);
    double most = 0;
    for (const Extents& e : shapes)
        most = std::max(most, static_cast<double>(e[0]) * static_cast<double>(e[1]) * static_cast<double>(e[2]));
    const auto largest = static_cast<std::size_t>(most) * static_cast<std::size_t>(*std::max_element(
                                                              options.elements.begin(), options.elements.end()));
    Halves memory(std::max(std::size_t{1} << 30, largest + (4U << 20)));
    Summary summary;
    Json rows = Json::array();
    for (const Extents& e : shapes)
        for (const int element : options.elements) {
            const auto bytes = static_cast<std::size_t>(e[0] * e[1] * e[2] * element);
            const double copy = memory.copy_seconds(bytes, options.repeat);
            for (const std::string& order : options.orders) {
                Json row{{"points", e},
                         {"element", element},
                         {"order", order},
                         {"copy_GBps", std::round(2e-9 * static_cast<double>(bytes) / copy)}};
                for (const Candidate& c : candidates(options, dense(e, order, element))) {
                    const double fraction = copy / memory.seconds(bytes, options.repeat, c.run);
                    summary.add(element, order, c.name, fraction, text(e));
                    row[c.name] = rounded(fraction);
                }
                rows.push_back(std::move(row));
            }
            write(options, rows);
        }
    summary.print(options.worst);
}

namespace {

void measure_one(const ShapeOptions& options, const Extents& e, const std::string& order, Halves& memory,
                 Summary& summary, Json& rows) {
    for (const int element : options.elements) {
        const auto bytes = static_cast<std::size_t>(e[0] * e[1] * e[2] * element);
        const double copy = memory.copy_seconds(bytes, options.repeat);
        const InPlaceProblem problem{e, permutation_of(order), element};
        std::vector<InPlaceCandidate> all;
        const bool cube = (order == "yzx" || order == "zxy") && e[0] == e[1] && e[1] == e[2];
        auto plan = std::make_shared<TransposeInPlace>(problem, InPlaceOptions{Backend::cuda});
        all.push_back({"automatic", [plan](void* data) { plan->execute(data); }});
        if (options.variants && cube)
            for (InPlaceCandidate& c : cube_candidates(e[0], order == "zxy", element)) all.push_back(std::move(c));
        std::vector<InPlaceCandidate> squares;
        if (options.variants && order == "xzy" && e[1] == e[2])
            squares = square_candidates({e[1], e[1], 1, element, {1, e[0]}, {0, e[1] * e[1]}});
        if (options.variants && order == "zyx" && e[0] == e[2])
            squares = square_candidates({e[0], e[1] * e[0], 1, element, {1, e[1]}, {0, e[0]}});
        for (InPlaceCandidate& c : squares) all.push_back(std::move(c));
        if (options.variants && order == "xzy" && e[1] != e[2])
            for (InPlaceCandidate& c : rectangle_candidates({e[1], e[2], 1, element, e[0], e[1] * e[2]}))
                all.push_back(std::move(c));
        if (options.variants && order == "yxz" && e[0] != e[1])
            for (InPlaceCandidate& c : rectangle_candidates({e[0], e[1], e[2], element}))
                all.push_back(std::move(c));
        Json row{{"points", e}, {"element", element}, {"order", order}, {"in_place", true}};
        for (const InPlaceCandidate& c : all) {
            const double fraction =
                copy / memory.seconds(bytes, options.repeat, [&](const void*, void* data) { c.run(data); });
            summary.add(element, order, c.name, fraction, text(e));
            row[c.name] = rounded(fraction);
        }
        rows.push_back(std::move(row));
    }
}

}  // namespace

void measure_in_place(const ShapeOptions& options) {
    const auto element = static_cast<Index>(*std::max_element(options.elements.begin(), options.elements.end()));
    Index most = 0;
    for (const Index n : options.squares) most = std::max(most, n * n);
    std::mt19937_64 bits(options.seed);
    std::vector<Extents> rectangles;
    for (int i = 0; i < options.rectangles; ++i) {
        const auto side = [&] { return 1000 + static_cast<Index>(bits() % 19001); };
        const Index rows = side();
        rectangles.push_back({1, rows, side()});
        most = std::max(most, rectangles.back()[1] * rectangles.back()[2]);
    }
    for (const Index n : options.cubes) most = std::max(most, n * n * n);
    const std::vector<Extents> others = options.in_place ? boxes(options) : std::vector<Extents>{};
    for (const Extents& e : others) most = std::max(most, e[0] * e[1] * e[2]);
    Halves memory(static_cast<std::size_t>(std::max(Index{1} << 30, most * element + (Index{4} << 20))));
    Summary summary;
    Json rows = Json::array();
    for (const Index n : options.squares) measure_one(options, {1, n, n}, "xzy", memory, summary, rows);
    for (const Extents& e : rectangles) {
        measure_one(options, e, "xzy", memory, summary, rows);
        write(options, rows);
    }
    for (const Index n : options.cubes)
        for (const std::string& order : options.orders)
            measure_one(options, {n, n, n}, order, memory, summary, rows);
    for (const Extents& e : others) {
        for (const std::string& order : options.orders) measure_one(options, e, order, memory, summary, rows);
        write(options, rows);
    }
    write(options, rows);
    summary.print(options.worst);
}

}  // namespace poisson3d::test
