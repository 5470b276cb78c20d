#include "transpose_candidates.hpp"

#include "in_place/cuda_cube_clusters.cuh"
#include "in_place/cuda_cube_turns.cuh"
#include "in_place/cuda_exchange_held.cuh"
#include "out_of_place/cuda_merged.cuh"
#include "out_of_place/cuda_short.hpp"
#include "out_of_place/cuda_strips.cuh"
#include "out_of_place/cuda_wide_loads.cuh"
#include "out_of_place/movement.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/structures.hpp"
#include "rectangle/executors.hpp"
#include "rectangle/lagged_tiles.hpp"

namespace poisson3d::test {

namespace {

using namespace cuda;

class Candidates {
public:
    explicit Candidates(const MatrixBatch& matrix) : matrix_(matrix) {}

    template <class Shape>
    void wide_loads() {
        const std::string name = std::string(Shape::bulk ? "bulk-" : "wide-") + std::to_string(Shape::P::pitch) +
                                 "x" + std::to_string(Shape::segment) + "-" + std::to_string(Shape::blocks) +
                                 (Shape::streaming ? "s" : "");
        add(name, [m = matrix_](Index band, const void* in, void* out) {
            launch_wide_load_shape<Shape>(m, band, in, out, nullptr);
        });
    }
    template <class Shape>
    void strips() {
        const std::string name = "strip-" + std::to_string(Shape::columns) + "x" +
                                 std::to_string(Shape::segment_rows) + "-" + std::to_string(Shape::step) +
                                 (Shape::trimmed ? "t" : "");
        add(name, [m = matrix_](Index band, const void* in, void* out) {
            launch_strip_kernel<Shape>(m, band, in, out, nullptr);
        });
    }
    std::vector<Candidate> all;

private:
    template <class Launch>
    void add(const std::string& name, const Launch& launch) {
        for (const Index band : {0, 3, 8})
            all.push_back({name + (band == 0 ? "" : " band " + std::to_string(band)),
                           [=](const void* in, void* out) { launch(band, in, out); }});
    }
    MatrixBatch matrix_;
};

}  // namespace

namespace {

template <class Shape>
void add_merged(std::vector<Candidate>& all, const Movement& movement) {
    for (const Index band : {0, 4, 8})
        all.push_back(
            {"merged-" + std::to_string(Shape::P::pitch) + "x" + std::to_string(Shape::segment) + "-" +
                 std::to_string(Shape::blocks) + (band == 0 ? "" : " band " + std::to_string(band)),
             [=](const void* in, void* out) { launch_merged_shape<Shape>(movement, band, in, out, nullptr); }});
}

}  // namespace

std::vector<Candidate> short_candidates(const TransposeProblem& problem) {
    std::vector<Candidate> all;
    const Movement movement = classify(problem, true);
    const int bytes = problem.element_bytes;
    for (const Index plane : {1024, 2600}) {
        ShortPlan plan{};
        if (plan_short(movement, bytes, plan, {plane == 1024 ? 64 : 160, plane}))
            all.push_back({"short/" + std::to_string(plane),
                           [=](const void* in, void* out) { launch_short_plan(plan, bytes, in, out, nullptr); }});
    }
    if (!merged_applies(movement, bytes)) return all;
    if (bytes == 4) {
        add_merged<WideLoadShape<Word4, 256, 160, 256, 4>>(all, movement);
        add_merged<WideLoadShape<Word4, 512, 160, 512, 2>>(all, movement);
        add_merged<WideLoadShape<Word4, 512, 96, 256, 3>>(all, movement);
    } else if (bytes == 8) {
        add_merged<WideLoadShape<Word8, 256, 160, 256, 4>>(all, movement);
        add_merged<WideLoadShape<Word8, 512, 96, 256, 3>>(all, movement);
        add_merged<WideLoadShape<Word8, 512, 192, 512, 2>>(all, movement);
    } else {
        add_merged<WideLoadShape<Word16, 512, 96, 256, 3>>(all, movement);
        add_merged<WideLoadShape<Word16, 512, 96, 256, 4>>(all, movement);
        add_merged<WideLoadShape<Word16, 1024, 96, 512, 2>>(all, movement);
    }
    return all;
}

std::vector<Candidate> shape_candidates(const TransposeProblem& problem) {
    const Movement movement = classify(problem, true);
    if (movement.is_copy) return {};
    Candidates c(movement.matrix);
    switch (problem.element_bytes) {
        case 1:
            c.wide_loads<WideLoadShape<Word1, 128, 256, 256, 4>>();
            c.wide_loads<WideLoadShape<Word1, 256, 256, 256, 2>>();
            c.wide_loads<WideLoadShape<Word1, 128, 384, 256, 3>>();
            break;
        case 2:
            c.wide_loads<WideLoadShape<Word2, 128, 320, 256, 4>>();
            c.wide_loads<WideLoadShape<Word2, 256, 192, 256, 3>>();
            c.wide_loads<WideLoadShape<Word2, 128, 192, 256, 6>>();
            break;
        case 4:
            c.wide_loads<WideLoadShape<Word4, 256, 160, 256, 4>>();
            c.wide_loads<WideLoadShape<Word4, 256, 160, 256, 4, true>>();
            c.wide_loads<WideLoadShape<Word4, 256, 160, 256, 4, false, true>>();
            c.wide_loads<WideLoadShape<Word4, 256, 128, 256, 5>>();
            c.wide_loads<WideLoadShape<Word4, 256, 224, 256, 3>>();
            c.wide_loads<WideLoadShape<Word4, 256, 320, 512, 2>>();
            c.wide_loads<WideLoadShape<Word4, 128, 320, 256, 4>>();
            c.wide_loads<WideLoadShape<Word4, 128, 480, 256, 3>>();
            c.wide_loads<WideLoadShape<Word4, 512, 160, 512, 2>>();
            c.wide_loads<WideLoadShape<Word4, 512, 160, 512, 2, true>>();
            c.wide_loads<WideLoadShape<Word4, 512, 96, 256, 3>>();
            c.strips<StripShape<Word4, 64, 64, 256, 4, 128>>();
            c.strips<StripShape<Word4, 64, 64, 256, 4, 192, true>>();
            break;
        case 8:
            c.wide_loads<WideLoadShape<Word8, 256, 160, 256, 4>>();
            c.wide_loads<WideLoadShape<Word8, 256, 160, 256, 4, true>>();
            c.wide_loads<WideLoadShape<Word8, 256, 160, 256, 4, false, true>>();
            c.wide_loads<WideLoadShape<Word8, 256, 224, 256, 3>>();
            c.wide_loads<WideLoadShape<Word8, 256, 320, 512, 2>>();
            c.wide_loads<WideLoadShape<Word8, 512, 96, 256, 3>>();
            c.wide_loads<WideLoadShape<Word8, 512, 64, 256, 5>>();
            c.wide_loads<WideLoadShape<Word8, 512, 192, 512, 2>>();
            c.strips<StripShape<Word8, 32, 64, 256, 4, 128>>();
            c.strips<StripShape<Word8, 32, 64, 256, 4, 128, true>>();
            break;
        default:
            c.wide_loads<WideLoadShape<Word16, 512, 96, 256, 4>>();
            c.wide_loads<WideLoadShape<Word16, 512, 96, 256, 4, true>>();
            c.wide_loads<WideLoadShape<Word16, 512, 96, 256, 4, false, true>>();
            c.wide_loads<WideLoadShape<Word16, 512, 64, 256, 5>>();
            c.wide_loads<WideLoadShape<Word16, 1024, 96, 512, 2>>();
            c.wide_loads<WideLoadShape<Word16, 256, 160, 256, 4>>();
            c.strips<StripShape<Word16, 32, 32, 256, 4, 64>>();
            c.strips<StripShape<Word16, 32, 32, 256, 4, 96, true>>();
            break;
    }
    return std::move(c.all);
}

namespace {

template <class Shape>
void add_cubes(std::vector<InPlaceCandidate>& all, const Cubes& cubes) {
    all.push_back({"cube-" + std::to_string(Shape::side) + " clusters of " + std::to_string(Shape::cluster) +
                       " x " + std::to_string(Shape::threads),
                   [=](void* data) { launch_cluster_cube<Shape>(cubes, data, nullptr); }});
}

template <class Shape>
void add_turns(std::vector<InPlaceCandidate>& all, const Cubes& cubes) {
    const auto counters =
        std::make_shared<DeviceBuffer>(static_cast<std::size_t>(most_turns<Shape>(cubes).counters()) * 4);
    const auto aside = std::make_shared<DeviceBuffer>(static_cast<std::size_t>(Shape::aside_bytes));
    all.push_back({"turns-" + std::to_string(Shape::P::pitch) + " " + std::to_string(Shape::blocks) + " x " +
                       std::to_string(Shape::threads) + (Shape::hints ? "" : " plain"),
                   [=](void* data) {
                       launch_cube_turn_shape<Shape>(cubes, static_cast<unsigned*>(counters->data()), aside->data(),
                                                     data, nullptr);
                   }});
}

void turn_candidates(std::vector<InPlaceCandidate>& all, const Cubes& cubes) {
    switch (cubes.element_bytes) {
        case 4:
            add_turns<CubeTurnShape<Word4, 512, 384, 3>>(all, cubes);
            add_turns<CubeTurnShape<Word4, 512, 384, 3, false>>(all, cubes);
            add_turns<CubeTurnShape<Word4, 512, 512, 2>>(all, cubes);
            add_turns<CubeTurnShape<Word4, 384, 384, 3>>(all, cubes);
            add_turns<CubeTurnShape<Word4, 384, 384, 5>>(all, cubes);
            add_turns<CubeTurnShape<Word4, 256, 256, 6>>(all, cubes);
            break;
        case 8:
            add_turns<CubeTurnShape<Word8, 768, 384, 3>>(all, cubes);
            add_turns<CubeTurnShape<Word8, 768, 384, 3, false>>(all, cubes);
            add_turns<CubeTurnShape<Word8, 768, 384, 2>>(all, cubes);
            add_turns<CubeTurnShape<Word8, 512, 512, 3>>(all, cubes);
            add_turns<CubeTurnShape<Word8, 512, 256, 5>>(all, cubes);
            add_turns<CubeTurnShape<Word8, 384, 384, 4>>(all, cubes);
            break;
        default:
            add_turns<CubeTurnShape<Word16, 1024, 512, 3>>(all, cubes);
            add_turns<CubeTurnShape<Word16, 1024, 512, 3, false>>(all, cubes);
            add_turns<CubeTurnShape<Word16, 768, 384, 4>>(all, cubes);
            add_turns<CubeTurnShape<Word16, 512, 256, 6>>(all, cubes);
            break;
    }
}

}  // namespace

std::vector<InPlaceCandidate> cube_candidates(Index side, bool back, int element_bytes) {
    const Cubes cubes{side, back, element_bytes};
    std::vector<InPlaceCandidate> all;
    all.push_back({"bricks", [=](void* data) { launch_cube(cubes, data, nullptr); }});
    turn_candidates(all, cubes);
    if (!cube_clusters_run()) return all;
    switch (element_bytes) {
        case 4:
            add_cubes<ClusterCubeShape<Word4, 128, 29, 8, 256, 4, 2>>(all, cubes);
            add_cubes<ClusterCubeShape<Word4, 256, 45, 16, 512, 2, 2>>(all, cubes);
            break;
        case 8:
            add_cubes<ClusterCubeShape<Word8, 256, 31, 8, 384, 2, 2>>(all, cubes);
            add_cubes<ClusterCubeShape<Word8, 256, 31, 8, 512, 2, 2>>(all, cubes);
            break;
        default:
            add_cubes<ClusterCubeShape<Word16, 512, 32, 16, 256, 2, 2>>(all, cubes);
            add_cubes<ClusterCubeShape<Word16, 512, 32, 16, 512, 2, 2>>(all, cubes);
            break;
    }
    return all;
}

namespace {

template <class Shape>
void add_held(std::vector<InPlaceCandidate>& all, const Squares& squares) {
    for (const Index band : {2, 4, 8})
        all.push_back({"held-" + std::to_string(Shape::P::pitch) + " " + std::to_string(Shape::blocks) + " x " +
                           std::to_string(Shape::threads) + " band " + std::to_string(band),
                       [=](void* data) {
                           launch_exchange_held_shape<Shape>(squares, {BlockOrder::v1b, band}, data, nullptr);
                       }});
}

}  // namespace

std::vector<InPlaceCandidate> square_candidates(const Squares& squares) {
    std::vector<InPlaceCandidate> all;
    all.push_back({"tiles", [=](void* data) { launch_exchange(squares, {BlockOrder::v1b, 8}, data, nullptr); }});
    switch (squares.element_bytes) {
        case 4:
            add_held<HeldExchangeShape<Word4, 512, 512, 2>>(all, squares);
            add_held<HeldExchangeShape<Word4, 512, 384, 2>>(all, squares);
            add_held<HeldExchangeShape<Word4, 384, 384, 3>>(all, squares);
            break;
        case 8:
            add_held<HeldExchangeShape<Word8, 768, 384, 2>>(all, squares);
            add_held<HeldExchangeShape<Word8, 512, 512, 3>>(all, squares);
            break;
        default:
            add_held<HeldExchangeShape<Word16, 768, 384, 3>>(all, squares);
            add_held<HeldExchangeShape<Word16, 1024, 512, 2>>(all, squares);
            break;
    }
    return all;
}

std::vector<InPlaceCandidate> rectangle_candidates(const DenseMatrices& matrix) {
    std::vector<InPlaceCandidate> all;
    const auto add = [&](const std::string& name, std::shared_ptr<InPlaceExecutor> way) {
        if (way) all.push_back({name, [way](void* data) { way->run(data, {}); }});
    };
    add("sweeps", make_cuda_rectangle_sweeps(matrix));
    for (const Index most : {8, 16, 32, 64})
        add("scratch/" + std::to_string(most), make_cuda_rectangle_through_scratch(matrix, most << 20));
    if (std::min(matrix.rows, matrix.columns) <= max_fields && matrix.item == 1)
        add("structures", make_cuda_rectangle_tiles(matrix));
    add("items", make_cuda_rectangle_items(matrix));
    if (matrix.batch > 1) return all;
    add("tiles/256", make_cuda_rectangle_tiles(matrix, 256));
    if (matrix.item == 1 && std::min(matrix.rows, matrix.columns) > max_fields) {
        rectangle::LaggedCuts cuts =
            rectangle::lagged_cuts(std::max(matrix.rows, matrix.columns), std::min(matrix.rows, matrix.columns),
                                   matrix.element_bytes, 256, usual_scratch);
        cuts.steady = true;
        add("tiles/256 steady", make_cuda_lagged_rectangle(matrix, cuts));
    }
    add("tiles/512", make_cuda_rectangle_tiles(matrix, 512));
    add("tiles/1024", make_cuda_rectangle_tiles(matrix, 1024));
    return all;
}

}  // namespace poisson3d::test
