#include "solving/solve_outputs.hpp"

#include <utility>

#include "command_line/paths.hpp"
#include "pictures/png.hpp"
#include "pictures/preview.hpp"
#include "reporting/progress.hpp"
#include "solving/gradient.hpp"
#include "solving/preview_field.hpp"
#include "solving/range.hpp"
#include "solving/slabs.hpp"
#include "solving/timing.hpp"
#include "solving/vtk_output.hpp"

namespace poisson3d::app {

template <class T>
SolveOutputs<T>::SolveOutputs(const SolveOptions& options, const Reporting& reporting, const Grid& grid)
    : options_(options), reporting_(reporting), writer_(options.output) {
    if (!options.preview.empty()) picture_.emplace(options.preview);
    if (!options.vtk.empty()) vtk_.emplace(options.vtk, grid);
}

template <class T>
void SolveOutputs<T>::require_space() const {
    if (vtk_) vtk_->require_space(vtk_->bytes(options_.gradient ? 4 : 1, sizeof(T)));
}

template <class T>
bool SolveOutputs<T>::take_solution() const {
    return draws_solution(options_) || options_.gradient || vtk_;
}

template <class T>
double SolveOutputs<T>::write(SolvePlace<T>& place, SolveReport& report) {
    const Stopwatch watch;
    ProgressBar bar(reporting_.progress, "writing");
    const Grid& grid = report.problem.grid;
    double max_solution = 0.0;
    writer_.create<T>("/solution", grid, report.problem.helmholtz);
    place.write([&](Index first, FieldView<const T> slab) {
        writer_.write("/solution", first, slab);
        raise_largest(max_solution, largest(slab));
        bar.update(first + slab.extents[0], grid.points()[0]);
    });
    report.seconds.write = watch.seconds();
    return max_solution;
}

template <class T>
void SolveOutputs<T>::differentiate(const SolvePlace<T>& place, const BoundaryData<T>& boundary,
                                    SolveReport& report) {
    if (!options_.gradient) return;
    const Stopwatch watch;
    ProgressBar bar(reporting_.progress, "gradient");
    gradient_ = write_gradient(writer_, report.problem, options_.solver, place.solution(), boundary, bar);
    written_.insert(written_.end(), gradient_.begin(), gradient_.end());
    report.seconds.write += watch.seconds();
}

template <class T>
void SolveOutputs<T>::write_for_vtk(const SolvePlace<T>& place, SolveReport& report) {
    if (!vtk_) return;
    const Stopwatch watch;
    ProgressBar bar(reporting_.progress, "for VTK");
    app::write_for_vtk(*vtk_, place.solution(), writer_, gradient_, bar);
    report.seconds.write += watch.seconds();
}

template <class T>
void SolveOutputs<T>::draw(const SolvePlace<T>& place, const FieldReader& reader, const SolveReport& report) {
    if (!picture_) return;
    ProgressBar bar(reporting_.progress, "drawing");
    const FieldView<const T> solution = draws_solution(options_) ? place.solution() : FieldView<const T>();
    const MidPlanes planes = preview_planes(options_, reader, solution, report, bar);
    const Canvas canvas = draw_preview(report.problem.grid, planes, title_of(options_, report.scale));
    about_option("--preview", [&] { picture_->write(to_png(canvas)); });
}

template <class T>
std::vector<OutputFile> SolveOutputs<T>::finish(SolveReport& report) {
    const Stopwatch watch;
    writer_.attributes("/solution", to_attributes(report));
    writer_.link_vtk(report.problem.grid, written_);
    std::vector<OutputFile> outputs;
    outputs.push_back(writer_.finish());
    if (picture_) {
        picture_->finish();
        outputs.push_back(std::move(*picture_));
    }
    if (vtk_) outputs.push_back(vtk_->finish());
    report.seconds.write += watch.seconds();
    return outputs;
}

template class SolveOutputs<float>;
template class SolveOutputs<double>;

}  // namespace poisson3d::app
