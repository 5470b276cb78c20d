// Transposes on a GPU at shapes that nobody chose: random boxes in all orders of the axes, by the algorithms of the
// library and by kernels of other shapes, as fractions of a copy of the same size measured right before. Prints the
// worst and the median of each, and the shapes of the worst.
//
//     transpose_shapes --random 200 --seed 7 --element 4,8,16 --json shapes.json
//     transpose_shapes --squares 4001,5003,16383 --json squares.json
//     transpose_shapes --check        every kernel against the naive one, bit by bit, on small boxes
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"
#include "transpose_candidates.hpp"

namespace poisson3d::test {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    int random = 0;
    unsigned long long seed = 0;
    std::vector<int> elements{4, 8, 16};
    std::vector<std::string> points, orders{"yzx", "zxy", "xzy", "yxz", "zyx"};
    std::vector<Index> squares, cubes;
    double least = 16777216, greatest = 67108864;
    std::vector<std::string> algorithms{"automatic", "aligned", "wide-loads", "thin"};
    bool variants = false, check = false;
    int rectangles = 0, repeat = 5, worst = 3;
    std::string json;
};

Permutation permutation_of(const std::string& order) {
    Permutation p{};
    for (int i = 0; i < 3; ++i) p[i] = order[static_cast<std::size_t>(i)] - 'x';
    return p;
}

std::string text(const Extents& e) {
    return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]);
}

/// Sides between 3 and 100 000, each uniform in its logarithm, with as many elements as asked for together.
std::vector<Extents> random_boxes(const Options& options) {
    std::mt19937_64 bits(options.seed);
    const auto side = [&] {
        const double x = static_cast<double>(bits() >> 11) * 0x1p-53;
        return static_cast<Index>(std::exp(std::log(3.0) + x * std::log(1e5 / 3.0)));
    };
    std::vector<Extents> all;
    while (all.size() < static_cast<std::size_t>(options.random)) {
        const Extents e{side(), side(), side()};
        const double count = static_cast<double>(e[0]) * static_cast<double>(e[1]) * static_cast<double>(e[2]);
        if (count >= options.least && count <= options.greatest) all.push_back(e);
    }
    return all;
}

std::vector<Extents> boxes(const Options& options) {
    if (options.random > 0) return random_boxes(options);
    std::vector<Extents> all;
    for (const std::string& p : options.points) {
        Extents e{};
        if (std::sscanf(p.c_str(), "%lldx%lldx%lld", reinterpret_cast<long long*>(&e[0]),
                        reinterpret_cast<long long*>(&e[1]), reinterpret_cast<long long*>(&e[2])) == 1)
            e[1] = e[2] = e[0];
        all.push_back(e);
    }
    return all;
}

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
        const std::size_t count = std::clamp<std::size_t>((std::size_t{192} << 20) / step, 1, std::min<std::size_t>(64, places));
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

std::vector<Candidate> candidates(const Options& options, const TransposeProblem& problem) {
    std::vector<Candidate> all;
    for (const std::string& word : options.algorithms) {
        const std::size_t slash = word.find('/');  // banded/1: in bands of 1
        TransposeOptions chosen{Backend::cuda, parse_algorithm(word.substr(0, slash))};
        if (slash != std::string::npos) chosen.band = std::stoll(word.substr(slash + 1));
        auto plan = std::make_shared<Transpose>(problem, chosen);
        all.push_back({word, [plan](const void* in, void* out) { plan->execute(in, out); }});
    }
    if (options.variants)
        for (Candidate& c : shape_candidates(problem)) all.push_back(std::move(c));
    return all;
}

TransposeProblem dense(const Extents& e, const std::string& order, int element) {
    const Permutation p = permutation_of(order);
    return {e, dense_strides(e), dense_strides(permute(e, p)), p, element};
}

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

void write(const Options& options, const Json& rows) {
    if (options.json.empty()) return;
    std::ofstream file(options.json);
    file << "[";
    for (std::size_t i = 0; i < rows.size(); ++i) file << (i > 0 ? ",\n" : "\n") << rows[i].dump();
    if (!(file << "\n]\n")) throw Error(ErrorCode::output, "cannot write " + options.json);
}

double rounded(double fraction) {
    return std::round(fraction * 1000) / 1000;
}

void measure_boxes(const Options& options) {
    const std::vector<Extents> shapes = boxes(options);
    double most = 0;
    for (const Extents& e : shapes)
        most = std::max(most, static_cast<double>(e[0]) * static_cast<double>(e[1]) * static_cast<double>(e[2]));
    const auto largest = static_cast<std::size_t>(most) *
                         static_cast<std::size_t>(*std::max_element(options.elements.begin(), options.elements.end()));
    Halves memory(std::max(std::size_t{1} << 30, largest + (4U << 20)));
    Summary summary;
    Json rows = Json::array();
    for (const Extents& e : shapes)
        for (const int element : options.elements) {
            const auto bytes = static_cast<std::size_t>(e[0] * e[1] * e[2] * element);
            const double copy = memory.copy_seconds(bytes, options.repeat);
            for (const std::string& order : options.orders) {
                Json row{{"points", e}, {"element", element}, {"order", order},
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

void measure_in_place(const Options& options, const Extents& e, const std::string& order, Halves& memory,
                      Summary& summary, Json& rows) {
    for (const int element : options.elements) {
        const auto bytes = static_cast<std::size_t>(e[0] * e[1] * e[2] * element);
        const double copy = memory.copy_seconds(bytes, options.repeat);
        const InPlaceProblem problem{e, permutation_of(order), element};
        std::vector<InPlaceCandidate> all;
        const bool cube = order == "yzx" || order == "zxy";
        const bool square = !cube && e[1] == e[2];
        for (const char* word : {"automatic", "exchange", "wide-exchange"}) {
            if (!square && !(cube && std::strcmp(word, "wide-exchange") == 0) && std::strcmp(word, "automatic") != 0) continue;
            auto plan = std::make_shared<TransposeInPlace>(
                problem, InPlaceOptions{Backend::cuda, parse_in_place_algorithm(word)});
            all.push_back({word, [plan](void* data) { plan->execute(data); }});
        }
        if (options.variants && order == "xzy" && square)
            for (InPlaceCandidate& c : square_candidates(e[1], e[0], element)) all.push_back(std::move(c));
        if (options.variants && cube)
            for (InPlaceCandidate& c : cube_candidates(e[0], order == "zxy", element)) all.push_back(std::move(c));
        Json row{{"points", e}, {"element", element}, {"order", order}, {"in_place", true}};
        for (const InPlaceCandidate& c : all) {
            const double fraction = copy / memory.seconds(bytes, options.repeat, [&](const void*, void* data) { c.run(data); });
            summary.add(element, order, c.name, fraction, text(e));
            row[c.name] = rounded(fraction);
        }
        rows.push_back(std::move(row));
    }
}

void measure_squares(const Options& options) {
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
    Halves memory(static_cast<std::size_t>(std::max(Index{1} << 30, most * element + (Index{4} << 20))));
    Summary summary;
    Json rows = Json::array();
    for (const Index n : options.squares) measure_in_place(options, {1, n, n}, "xzy", memory, summary, rows);
    for (const Extents& e : rectangles) measure_in_place(options, e, "xzy", memory, summary, rows);
    for (const Index n : options.cubes)
        for (const std::string& order : options.orders)
            measure_in_place(options, {n, n, n}, order, memory, summary, rows);
    write(options, rows);
    summary.print(options.worst);
}

/// Elements that differ in every byte from those around them.
std::vector<unsigned char> pattern(std::size_t bytes, unsigned long long seed) {
    std::mt19937_64 bits(seed);
    std::vector<unsigned char> all((bytes + 7) / 8 * 8);
    for (std::size_t i = 0; i < all.size(); i += 8) {
        const auto word = bits();
        std::memcpy(&all[i], &word, 8);
    }
    all.resize(bytes);
    return all;
}

/// What `run(in, out)` leaves of a device's memory, of which the field begins `shift` bytes behind 512. The input
/// begins `shift` bytes behind the beginning of its memory and fills it, so that a memory checker sees what reads
/// beyond it.
template <class Run>
std::vector<unsigned char> outcome(const std::vector<unsigned char>& in, const std::vector<unsigned char>& before,
                                   std::size_t shift, const Run& run) {
    const DeviceBuffer from(in.size()), to(before.size());
    copy_to_device(from.data(), in.data(), in.size());
    copy_to_device(to.data(), before.data(), before.size());
    run(static_cast<std::byte*>(from.data()) + shift, static_cast<std::byte*>(to.data()) + 512 + shift);
    synchronize();
    std::vector<unsigned char> after(before.size());
    copy_to_host(after.data(), to.data(), after.size());
    return after;
}

int check_all(const Options& options) {
    int wrong = 0, tried = 0;
    const auto compare = [&](const std::vector<unsigned char>& found, const std::vector<unsigned char>& wanted,
                             const std::string& what) {
        ++tried;
        if (found == wanted) return;
        if (++wrong < 20) std::printf("WRONG: %s\n", what.c_str());
    };
    for (const Extents& e : boxes(options))
        for (const int element : options.elements)
            for (const int shift : {0, 1, 5}) {
                const auto bytes = static_cast<std::size_t>(e[0] * e[1] * e[2] * element);
                const auto offset = static_cast<std::size_t>(shift * element);
                const auto in = pattern(bytes + offset, 1);
                const auto before = pattern(bytes + 1024 + offset, 2);
                for (const std::string& order : options.orders) {
                    const Transpose naive(dense(e, order, element), {Backend::cuda, Algorithm::naive});
                    const auto wanted = outcome(in, before, offset,
                                                [&](const void* a, void* b) { naive.execute(a, b); });
                    for (const Candidate& c : candidates(options, dense(e, order, element)))
                        compare(outcome(in, before, offset, c.run), wanted,
                                text(e) + " " + order + ", " + std::to_string(element) + " bytes, " + c.name);
                }
            }
    for (const Index n : options.squares)
        for (const int element : options.elements)
            for (const int shift : {0, 1, 5}) {
                if (element < 4) continue;  // not in place
                const auto offset = static_cast<std::size_t>(shift * element);
                const Index batch = 3;
                const auto before = pattern(static_cast<std::size_t>(batch * n * n * element) + 1024 + offset, 3);
                const InPlaceProblem problem{{batch, n, n}, permutation_of("xzy"), element};
                const TransposeInPlace known(problem, {Backend::cuda, InPlaceAlgorithm::thread_wise});
                const auto wanted = outcome(before, before, offset, [&](const void*, void* d) { known.execute(d); });
                for (const InPlaceCandidate& c : square_candidates(n, batch, element))
                    compare(outcome(before, before, offset, [&](const void*, void* d) { c.run(d); }), wanted,
                            "3 squares of " + std::to_string(n) + ", " + std::to_string(element) + " bytes, " + c.name);
            }
    for (const Index n : options.cubes)
        for (const int element : options.elements)
            for (const bool back : {false, true}) {
                if (element < 4) continue;  // not in place
                const auto offset = static_cast<std::size_t>(3 * element);
                const auto before = pattern(static_cast<std::size_t>(n * n * n * element) + 1024 + offset, 3);
                const TransposeInPlace known({{n, n, n}, back ? rotation_back : rotation, element},
                                             {Backend::cuda, InPlaceAlgorithm::cube});
                const auto wanted = outcome(before, before, offset, [&](const void*, void* d) { known.execute(d); });
                for (const InPlaceCandidate& c : cube_candidates(n, back, element))
                    compare(outcome(before, before, offset, [&](const void*, void* d) { c.run(d); }), wanted,
                            "cube of " + std::to_string(n) + ", " + std::to_string(element) + " bytes, " + c.name);
            }
    std::printf("%d compared bit by bit, %d wrong\n", tried, wrong);
    return wrong == 0 ? 0 : 1;
}

int run(const Options& options) {
    if (options.check) return check_all(options);
    const DeviceList list = find_devices();
    std::printf("%s\n", list.devices.front().name.c_str());
    if (options.squares.empty() && options.cubes.empty() && options.rectangles == 0)
        measure_boxes(options);
    else
        measure_squares(options);
    return 0;
}

}  // namespace
}  // namespace poisson3d::test

int main(int argc, char** argv) {
    using namespace poisson3d::test;
    Options options;
    CLI::App app("Times transposes on a GPU at random shapes against a plain copy.");
    app.add_option("--random", options.random, "random boxes")->check(CLI::NonNegativeNumber);
    app.add_option("--seed", options.seed, "of random boxes");
    app.add_option("--least", options.least, "elements of a random box at least [2^24]");
    app.add_option("--greatest", options.greatest, "and at most [2^26]");
    app.add_option("--points", options.points, "boxes instead: 511,97x1531x2003")->delimiter(',');
    app.add_option("--element", options.elements, "bytes [4,8,16]")->delimiter(',')->check(CLI::IsMember({1, 2, 4, 8, 16}));
    app.add_option("--order", options.orders, "of the axes [yzx,zxy,xzy,yxz,zyx]")
        ->delimiter(',')
        ->check(CLI::IsMember({"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"}));
    app.add_option("--algorithm", options.algorithms, "names, or banded/1 for bands of 1 tile")->delimiter(',');
    app.add_flag("--variants", options.variants, "kernels of other shapes as well");
    app.add_option("--squares", options.squares, "in place: sides of squares of xzy")->delimiter(',');
    app.add_option("--cubes", options.cubes, "in place: sides of cubes, in all orders asked for")->delimiter(',');
    app.add_option("--rectangles", options.rectangles, "in place: random matrices, sides from 1000 to 20000")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--check", options.check, "compares with the naive kernel instead of measuring");
    app.add_option("--repeat", options.repeat, "measured runs [5]")->check(CLI::PositiveNumber);
    app.add_option("--worst", options.worst, "shapes named of each line [3]")->check(CLI::NonNegativeNumber);
    app.add_option("--json", options.json, "one row for each shape, element and order");
    CLI11_PARSE(app, argc, argv);
    if (poisson3d::find_devices().devices.empty()) {
        std::printf("skipped: %s\n", poisson3d::find_devices().reason.c_str());
        return 77;
    }
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "transpose_shapes: %s\n", error.what());
        return 1;
    }
}
