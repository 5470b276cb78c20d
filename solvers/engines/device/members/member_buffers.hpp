// The numbers of a member in the memory of its device that others send and receive (MemberBuffers, member.hpp), and
// what its separators are made of.
#pragma once

#include <algorithm>
#include <array>

#include "member.hpp"
#include "separator_lines.hpp"
#include "workspace.hpp"

namespace poisson3d::members {

using namespace device;

template <class T>
class MemberBuffers {
public:
    /// `samples`: of the box, where the problem is singular, else 0.
    MemberBuffers(const Parts& parts, int member, SplitMethod method, Index samples) {
        const Index share = parts.lines_of(member), all = parts.unknowns[0], lines = parts.lines();
        const Index planes = parts.parts[static_cast<std::size_t>(member)].unknowns;
        const auto active = static_cast<Index>(parts.active().size());
        if (method == SplitMethod::eliminated) {
            of(MemberBuffer::planes).size = std::max(2 * lines + planes, 3 * lines);
            of(MemberBuffer::shares).size = std::max(2 * active * share + all, 3 * active * share);
            of(MemberBuffer::potentials).size = active * share + all + 1;
            of(MemberBuffer::ends).size = 2 * lines + planes + 1;
            links_.size = 3 * active * share;
            work_.size = SeparatorLines<T>::work_rows(active) * share;
            mean_ = 2 * lines + planes;
        } else {
            one_field_ = parts.one_field;
            mean_ = parts.mean_inner(member);
            of(MemberBuffer::inner).size = (one_field_ ? all : planes) * lines + (one_field_ ? 2 : 1);
            of(MemberBuffer::across).size = parts.mean_across(member) + 1;
        }
        if (parts.pencils) {
            of(MemberBuffer::rows).size = parts.mean_rows(member) + 1;
            of(MemberBuffer::columns).size = parts.mean_columns(member) + 1;
            mean_in_rows_ = parts.mean_rows(member);
        }
        of(MemberBuffer::samples).size = samples;
        of(MemberBuffer::gauge).size = 4 + 2 * parts.all_members;
    }

    void reserve(WorkspaceLayout& layout) {
        for_each([&](Numbers& numbers) { numbers.offset = no_place; });
        const auto together = [&](Numbers& one, Numbers& other) {
            one.offset = other.offset = layout.take(std::max(bytes_of(one), bytes_of(other)));
        };
        if (one_field_) {
            together(of(MemberBuffer::inner), of(MemberBuffer::across));
        } else {
            together(of(MemberBuffer::inner), of(MemberBuffer::rows));
            together(of(MemberBuffer::across), of(MemberBuffer::columns));
        }
        for_each([&](Numbers& numbers) {
            if (numbers.offset == no_place) numbers.offset = layout.take(bytes_of(numbers));
        });
    }
    void bind(std::byte* workspace) {
        for_each([&](Numbers& numbers) { numbers.data = reinterpret_cast<T*>(workspace + numbers.offset); });
    }

    [[nodiscard]] T* operator[](MemberBuffer which) const { return numbers_[index(which)].data; }
    [[nodiscard]] std::size_t bytes(MemberBuffer which) const { return bytes_of(numbers_[index(which)]); }
    /// Its last number.
    [[nodiscard]] T* last(MemberBuffer which) const {
        return numbers_[index(which)].data + numbers_[index(which)].size - 1;
    }
    /// The mean that was removed, where it comes from lines along x.
    [[nodiscard]] T* mean(SplitMethod method) const {
        return (*this)[method == SplitMethod::eliminated ? MemberBuffer::ends : MemberBuffer::inner] + mean_;
    }
    /// And at last.
    [[nodiscard]] const T* last_mean(SplitMethod method) const {
        return mean_in_rows_ < 0 ? mean(method) : (*this)[MemberBuffer::rows] + mean_in_rows_;
    }
    /// Of separators: tie, excess, excess given to the left (separator_lines.hpp).
    [[nodiscard]] T* links() const { return links_.data; }
    [[nodiscard]] std::size_t bytes_of_links() const { return bytes_of(links_); }
    [[nodiscard]] T* work() const { return work_.data; }

private:
    struct Numbers {
        std::size_t offset = 0;
        Index size = 0;
        T* data = nullptr;
    };
    static constexpr std::size_t index(MemberBuffer which) { return static_cast<std::size_t>(which); }
    static std::size_t bytes_of(const Numbers& numbers) {
        return static_cast<std::size_t>(numbers.size) * sizeof(T);
    }
    Numbers& of(MemberBuffer which) { return numbers_[index(which)]; }
    template <class Body>
    void for_each(const Body& body) {
        std::for_each(numbers_.begin(), numbers_.end(), body);
        body(links_);
        body(work_);
    }

    std::array<Numbers, static_cast<std::size_t>(MemberBuffer::gauge) + 1> numbers_{};
    Numbers links_, work_;
    static constexpr auto no_place = static_cast<std::size_t>(-1);
    Index mean_ = 0, mean_in_rows_ = -1;  ///< below 0: no pencils
    bool one_field_ = false;
};

}  // namespace poisson3d::members
