// All parts of a box that members share, and how the lines along x are shared out (member.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "part.hpp"
#include "sample_order.hpp"

namespace poisson3d {

/// Of pencils those of a column.
struct Parts {
    std::vector<Part> parts;
    Part y;                                 ///< the rows of y that the members have in the fields of the caller
    Part z;                                 ///< where unknowns stand along z there
    Planes z_modes;                         ///< of z, while planes are exchanged; unknowns[2] is their count
    bool pencils = false;                   ///< there are several columns
    int all_members = 1;                    ///< of all columns
    Index row_pitch = 0, column_pitch = 0;  ///< of pencils, of rows and columns (MemberBuffer)
    std::vector<Index> share_first;         ///< of member m: share_first[m] … share_first[m + 1] − 1
    int across = 2;                         ///< lines along x lie across this axis; the other one is the slow one
    Extents unknowns{};                     ///< of lines along x, y, and the modes of z
    int chunks = 1;                         ///< of the planes of each part, which are exchanged one after the other
    double shrink = 1.0;                    ///< each chunk is so large, the one before it being one
    int pieces = 1;             ///< of each share, in which the last chunk is exchanged and lines along x go
    bool one_field = false;     ///< inner and across are one (MemberBuffer), …
    bool planes_first = false;  ///< … which is [x][y][z] and not [y][x][z]
    bool rows_first = false;    ///< inner is [y][its x][z] and across [its y][x][z], for members on devices, …
    bool direct = false;        ///< … whose passes put what they keep where the next one reads it
    Index together = 1;         ///< rows of a share that its pieces keep together
    double stored = 0.0;        ///< of what is sent, what passes store where it is needed
    bool in_turn = true;        ///< fields of a batch may be on their way at once
    std::shared_ptr<const SampleOrder> samples;  ///< of singular problems, for members on devices

    /// Some planes of a part: while one chunk is exchanged there are passes over the next. On the way back the last
    /// one comes first.
    [[nodiscard]] Planes chunk(int member, int number) const {
        const auto sum = [this](int c) {  // by products and sums alone: the same on every machine
            double sizes = 0.0, size = 1.0;
            for (; c > 0; --c, size *= shrink) sizes += size;
            return sizes;
        };
        const auto begin = [&](int c) {
            return static_cast<Index>(static_cast<double>(parts[member].unknowns) * sum(c) / sum(chunks));
        };
        const Index first = begin(number);
        return {first, (number + 1 == chunks ? parts[member].unknowns : begin(number + 1)) - first};
    }
    /// Some of a member's share: while one piece is exchanged lines along x of another are transformed.
    [[nodiscard]] Planes piece(int member, int number) const {
        const Index groups = (share(member) + together - 1) / together;
        const Index first = groups * number / pieces * together;
        return {first, std::min(share(member), groups * (number + 1) / pieces * together) - first};
    }
    /// The first rows of a share are stored by forward passes, the last planes of a part by middle ones, which are
    /// the first that are needed.
    [[nodiscard]] Index stored_rows(int member) const {
        return static_cast<Index>(stored * static_cast<double>(share(member)));
    }
    [[nodiscard]] Planes stored_planes(int member) const {
        const auto count = static_cast<Index>(stored * static_cast<double>(parts[member].unknowns));
        return {parts[member].unknowns - count, count};
    }
    [[nodiscard]] double elements_stored_by(int from) const {
        double sum = 0.0;
        for (int to = 0; to < members(); ++to) {
            if (from == to) continue;
            const Index rows = stored_rows(to) * parts[from].unknowns;
            const Index planes = share(from) * stored_planes(to).count;
            sum += static_cast<double>(rows + planes) * static_cast<double>(unknowns[across]);
        }
        return sum;
    }
    [[nodiscard]] int members() const noexcept { return static_cast<int>(parts.size()); }
    [[nodiscard]] int slow_axis() const noexcept { return 3 - across; }
    [[nodiscard]] Index share(int member) const { return share_first[member + 1] - share_first[member]; }
    /// Lines along x, and those of a share.
    [[nodiscard]] Index lines() const noexcept { return unknowns[1] * unknowns[2]; }
    [[nodiscard]] Index lines_of(int member) const { return share(member) * unknowns[across]; }
    [[nodiscard]] Index first_line_of(int member) const { return share_first[member] * unknowns[across]; }
    /// Where the mean that was removed stands in across and in inner, behind all else.
    [[nodiscard]] Index mean_across(int member) const {
        return unknowns[0] * (one_field ? lines() : lines_of(member));
    }
    [[nodiscard]] Index mean_inner(int member) const {
        return one_field ? unknowns[0] * lines() + 1 : parts[member].unknowns * lines();
    }
    /// And behind rows and columns of pencils.
    [[nodiscard]] Index mean_rows(int member) const { return y.unknowns * parts[member].unknowns * row_pitch; }
    [[nodiscard]] Index mean_columns(int member) const {
        return unknowns[1] * parts[member].unknowns * column_pitch;
    }
    /// Members with unknowns, in order.
    [[nodiscard]] std::vector<int> active() const {
        std::vector<int> all;
        for (int m = 0; m < members(); ++m)
            if (parts[m].unknowns > 0) all.push_back(m);
        return all;
    }
    [[nodiscard]] bool has_constant() const noexcept { return z_modes.first == 0 && z_modes.count > 0; }
    /// Who solves the line that is constant along y and z, if the modes of z are those with has_constant().
    [[nodiscard]] int owner_of_constant() const {
        for (int m = 0; m < members(); ++m)
            if (share(m) > 0) return m;
        return 0;
    }
};

}  // namespace poisson3d
