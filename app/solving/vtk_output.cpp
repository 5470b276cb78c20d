#include "solving/vtk_output.hpp"

#include <array>
#include <utility>

#include "process/interrupt.hpp"

namespace poisson3d::app {

namespace {

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

}  // namespace

template <class T>
void write_for_vtk(VtkWriter& vtk, FieldView<const T> solution, const FieldWriter& written,
                   const std::vector<std::string>& gradient, ProgressBar& bar) {
    const Index fields = gradient.empty() ? 1 : 4;
    stop_if_interrupted();
    vtk.write<T>("solution", in_memory(solution), [&](Index done, Index total) {
        stop_if_interrupted();
        bar.update(done, fields * total);
    });
    if (gradient.empty()) return;
    Field<T> memory;
    const std::array<VtkWriter::Source<T>, 3> components{read_back_from(written, gradient[0], memory),
                                                         read_back_from(written, gradient[1], memory),
                                                         read_back_from(written, gradient[2], memory)};
    vtk.write<T>("gradient", components, [&](Index done, Index total) {
        stop_if_interrupted();
        bar.update(total + 3 * done, fields * total);
    });
}

template void write_for_vtk(VtkWriter&, FieldView<const float>, const FieldWriter&, const std::vector<std::string>&,
                            ProgressBar&);
template void write_for_vtk(VtkWriter&, FieldView<const double>, const FieldWriter&,
                            const std::vector<std::string>&, ProgressBar&);

}  // namespace poisson3d::app
