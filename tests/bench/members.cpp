// Solves of boxes by members on GPUs of this process, medians, beside the solve of one of them: milliseconds, times
// one GPU's speed.
//
//     members 0,1 512 [4096x1024x1024 …] [--way copies,stores,nccl,staged,passes] [--batch 3] [--chunks 4,8]
//         [--pieces 1,4] [--stored 40,100] [--method transpose] [--type double] [--ends periodic|free|free-z]
//         [--weak yes]
//         [--fresh yes] [--parts 2x2] [--discretization second-order|spectral]
//
// Ways, chunks, pieces and what passes store, in percent, are lists, each of which is measured. A batch is so many
// right-hand sides of one call, beside those of one call of one GPU; times are of all of them. Weak: one GPU solves
// a box of the planes that each member has, and its time is told as a share of theirs. Fresh: no call is the same
// as one before, so that none is launched as a graph. Parts: slabs, rows and columns of pencils, or blocks of z,
// which are boxes that are solved in others.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "median.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"

using namespace poisson3d;

namespace {

constexpr int repeats = 15;

/// What is measured.
struct Measured {
    std::vector<Way> ways{Way::automatic};
    std::vector<int> chunks{0}, pieces{0}, stored{100};
    Index batch = 1;
    std::vector<Method> methods{Method::eliminate, Method::transpose};
    bool in_double = true, in_single = true;
    Boundary ends = Boundary::dirichlet;
    bool last_alone = false;  ///< ends of z; the other axes are periodic
    Discretization discretization = Discretization::second_order;
    bool weak = false, fresh = false;
    std::string parts = "slabs";
};

/// f and u of a slab in the memory of a device, and its stream.
template <class T>
struct Slab {
    Slab(int number, const Extents& points, Index batch) : device(number) {
        const DeviceScope scope(device);
        const Index size = points[0] * points[1] * points[2];
        const auto bytes = static_cast<std::size_t>(size * batch) * sizeof(T);
        in = DeviceBuffer(bytes), out = DeviceBuffer(bytes);
        stream = std::make_unique<DeviceStream>();
        constexpr std::size_t most = std::size_t{1} << 20;
        std::vector<T> numbers(std::min(bytes / sizeof(T), most));
        unsigned state = 1;
        for (T& each : numbers) {
            state = state * 1664525U + 1013904223U;
            each = static_cast<T>(state) / T(4294967296.0) - T(0.5);
        }
        const std::size_t some = numbers.size() * sizeof(T);
        copy_to_device(in.data(), numbers.data(), some);
        for (std::size_t at = some; at < bytes; at += some)
            copy_on_device(static_cast<char*>(in.data()) + at, in.data(), std::min(some, bytes - at));
        synchronize();
        f = {FieldView<const T>{static_cast<const T*>(in.data()), points}, batch, size};
        u = {FieldView<T>{static_cast<T*>(out.data()), points}, batch, size};
    }
    int device;
    DeviceBuffer in, out;
    std::unique_ptr<DeviceStream> stream;
    FieldBatch<const T> f;
    FieldBatch<T> u;
};

/// Of "4,8".
std::vector<int> numbers_of(char* word) {
    std::vector<int> list;
    for (char* at = word; *at != '\0'; at += *at == ',' ? 1 : 0)
        list.push_back(static_cast<int>(std::strtol(at, &at, 10)));
    return list;
}

/// Of "512" or "4096x1024x1024".
Extents points_of(const std::string& word) {
    Extents points{};
    const char* at = word.c_str();
    for (std::size_t a = 0; a < 3; ++a) {
        char* end = nullptr;
        points[a] = std::strtol(at, &end, 10);
        if (end == at && a > 0) points[a] = points[0];
        at = *end == 'x' ? end + 1 : end;
    }
    if (points[0] < 1 || points[1] < 1 || points[2] < 1)
        throw Error(ErrorCode::usage, "found the points " + word + ", wanted some like 512 or 4096x1024x1024");
    return points;
}

Problem box_of(const Extents& points, const Measured& what) {
    Problem problem;
    problem.discretization = what.discretization;
    for (int a = 0; a < 3; ++a)
        problem.grid.axes[a] = {points[a], 1.0 / static_cast<double>(points[1]), 0.0, Centering::cell, what.ends,
                                what.ends};
    for (int a = 0; a < 2 && what.last_alone; ++a)
        problem.grid.axes[a].lower = problem.grid.axes[a].upper = Boundary::periodic;
    return problem;
}

Decomposition parts_of(const std::string& what, const Extents& points, int members) {
    if (what == "slabs") return Decomposition::slabs(points, members);
    if (what == "blocks") {
        std::vector<Box> boxes;
        for (Index m = 0; m < members; ++m) {
            const Index first = points[2] * m / members;
            boxes.push_back({{0, 0, first}, {points[0], points[1], points[2] * (m + 1) / members - first}});
        }
        return Decomposition::boxes(points, boxes);
    }
    int rows = 0, columns = 0;
    if (std::sscanf(what.c_str(), "%dx%d", &rows, &columns) != 2)
        throw Error(ErrorCode::usage, "found the parts " + what + ", wanted slabs, blocks or pencils like 2x2");
    return Decomposition::pencils(points, {rows, columns});
}

template <class T>
void measure(const std::vector<int>& list, const Extents& points, const Measured& what) {
    const Problem problem = box_of(points, what);
    const char* const type = sizeof(T) == 8 ? "double" : "single";
    Extents alone = points;
    if (what.weak) alone[0] = (points[0] + static_cast<Index>(list.size()) - 1) / static_cast<Index>(list.size());
    const double one = [&] {
        const Slab<T> whole(list[0], alone, what.batch);
        Options options;
        options.batch = what.batch;
        options.device = list[0];
        Solver<T> solver(box_of(alone, what), options);
        const DeviceScope scope(list[0]);
        return bench::median(repeats, 2, [&] {
            solver.solve(whole.f, whole.u, BoundaryData<T>{}, T(1), whole.stream->get());
            synchronize(whole.stream->get());
        });
    }();
    std::printf("%td x %td x %td %s%s: one device%s %.3f ms\n", points[0], points[1], points[2], type,
                what.batch > 1 ? (", " + std::to_string(what.batch) + " at once").c_str() : "",
                what.weak ? (" with " + std::to_string(alone[0]) + " planes").c_str() : "", 1e3 * one);
    const Communicator all = devices(list);
    const Decomposition parts = parts_of(what.parts, points, all.size());
    std::vector<std::unique_ptr<Slab<T>>> slabs;
    std::vector<FieldBatch<const T>> from;
    std::vector<FieldBatch<T>> to;
    std::vector<Stream> streams;
    for (int m = 0; m < all.size(); ++m) {
        slabs.push_back(
            std::make_unique<Slab<T>>(list[static_cast<std::size_t>(m)], parts.box(m).points, what.batch));
        from.push_back(slabs.back()->f), to.push_back(slabs.back()->u);
        streams.push_back(slabs.back()->stream->get());
    }
    const auto measure_one = [&](Method method, Way way, int chunks, int pieces, int stored) {
        DistributedSolver<T> solver(problem, parts, all,
                                    {.method = method,
                                     .batch = what.batch,
                                     .chunks = chunks,
                                     .way = way,
                                     .pieces = pieces,
                                     .stored = stored / 100.0});
        double launched = 1e300;
        T scale = 1;
        const double seconds = bench::median(repeats, 2, [&] {
            const auto start = std::chrono::steady_clock::now();
            if (what.fresh) scale *= T(1.0001);
            solver.solve(std::span<const FieldBatch<const T>>(from), std::span<const FieldBatch<T>>(to), {}, scale,
                         streams);
            launched =
                std::min(launched, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
            const DeviceScope scope(list[0]);
            synchronize(streams[0]);
        });
        std::printf(
            "  %-10s %8.3f ms  %5.2f %s, launched in %.3f ms%s, chunks %d, pieces %d, %d %%\n"
            "    %s\n",
            name(solver.method()), 1e3 * seconds, one / seconds,
            what.weak ? "of one device's time" : "times one device's speed", 1e3 * launched,
            what.fresh ? " one by one" : "", chunks, pieces, stored, solver.description().c_str());
        std::fflush(stdout);
    };
    for (const Method method : what.methods)
        for (const Way way : what.ways)
            for (const int chunks : what.chunks)
                for (const int pieces : what.pieces)
                    for (const int stored : what.stored) {
                        const bool first = chunks == what.chunks[0] && pieces == what.pieces[0];
                        const bool whole = method == Method::eliminate || (way == Way::passes && stored == 100);
                        if (whole && !first) continue;  // it has no chunks
                        if (way != Way::passes && stored != what.stored[0]) continue;
                        measure_one(method, way, chunks, pieces, stored);
                    }
}

}  // namespace

int main(int count, char** words) {
    if (const std::string reason = missing_device(); !reason.empty()) {
        std::printf("skipped: %s\n", reason.c_str());
        return 77;
    }
    try {
        if (count < 3) throw Error(ErrorCode::usage, "wanted devices and points, like 0,1 512");
        const std::vector<int> list = numbers_of(words[1]);
        Measured what;
        std::vector<Extents> sizes;
        for (int i = 2; i < count; ++i) {
            const std::string word = words[i];
            if (word.compare(0, 2, "--") != 0) {
                sizes.push_back(points_of(words[i]));
                continue;
            }
            if (++i == count) throw Error(ErrorCode::usage, "wanted a value after " + word);
            const std::string value = words[i];
            const auto named = [&](auto candidate) { return value == name(candidate); };
            if (word == "--way") {
                what.ways.clear();
                for (const Way way :
                     {Way::automatic, Way::copies, Way::stores, Way::nccl, Way::staged, Way::passes})
                    if (value.find(name(way)) != std::string::npos) what.ways.push_back(way);
                if (what.ways.empty()) throw Error(ErrorCode::usage, "there is no way " + value);
            } else if (word == "--method") {
                what.methods = {named(Method::eliminate) ? Method::eliminate : Method::transpose};
            } else if (word == "--type") {
                what.in_double = value == "double", what.in_single = !what.in_double;
            } else if (word == "--ends") {
                what.last_alone = value == "free-z";
                what.ends = value == "periodic"                  ? Boundary::periodic
                            : value == "free" || what.last_alone ? Boundary::free
                                                                 : Boundary::dirichlet;
            } else if (word == "--discretization") {
                if (!named(Discretization::spectral)) continue;
                what.discretization = Discretization::spectral;
                what.methods = {Method::transpose};
            } else if (word == "--weak") {
                what.weak = value == "yes";
            } else if (word == "--fresh") {
                what.fresh = value == "yes";
            } else if (word == "--parts") {
                what.parts = value;
            } else if (word == "--batch") {
                what.batch = std::atoi(words[i]);
            } else if (word == "--chunks") {
                what.chunks = numbers_of(words[i]);
            } else if (word == "--pieces") {
                what.pieces = numbers_of(words[i]);
            } else if (word == "--stored") {
                what.stored = numbers_of(words[i]);
            } else {
                throw Error(ErrorCode::usage, "there is no option " + word);
            }
        }
        for (const Extents& points : sizes) {
            if (what.in_double) measure<double>(list, points, what);
            if (what.in_single) measure<float>(list, points, what);
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "members: %s\n", error.what());
        return 1;
    }
}
