// The passes over complex lines (complex_lines.hpp) of a box with padded axes: which problems have them, and their
// tasks. The fields are those of padded_layout.hpp.
#pragma once

#include "box_passes.hpp"
#include "complex_planes.hpp"
#include "complex_symbol.hpp"
#include "internal_fields.hpp"
#include "padded_layout.hpp"
#include "square_lines.hpp"

namespace poisson3d::fused {

/// The passes that are over complex lines: all, with modes of z that are complex numbers, or the middle one, whose
/// lines have slots of the slow axis as halves.
enum class ComplexLines : std::uint8_t { none, middle, all };

/// Modes of z of a slab, counted as numbers of a row.
struct Slab {
    Index first, count;
};

template <class T>
class ComplexPasses {
public:
    /// `planes`: in one launch, if these are such lines.
    ComplexPasses(const Grid& grid, const Extents& unknowns, const BoxPasses<T, Compact>& passes, bool early,
                  bool planes);

    [[nodiscard]] ComplexLines which() const { return which_; }
    [[nodiscard]] bool all() const { return which_ == ComplexLines::all; }
    /// Planes of modes of z that exist at the same time; 0: slabs of them do.
    [[nodiscard]] int ring() const { return ring_; }
    /// Numbers in a row of modes of z.
    [[nodiscard]] Index row() const { return passes_->unknowns(2) + (all() ? 2 : 0); }
    void reserve(WorkspaceLayout& layout, const SummedSymbol<T>& symbol);
    /// Synchronises.
    void upload(std::byte* workspace);

    /// Of a block of the middle pass.
    [[nodiscard]] BlockShape middle_shape(const SummedSymbol<T>& symbol) const;

    /// Asynchronous on `stream`. From f to modes of z, and from these to u, some planes of x.
    void rows_there(const Call<T>& call, Index planes, const Unknowns<T>& modes, Stream stream) const;
    void rows_back(const Call<T>& call, Index planes, const Unknowns<T>& modes, Stream stream) const;
    /// Columns of a slab along the slow axis of planes.
    void columns(bool there, const Slab& slab, const Unknowns<T>& from, const Unknowns<T>& to, Stream stream) const;
    void middle(const Call<T>& call, const SummedSymbol<T>& symbol, int groups, const Slab& slab,
                const Unknowns<T>& planes, Stream stream) const;

    /// In the place of columns and the middle pass of all slabs.
    void planes(const Call<T>& call, const SummedSymbol<T>& symbol, T* modes, T* ring, Stream stream) const;

private:
    [[nodiscard]] bool has_dft(int a) const;
    [[nodiscard]] bool is_complex(int a) const;
    [[nodiscard]] BlockShape shape(int a, Index beside) const;
    /// Whether its lines are those of square_lines.hpp.
    [[nodiscard]] bool middle_is_square() const;
    [[nodiscard]] PlaneSchedule schedule() const;
    /// Factor of modes of the middle pass, where all axes have DFTs.
    [[nodiscard]] T mode_factor(const Call<T>& call) const;
    [[nodiscard]] double length(int a) const { return static_cast<double>(passes_->unknowns(a)); }
    [[nodiscard]] ComplexTask<T> task(int axis, Index slow, Index lines) const;
    /// Columns along `axis`, at each of `slow` indices along `across`.
    [[nodiscard]] ComplexTask<T> columns_task(int axis, int across, Index slow, const Slab& slab,
                                              const Unknowns<T>& from, const Unknowns<T>& to) const;
    void launch(ComplexPass pass, const ComplexTask<T>& task, int axis, Stream stream) const;

    static constexpr int square_rows = 1024;

    Grid grid_;
    Extents unknowns_;  ///< of the box
    const BoxPasses<T, Compact>* passes_;
    PlaneAxes plane_;
    bool early_;
    ComplexLines which_ = ComplexLines::none;
    int ring_ = 0;
    std::size_t square_offset_ = 0, counters_offset_ = 0, sums_offset_ = 0;
    const Complex<T>* square_ = nullptr;  ///< twiddles, if the middle pass has such lines
    unsigned* counters_ = nullptr;        ///< of planes
    T* sums_ = nullptr;                   ///< of planes of the ring
};

}  // namespace poisson3d::fused
