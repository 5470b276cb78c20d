// Passes over lines by products with two matrices (real_matrix_steps.hpp, folded_matrix_steps.hpp), phase by phase.
// Elements go to shared memory by themselves, where the first step wants them; it scales them, and a sweep before
// it subtracts and adds what there is. Columns are written by the last step, rows by way of shared memory.
#pragma once

#include "field_readers.hpp"
#include "folded_matrix_steps.hpp"
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
          steps_(line_, task.fft, block.lines, task.pitch, task.shift) {}

    template <class Barrier>
    POISSON3D_HD void run(const Barrier& barrier) const {
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
            steps_.samples_to_halves(barrier, scale);
            barrier();
        }
        if constexpr (reads_samples(role) && role != Role::middle) {
            to_modes(barrier);
        } else {
            if constexpr (role == Role::middle) {
                steps_.template halves_to_modes<true>(
                    barrier, [&](const Unit& unit, int slot, int element) { return divided(unit, slot, element); });
                barrier();
            }
            steps_.modes_to_halves(barrier);
            barrier();
            to_samples(barrier);
        }
    }

private:
    using Unit = real_steps::Unit<T>;
    using StepsOf = MatrixStepsOf<kind, T>;
    static constexpr bool folded = kind == Kind::type1;

    [[nodiscard]] POISSON3D_HD RealLines<T> lines_of(int line) const { return {task_, block_, line}; }
    /// Complex lines that there are, of which only the last may lack its second real line.
    [[nodiscard]] POISSON3D_HD int lines_there() const {
        const Index left = (task_.lines - block_.line + 1) / 2;
        return left < task_.count ? static_cast<int>(left) : task_.count;
    }

    /// Accesses of a thread in a row, so that none waits for the one before.
    static constexpr int together = 4;

    /// body(index in the field, place in shared memory, line, first real line, whether it has a second), every
    /// thread with one index after the other of all lines, rows of the field …
    template <bool samples, class Body>
    POISSON3D_HD void along_rows(const Body& body) const {
        const int lines = lines_there();
        const bool odd = 2 * lines > task_.lines - block_.line;
        const ThreadShare share(line_.elements);
        if (share.idle()) return;
        POISSON3D_ROLLED
        for (int index = share.first; index < line_.elements.count; index += share.along) {
            Complex<T>* const at = kept_in_shared(
                block_.lines + (samples ? line_.place_of_sample(index) : line_.place_of_mode(index)));
            POISSON3D_ROLLED
            for (int first = share.line; first < lines; first += together * share.across) POISSON3D_UNROLL
            for (int i = 0; i < together; ++i)
                if (const int line = first + i * share.across; line < lines)
                    body(index, at + line * task_.pitch, line, block_.line + 2 * line, !(odd && line == lines - 1));
        }
    }
    /// … or with one line, columns of it.
    template <class Body>
    POISSON3D_HD void across_columns(const Body& body) const {
        const int thread = BlockThreads::index(), lines = 1 << task_.shift;
        const int number = line_.elements.count;
        const int along = BlockThreads::count() < lines ? 1 : BlockThreads::count() >> task_.shift;
        POISSON3D_ROLLED
        for (int line = thread & (lines - 1); line < lines; line += BlockThreads::count() < lines ? 1 : lines) {
            const RealLines<T> real = lines_of(line);
            if (!real.there) return;
            Complex<T>* const at = kept_in_shared(block_.lines + line * task_.pitch);
            POISSON3D_ROLLED
            for (int first = thread >> task_.shift; first < number; first += together * along) POISSON3D_UNROLL
            for (int i = 0; i < together; ++i)
                if (const int n = first + i * along; n < number)
                    body(reads_samples(role) ? line_.visited_sample(n) : n,
                         at + (reads_samples(role) ? line_.visited_place(n) : line_.place_of_mode(n)), line,
                         real.first, real.paired);
        }
    }

    POISSON3D_HD void load_rows() const {
        const T* const field = task_.in + block_.field * task_.in_field + block_.slow * task_.in_slow;
        along_rows<reads_samples(role)>([&](int index, Complex<T>* to, int, Index line, bool paired) {
            const T* const from = field + line * task_.in_line + index;
            copy_to_shared<sizeof(T)>(from, &to->re);
            copy_to_shared<sizeof(T)>(from + (paired ? task_.in_line : 0), &to->im);
        });
    }
    POISSON3D_HD void load_columns() const {
        const T* const field = task_.in + block_.field * task_.in_field + block_.slow * task_.in_slow;
        across_columns([&](int index, Complex<T>* to, int, Index line, bool paired) {
            const T* const from = field + line + index * task_.in_sample;
            if (task_.vectors_in) {
                copy_field(reinterpret_cast<const Complex<T>*>(from), to);
            } else {
                copy_to_shared<sizeof(T)>(from, &to->re);
                copy_to_shared<sizeof(T)>(from + (paired ? 1 : 0), &to->im);
            }
        });
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
            along_rows<true>([&](int index, Complex<T>* at, int line, Index, bool) {
                one(RowReader<role, true, T, F>(task_, block_, lines_of(line)), index, at);
            });
        else
            across_columns([&](int index, Complex<T>* at, int line, Index, bool) {
                one(ColumnReader<role == Role::forward, true, false, T, F>(task_, block_, lines_of(line)), index,
                    at);
            });
        return T(1);
    }

    template <class Barrier>
    POISSON3D_HD void to_modes(const Barrier& barrier) const {
        if constexpr (in_rows(out)) {
            steps_.template halves_to_modes<true>(
                barrier, [&](const Unit& unit, int, int element) { return shared(unit, element); });
            barrier();
            store_rows<false>();
        } else {
            steps_.template halves_to_modes<false>(barrier, [&](const Unit& unit, int slot, int) {
                ColumnPlace<T> place = column_place(unit);
                place.move(slot, 0);
                return place;
            });
        }
    }
    template <class Barrier>
    POISSON3D_HD void to_samples(const Barrier& barrier) const {
        if constexpr (in_rows(out)) {
            steps_.template halves_to_samples<true>(barrier, [](const Unit&) {
                return [](int, Complex<T>* at, bool there, Complex<T> z) {
                    if (there) lines::store(at, z);
                };
            });
            barrier();
            store_rows<true>();
        } else {
            steps_.template halves_to_samples<false>(barrier, [&](const Unit& unit) {
                return [this, line = column_place(unit)](int n, Complex<T>*, bool there, Complex<T> z) {
                    ColumnPlace<T> place = line;
                    place.move(line_.visited_sample(n), 0);
                    place.put(there, has_signs() ? with_sign_of(n, z) : z);
                };
            });
        }
    }
    [[nodiscard]] POISSON3D_HD ColumnPlace<T> column_place(const Unit& unit) const {
        const RealLines<T> lines = lines_of(unit.line);
        T* const field = task_.out + block_.field * task_.out_field + block_.slow * task_.out_slow;
        using Place = ColumnPlace<T>;
        const int how = !lines.there        ? Place::missing
                        : !lines.paired     ? Place::alone
                        : task_.vectors_out ? Place::together
                                            : Place::apart;
        return {field + lines.first, task_.out_sample, in_this_turn(how)};
    }
    template <bool samples>
    POISSON3D_HD void store_rows() const {
        T* const field = task_.out + block_.field * task_.out_field + block_.slow * task_.out_slow;
        T less = 0;
        if (role == Role::last && task_.subtract != nullptr)
            less = task_.subtract[block_.field * task_.subtract_field];
        along_rows<samples>([&](int index, const Complex<T>* at, int, Index first, bool paired) {
            Complex<T> z = lines::load(at);
            if (samples && has_signs()) z = with_sign_of_sample(index, z);
            T* const to = field + first * task_.out_line + index;
            to[0] = z.re - less;
            if (paired) to[task_.out_line] = z.im - less;
        });
        if constexpr (samples) {
            for (int line = BlockThreads::index(); line < lines_there(); line += BlockThreads::count())
                RowWriter<role, out == Layout::turned_rows, true, T, F>(task_, block_, lines_of(line)).write_ends();
        }
    }

    [[nodiscard]] POISSON3D_HD SharedPlace<T> shared(const Unit& unit, int element) const {
        return {unit.at + element};
    }
    [[nodiscard]] POISSON3D_HD DividedPlace<T, F> divided(const Unit& unit, int slot, int element) const {
        const RealLines<T> lines = lines_of(unit.line);
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
    typename StepsOf::Type steps_;
};

}  // namespace poisson3d::device
