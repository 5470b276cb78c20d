// What a solve writes: the solution and its gradient, the picture, the file for VTK.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line/paths.hpp"
#include "pictures/slices.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/vtk_file.hpp"
#include "process/interrupt.hpp"
#include "reporting/progress.hpp"
#include "reporting/report.hpp"
#include "solving/boundary_values.hpp"
#include "solving/from_input.hpp"
#include "solving/gradient.hpp"
#include "solving/preview_field.hpp"
#include "solving/right_hand_sides.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

/// Boxes of a data set of the solution file, read into memory that grows to the largest of them.
template <class T>
VtkWriter::Source<T> read_back_from(const FieldWriter& written, const std::string& dataset, Field<T>& memory) {
    return [&written, dataset, &memory](const Extents& first, const Extents& count) {
        if (memory.size() < count[0] * count[1] * count[2]) memory = Field<T>(count);
        const FieldView<T> box(memory.data(), count);
        written.read_back(dataset, first, box);
        return FieldView<const T>(box);
    };
}

/// Opened before the work, so that an output that cannot be written costs nothing. The steps from begin() to
/// describe() are taken once for each right-hand side, in the order of the functions here; outputs that were not
/// asked for are left out. Times go into the report.
template <class T>
class SolveOutputs {
public:
    SolveOutputs(const SolveOptions& options, const Reporting& reporting, const Grid& grid,
                 const RightHandSides& sides)
        : options_(options),
          reporting_(reporting),
          leading_(sides.leading()),
          count_(static_cast<Index>(sides.all().size())),
          points_(grid.size()),
          writer_(options.output, with_steps(write_options(sides.header(), options.compress), sides)) {
        writer_.require_holds(grid, fields() * static_cast<int>(count_));
        if (!options.preview.empty()) picture_.emplace(options.preview);
        if (!options.vtk.empty()) vtk_.emplace(options.vtk, grid);
    }

    /// Throws Error{output} if the disk has not enough room for the solution and, if asked for, the gradient.
    void require_space() const {
        // What compression leaves is not known before.
        if (options_.compress == 0)
            writer_.require_space(static_cast<std::uint64_t>(points_ * count_ * fields()) * sizeof(T));
        if (vtk_) vtk_->require_space(vtk_->bytes(fields(), sizeof(T)));
    }

    /// What follows is about this one. Returns the name of its solution.
    std::string begin(const RightHandSide& one) {
        const std::string solution = one.group + "/solution";
        created_ = solution == solution_;
        group_ = one.group, solution_ = solution;
        writer_.select(one.slot);
        return solution;
    }

    /// The solution. Returns its largest magnitude; infinite or NaN if it has such values. One that `stays` may be
    /// written by all who have a part of it, when all else is in the file.
    double write(SolveBackend<T>& backend, SolveReport& report, bool stays) {
        const Stopwatch watch;
        ProgressBar bar(reporting_.progress, "writing");
        const Grid& grid = report.problem.grid;
        double max_solution = 0.0;
        if (!created_) writer_.create<T>(solution_, grid, report.problem.helmholtz, leading_);
        if (stays && backend.shares_files() && count_ == 1 && leading_.empty() && !vtk_ &&
            writer_.leave_to_others(solution_)) {
            shared_ = true;
            const double largest = backend.largest();
            bar.update(1, 1);
            report.seconds.write = watch.seconds();
            return largest;
        }
        backend.write([&](Index first, FieldView<const T> slab) {
            writer_.write(solution_, first, slab);
            max_solution = larger(max_solution, largest(slab));
            bar.update(first + slab.extents[0], grid.points()[0]);
        });
        report.seconds.write = watch.seconds();
        return max_solution;
    }

    /// Planes first … of the solution that is being written.
    void read_back(Index first, FieldView<T> planes) const { writer_.read_back(solution_, {first, 0, 0}, planes); }

    void differentiate(SolveBackend<T>& backend, const FieldReader& reader, const BoundaryData<T>& boundary,
                       SolveReport& report) {
        if (!options_.gradient) return;
        const Stopwatch watch;
        ProgressBar bar(reporting_.progress, "gradient");
        if (!created_) gradient_ = create_gradient<T>(writer_, report.problem, report.units, group_, leading_);
        write_gradient(writer_, gradient_, report.problem, options_, backend, reader, boundary, bar);
        report.seconds.write += watch.seconds();
    }

    /// The solution from memory, where it is all there, the gradient from what was written to the solution file:
    /// all three components are needed at a time, and they are not kept in memory.
    void write_for_vtk(const SolveBackend<T>& backend, SolveReport& report) {
        if (!vtk_) return;
        const Stopwatch watch;
        ProgressBar bar(reporting_.progress, "for VTK");
        const Index fields = gradient_.empty() ? 1 : 4;
        const auto tell = [&](Index before, Index each) {
            return [&bar, fields, before, each](Index done, Index total) {
                stop_if_interrupted();
                bar.update(before * total + each * done, fields * total);
            };
        };
        stop_if_interrupted();
        Field<T> memory;
        vtk_->write<T>(
            "solution",
            backend.all_there() ? in_memory(backend.solution()) : read_back_from(writer_, solution_, memory),
            tell(0, 1));
        if (!gradient_.empty()) {
            vtk_->write<T>(
                "gradient",
                {read_back_from(writer_, gradient_[0], memory), read_back_from(writer_, gradient_[1], memory),
                 read_back_from(writer_, gradient_[2], memory)},
                tell(1, 3));
        }
        report.seconds.write += watch.seconds();
    }

    void draw(SolveBackend<T>& backend, const FieldReader& reader, const SolveReport& report) {
        if (!picture_) return;
        ProgressBar bar(reporting_.progress, "drawing");
        std::vector<FieldSlices> fields;
        fields.push_back(preview_slices(options_, report, preview_planes(options_, reader, backend, report, bar)));
        about_option("--preview", [&] {
            picture_->write(draw_slices(fields, {}, picture_format("--preview", options_.preview)));
        });
    }

    /// The report on the solution, unless the data set has more than one.
    void describe(const SolveReport& report) {
        if (leading_.empty()) writer_.attributes(solution_, to_attributes(report));
    }

    /// All of it closed.
    std::vector<OutputFile> finish(SolveBackend<T>& backend, SolveReport& report) {
        const Stopwatch watch;
        if (!leading_.empty()) writer_.attributes(solution_, to_attributes(report));
        if (leading_.empty() && group_.empty()) link_vtk(report.problem.grid);
        std::vector<OutputFile> outputs;
        outputs.push_back(writer_.finish());
        if (shared_) write_shared(backend, outputs.back());
        if (picture_) {
            picture_->finish();
            outputs.push_back(std::move(*picture_));
        }
        if (vtk_) outputs.push_back(vtk_->finish());
        report.seconds.write += watch.seconds();
        return outputs;
    }

    /// The solution is asked for in host memory.
    [[nodiscard]] bool take_solution() const { return draws_solution(options_) || options_.gradient || vtk_; }

private:
    /// What fails names the file as its user does.
    void write_shared(SolveBackend<T>& backend, OutputFile& output) const {
        const std::string hidden = output.hidden_path();
        try {
            backend.write_shared(hidden, solution_);
        } catch (const Error& error) {
            std::string words = error.what();
            if (words.starts_with(hidden)) words.replace(0, hidden.size(), output.path());
            throw Error(error.code(), words);
        }
        output.sync();
    }

    static WriteOptions with_steps(WriteOptions options, const RightHandSides& sides) {
        for (const RightHandSide& one : sides.all())
            if (one.step) options.steps.push_back(*one.step);
        return options;
    }

    void link_vtk(const Grid& grid) {
        std::vector<std::string> fields{solution_};
        fields.insert(fields.end(), gradient_.begin(), gradient_.end());
        writer_.link_vtk(grid, fields);
    }

    /// The solution, and the components of its gradient.
    [[nodiscard]] int fields() const { return options_.gradient ? 4 : 1; }

    const SolveOptions& options_;
    const Reporting& reporting_;
    std::vector<Index> leading_;  ///< of the data sets: see RightHandSides
    Index count_;                 ///< of right-hand sides
    Index points_;                ///< of each
    FieldWriter writer_;
    std::optional<OutputFile> picture_;
    std::optional<VtkWriter> vtk_;
    std::string group_, solution_;       ///< of the right-hand side that is at work
    bool shared_ = false;                ///< the solution is written after all else
    bool created_ = false;               ///< its data sets are there, since they hold others, too
    std::vector<std::string> gradient_;  ///< along the axes, in index order
};

}  // namespace poisson3d::app
