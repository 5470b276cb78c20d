// What a solve writes: the solution and its gradient, the picture, the file for VTK.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/vtk_file.hpp"
#include "reporting/report.hpp"
#include "solving/boundary_values.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

/// Opened before the work, so that an output that cannot be written costs nothing. The steps are taken once each,
/// in the order of the functions here; outputs that were not asked for are left out. Times go into the report.
template <class T>
class SolveOutputs {
public:
    SolveOutputs(const SolveOptions& options, const Reporting& reporting, const Grid& grid);

    /// Throws Error{output} if the disk has not enough room.
    void require_space() const;
    /// The solution. Returns its largest magnitude; infinite or NaN if it has such values.
    double write(SolveBackend<T>& backend, SolveReport& report);
    void differentiate(const SolveBackend<T>& backend, const BoundaryData<T>& boundary, SolveReport& report);
    void write_for_vtk(const SolveBackend<T>& backend, SolveReport& report);
    void draw(const SolveBackend<T>& backend, const FieldReader& reader, const SolveReport& report);
    /// The report on the solution; all of it closed.
    std::vector<OutputFile> finish(SolveReport& report);

    /// The solution is asked for in host memory.
    [[nodiscard]] bool take_solution() const;

private:
    const SolveOptions& options_;
    const Reporting& reporting_;
    FieldWriter writer_;
    std::optional<OutputFile> picture_;
    std::optional<VtkWriter> vtk_;
    std::vector<std::string> written_{"/solution"};  ///< data sets
    std::vector<std::string> gradient_;              ///< those of them along the axes, in index order
};

}  // namespace poisson3d::app
