// Gradients of slabs in views with pitches and ghosts, which must stay as they are.
#pragma once

#include <gtest/gtest.h>

#include "gradients.hpp"
#include "padded.hpp"

namespace poisson3d::test {

/// u of every member, and its components but for number `left_out`.
template <class T>
class PaddedGradients {
public:
    PaddedGradients(const Decomposition& parts, const Field<T>& whole, std::size_t left_out)
        : parts_(parts), left_out_(left_out), to(static_cast<std::size_t>(parts.members())) {
        for (int m = 0; m < parts.members(); ++m)
            for (int field = 0; field < 4; ++field)
                padded_.emplace_back(parts.box(m).points, Extents{1, 2, 3}, Extents{2, 1, field});
        for (std::size_t m = 0; m < to.size(); ++m) {
            padded_[4 * m].fill(of_member(whole, m));
            u.push_back(padded_[4 * m].view());
            for (std::size_t a = 0; a < 3; ++a)
                if (a != left_out) to[m][a] = component(m, a).view();
        }
    }

    /// Fills a component, and returns views of it that are only read.
    std::vector<FieldView<const T>> fill(std::size_t a, const Field<T>& whole) {
        std::vector<FieldView<const T>> views;
        for (std::size_t m = 0; m < to.size(); ++m) {
            component(m, a).fill(of_member(whole, m));
            views.push_back(component(m, a).view());
        }
        return views;
    }

    void expect(const Gradients<T>& expected, const std::string& where) {
        for (std::size_t m = 0; m < to.size(); ++m)
            for (std::size_t a = 0; a < 3; ++a) {
                EXPECT_EQ(component(m, a).damage(), 0) << where;
                if (a == left_out_) continue;
                EXPECT_EQ(different<T>(to[m][a], of_member(expected[a], m)), 0) << "axis " << a << ", " << where;
            }
    }

private:
    Padded<T>& component(std::size_t m, std::size_t a) { return padded_[4 * m + 1 + a]; }
    FieldView<const T> of_member(const Field<T>& whole, std::size_t m) const {
        const int member = static_cast<int>(m);
        return whole.view().slab(parts_.first(member), parts_.planes(member));
    }

    const Decomposition& parts_;
    std::size_t left_out_;
    std::vector<Padded<T>> padded_;

public:
    std::vector<FieldView<const T>> u;
    std::vector<std::array<FieldView<T>, 3>> to;
};

}  // namespace poisson3d::test
