// The options of `bench solve` and `bench transpose`.
#include <utility>

#include "command_line/option_set.hpp"

namespace poisson3d::app {

namespace {

/// One of each kind of transform, those of the two ends of an axis that differ, and what channels and ducts have.
const std::vector<std::string> usual_boundaries{
    "dirichlet",
    "neumann",
    "dirichlet:neumann",
    "periodic",
    "periodic,periodic,dirichlet",
    "periodic,dirichlet,neumann",
};

const std::vector<Algorithm> out_of_place{Algorithm::naive,      Algorithm::tile,     Algorithm::padded_tile,
                                          Algorithm::slices,     Algorithm::banded,   Algorithm::super_grid,
                                          Algorithm::aligned,    Algorithm::thin,     Algorithm::wide_loads,
                                          Algorithm::short_axes, Algorithm::automatic};
const std::vector<InPlaceAlgorithm> in_place{
    InPlaceAlgorithm::thread_wise, InPlaceAlgorithm::exchange, InPlaceAlgorithm::super_grid, InPlaceAlgorithm::cube,
    InPlaceAlgorithm::rectangle,   InPlaceAlgorithm::cycles,   InPlaceAlgorithm::automatic};

/// Reads words between commas, each by parse(option, word).
template <class Parse>
auto list_of(const Parse& parse) {
    return [parse](const std::string& option, const std::string& text) { return parse_list(option, text, parse); };
}

auto whole_number(Index least) {
    return
        [least](const std::string& option, const std::string& word) { return parse_integer(option, word, least); };
}

/// The values whose names stand in `text`; `all` for all of them.
template <class Value>
std::vector<Value> parse_algorithms(const std::string& option, const std::string& text,
                                    const std::vector<Value>& all) {
    return text == "all" ? all : parse_list(option, text, NameOf<Value>(all));
}

std::pair<Index, Index> parse_sides(const std::string& option, const std::string& text) {
    const std::vector<Index> sides = parse_list(option, text, whole_number(1));
    if (sides.size() != 2 || sides[0] > sides[1])
        throw Error(ErrorCode::usage, option + ": found '" + text + "', wanted two numbers that do not fall");
    return {sides[0], sides[1]};
}

}  // namespace

void add_bench_solve(OptionSet& set, BenchSolveOptions& options) {
    set.add(in_problem, "--points", "LIST", "64,128,256",
            "sizes separated by commas: cubes like 128, boxes like\n97x131x89",
            into(options.points, list_of(parse_points)));
    set.add_repeated(
        in_problem, "--boundary", "SPEC", "dirichlet",
        "as for solving, axes left out are Dirichlet, or\nall, for six usual mixes; may be given several\ntimes",
        [&options](const std::string& option, const std::string& text) {
            if (text != "all") parse_boundaries(option, text);
            const std::vector<std::string> one{text}, &some = text == "all" ? usual_boundaries : one;
            options.boundaries.insert(options.boundaries.end(), some.begin(), some.end());
        });
    set.add_repeated(in_problem, "--centering", "SPEC", "cell", "as for solving; may be given several times",
                     [&options](const std::string& option, const std::string& text) {
                         options.centerings.push_back(parse_centerings(option, text));
                     });
    add_discretization(set, options.problem, "as for solving");
    set.add(in_solving, "--precision", "LIST", "double", "double, single, mixed, or several with commas",
            into(options.precisions, list_of(parse_precision)));
    add_solver(set, options.solver, options.device);
    add_member_devices(set, options.devices);
    add_method(set, options.method);
    set.add(in_solving, "--batch", "N", "1", "right-hand sides solved together",
            into(options.solver.batch, parse_count));
    set.add(in_checks, "--repeat", "N", "0", "measured runs; 0: what fits into a second, at least 5,\non a GPU 20",
            into(options.repeat, parse_count));
    set.footer("Example: poisson3d bench solve --points 257 --centering node --threads 2");
}

void complete(BenchSolveOptions& options) {
    if (options.boundaries.empty()) options.boundaries = {"dirichlet"};
    if (options.centerings.empty()) options.centerings = {parse_centerings("--centering", "cell")};
    complete(options.solver, options.device);
    require_one_choice(options.device, options.devices);
    if (options.method && options.devices.empty())
        throw Error(ErrorCode::usage, "--method is one of members: found it without --devices");
}

void add_bench_transpose(OptionSet& set, BenchTransposeOptions& options) {
    set.add(in_problem, "--points", "LIST", "512,511",
            "sizes separated by commas: cubes like 512, boxes like\n97x1531x2003, matrices like 4096x1x4099",
            into(options.points, list_of(parse_points)));
    set.add(in_problem, "--element", "LIST", "4,8,16", "bytes of an element: 1, 2, 4, 8, 16",
            into(options.elements, list_of(WordOf<int>{{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"16", 16}})));
    set.add(in_problem, "--permutation", "LIST", "yzx", "new orders of the axes: yzx, zxy, xzy, yxz, zyx",
            into(options.permutations, list_of(WordOf<Permutation>{{"yzx", rotation},
                                                                   {"zxy", rotation_back},
                                                                   {"xzy", {0, 2, 1}},
                                                                   {"yxz", {1, 0, 2}},
                                                                   {"zyx", {2, 1, 0}},
                                                                   {"xyz", identity_order}})));
    set.flag(in_problem, "--in-place", options.in_place, "the field takes the place of the field it was");
    set.add(in_problem, "--random", "N", "0", "with --in-place: N random matrices, and the median",
            into(options.random, parse_count));
    set.add(in_problem, "--sides", "A,B", "1000,20000", "least and greatest side of random matrices",
            into(options.sides, parse_sides));
    set.add(in_problem, "--seed", "N", "0", "of random matrices", into(options.seed, whole_number(0)));
    set.add(
        in_solving, "--algorithm", "LIST", "automatic",
        "automatic, naive, tile, padded-tile, slices, banded,\nsuper-grid, aligned, thin, wide-loads, short-axes,\n"
        "or all; in place: automatic, thread-wise, exchange,\nsuper-grid, cube, rectangle, cycles, or all that fit",
        [&options](const std::string& option, const std::string& text) {
            options.all_algorithms = text == "all";
            if (options.in_place)
                options.in_place_algorithms = parse_algorithms(option, text, in_place);
            else
                options.algorithms = parse_algorithms(option, text, out_of_place);
        });
    set.add(
        in_solving, "--order", "LIST", "v1bf",
        "block orders of banded: row-major, column-major, v1bf;\nin place, of exchange: automatic, v1, v1r, v2, "
        "v1b",
        [&options](const std::string& option, const std::string& text) {
            const NameOf<BlockOrder> banded{BlockOrder::row_major, BlockOrder::column_major, BlockOrder::v1bf};
            const NameOf<BlockOrder> exchange{BlockOrder::automatic, BlockOrder::v1, BlockOrder::v1r,
                                              BlockOrder::v2, BlockOrder::v1b};
            options.orders = parse_list(option, text, options.in_place ? exchange : banded);
        });
    set.add(in_solving, "--band", "LIST", "0", "widths of bands, sides of regions, in tiles; 0: chosen",
            into(options.bands, list_of(whole_number(0))));
    set.add(in_solving, "--backend", "NAME", "cuda if there is a device", "host or cuda",
            into(options.backend, WordOf<Backend>{{"host", Backend::host}, {"cuda", Backend::cuda}}));
    set.add(in_solving, "--device", "N", "0", "number of the GPU", into(options.device, parse_count));
    set.add(in_solving, "--threads", "N", "0", "host threads; 0: all there are",
            into(options.threads, parse_count));
    set.add(in_checks, "--repeat", "N", "9", "measured runs", into(options.repeat, parse_count));
    set.footer("Example: poisson3d bench transpose --points 511 --algorithm all");
}

void complete(BenchTransposeOptions& options) {
    if ((options.random || options.seed || options.sides) && !options.in_place)
        throw Error(ErrorCode::usage, "--random, --seed and --sides draw matrices for --in-place: give that too");
    if (options.random.value_or(0) > 0 && !(options.points.empty() && options.permutations.empty()))
        throw Error(ErrorCode::usage, "--random draws matrices and takes neither --points nor --permutation");
    if (options.in_place)
        for (const int element : options.elements)
            if (element < 4)
                throw Error(ErrorCode::usage,
                            "--element: found " + std::to_string(element) + ", wanted 4, 8 or 16 with --in-place");
    if (options.points.empty()) options.points = {{512, 512, 512}, {511, 511, 511}};
    if (options.permutations.empty()) options.permutations = {rotation};
    if (options.algorithms.empty()) options.algorithms = {Algorithm::automatic};
    if (options.in_place_algorithms.empty()) options.in_place_algorithms = {InPlaceAlgorithm::automatic};
    if (options.orders.empty()) options.orders = {options.in_place ? BlockOrder::automatic : BlockOrder::v1bf};
    if (options.repeat == 0) options.repeat = 9;
}

}  // namespace poisson3d::app
