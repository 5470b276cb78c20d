// The fields between passes, which hold the unknowns alone: where they are, in the workspace or in u, and how their
// axes lie (fused_pipeline.cpp).
#pragma once

#include "box_passes.hpp"
#include "movement.hpp"

namespace poisson3d::fused {

/// Elements that modes standard and low may have beside their field.
template <class T>
Index spare_elements(const Problem& problem) {
    return static_cast<Index>(max_work<T>(problem) / (2 * sizeof(T)));
}

/// Even parts of a batch: fields of 1 GiB together, whose passes take so long that where one ends and the next
/// begins, when parts of the device idle, does not matter. Fewer that stay in its cache are slower (docs/notes.md).
template <class T>
Index fields_at_once(const Problem& problem, Memory memory, Index batch);

/// Unknowns of fields that lie `next` elements apart, strides by axis.
template <class E>
struct Unknowns {
    E* data;
    Strides strides;
    Index next;
    [[nodiscard]] Unknowns<const E> read_only() const { return {data, strides, next}; }
};

template <class T>
class InternalFields {
public:
    /// Why there is a second field where passes are in place in mode fast: some axes go from one to the other, or
    /// it is an area for lines.
    enum class Second { none, products, area };
    /// Of `fields` fields at once.
    InternalFields(const Problem& problem, const Extents& unknowns, Memory memory, const FieldWay& way,
                   Second second, Index fields);

    void reserve(WorkspaceLayout& layout);
    void bind(std::byte* workspace);

    /// Of `buffer`, whose axes lie in `order`, or of u where that is the internal field, or meant. `first_unknown`:
    /// its offset in u.
    [[nodiscard]] Unknowns<T> unknowns(Buffer buffer, const Permutation& order, const Call<T>& call,
                                       Index first_unknown) const;
    /// Whether neighbouring lines along `line` may be read and written in twos: all rows of the unknowns begin at
    /// multiples of two elements and have room for an even number of them.
    [[nodiscard]] bool has_even_rows(const Unknowns<const T>& field, int slow, int line, int sample) const;

    /// The first field is the second one from now on, and the reverse; or each is itself again.
    void swap() { swapped_ = !swapped_; }
    void unswap() { swapped_ = false; }

    [[nodiscard]] bool any() const { return first_.next > 0; }
    [[nodiscard]] bool has_second() const { return second_.next > 0; }
    [[nodiscard]] Index first_elements() const { return first_.next; }
    /// The second field, where it holds nothing.
    [[nodiscard]] std::size_t area_bytes() const {
        return area_ ? static_cast<std::size_t>(second_.next) * sizeof(T) : 0;
    }
    [[nodiscard]] std::size_t area_offset() const { return second_.offset; }

    /// Where copies of host fields go. Rotated, pass 1 writes the first field and pass 5 reads the second. In
    /// place, f and u are one field here, and where the field is turned in the first one.
    [[nodiscard]] T* staging() const { return has_second() && !area_ ? second_.data : first_.data; }
    [[nodiscard]] T* result_staging() const { return movement_ == Movement::turned ? second_.data : first_.data; }

private:
    /// A field, or those of all fields at once, `next` elements apart.
    struct Internal {
        std::size_t offset = 0;
        T* data = nullptr;
        Index next = 0;
    };
    /// The order of the axes in the field that a pass writes.
    [[nodiscard]] Permutation layout_after(const Pass& pass) const {
        if (movement_ == Movement::in_place) return order_;
        return movement_ == Movement::turned ? turned_order(longest_) : permute(pass.order, pass.movement);
    }
    [[nodiscard]] Strides strides_by_axis(const Permutation& order) const;
    [[nodiscard]] Index size(const Permutation& order) const {
        return unknowns_[order[0]] * strides_by_axis(order)[order[0]];
    }

    Extents unknowns_;
    Movement movement_;
    int longest_;
    Permutation order_;
    Index fields_;
    Index row_multiple_ =
        128 / static_cast<Index>(sizeof(T));  ///< rows are padded to it, shorter ones to even lengths
    Internal first_, second_;
    bool swapped_ = false;
    bool area_ = false;  ///< the second field is one
};

}  // namespace poisson3d::fused
