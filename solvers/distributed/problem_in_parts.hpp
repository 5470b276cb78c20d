// A problem that members share: its parts and the method.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "closed_axis.hpp"
#include "exchange_schedule.hpp"
#include "free_faces.hpp"
#include "member.hpp"
#include "middle_axis.hpp"
#include "padded_axis.hpp"
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

/// Whether free axes are padded with zeros; all others are closed by walls, or eliminated.
inline bool pads_free_lines(const Problem& problem) {
    return unbounded_axes(problem.grid) > 0 && problem.discretization == Discretization::spectral;
}

/// The slabs or pencils in which members solve; padded lines in slabs alone.
inline Decomposition solved_in(const Problem& problem, const Decomposition& parts) {
    const Decomposition boxes = parts.solved_in();
    if (!pads_free_lines(problem) || boxes.shape()[1] == 1) return boxes;
    return Decomposition::slabs(parts.points(), parts.members());
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
    parts.z = whole_axis(problem, 2);
    for (int a = 0; a < 3; ++a) parts.unknowns[a] = axis_kind(problem.grid.axes[a]).unknowns;
    parts.across = on_devices ? 2 : host_axis_across<T>(parts.unknowns);
    parts.pencils = boxes.shape()[1] > 1;
    parts.all_members = boxes.members();
    parts.z_modes = z_modes;
    parts.one_field = method == Method::transpose && members <= 2 && !parts.pencils;
    parts.planes_first = !on_devices;
    parts.rows_first = on_devices && method == Method::transpose && !parts.one_field && !parts.pencils;
    const auto padded = [&](Index count) {
        constexpr Index multiple = 128 / sizeof(T);
        return on_devices ? (count + multiple - 1) / multiple * multiple : count;
    };
    parts.row_pitch = padded(parts.unknowns[2]), parts.column_pitch = padded(z_modes.count);
    if (pads_free_lines(problem)) {
        // On hosts rows of an odd number of cache lines do not share a cache set; on devices wave numbers are
        // complex and one more.
        constexpr Index line = 64 / sizeof(T);
        const Index modes = axis_kind(lines::padded_axis(problem.grid.axes[2])).unknowns;
        parts.across = 1;
        parts.one_field = parts.planes_first = members <= 2;
        parts.rows_first = false;
        parts.unknowns[2] = on_devices ? padded(modes + 2) : ((modes + line - 1) / line | 1) * line;
        parts.together = on_devices ? line : host_element_lines<T>();
    } else {
        parts.unknowns[2] = z_modes.count;
        if (on_devices && method == Method::transpose) parts.unknowns[2] = parts.column_pitch;
    }
    if (on_devices && method == Method::transpose && !parts.pencils) {
        const Index bytes = parts.unknowns[0] / members * parts.lines() * static_cast<Index>(sizeof(T));
        const bool linked = known.linked && (parts.one_field || parts.rows_first || parts.across == 1);
        const double store_rate = pads_free_lines(problem) ? 0.0 : known.store_rate;  // of passes that can store
        const ExchangeSchedule schedule =
            choose_schedule({members, bytes, known.chunk_bytes, linked, store_rate, known.beside}, options);
        parts.chunks = schedule.chunks, parts.shrink = schedule.shrink;
        parts.pieces = schedule.pieces, parts.stored = schedule.stored;
    }
    const Index slow = parts.unknowns[parts.slow_axis()];
    const Index groups = (slow + parts.together - 1) / parts.together;
    for (Index m = 0; m <= members; ++m)
        parts.share_first.push_back(std::min(slow, groups * m / members * parts.together));
    return parts;
}

/// Whether free faces are closed by walls, and what stands there is found from a solution between these: all of
/// second_order, but those of the first axis alone where it is eliminated.
inline bool closes_faces(const Problem& problem, Method wanted) {
    if (unbounded_axes(problem.grid) == 0 || problem.discretization == Discretization::spectral) return false;
    const bool first_alone = eliminates_free_axis(problem) && problem.grid.axes[0].unbounded();
    return !first_alone || wanted == Method::transpose || !elimination_refused(problem, 0).empty();
}

/// Throws Error{unsupported} for free faces that members do not have.
inline void require_closed_faces(const Problem& problem, Method wanted) {
    const auto letter = [&](int axis) { return std::string(1, problem.grid.labels[axis]); };
    if (!closes_faces(problem, wanted)) return;
    for (int a = 0; a < 3; ++a)
        if (!plain(problem.grid.axes[a]))
            throw Error(ErrorCode::unsupported,
                        "axis " + letter(a) +
                            " has positions, widths, coefficients or a Robin face beside free faces that members "
                            "close by walls: wanted equal steps and no Robin face, or free faces of axis " +
                            letter(0) + " alone and the method automatic or eliminate");
}

inline Method choose_method(const Problem& problem, Method wanted) {
    require_closed_faces(problem, wanted);
    if (closes_faces(problem, wanted)) return choose_method(lines::close_faces(problem), wanted);
    const std::string why = elimination_refused(problem, 0);
    if (wanted == Method::eliminate && !why.empty())
        throw Error(ErrorCode::unsupported, "axis " + std::string(1, problem.grid.labels[0]) +
                                                ", which members share, cannot be eliminated: " + why +
                                                ", wanted the method automatic or transpose");
    if (pads_free_lines(problem)) return Method::transpose;
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
