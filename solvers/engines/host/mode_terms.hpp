// What each mode of the middle pass leaves next to closed faces, and takes from their values
// (lines/closed_axis.hpp): the numbers of a block of lines (face_kernels.hpp). Lines that are eliminated have ends
// in the place of modes.
#pragma once

#include <array>
#include <vector>

#include "face_kernels.hpp"
#include "field_passes.hpp"
#include "middle_layout.hpp"

namespace poisson3d::host {

template <class T>
class ModeTerms {
public:
    ModeTerms(const MiddleLayout& layout, const FieldPasses<T>& passes) : layout_(layout) {
        for (int a = 0; a < 3; ++a) {
            if (layout.closed[a].faces == 0) continue;
            double factor = 1.0;
            for (int other = 0; other < 3; ++other)
                if (layout.closed[other].faces > 0 && !eliminated(other)) factor /= passes.axis(other).round_trip();
            if (eliminated(a)) {
                const Planes& here = layout.at_hand[a];
                end_term_ = static_cast<T>(factor * layout.closed[a].taken);
                at_end_ = {here.first == 0, here.first + here.count == axis_kind(layout.closed[a].axis).unknowns};
                continue;
            }
            factor *= passes.axis(a).gain();
            sums_[a] = numbers_of(passes.axis(a), a, layout.closed[a].sums, 1.0);
            terms_[a] = numbers_of(passes.axis(a), a, layout.closed[a].terms, factor);
        }
    }

    /// Of the block at these indices: in its sums, and for what is added.
    void set_sums(FaceBlock<T>& block, Index slow, Index line) const { set_numbers(block, sums_, slow, line); }
    void set_terms(FaceBlock<T>& block, Index slow, Index line) const { set_numbers(block, terms_, slow, line); }
    /// Part of a slow index, along whose axis a face is free.
    [[nodiscard]] int slow_part(Index slow) const { return sums_[layout_.slow].part[slow]; }

    /// Of lines that are eliminated: next to their ends, if these are at hand, u is what it is.
    void take_ends(const FaceBlock<T>& block) const {
        const lines::ClosedAxis& axis = layout_.closed[0];
        const T* const first = block.rows;
        const T* const last = block.rows + (block.modes - 1) * lines_;
        for (int part = 0; part < axis.faces; ++part)
            for (Index l = 0; l < lines_; ++l) {
                const T lower = at_end_[0] ? first[l] : T(0);
                const T upper = at_end_[1] ? last[l] : T(0);
                T& sum = block.face_along[part][l];
                if (axis.faces == 1)
                    sum = axis.lower ? lower : upper;
                else
                    sum = part == 0 ? lower + upper : lower - upper;
            }
    }
    void add_ends(const FaceBlock<T>& block) const {
        const lines::ClosedAxis& axis = layout_.closed[0];
        if (axis.faces == 0) return;
        const T term = end_term_ * block.inverse / (axis.faces == 2 ? 2 : 1);
        T* const first = block.rows;
        T* const last = block.rows + (block.modes - 1) * lines_;
        for (Index l = 0; l < lines_; ++l) {
            const T sum = block.face_along[0][l];
            const T lower = axis.faces == 2 ? sum + block.face_along[1][l] : sum;
            const T upper = axis.faces == 2 ? sum - block.face_along[1][l] : sum;
            if (at_end_[0] && (axis.faces == 2 || axis.lower)) first[l] += term * lower;
            if (at_end_[1] && (axis.faces == 2 || !axis.lower)) last[l] += term * upper;
        }
    }

private:
    /// Of the modes of an axis, by slot.
    struct Numbers {
        std::vector<T> number;
        std::vector<std::uint8_t> part;
        std::array<std::vector<T>, 2> of_part;  ///< 0 where it is the other; as many as whole blocks have

        [[nodiscard]] bool any() const { return !number.empty(); }
    };

    [[nodiscard]] bool eliminated(int axis) const { return axis == 0 && layout_.eliminates; }
    Numbers numbers_of(const PlannedAxis<T>& planned, int axis, const std::vector<double>& by_mode,
                       double factor) const {
        Numbers numbers;
        const std::vector<Index>& mode_of = planned.mode_of();
        const auto [first, n] = layout_.at_hand[axis];
        for (auto& part : numbers.of_part) part.assign((n + lines_ - 1) / lines_ * lines_, T(0));
        for (Index slot = 0; slot < n; ++slot) {
            const Index mode = mode_of[first + slot];
            const int part = layout_.closed[axis].part(mode);
            numbers.number.push_back(static_cast<T>(factor * by_mode[mode]));
            numbers.part.push_back(static_cast<std::uint8_t>(part));
            numbers.of_part[part][slot] = numbers.number.back();
        }
        return numbers;
    }

    void set_numbers(FaceBlock<T>& block, const std::array<Numbers, 3>& numbers, Index slow, Index line) const {
        if (numbers[0].any()) {
            block.number_along = numbers[0].number.data();
            block.part_along = numbers[0].part.data();
        }
        if (numbers[layout_.across].any())
            for (int part = 0; part < 2; ++part)
                block.numbers_across[part] = numbers[layout_.across].of_part[part].data() + line;
        if (numbers[layout_.slow].any()) block.number_slow = numbers[layout_.slow].number[slow];
    }

    const MiddleLayout& layout_;
    Index lines_ = face_kernels<T>().lines;
    std::array<Numbers, 3> sums_, terms_;
    T end_term_ = 0;                ///< of lines that are eliminated, …
    std::array<bool, 2> at_end_{};  ///< … whose ends are at hand
};

}  // namespace poisson3d::host
