// Passes over lines by products with two matrices (real_matrix_steps.hpp, folded_matrix_steps.hpp), phase by phase.
// Elements go to shared memory by themselves, where the first step wants them, and tables behind them; it scales
// them, and a sweep before it subtracts and adds what there is. Columns are written by the last step, rows by way
// of shared memory.
#pragma once

#include "block_elements.hpp"
#include "field_readers.hpp"
#include "folded_matrix_steps.hpp"
#include "matrix_tables.hpp"
#include "mode_places.hpp"
#include "pass_store.hpp"
#include "real_matrix_steps.hpp"

namespace poisson3d::device {

/// The steps of lines of type II, or of others, and where a pass is told of them.
template <Kind kind, class T>
struct MatrixStepsOf {
    using Type = RealMatrixSteps<T>;
    static POISSON3D_HD const RealMatrices& line(const auto& task) { return task.real; }
};
template <class T>
struct MatrixStepsOf<Kind::type1, T> {
    using Type = FoldedMatrixSteps<T>;
    static POISSON3D_HD const FoldedMatrices& line(const auto& task) { return task.folded; }
};

template <Role role, Layout in, Layout out, Kind kind, class T, class F>
class MatrixLines {
public:
    POISSON3D_HD MatrixLines(const PassTask<T, F>& task, const BlockPosition<T>& block)
        : task_(task),
          block_(block),
          line_(StepsOf::line(task)),
          tables_(line_, task.fft, block.lines + task.count * task.pitch),
          elements_(task, block, line_) {}

    template <class Barrier>
    POISSON3D_HD void run(const Barrier& barrier) const {
        constexpr bool back = !reads_samples(role);
        tables_.copy_twiddles();
        tables_.copy_matrices(back);
        if constexpr (in_rows(in))
            load_rows();
        else
            load_columns();
        if constexpr (folded) fill_holes();
        wait_for_copies();
        T scale = 1;
        if constexpr (reads_samples(role)) scale = touch();
        barrier();
        if constexpr (reads_samples(role)) {
            steps(back).samples_to_halves(barrier, scale);
            barrier();
        }
        if constexpr (reads_samples(role) && role != Role::middle) {
            to_modes(barrier);
        } else {
            if constexpr (role == Role::middle) {
                steps(false).template halves_to_modes<true>(
                    barrier, [&](const Unit& unit, int slot, int element) { return divided(unit, slot, element); });
                barrier();
                if constexpr (folded) {
                    tables_.copy_matrices(true);
                    wait_for_copies();
                    barrier();
                }
            }
            steps(true).modes_to_halves(barrier);
            barrier();
            to_samples(barrier);
        }
    }

private:
    using Unit = real_steps::Unit<T>;
    using StepsOf = MatrixStepsOf<kind, T>;
    static constexpr bool folded = kind == Kind::type1;

    [[nodiscard]] POISSON3D_HD RealLines<T> real_lines(int line) const { return {task_, block_, line}; }
    [[nodiscard]] POISSON3D_HD typename StepsOf::Type steps(bool back) const {
        return {line_, tables_.matrices(back), tables_.twiddles(), block_.lines, task_.pitch, task_.shift};
    }
    /// The block's first line, or its neighbours, of a field.
    template <class Number>
    [[nodiscard]] POISSON3D_HD Number* block_of(Number* field, Index next, Index slow, Index line) const {
        return field + block_.field * next + block_.slow * slow + block_.line * line;
    }
    POISSON3D_HD void load_rows() const {
        const T* const field = block_of(task_.in, task_.in_field, task_.in_slow, task_.in_line);
        const int pairs = elements_.pairs();
        elements_.template along_rows<reads_samples(role)>([&](int index, Complex<T>* to, int line) {
            const T* const from = strided(field + index, 2U * static_cast<unsigned>(line), task_.in_line);
            copy_to_shared<sizeof(T)>(from, &to->re);
            if (line < pairs) copy_to_shared<sizeof(T)>(from + task_.in_line, &to->im);
        });
    }
    POISSON3D_HD void load_columns() const {
        const T* const field = block_of(task_.in, task_.in_field, task_.in_slow, 1);
        const int pairs = elements_.pairs();
        const auto load = [&]<bool together>() {
            elements_.template across_columns<reads_samples(role)>([&](int index, Complex<T>* to, int line) {
                const T* const from = strided(field + 2 * line, static_cast<unsigned>(index), task_.in_sample);
                if constexpr (together) {
                    copy_field(reinterpret_cast<const Complex<T>*>(from), to);
                } else {
                    copy_to_shared<sizeof(T)>(from, &to->re);
                    if (line < pairs) copy_to_shared<sizeof(T)>(from + 1, &to->im);
                }
            });
        };
        if (task_.vectors_in)
            load.template operator()<true>();
        else
            load.template operator()<false>();
    }
    /// Zeros that the field does not have.
    POISSON3D_HD void fill_holes() const {
        const FoldedOrder& order = reads_samples(role) ? line_.samples : line_.modes;
        for (int line = BlockThreads::index(); line < task_.count; line += BlockThreads::count())
            for (const int hole : {order.hole, order.other_hole})
                if (hole >= 0) lines::store(block_.lines + line * task_.pitch + hole, Complex<T>{0, 0});
    }
    [[nodiscard]] POISSON3D_HD bool has_signs() const {
        if constexpr (folded)
            return false;
        else
            return line_.samples.negatives > 0;
    }
    [[nodiscard]] POISSON3D_HD Complex<T> with_sign_of(int n, Complex<T> z) const {
        if constexpr (folded)
            return z;
        else
            return with_sign(z, line_.samples.is_negative(n) ? 1 : 0);
    }
    [[nodiscard]] POISSON3D_HD Complex<T> with_sign_of_sample(int index, Complex<T> z) const {
        if constexpr (folded)
            return z;
        else
            return with_sign_of(line_.samples.element(index), z);
    }
    /// What is subtracted from samples, scales them and is added, and signs of type IV. A thread has loaded what it
    /// touches. Returns what is still to scale them.
    [[nodiscard]] POISSON3D_HD T touch() const {
        const bool changes = role == Role::first_with_data || (role != Role::middle && task_.subtract != nullptr);
        if (!changes && !has_signs()) return role == Role::middle ? T(1) : task_.scale;
        const auto one = [&](const auto& reader, int index, Complex<T>* at) {
            Complex<T> z = lines::load(at);
            reader.touch(index, z);
            if (has_signs()) z = with_sign_of_sample(index, z);
            lines::store(at, z);
        };
        if constexpr (in_rows(in))
            elements_.template along_rows<true>([&](int index, Complex<T>* at, int line) {
                one(RowReader<role, true, T, F>(task_, block_, real_lines(line)), index, at);
            });
        else
            elements_.template across_columns<reads_samples(role)>([&](int index, Complex<T>* at, int line) {
                one(ColumnReader<role == Role::forward, true, false, T, F>(task_, block_, real_lines(line)), index,
                    at);
            });
        return T(1);
    }

    template <class Barrier>
    POISSON3D_HD void to_modes(const Barrier& barrier) const {
        if constexpr (in_rows(out)) {
            steps(false).template halves_to_modes<true>(
                barrier, [&](const Unit& unit, int, int element) { return shared(unit, element); });
            barrier();
            store_rows<false>();
        } else {
            to_columns([&](const auto& place_of) {
                steps(false).template halves_to_modes<false>(
                    barrier, [&](const Unit& unit, auto slot, int) { return place_of(unit, slot); });
            });
        }
    }
    template <class Barrier>
    POISSON3D_HD void to_samples(const Barrier& barrier) const {
        if constexpr (in_rows(out)) {
            steps(true).template halves_to_samples<true>(barrier, [](const Unit&) {
                return [](int, Complex<T>* at, bool there, Complex<T> z) {
                    if (there) lines::store(at, z);
                };
            });
            barrier();
            store_rows<true>();
        } else {
            to_columns([&](const auto& place_of) {
                steps(true).template halves_to_samples<false>(barrier, [&](const Unit& unit) {
                    return [=, this](int n, Complex<T>*, bool there, Complex<T> z) {
                        place_of(unit, static_cast<unsigned>(line_.visited_sample(n)))
                            .put(there, has_signs() ? with_sign_of(n, z) : z);
                    };
                });
            });
        }
    }
    /// body(what returns the place of a unit's number in the field); a line without a neighbour is written by
    /// itself and so are the others of its block.
    template <class Body>
    POISSON3D_HD void to_columns(const Body& body) const {
        T* const field = block_of(task_.out, task_.out_field, task_.out_slow, 1);
        const int lines = elements_.lines(), pairs = elements_.pairs();
        const auto with = [&]<bool together>() {
            body([=, stride = task_.out_sample](const Unit& unit, auto number) -> ColumnPlace<together, T> {
                return {strided(field + 2 * unit.line, number, stride), stride, unit.line < lines,
                        unit.line < pairs};
            });
        };
        if (task_.vectors_out && lines == pairs)
            with.template operator()<true>();
        else
            with.template operator()<false>();
    }
    template <bool samples>
    POISSON3D_HD void store_rows() const {
        T* const field = block_of(task_.out, task_.out_field, task_.out_slow, task_.out_line);
        const int pairs = elements_.pairs();
        T less = 0;
        if (role == Role::last && task_.subtract != nullptr)
            less = task_.subtract[block_.field * task_.subtract_field];
        elements_.template along_rows<samples>([&](int index, const Complex<T>* at, int line) {
            Complex<T> z = lines::load(at);
            if (samples && has_signs()) z = with_sign_of_sample(index, z);
            T* const to = strided(field + index, 2U * static_cast<unsigned>(line), task_.out_line);
            to[0] = z.re - less;
            if (line < pairs) to[task_.out_line] = z.im - less;
        });
        if constexpr (samples) {
            for (int line = BlockThreads::index(); line < elements_.lines(); line += BlockThreads::count())
                RowWriter<role, out == Layout::turned_rows, true, T, F>(task_, block_, real_lines(line))
                    .write_ends();
        }
    }

    [[nodiscard]] POISSON3D_HD SharedPlace<T> shared(const Unit& unit, int element) const {
        return {unit.at + element};
    }
    [[nodiscard]] POISSON3D_HD DividedPlace<T, F> divided(const Unit& unit, int slot, int element) const {
        const RealLines<T> lines = real_lines(unit.line);
        const T sum = task_.lambda_slow[block_.slow] + task_.shift_by;
        const Index first = lines.there ? lines.first : 0;
        DividedPlace<T, F> at{task_, shared(unit, element), task_.lambda_slots + slot,
                              sum + load_table(task_.lambda_lanes + first),
                              sum + load_table(task_.lambda_lanes + first + (lines.there && lines.paired ? 1 : 0))};
        if (task_.removed != nullptr && block_.slow == 0 && lines.first == 0)
            at.constant = task_.removed + block_.field * task_.removed_field, at.paired = lines.paired;
        return at;
    }

    const PassTask<T, F>& task_;
    const BlockPosition<T>& block_;
    const typename StepsOf::Type::Line& line_;
    MatrixTables<typename StepsOf::Type::Line, T> tables_;
    BlockElements<typename StepsOf::Type::Line, T, F> elements_;
};

}  // namespace poisson3d::device
