// A box that GPUs hold together, solved in place by elimination and verified at every point where it lies: f is a
// hash of the point's number in the whole box, made again for the comparison, and the planes beside a part are
// copied from the members that have them. Walls with u = 0 along x, with no flux along y, periodic along z.
//
//     largest_members 0,1,2,3 [3072 | 96x40x50] [double | float]
//
// Without points: a cube, as large as the memory that is free. Exit code 1 where a point is wrong.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cuda/check.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

constexpr int blocks = 1056, block_size = 256;

/// From −1/2 to 1/2, with 24 bits.
__device__ float hash(Index number) {
    auto bits = static_cast<unsigned long long>(number);
    bits = (bits ^ (bits >> 31)) * 0x9e3779b97f4a7c15ULL;
    bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<float>((bits >> 40) & 0xffffffULL) * 0x1p-24F - 0.5F;
}

template <class T>
__global__ void fill(T* f, Index first, Index count) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        f[i] = static_cast<T>(hash(first + i));
}

/// Squares of residuals, of u and of f, and the largest |residual| and |u|.
struct Sums {
    double residual = 0, u = 0, f = 0, worst = 0, largest = 0;
    __host__ __device__ void add(const Sums& more) {
        residual += more.residual, u += more.u, f += more.f;
        if (!(more.worst <= worst)) worst = more.worst;  // also what is no number
        if (!(more.largest <= largest)) largest = more.largest;
    }
};

/// The planes of a member, and the ones beside; null: the wall.
template <class T>
struct Planes {
    const T *u, *before, *after;
    Index first, n[3];  ///< its first plane in the box; points that it has

    /// The equations at one point, spacing 1, in double.
    __device__ Sums at(Index number) const {
        const Index size = n[1] * n[2];
        const Index i = number / size, j = number / n[2] % n[1], k = number % n[2];
        const auto of = [&](const T* data, Index place) { return static_cast<double>(data[place]); };
        const double here = of(u, number);
        const Index in_plane = number - i * size;
        double sum = -6.0 * here;
        sum += i > 0 ? of(u, number - size) : before != nullptr ? of(before, in_plane) : -here;
        sum += i + 1 < n[0] ? of(u, number + size) : after != nullptr ? of(after, in_plane) : -here;
        sum += j > 0 ? of(u, number - n[2]) : here;
        sum += j + 1 < n[1] ? of(u, number + n[2]) : here;
        sum += of(u, k > 0 ? number - 1 : number + n[2] - 1) + of(u, k + 1 < n[2] ? number + 1 : number - n[2] + 1);
        const auto f = static_cast<double>(static_cast<T>(hash(first * size + number)));
        const double r = sum - f;
        return {r * r, here * here, f * f, fabs(r), fabs(here)};
    }
};

template <class T>
__global__ void compare(Planes<T> planes, Sums* sums) {
    __shared__ Sums part[block_size];
    Sums mine;
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x, count = planes.n[0] * planes.n[1] * planes.n[2];
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        mine.add(planes.at(i));
    part[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int t = 1; t < block_size; ++t) mine.add(part[t]);
    sums[blockIdx.x] = mine;
}

/// What a member has.
template <class T>
struct Member {
    Member(int number, const Box& its) : device(number), box(its) {
        const DeviceScope scope(number);
        count = box.points[0] * box.points[1] * box.points[2];
        memory = DeviceBuffer(static_cast<std::size_t>(count) * sizeof(T));
        found = DeviceBuffer(blocks * sizeof(Sums));
        stream = std::make_unique<DeviceStream>();
    }
    [[nodiscard]] T* data() const { return static_cast<T*>(memory.data()); }
    [[nodiscard]] cudaStream_t queue() const { return static_cast<cudaStream_t>(stream->get().handle); }
    [[nodiscard]] Index plane() const { return box.points[1] * box.points[2]; }

    int device;
    Box box;
    Index count = 0;
    DeviceBuffer memory, found, beside[2];
    std::unique_ptr<DeviceStream> stream;
};

template <class T>
class Test {
public:
    Test(const std::vector<int>& devices_, const Extents& points)
        : all_(devices(devices_)), parts_(Decomposition::slabs(points, all_.size())) {
        for (int m = 0; m < all_.size(); ++m)
            members_.push_back(std::make_unique<Member<T>>(devices_[static_cast<std::size_t>(m)], parts_.box(m)));
    }

    bool run() {
        Problem problem;
        constexpr Boundary ends[] = {Boundary::dirichlet, Boundary::neumann, Boundary::periodic};
        for (int a = 0; a < 3; ++a)
            problem.grid.axes[a] = {parts_.points()[a], 1.0, 0.0, Centering::cell, ends[a], ends[a]};
        std::unique_ptr<DistributedSolver<T>> solver;
        const double planned = seconds([&] {
            solver = std::make_unique<DistributedSolver<T>>(problem, parts_, all_,
                                                            DistributedOptions{.method = Method::eliminate});
        });
        std::vector<FieldView<const T>> f;
        std::vector<FieldView<T>> u;
        std::vector<Stream> streams;
        for (const auto& member : members_) {
            f.emplace_back(member->data(), member->box.points);
            u.emplace_back(member->data(), member->box.points);
            streams.push_back(member->stream->get());
        }
        double least = std::numeric_limits<double>::infinity(), first = 0.0;
        for (int time = 0; time < 3; ++time) {
            for_each([&](const Member<T>& member) {
                fill<<<blocks, block_size, 0, member.queue()>>>(member.data(), member.box.first[0] * member.plane(),
                                                                member.count);
            });
            const double solved = seconds([&] {
                solver->solve(std::span(f), std::span(u), T(1), streams);
                for (const auto& member : members_) wait(*member);
            });
            if (time == 0) first = solved;
            least = std::min(least, solved);
        }
        Sums sums;
        const double verified = seconds([&] { sums = verify(); });
        const auto total = static_cast<double>(parts_.points()[0]) * static_cast<double>(parts_.points()[1]) *
                           static_cast<double>(parts_.points()[2]);
        const double allowed = tolerance::solve<T>(parts_.points());
        const double rms = std::sqrt(sums.residual / total);
        const double scale = 12.0 * std::sqrt(sums.u / total) + std::sqrt(sums.f / total);
        const double most = 12.0 * sums.largest + 0.5;
        const bool right = rms <= allowed * scale && sums.worst <= 8 * allowed * most && sums.f > 0.05 * total;
        std::printf(
            "%td x %td x %td %s, %.1f GB: %s\n"
            "  planned in %.2f s, solved in %.1f ms (the first time %.1f), verified in %.0f ms\n"
            "  residual: rms %.2g, allowed %.2g; largest %.2g, allowed %.2g; workspace %.2f GB: %s\n",
            parts_.points()[0], parts_.points()[1], parts_.points()[2], sizeof(T) == 8 ? "double" : "float",
            total * sizeof(T) / 1e9, solver->description().c_str(), planned, 1e3 * least, 1e3 * first,
            1e3 * verified, rms, allowed * scale, sums.worst, 8 * allowed * most,
            static_cast<double>(solver->workspace()) / 1e9, right ? "right" : "WRONG");
        return right;
    }

private:
    template <class Body>
    double seconds(const Body& body) {
        const auto start = std::chrono::steady_clock::now();
        body();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    static void wait(const Member<T>& member) {
        const DeviceScope scope(member.device);
        synchronize(member.stream->get());
    }
    /// Launches, and waits for all.
    template <class Body>
    void for_each(const Body& body) {
        for (const auto& member : members_) {
            const DeviceScope scope(member->device);
            body(*member);
            cuda::check(cudaGetLastError(), "kernel of the test");
        }
        for (const auto& member : members_) wait(*member);
    }

    Sums verify() {
        Sums all;
        const auto with_plane = [&](int m, int step) -> const Member<T>* {
            for (m += step; m >= 0 && m < all_.size(); m += step)
                if (parts_.planes(m) > 0) return members_[static_cast<std::size_t>(m)].get();
            return nullptr;
        };
        for (int m = 0; m < all_.size(); ++m) {
            Member<T>& member = *members_[static_cast<std::size_t>(m)];
            if (member.count == 0) continue;
            const DeviceScope scope(member.device);
            const auto bytes = static_cast<std::size_t>(member.plane()) * sizeof(T);
            const T* planes[2] = {};
            for (const int side : {0, 1}) {
                const Member<T>* const other = with_plane(m, side == 0 ? -1 : 1);
                if (other == nullptr) continue;
                member.beside[side] = DeviceBuffer(bytes);
                const T* const from = other->data() + (side == 0 ? other->count - other->plane() : 0);
                cuda::check(
                    cudaMemcpyAsync(member.beside[side].data(), from, bytes, cudaMemcpyDefault, member.queue()),
                    "plane beside a part");
                planes[side] = static_cast<const T*>(member.beside[side].data());
            }
            const Extents& n = member.box.points;
            compare<<<blocks, block_size, 0, member.queue()>>>(
                Planes<T>{member.data(), planes[0], planes[1], member.box.first[0], {n[0], n[1], n[2]}},
                static_cast<Sums*>(member.found.data()));
            cuda::check(cudaGetLastError(), "comparison");
        }
        for (const auto& member : members_) {
            if (member->count == 0) continue;
            const DeviceScope scope(member->device);
            std::vector<Sums> sums(blocks);
            copy_to_host(sums.data(), member->found.data(), sums.size() * sizeof(Sums), member->stream->get());
            for (const Sums& each : sums) all.add(each);
        }
        return all;
    }

    Communicator all_;
    Decomposition parts_;
    std::vector<std::unique_ptr<Member<T>>> members_;
};

/// A cube that leaves room for what is exchanged and turned.
template <class T>
Extents largest(const std::vector<int>& list) {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const int number : list) {
        const DeviceScope scope(number);
        const auto here = static_cast<std::size_t>(std::count(list.begin(), list.end(), number));
        least = std::min(least, free_device_memory() / here);
    }
    const auto fits = [&](Index n) {
        const Index planes = (n + static_cast<Index>(list.size()) - 1) / static_cast<Index>(list.size());
        return static_cast<std::size_t>((planes + 20) * n * n) * sizeof(T) + (std::size_t{5} << 29) <= least;
    };
    Index n = 64;
    while (fits(n + (n < 512 ? 64 : 512)) && n < 8192) n += n < 512 ? 64 : 512;
    return {n, n, n};
}

template <class T>
bool run(const std::vector<int>& list, const std::string& points) {
    Extents n{};
    if (points.empty()) {
        n = largest<T>(list);
    } else {
        const char* at = points.c_str();
        for (int a = 0; a < 3; ++a) {
            char* end = nullptr;
            n[a] = std::strtol(at, &end, 10);
            if (end == at) n[a] = n[0];
            at = *end == 'x' ? end + 1 : end;
        }
    }
    return Test<T>(list, n).run();
}

}  // namespace
}  // namespace poisson3d

int main(int count, char** words) {
    using namespace poisson3d;
    if (const std::string reason = missing_device(); !reason.empty()) {
        std::printf("skipped: %s\n", reason.c_str());
        return 77;
    }
    try {
        std::vector<int> list;
        for (char* at = count > 1 ? words[1] : nullptr; at != nullptr && *at != '\0'; at += *at == ',' ? 1 : 0)
            list.push_back(static_cast<int>(std::strtol(at, &at, 10)));
        std::string points, type;
        for (int i = 2; i < count; ++i) (words[i][0] >= '0' && words[i][0] <= '9' ? points : type) = words[i];
        if (list.empty()) throw Error(ErrorCode::usage, "wanted devices, like 0,1");
        const bool in_double = type == "float" || run<double>(list, points);
        const bool in_float = type == "double" || run<float>(list, points);
        return in_double && in_float ? 0 : 1;
    } catch (const Error& error) {
        std::fprintf(stderr, "largest_members: %s\n", error.what());
        return 2;
    }
}
