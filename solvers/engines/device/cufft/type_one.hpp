// Orbits of type I axes (orbit_ops.hpp says what they are): half period N = 2^L n, split L ≤ 3 times.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "pair_table.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::cufft {

template <class T>
class TypeOne {
public:
    TypeOne(Transform transform, Index points, Listing listing)
        : sine_(transform == Transform::dst1), points_(points), shift_(sine_ ? 1 : 0), listing_(listing) {
        period_ = sine_ ? points + 1 : points - 1;
        rest_ = period_;
        for (; rest_ % 2 == 0 && levels_ < max_levels; rest_ /= 2) ++levels_;
        Index row = 0;
        for (int l = 1; l <= levels_; ++l) {
            offset_.push_back(row);
            blocks_.push_back({row, length(l), 1});
            row += padded<T>(length(l));
        }
        extension_ = row;
        if (!sine_ || rest_ > 1) {
            blocks_.push_back({row, 2 * rest_, 1});
            row += padded<T>(2 * rest_);
        }
        rows_ = row;
    }

    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] std::vector<FftBlock> blocks() const { return blocks_; }
    [[nodiscard]] Mirror mirror() const {
        if (sine_ && rest_ == 1) return {};
        return {static_cast<int>(extension_), static_cast<int>(rest_), sine_};
    }

    /// Samples to positions (`in` = sample), or positions to samples.
    [[nodiscard]] OrbitTable<T> samples(bool pre) const {
        std::vector<Member<T>> all;
        for (Index j = 0; j < points_; ++j) {
            Index index = j + shift_;
            int level = 1;
            while (level <= levels_ && index % 2 == 0) index /= 2, ++level;
            Member<T> member;
            Index position = 0;
            if (level <= levels_) {
                const Index i = index / 2;
                position = offset_[level - 1] + makhoul_row(i, length(level));
                member.alpha = {sine_ && i % 2 == 1 ? T(-1) : T(1), 0};
            } else {
                position = extension_ + index;
                if (sine_ && !pre) member.alpha = {0, 1};  // the FFT of an odd extension: −i times the sines
            }
            member.in = pre ? j : position;
            member.out = pre ? position : j;
            all.push_back(member);
        }
        return list_alone(std::move(all), listing_, pre ? &Member<T>::out : &Member<T>::in);
    }

    /// Positions to slots (modes in natural order), or slots to positions.
    [[nodiscard]] OrbitTable<T> modes(bool post) const {
        if (levels_ == 0) return extension_alone(post);
        OrbitTable<T> table;
        table.size = 2 << levels_;
        table.sine = sine_;
        table.orbits = rest_ / 2 + 1;
        table.in.assign(table.size * table.orbits, -1);
        table.out.assign(table.size * table.orbits, -1);
        table.coefficients.resize((table.size / 2 - 1) * table.orbits);
        std::vector<RootsOfUnity> roots;  // α = e^{−iπq/2m} of each level
        for (int level = 1; level <= levels_; ++level) roots.emplace_back(4 * length(level));
        for (Index o = 0; o < table.orbits; ++o) fill(table, o, post, roots);
        return table;
    }

private:
    static constexpr int max_levels = 3;
    [[nodiscard]] Index length(int level) const { return period_ >> level; }

    /// Not split at all: modes k and N − k of the extension.
    [[nodiscard]] OrbitTable<T> extension_alone(bool post) const {
        std::vector<Member<T>> all;
        for (Index k = 0; k < points_; ++k) {
            const Index position = extension_ + k + shift_;
            all.push_back({post ? position : k,
                           post ? k : position,
                           {sine_ && post ? T(0) : T(1), sine_ && post ? T(1) : T(0)}});
        }
        return list_alone(all, run_length);
    }

    void fill(OrbitTable<T>& table, Index o, bool post, const std::vector<RootsOfUnity>& roots) const {
        const Index n = table.orbits;
        std::vector<Index> members{o, rest_ - o};  // K_L
        std::vector<Index> positions(table.size, -1);
        const auto seen = [](const std::vector<Index>& list, std::size_t count, Index value) {
            return std::find(list.begin(), list.begin() + count, value) != list.begin() + count;
        };
        for (int i = 0; i < 2; ++i) {
            const bool end = sine_ && (members[i] == 0 || members[i] == rest_);
            positions[i] = end ? -1 : extension_ + members[i];
        }
        for (int level = levels_; level >= 1; --level) {
            const Index m = length(level);
            const auto s = static_cast<Index>(members.size());
            for (Index i = 0; i < s; ++i) positions[s + i] = offset_[level - 1] + members[i] % m;
            for (Index i = 0; i < s / 2; ++i)
                table.coefficients[(s / 2 - 1 + i) * n + o] = roots[level - 1].rounded<T>(members[i]);
            for (Index i = 0; i < s; ++i) members.push_back(2 * m - members[i]);
        }
        for (Index i = 0; i < table.size; ++i) {
            Index slot = members[i] - shift_;
            if (slot < 0 || slot >= points_) slot = -1;
            const bool again = seen(members, i, members[i]);
            // Where members coincide, and where q = m stands for a zero that row 0 does not hold, the first one
            // writes. All read: the arithmetic wants every element.
            Index position = positions[i];
            if (post) {
                table.in[i * n + o] = static_cast<std::int32_t>(position);
                table.out[i * n + o] = static_cast<std::int32_t>(again ? -1 : slot);
            } else {
                if (seen(positions, i, position)) position = -1;
                table.in[i * n + o] = static_cast<std::int32_t>(slot);
                table.out[i * n + o] = static_cast<std::int32_t>(position);
            }
        }
    }

    bool sine_;
    Index points_, shift_, period_ = 0, rest_ = 0, extension_ = 0, rows_ = 0;
    Listing listing_;
    int levels_ = 0;
    std::vector<Index> offset_;
    std::vector<FftBlock> blocks_;
};

}  // namespace poisson3d::cufft
