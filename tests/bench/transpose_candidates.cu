#include "transpose_candidates.hpp"

#include "in_place/cuda_launchers.hpp"
#include "out_of_place/cuda_strips.cuh"
#include "out_of_place/cuda_wide_loads.cuh"
#include "out_of_place/movement.hpp"
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

std::vector<InPlaceCandidate> cube_candidates(Index side, bool back, int element_bytes) {
    const Cubes cubes{side, back, element_bytes};
    const std::shared_ptr<InPlaceExecutor> turns = make_cuda_cube_turns(cubes, usual_scratch);
    return {{"bricks", [=](void* data) { launch_cube(cubes, data, nullptr); }},
            {"turns", [=](void* data) { turns->run(data, {}); }}};
}

std::vector<InPlaceCandidate> square_candidates(const Squares& squares) {
    const TriangleOrder order{BlockOrder::v1b, 8};
    std::vector<InPlaceCandidate> all;
    all.push_back({"tiles", [=](void* data) { launch_exchange(squares, order, data, nullptr); }});
    if (squares.element_bytes == 4)
        all.push_back({"held", [=](void* data) { launch_exchange_held(squares, order, data, nullptr); }});
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
