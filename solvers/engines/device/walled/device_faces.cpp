// The face operator: its memory, and the launches of a call.
#include "device_faces.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "free_faces.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::walled {

template <class T>
FaceOperator<T>::FaceOperator(const Problem& problem, const std::array<lines::ClosedAxis, 3>& closed,
                              const std::array<AxisModes, 3>& modes)
    : problem_(problem), closed_(closed), modes_(modes) {
    const Extents n = problem.grid.points();
    const Index most_threads = std::max({n[0], n[1], n[2]}) / 32 + 1;
    team_ = std::make_unique<ThreadTeam>(static_cast<int>(std::min<Index>(available_threads(), most_threads)));
    lines::FaceTables tables;
    if (unbounded_axes(problem.grid) > 1)
        tables =
            lines::make_face_tables(problem, closed, std::numeric_limits<T>::epsilon(), !takes_constant(problem));
    else
        for (int a = 0; a < 3; ++a) tables.axes[a] = lines::face_axis(problem.grid.axes[a]);
    for (int a = 0; a < 3; ++a) {
        kinds_[a] = axis_kind(problem.grid.axes[a]);
        lines_[a] = make_face_lines(tables.axes[a]);
        put_transforms(a);
    }
    for (const lines::FaceTerms& terms : tables.terms) put_terms(terms);
    for (int a = 0; a < 3; ++a)
        for (int part = 0; part < closed[a].faces; ++part)
            alone(a) ? put_kernel_alone(tables, a, part) : put_kernel(tables, a, part);
    closed_lines_ = {};
    team_.reset();
    place_arrays();
}

template <class T>
void FaceOperator<T>::place_arrays() {
    Index most_nodes = 0;
    for (const Terms& terms : terms_) most_nodes = std::max(most_nodes, terms.nodes);
    const auto take = [&](Index count) { return std::exchange(arrays_.end, arrays_.end + whole_row(count)); };
    for (int a = 0; a < 3; ++a) {
        if (!free(a)) continue;
        const int first = beside(a);
        const Index size = closed_[a].faces * unknowns((a + 1) % 3) * unknowns((a + 2) % 3);
        parts_[a] = std::exchange(parts_size_, parts_size_ + whole_row(size));
        if (any_in_modes()) arrays_.values[a] = take(size);
        if (in_modes((a + 1) % 3) && in_modes((a + 2) % 3)) arrays_.turned[a] = take(size);
        arrays_.modes[a] = take(closed_[a].faces * places(first) * places(3 - a - first));
        if (alone(a))
            arrays_.lines[a][3 - a - first] = take(closed_[a].faces * unknowns(first) * places(3 - a - first));
        for (int d = 0; d < 3; ++d) {
            if (d == a || !free(d)) continue;
            const int e = 3 - a - d;
            arrays_.lines[a][e] = take(closed_[a].faces * unknowns(d) * places(e));
            arrays_.given[a][e] = take(closed_[a].faces * unknowns(d) * places(e));
            arrays_.nodes[a][e] = take(closed_[a].faces * closed_[d].faces * most_nodes * places(e));
        }
    }
}

template <class T>
void FaceOperator<T>::reserve(device::WorkspaceLayout& layout) {
    tables_offset_ = layout.take(tables_.size() * sizeof(T));
    products_offset_ = layout.take(most_products * sizeof(Product<T>));
    parts_offset_ = layout.take(static_cast<std::size_t>(parts_size_) * sizeof(T));
}

template <class T>
void FaceOperator<T>::upload(std::byte* workspace, T* room) {
    tables_there_ = reinterpret_cast<const T*>(workspace + tables_offset_);
    arrays_there_ = room;
    parts_there_ = reinterpret_cast<T*>(workspace + parts_offset_);
    list_products();
    copy_to_device(workspace + tables_offset_, tables_.data(), tables_.size() * sizeof(T));
    auto* table = reinterpret_cast<Product<T>*>(workspace + products_offset_);
    for (int step = 0; step < steps; ++step) {
        std::vector<Product<T>>& mine = listed_[step];
        products_[step] = arrange(mine);
        products_[step].table = table;
        copy_to_device(table, mine.data(), mine.size() * sizeof(Product<T>));
        table += mine.size();
    }
    synchronize();
    tables_ = {};
    listed_ = {};
}

template <class T>
AllFacePlanes<T> FaceOperator<T>::planes(const PlaneViews<T>& in, const FaceArrays<T>& values,
                                         const std::array<Index, 3>& rows) const {
    AllFacePlanes<T> all;
    for (int a = 0; a < 3; ++a) {
        if (!free(a)) continue;
        const auto [d, e] = across(a);
        FacePlanes<T>& mine = all.of[a];
        mine.row = in.row[a], mine.column = in.column[a];
        mine.rows = lines_[d].line, mine.columns = lines_[e].line;
        mine.parts = any_in_modes() ? arrays_there_ + arrays_.values[a] : parts(a);
        mine.two_faces = closed_[a].faces == 2;
        mine.face_row = rows[a];
        for (int side = 0; side < 2; ++side) {
            if (!is_free(problem_.grid.axes[a], side)) continue;
            if (const T* const plane = in.data[a][side]; plane != nullptr)
                mine.in[side] = plane + kinds_[d].first * mine.row + kinds_[e].first * mine.column;
            mine.face[side] = values[a][side] + kinds_[d].first * mine.face_row + kinds_[e].first;
        }
    }
    return all;
}

template <class T>
void FaceOperator<T>::run(Stream stream) const {
    for (int step = 0; step < steps_of_operator; ++step) launch_products(products_[step], stream);
}

template <class T>
void FaceOperator<T>::run(const PlaneViews<T>& in, const FaceArrays<T>& values, const std::array<Index, 3>& rows,
                          Stream stream) const {
    const AllFacePlanes<T> all = planes(in, values, rows);
    launch_take(all, stream);
    run(stream);
    launch_give(all, stream);
}

template <class T>
void FaceOperator<T>::find_values(const FaceArrays<T>& values, const std::array<Index, 3>& rows,
                                  Stream stream) const {
    for (int step = steps_of_operator; step < steps; ++step) launch_products(products_[step], stream);
    launch_give(planes({}, values, rows), stream);
}

template <class T>
void FaceOperator<T>::translate(FieldView<const T> u, const FaceArrays<T>& values, Stream stream) const {
    AllFacePlanes<T> all = planes(planes_of(problem_.grid, u), values, dense_rows(problem_.grid));
    bool any = false;
    for (int a = 0; a < 3; ++a) {
        any = any || translates(a);
        if (!translates(a)) all.of[a] = {};
    }
    if (any) launch_move_outside(all, stream);
}

template class FaceOperator<float>;
template class FaceOperator<double>;

}  // namespace poisson3d::walled
