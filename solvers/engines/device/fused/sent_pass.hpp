// Fused passes some of whose results belong elsewhere: in the field of another member, in the memory of its device,
// or in another field here. A line is in parts of neighbouring elements, one for each member; of each part some
// elements are stored where its member has them, all others where the pass would have stored them anyway. Only
// passes before and after an exchange are such: the forward one that turns planes, and the middle one over lines
// that stay.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "known_pass.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

/// Elements first … end − 1 of all lines, of which begin … begin + count − 1 are stored at
/// to + (index − first) · sample + s · slow + l; sample is that of SentElements.
template <class T>
struct SentPart {
    T* to = nullptr;
    Index slow = 0;
    int first = 0, end = 0, begin = 0, count = 0;
};

template <class T>
struct SentElements {
    static constexpr int most = 16;
    Index sample = 0;
    unsigned guess = 0;  ///< 2^32 over the elements of the largest part: the part of an element is not before this
    SentPart<T> parts[most];

    /// Of the parts that there are, in order.
    void set_guess(int count) {
        int largest = 2;
        for (int m = 0; m < count; ++m) largest = std::max(largest, parts[m].end - parts[m].first);
        guess = static_cast<unsigned>((std::uint64_t{1} << 32) / static_cast<unsigned>(largest));
    }
    /// Of parts that are as even as can be it is the one guessed or the next.
    [[nodiscard]] POISSON3D_HD const SentPart<T>& part_of(int index) const {
        auto m = static_cast<int>(std::uint64_t{static_cast<unsigned>(index)} * guess >> 32);
        while (index >= parts[m].end) ++m;
        return parts[m];
    }
    /// The same for lines that begin `planes` slow indices later.
    [[nodiscard]] SentElements planes_from(Index planes) const {
        SentElements rest = *this;
        for (SentPart<T>& part : rest.parts)
            if (part.to != nullptr) part.to += planes * part.slow;
        return rest;
    }
};

/// The Format of such passes over lines of Format F.
template <class F>
struct Sent : F {};

}  // namespace poisson3d::fused

namespace poisson3d::lines {

template <>
inline constexpr int symmetric_radices<fused::Sent<Compact>>[] = {8, 16, 9, 7, 5, 6, 4, 2};

}  // namespace poisson3d::lines

namespace poisson3d::device {

template <class T, Ends ends, int rows, Role role>
struct PassLine<T, fused::Sent<fused::KnownPass<ends, rows, role>>>
    : PassLine<T, fused::KnownPass<ends, rows, role>> {};

template <class T, class F>
struct PassTask<T, fused::Sent<F>> : PassLine<T, fused::Sent<F>>, PassFields<T> {
    fused::SentElements<T> elements;
};

/// Of rows that have room for an even number of lines, and start at a multiple of two elements.
template <bool complete, bool even, bool padded, class T, class F>
class ColumnWriter<complete, even, padded, T, fused::Sent<F>> {
public:
    using Task = PassTask<T, fused::Sent<F>>;

    POISSON3D_HD ColumnWriter(const Task& task, const BlockPosition<T>& block, const RealLines<T>& lines)
        : out_(task.out + block.field * task.out_field + block.slow * task.out_slow + lines.first),
          stride_(task.out_sample),
          slow_(block.slow),
          line_(lines.first),
          sent_(task.elements) {}
    POISSON3D_HD void write(int index, Complex<T> z) const {
        if (!complete && index == no_element_in<typename F::Word>) return;
        const fused::SentPart<T>& part = sent_.part_of(index);
        const bool there = static_cast<unsigned>(index - part.begin) < static_cast<unsigned>(part.count);
        T* const to = there ? part.to + slow_ * part.slow + (index - part.first) * sent_.sample + line_
                            : out_ + index * stride_;
        lines::store_field(reinterpret_cast<Complex<T>*>(to), z);
    }
    POISSON3D_HD void write_neighbours(int index, Complex<T> first, Complex<T> second) const {
        write(index, first);
        write(index + 1, second);
    }
    POISSON3D_HD void write_ends() const {}

private:
    T* out_;
    Index stride_, slow_, line_;
    const fused::SentElements<T>& sent_;
};

}  // namespace poisson3d::device

namespace poisson3d::fused {

/// How fields move in a pass of such a role.
template <Role role>
inline constexpr Movement sent_movement = role == Role::forward ? Movement::rotated : Movement::in_place;

template <class T>
PassTask<T, Sent<Compact>> sent_task(const Task<T>& task, const SentElements<T>& elements) {
    using From = PassLine<T, Compact>;
    using To = PassLine<T, Sent<Compact>>;
    PassTask<T, Sent<Compact>> sent;
    static_cast<To&>(sent) = std::bit_cast<To>(static_cast<const From&>(task));  // names of types differ, no more
    static_cast<PassFields<T>&>(sent) = task;
    sent.elements = elements;
    return sent;
}

/// Calls body.template operator()<role>().
template <class Body>
void with_sent_role(Role role, const Body& body) {
    if (role == Role::forward) return body.template operator()<Role::forward>();
    if (role == Role::middle) return body.template operator()<Role::middle>();
}

/// launch.template operator()<role>(task) with lines that are known; false if these are not.
template <int rows, class T, class Launch>
bool with_known_sent_task(Role role, const Task<T>& task, const SentElements<T>& elements, const BlockShape& shape,
                          const Launch& launch) {
    return with_known_task<rows>(role, Movement::rotated, task, shape,
                                 [&]<Role which, Movement>(const auto& known) {
                                     if constexpr (which == Role::forward || which == Role::middle) {
                                         const auto all = [&]<class F>(const PassTask<T, F>& of_known) {
                                             PassTask<T, Sent<F>> sent;
                                             static_cast<PassLine<T, F>&>(sent) = of_known;
                                             static_cast<PassFields<T>&>(sent) = of_known;
                                             sent.elements = elements;
                                             launch.template operator()<which>(sent);
                                         };
                                         all(known);
                                     }
                                 });
}

/// The kernels of a kind and of its outer steps, not Outer::any: a translation unit each.
template <Kind kind, Outer outer, class T>
void launch_sent_kernel(Role role, const Task<T>& task, const SentElements<T>& elements, const BlockShape& shape,
                        const Blocks& blocks, Stream stream);

/// Those of lines that are known; false, and nothing is launched, if these are not.
template <int rows, class T>
bool launch_known_sent_kernel(Role role, const Task<T>& task, const SentElements<T>& elements,
                              const BlockShape& shape, const Blocks& blocks, Stream stream);

/// As launch_pass, for Role::forward and Role::middle; rows of the result are padded.
template <class T>
void launch_sent_pass(Role role, const Task<T>& task, const SentElements<T>& elements, const BlockShape& shape,
                      const Blocks& blocks, Stream stream) {
    const auto known = [&]<int rows>() {
        return launch_known_sent_kernel<rows>(role, task, elements, shape, blocks, stream);
    };
    if (with_known_length(KnownSentLengths{}, task.rows, known)) return;
    with_kind(task.kind, [&]<Kind kind>() {
        if (task.outer == Outer::radix8)
            launch_sent_kernel<kind, Outer::radix8>(role, task, elements, shape, blocks, stream);
        else
            launch_sent_kernel<kind, Outer::large>(role, task, elements, shape, blocks, stream);
    });
}

}  // namespace poisson3d::fused
