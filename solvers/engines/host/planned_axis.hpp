// The lines of an axis ready to run on the host: tables, and chirps for the lengths that have no radices.
#pragma once

#include <array>

#include "axis_tables.hpp"
#include "chain_modes.hpp"
#include "chain_tables.hpp"
#include "constant_line.hpp"
#include "free_faces.hpp"
#include "kernels.hpp"
#include "padded_axis.hpp"
#include "row_numbers.hpp"

namespace poisson3d::host {

using lines::LineMethod;

/// Of an axis as it is transformed, free ones padded.
inline LineMethod line_method(const Axis& axis) {
    return lines::has_tables<Plain>(lines::padded_axis(axis), LineMethod::radix_steps) ? LineMethod::radix_steps
                                                                                       : LineMethod::chirp;
}

/// Whether two axes, both transformed, have the same lines and eigenvalues.
inline bool same_lines(const Axis& one, const Axis& other) {
    return one.points == other.points && one.step() == other.step() && one.lower == other.lower &&
           one.upper == other.upper && one.centering == other.centering;
}

/// Elements that the FFTs of a line take; makes no tables.
inline Index padded_length_of_line(const Axis& axis) {
    return lines::line_elements<Plain>(lines::padded_axis(axis), line_method(axis));
}

/// A free axis has the lines of its padded one.
template <class T>
class PlannedAxis {
public:
    PlannedAxis(const Axis& axis, Discretization discretization, ThreadTeam& team)
        : tables_(lines::make_padded_tables<T, Plain>(axis, discretization, line_method(axis), &team)) {
        lines::for_each_table(
            tables_, [](const auto& array, auto& pointer) { pointer = array.empty() ? nullptr : array.data(); });
        line_.form = tables_.form;
        line_.samples = axis_kind(axis).unknowns;
        line_.modes = tables_.kind.unknowns;
        line_.sample_butterflies = tables_.samples.view;
        line_.mode_butterflies = tables_.modes.view;
        line_.symmetric = tables_.symmetric.view;
        line_.samples_in = tables_.samples_in.view;
        line_.modes_out = tables_.modes_out.view;
        line_.modes_in = tables_.modes_in.view;
        line_.samples_out = tables_.samples_out.view;
        if (line_.form == lines::Kind::type2) {
            using Samples = lines::Form<lines::Kind::type2, lines::Side::samples>;
            using Modes = lines::Form<lines::Kind::type2, lines::Side::modes>;
            const auto of_samples = [&](const auto& map) {
                return RowNumberTable<T>::template make<Samples>(line_.sample_butterflies, map);
            };
            const auto of_modes = [&](const auto& map) {
                return RowNumberTable<T>::template make<Modes>(line_.mode_butterflies, map);
            };
            numbers_ = {of_samples(line_.samples_in), of_modes(line_.modes_out), of_modes(line_.modes_in),
                        of_samples(line_.samples_out)};
            line_.samples_read = numbers_[0].view();
            line_.modes_written = numbers_[1].view();
            line_.modes_read = numbers_[2].view();
            line_.samples_written = numbers_[3].view();
        }
        line_.fft = tables_.plan.fft;
        line_.chirp = tables_.chirp.view;
        line_.eigenvalue_pairs = tables_.eigenvalue_pairs.data();
    }
    PlannedAxis(PlannedAxis&&) = delete;

    [[nodiscard]] const LineTables<T>& line() const noexcept { return line_; }
    [[nodiscard]] const AxisKind& kind() const noexcept { return tables_.kind; }
    /// There and back multiplies by this.
    [[nodiscard]] double round_trip() const noexcept {
        return static_cast<double>(tables_.kind.round_trip) * gain();
    }
    /// Modes come out so many times too large.
    [[nodiscard]] double gain() const noexcept { return tables_.gain; }
    /// By slot: where a mode lies in the field.
    [[nodiscard]] const std::vector<Index>& mode_of() const noexcept { return tables_.mode_of; }
    [[nodiscard]] const T* eigenvalues() const noexcept { return tables_.eigenvalues.data(); }

private:
    lines::AxisTables<T, Plain> tables_;
    std::array<RowNumberTable<T>, 4> numbers_;
    LineTables<T> line_;
};

/// An axis that is multiplied with the matrices of its modes.
template <class T>
class MatrixAxis {
public:
    MatrixAxis(const Axis& axis, ThreadTeam& team) {
        const lines::ChainModes modes = lines::make_chain_modes(make_chain(axis), &team);
        for (const double mu : modes.eigenvalues) eigenvalues_.push_back(static_cast<T>(-mu));
        forward_ = panels_of(modes.forward, team);
        backward_ = panels_of(modes.backward, team);
        lines_ = {static_cast<Index>(eigenvalues_.size()), forward_.data(), backward_.data()};
    }
    MatrixAxis(MatrixAxis&&) = delete;

    [[nodiscard]] const MatrixLines<T>& lines() const noexcept { return lines_; }
    [[nodiscard]] const T* eigenvalues() const noexcept { return eigenvalues_.data(); }

    /// Rows of numbers that a block of lines is multiplied to.
    static Index padded_rows(Index unknowns) noexcept {
        const Index rows = kernels<T>().panel_rows;
        return (unknowns + rows - 1) / rows * rows;
    }

private:
    /// The matrix has its rows one after the other.
    [[nodiscard]] std::vector<T> panels_of(const std::vector<double>& matrix, ThreadTeam& team) const {
        const std::size_t n = eigenvalues_.size();
        const auto rows = static_cast<std::size_t>(kernels<T>().panel_rows);
        std::vector<T> panels(static_cast<std::size_t>(padded_rows(static_cast<Index>(n))) * n, T(0));
        const auto fill = [&](Index begin, Index end, int) {
            for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
                for (std::size_t j = 0; j < n; ++j)
                    panels[i / rows * rows * n + j * rows + i % rows] = static_cast<T>(matrix[i * n + j]);
        };
        team.parallel_for(static_cast<Index>(n), static_cast<Index>(rows), fill);
        return panels;
    }

    std::vector<T> eigenvalues_, forward_, backward_;
    MatrixLines<T> lines_;
};

/// The axis that is eliminated.
template <class T>
class EliminatedAxis {
public:
    EliminatedAxis(const Problem& problem, int axis) : tables_(make_chain(problem.grid.axes[axis])) {
        lines_.chain = tables_.on_host();
        if (!lines::has_constant_line(problem, axis)) return;
        constant_ = lines::make_constant_line(tables_, singular(problem), !takes_constant(problem));
        lines_.constant = &constant_;
    }
    EliminatedAxis(EliminatedAxis&&) = delete;

    [[nodiscard]] const EliminatedLines<T>& lines() const noexcept { return lines_; }

private:
    lines::ChainTables<T> tables_;
    lines::ConstantLine<T> constant_;
    EliminatedLines<T> lines_;
};

}  // namespace poisson3d::host
