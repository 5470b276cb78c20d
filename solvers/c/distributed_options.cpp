#include "distributed_options.hpp"

#include <cstddef>
#include <string>

#include "arguments.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::c {

namespace {

static_assert(static_cast<int>(Method::eliminate) == POISSON3D_METHOD_ELIMINATE &&
              static_cast<int>(Method::transpose) == POISSON3D_METHOD_TRANSPOSE);
static_assert(static_cast<int>(Way::copies) == POISSON3D_WAY_COPIES &&
              static_cast<int>(Way::stores) == POISSON3D_WAY_STORES &&
              static_cast<int>(Way::nccl) == POISSON3D_WAY_NCCL &&
              static_cast<int>(Way::staged) == POISSON3D_WAY_STAGED &&
              static_cast<int>(Way::passes) == POISSON3D_WAY_PASSES &&
              static_cast<int>(Way::mpi) == POISSON3D_WAY_MPI);

DistributedOptions read_solver_options(const poisson3d_distributed_options& read) {
    if (read.batch < 0)
        throw Error(ErrorCode::usage,
                    "found " + std::to_string(read.batch) + " in options.batch, wanted at least 0");
    return {read_enum(read.method, Method::transpose, "options.method"), read.threads,
            read.batch == 0 ? 1 : read.batch, read.chunks, read_enum(read.way, Way::mpi, "options.way")};
}

std::vector<Index> read_counts(const std::int64_t* counts, int many) {
    return {counts, counts + many};
}

/// Rows and columns by their points, or as even as can be.
Decomposition read_pencils(const Extents& points, int members, const poisson3d_distributed_options& read) {
    if (read.rows == 0 && read.columns == 0) {
        if (read.row_points != nullptr || read.column_points != nullptr)
            throw Error(ErrorCode::usage,
                        "found points of rows or columns, and 0 in options.rows and "
                        "options.columns, wanted how many there are");
        return Decomposition::pencils(points, members);
    }
    const Decomposition even = Decomposition::pencils(points, {read.rows, read.columns});
    std::vector<Index> first, second;
    for (int r = 0; r < read.rows; ++r) first.push_back(even.box(even.member(r, 0)).points[0]);
    for (int c = 0; c < read.columns; ++c) second.push_back(even.box(even.member(0, c)).points[1]);
    if (read.row_points != nullptr) first = read_counts(read.row_points, read.rows);
    if (read.column_points != nullptr) second = read_counts(read.column_points, read.columns);
    return Decomposition::pencils(points, first, second);
}

Decomposition read_parts(const Extents& points, int members, const std::int64_t* planes,
                         const poisson3d_distributed_options& read) {
    if (planes != nullptr && read.decomposition != POISSON3D_DECOMPOSITION_SLABS)
        throw Error(ErrorCode::usage, "found planes of members, wanted NULL: options.decomposition is not SLABS");
    switch (read.decomposition) {
        case POISSON3D_DECOMPOSITION_PENCILS: return read_pencils(points, members, read);
        case POISSON3D_DECOMPOSITION_AUTOMATIC: return Decomposition::automatic(points, members);
        default: break;
    }
    return planes == nullptr ? Decomposition::slabs(points, members)
                             : Decomposition::slabs(points, read_counts(planes, members));
}

Box read_box(const poisson3d_box& given) {
    Box box;
    for (std::size_t a = 0; a < 3; ++a) box.first[a] = given.first[a], box.points[a] = given.points[a];
    return box;
}

}  // namespace

ReadOptions read_options(const poisson3d_distributed_options* given, const Extents& points,
                         const Communicator& members, const std::int64_t* planes) {
    poisson3d_distributed_options known{};
    if (given != nullptr)
        known = read_sized(given, "options", offsetof(poisson3d_distributed_options, decomposition));
    ReadOptions read;
    read.options = read_solver_options(known);
    require_enum(known.decomposition, POISSON3D_DECOMPOSITION_OWN, "options.decomposition");
    const Decomposition parts = read_parts(points, members.size(), planes, known);
    if (known.decomposition == POISSON3D_DECOMPOSITION_OWN) {
        require_pointer(known.boxes, "options.boxes");
        for (std::size_t m = 0; m < members.mine().size(); ++m) read.own.push_back(read_box(known.boxes[m]));
    } else if (known.order != nullptr) {
        read.parts = parts.in_order_of({known.order, known.order + members.size()});
    } else {
        read.parts = parts;
    }
    return read;
}

}  // namespace poisson3d::c
