// The passes of a box, each by what its axis has: a kernel (launch_pass.hpp), more sweeps where its lines do not
// fit shared memory (long_axes.hpp), an elimination, or a product with a matrix of modes. Between passes stand the
// unknowns alone (movement.hpp says how), rows padded to 128 bytes where the memory mode allows. Where z is in the
// middle, no pass along z adds boundary data to f: a sweep does it before.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "added_pass.hpp"
#include "box_passes.hpp"
#include "eliminated_axis.hpp"
#include "internal_fields.hpp"
#include "line_methods.hpp"
#include "long_axes.hpp"
#include "matrix_axes.hpp"
#include "movement.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

template <class T>
class FusedPasses {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// `eliminated`: an axis, or −1; `long_ones`: axes whose lines do not fit; `in_modes`: eigenvalues of y, if
    /// others transform it (thin_box.hpp).
    FusedPasses(const Problem& problem, const std::array<LineMethod, 3>& methods, Memory memory, Index fields,
                int eliminated, const std::array<bool, 3>& long_ones, std::vector<T> in_modes);

    /// Whether blocks of every axis fit shared memory.
    [[nodiscard]] bool fits() const;
    void reserve(WorkspaceLayout& layout);
    void bind(std::byte* workspace);

    [[nodiscard]] const FieldWay& way() const { return way_; }
    [[nodiscard]] const BoxPasses<T, Compact>& box() const { return passes_; }
    [[nodiscard]] InternalFields<T>& internal() { return internal_; }
    [[nodiscard]] const InternalFields<T>& internal() const { return internal_; }
    [[nodiscard]] std::string description() const { return long_.description() + matrices_.description(); }
    /// Whether every axis is transformed by one pass.
    [[nodiscard]] bool all_kernels() const {
        return !middle_ && !long_.any() && !matrices_.any() && way_.skipped < 0;
    }
    [[nodiscard]] double sweeps(const Pass& pass) const {
        return long_.has(pass.axis()) ? LongAxes<T>::sweeps(pass.direction) : 1.0;
    }
    [[nodiscard]] bool skips(int number) const { return way_.skipped >= 0 && number % 2 == 1; }
    /// Of a pass among those that there are.
    [[nodiscard]] int place(int number) const {
        return (way_.skipped >= 0 ? number / 2 : number) + (in_modes_.empty() ? 0 : 1);
    }

    /// Whether the right-hand side is made where the first pass writes.
    [[nodiscard]] bool begin(const Call<T>& call, Removed* removed, Stream stream);
    void run(int number, bool made, const Call<T>& call, Removed* removed, Stream stream);
    /// The middle pass there or back alone.
    void run_half(Direction direction, const Call<T>& call, Stream stream);
    /// False, and nothing is done, if no kernel adds `terms`.
    bool run_middle_with(const MiddleTerms<T>& terms, const Call<T>& call, Stream stream) {
        return transform(way_.schedule[2], false, call, nullptr, stream, &terms);
    }
    void end(const Call<T>& call, Stream stream);

    [[nodiscard]] Unknowns<T> unknowns(Buffer buffer, const Permutation& order, const Call<T>& call) const {
        return internal_.unknowns(buffer, order, call, passes_.first_unknown(call, call.u.strides));
    }

private:
    [[nodiscard]] typename InternalFields<T>::Second second_field() const {
        using Second = typename InternalFields<T>::Second;
        return matrices_.any() ? Second::products : long_.any() ? Second::area : Second::none;
    }
    /// The first and the last pass run along z, unless it is in the middle: only then do they change f and write
    /// ends of lines on their way.
    [[nodiscard]] bool first_along_z() const { return way_.schedule[0].axis() == 2 && !matrices_.has(2); }
    /// Whether the last pass has written ends of lines: it knows them where lines are counted along y.
    [[nodiscard]] bool writes_ends() const { return first_along_z() && way_.skipped != 1; }
    /// A product of lines and a matrix takes nothing from f.
    [[nodiscard]] bool multiplies_first() const { return matrices_.has(way_.schedule[0].axis()); }

    bool transform(const Pass& pass, bool made, const Call<T>& call, Removed* removed, Stream stream,
                   const MiddleTerms<T>* terms = nullptr);
    void eliminate(const Pass& pass, const Call<T>& call, Removed* removed, Stream stream);
    void multiply(const Pass& pass, bool made, const Call<T>& call, Stream stream);
    /// To where the first pass writes.
    void write_right_hand_side(const Call<T>& call, const Removed* removed, Stream stream);
    /// Of axes that have tables of their own.
    template <class AnyTask>
    void set_eigenvalues(const Pass& pass, AnyTask& task) const;
    /// What a pass reads; `made`: f is where the first pass writes.
    [[nodiscard]] Unknowns<const T> source(const Pass& pass, bool made, const Call<T>& call) const;

    std::size_t long_work_;
    bool is_singular_;
    std::vector<T> in_modes_;
    std::size_t in_modes_offset_ = 0;
    T* eigenvalues_in_modes_ = nullptr;
    bool early_;
    BoxPasses<T, Compact> passes_;
    std::optional<EliminatedAxis<T>> middle_;
    MatrixAxes<T> matrices_;
    LongAxes<T> long_;
    FieldWay way_;
    InternalFields<T> internal_;
};

extern template class FusedPasses<float>;
extern template class FusedPasses<double>;

}  // namespace poisson3d::fused
