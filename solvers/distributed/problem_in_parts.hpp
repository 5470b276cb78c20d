// A problem that members share: its parts and the method.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "exchange_schedule.hpp"
#include "member.hpp"
#include "middle_axis.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "transport.hpp"

namespace poisson3d {

/// The modes of z of each column, as even as can be; whole groups of lines that round together where there are
/// enough of them, so that the bits of a solve do not depend on the number of columns.
template <class T>
std::vector<Planes> share_modes(Index modes, int columns, bool on_devices) {
    const Index together = on_devices ? 2 : host_element_lines<T>();
    const Index group = modes >= together * columns ? together : 1;
    const Index groups = (modes + group - 1) / group;
    std::vector<Planes> shares;
    for (Index c = 0; c < columns; ++c) {
        const Index first = groups * c / columns * group;
        shares.push_back({first, std::min(modes, groups * (c + 1) / columns * group) - first});
    }
    return shares;
}

/// What is known of members before their parts are.
struct KnownMembers {
    bool on_devices = false;
    bool linked = false;          ///< as exchanges by the way of the options may use, …
    double store_rate = 0.0;      ///< … and which passes might store over by themselves; 0: not, …
    bool beside = true;           ///< … and copies go on beside passes
    bool moves_directly = false;  ///< fields between boxes, by kernels
    Index chunk_bytes = 1;
};

/// A call of all members; may refuse Way::passes.
inline KnownMembers look_at_members(Transport& transport, Method method, bool redistributed,
                                    const DistributedOptions& options) {
    KnownMembers known;
    known.on_devices = transport.device(transport.mine().front()) >= 0;
    known.chunk_bytes = transport.chunk_bytes();
    if (options.way == Way::passes) static_cast<void>(transport.choose(Way::passes, 0));
    const Way way = options.way;
    if (known.on_devices && redistributed && (way == Way::automatic || way == Way::stores || way == Way::passes))
        known.moves_directly = transport.reaches(way);
    if (!known.on_devices || method != Method::transpose) return known;
    known.linked = transport.reaches(options.way);
    if (known.linked && options.way == Way::automatic) known.store_rate = transport.store_rate();
    if (known.store_rate > 0.0) known.beside = transport.copies_go_beside();
    return known;
}

/// The parts of a column. Shares as even as can be. On devices lines along x lie across z, and rows that are
/// exchanged are padded to 128 bytes, as if z had more unknowns.
template <class T>
Parts make_parts(const Problem& problem, const Decomposition& boxes, int column, Planes z_modes, Method method,
                 const KnownMembers& known, const DistributedOptions& options) {
    Parts parts;
    const int members = boxes.shape()[0];
    const bool on_devices = known.on_devices;
    for (int row = 0; row < members; ++row) {
        const Box box = boxes.box(boxes.member(row, column));
        parts.parts.push_back(part_of(problem, 0, box.first[0], box.points[0]));
        parts.y = part_of(problem, 1, box.first[1], box.points[1]);
    }
    for (int a = 0; a < 3; ++a) parts.unknowns[a] = axis_kind(problem.grid.axes[a]).unknowns;
    parts.across = on_devices ? 2 : host_axis_across<T>(parts.unknowns);
    parts.pencils = boxes.shape()[1] > 1;
    parts.z_modes = z_modes;
    parts.one_field = method == Method::transpose && members <= 2 && !parts.pencils;
    parts.planes_first = !on_devices;
    parts.rows_first = on_devices && method == Method::transpose && !parts.one_field && !parts.pencils;
    const auto padded = [&](Index count) {
        constexpr Index multiple = 128 / sizeof(T);
        return on_devices ? (count + multiple - 1) / multiple * multiple : count;
    };
    parts.row_pitch = padded(parts.unknowns[2]), parts.column_pitch = padded(z_modes.count);
    parts.unknowns[2] = z_modes.count;
    if (on_devices && method == Method::transpose) parts.unknowns[2] = parts.column_pitch;
    if (on_devices && method == Method::transpose && !parts.pencils) {
        const Index bytes = parts.unknowns[0] / members * parts.lines() * static_cast<Index>(sizeof(T));
        const bool linked = known.linked && (parts.one_field || parts.rows_first);
        const ExchangeSchedule schedule =
            choose_schedule({members, bytes, known.chunk_bytes, linked, known.store_rate, known.beside}, options);
        parts.chunks = schedule.chunks, parts.shrink = schedule.shrink;
        parts.pieces = schedule.pieces, parts.stored = schedule.stored;
    }
    const Index slow = parts.unknowns[parts.slow_axis()];
    for (Index m = 0; m <= members; ++m) parts.share_first.push_back(slow * m / members);
    return parts;
}

inline Method choose_method(const Problem& problem, Method wanted) {
    const std::string why = elimination_refused(problem, 0);
    if (wanted == Method::eliminate && !why.empty())
        throw Error(ErrorCode::unsupported, "axis " + std::string(1, problem.grid.labels[0]) +
                                                ", which members share, cannot be eliminated: " + why +
                                                ", wanted the method automatic or transpose");
    const Method method = wanted == Method::transpose || !why.empty() ? Method::transpose : Method::eliminate;
    for (int a = 0; a < 3 && method == Method::transpose; ++a)
        if (!has_fast_transform(problem.grid.axes[a]))
            throw Error(ErrorCode::unsupported,
                        std::string("axis ") + problem.grid.labels[a] +
                            " has positions, widths, coefficients, a Robin or a free face, which the method "
                            "transpose cannot have" +
                            (why.empty() ? ", wanted automatic or eliminate" : "; nor can eliminate: " + why));
    return method;
}

}  // namespace poisson3d
