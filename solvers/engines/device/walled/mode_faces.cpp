#include "mode_faces.hpp"

#include <algorithm>
#include <utility>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::walled {

namespace {

template <class T>
std::array<ModeOrder, 3> modes_across(const device::MiddleTwice<T>& passes) {
    const std::array<int, 3> axes = passes.axes_in_middle();
    std::array<ModeOrder, 3> modes;
    for (const int axis : {axes[1], axes[2]}) modes[axis] = passes.modes_of(axis);
    return modes;
}

}  // namespace

template <class T>
ModeFaces<T>::ModeFaces(const std::array<lines::ClosedAxis, 3>& closed, const device::MiddleTwice<T>& passes,
                        const FaceOperator<T>& faces)
    : ModeFaces(closed, passes.axes_in_middle(), modes_across(passes), false, faces) {}

template <class T>
ModeFaces<T>::ModeFaces(const std::array<lines::ClosedAxis, 3>& closed, const std::array<ModeOrder, 3>& modes,
                        const FaceOperator<T>& faces)
    : ModeFaces(closed, {0, 1, 2}, modes, true, faces) {}

template <class T>
ModeFaces<T>::ModeFaces(const std::array<lines::ClosedAxis, 3>& closed, const std::array<int, 3>& axes,
                        const std::array<ModeOrder, 3>& modes, bool planes, const FaceOperator<T>& faces)
    : axes_(axes) {
    sweeps_.planes = planes;
    const lines::ClosedAxis& middle = closed[axes_[0]];
    sweeps_.middle = faces.line(axes_[0]);
    sweeps_.end[0] = middle.faces == 2 || (middle.faces == 1 && middle.lower);
    sweeps_.end[1] = middle.faces == 2 || (middle.faces == 1 && !middle.lower);
    sweeps_.taken = static_cast<T>(middle.taken);
    const Index n = sweeps_.middle.points;
    for (int a = 0; a < 2; ++a) {
        const int axis = axes_[1 + a];
        const FoldedLine& line = faces.line(axis);
        SweptModes<T>& mine = sweeps_.modes[a];
        mine.count = line.points;
        mine.faces = closed[axis].faces;
        mine.first_odd = static_cast<int>(mine.faces == 2 ? line.even() : line.points);
        for (const Index mode : modes[axis].mode_of) {
            places_[a].push_back(static_cast<int>(place_of_mode(line, mode)));
            if (mine.faces == 0) continue;
            sums_[a].push_back(static_cast<T>(closed[axis].sums[mode]));
            terms_[a].push_back(static_cast<T>(modes[axis].gain * closed[axis].terms[mode]));
        }
    }
    Index partial = 0, rows = 0;
    rows_[0] = std::exchange(rows, rows + 2 * sweeps_.modes[0].count * sweeps_.modes[1].count);
    for (int a = 0; a < 2; ++a) {
        const SweptModes<T>& mine = sweeps_.modes[a];
        const Index of_part = n * sweeps_.modes[1 - a].count;
        sweeps_.modes[a].next_i = sweeps_.modes[1 - a].count;
        sweeps_.modes[a].next_part = of_part, sweeps_.modes[a].next_tile = mine.faces * of_part;
        partials_[a] = std::exchange(partial, partial + mine.tiles() * mine.faces * of_part);
        rows_[1 + a] = std::exchange(rows, rows + mine.faces * of_part);
    }
    room_ = std::max(partial, rows);
}

template <class T>
void ModeFaces<T>::reserve(device::WorkspaceLayout& layout) {
    for (int a = 0; a < 2; ++a)
        offsets_[a] = {layout.take(sums_[a].size() * sizeof(T)), layout.take(terms_[a].size() * sizeof(T)),
                       layout.take(places_[a].size() * sizeof(int))};
    rows_offset_ = layout.take(static_cast<std::size_t>(room_) * sizeof(T));
}

template <class T>
void ModeFaces<T>::upload(std::byte* workspace, const FaceOperator<T>& faces) {
    const auto put = [&](const auto& table, std::size_t offset, auto& there) {
        copy_to_device(workspace + offset, table.data(), table.size() * sizeof(table[0]));
        there = reinterpret_cast<decltype(there + 0)>(workspace + offset);
    };
    T* const room = reinterpret_cast<T*>(workspace + rows_offset_);
    for (int a = 0; a < 2; ++a) {
        SweptModes<T>& mine = sweeps_.modes[a];
        put(sums_[a], offsets_[a][0], mine.sums);
        put(terms_[a], offsets_[a][1], mine.terms);
        put(places_[a], offsets_[a][2], mine.place);
        mine.partial = room + partials_[a];
    }
    synchronize();
    sums_ = {}, terms_ = {}, places_ = {};
    for (int role = 0; role < 3; ++role) {
        sweeps_.rows[role] = room + rows_[role];
        const auto [first, second] = across(axes_[role]);
        std::array<Index, 3> strides{};
        strides[first] = faces.line(second).points;
        strides[second] = 1;
        sweeps_.parts[role] = {faces.parts(axes_[role]), strides[first] * faces.line(first).points,
                               strides[axes_[0]], strides[axes_[1]], strides[axes_[2]]};
    }
}

template <class T>
ModeSweeps<T> ModeFaces<T>::sweeps(const device::MiddleFields<T>& fields) const {
    ModeSweeps<T> all = sweeps_;
    all.divided = fields.after;
    all.divided_i = fields.after_strides[axes_[0]], all.divided_j = fields.after_strides[axes_[1]];
    all.ends[0] = all.divided, all.ends[1] = all.divided + (all.middle.points - 1) * all.divided_i;
    all.end_row = all.divided_j;
    all.field = fields.before;
    all.field_j = fields.before_strides[axes_[1]], all.field_k = fields.before_strides[axes_[2]];
    return all;
}

template <class T>
void ModeFaces<T>::take(const device::MiddleFields<T>& fields, Stream stream) const {
    const ModeSweeps<T> all = sweeps(fields);
    if (all.modes[0].faces + all.modes[1].faces > 0) launch_sum(all, stream);
    launch_gather(all, stream);
}

template <class T>
device::MiddleTerms<T> ModeFaces<T>::terms(double restore, Stream stream) const {
    ModeSweeps<T> all = sweeps_;
    all.inverse = static_cast<T>(1 / restore);
    launch_spread(all, stream);
    const auto across = [&](int a) {
        const SweptModes<T>& mine = sweeps_.modes[a];
        return typename device::MiddleTerms<T>::Across{mine.count, mine.faces > 0 ? mine.terms : nullptr,
                                                       sweeps_.rows[1 + a], mine.place, mine.first_odd};
    };
    const T* const lower = sweeps_.rows[0];
    const T* const upper = lower + sweeps_.modes[0].count * sweeps_.modes[1].count;
    return {across(0),
            across(1),
            sweeps_.middle.points,
            {sweeps_.end[0] ? lower : nullptr, sweeps_.end[1] ? upper : nullptr}};
}

template <class T>
void ModeFaces<T>::add(const device::MiddleFields<T>& fields, Stream stream) const {
    launch_add(sweeps(fields), stream);
}

/// With sums and planes at ends of all.
template <class T>
ModeSweeps<T> ModeFaces<T>::sweeps(const FreeFaces& places, Index first_x, T* all) const {
    ModeSweeps<T> whole = sweeps_;
    const auto first_of = [&](int axis) { return places.first[axis][places.free[axis][0] ? 0 : 1]; };
    for (int a = 0; a < 2; ++a) {
        SweptModes<T>& mine = whole.modes[a];
        mine.tile = mine.count;
        mine.next_i = places.row[1 + a];
        mine.next_part = mine.faces > 1 ? places.first[1 + a][1] - places.first[1 + a][0] : 0;
        mine.partial = all + first_of(1 + a) + first_x * mine.next_i;
    }
    for (int side = 0; side < 2; ++side)
        if (whole.end[side]) whole.ends[side] = all + places.first[0][side];
    whole.end_row = places.row[0];
    return whole;
}

template <class T>
void ModeFaces<T>::take(const ModePlanes<T>& u, const FreeFaces& places, Index first_x, T* all,
                        Stream stream) const {
    if (u.count == 0) return;
    ModeSweeps<T> here = sweeps_;
    const Index n = here.middle.points;
    here.first_i = u.first, here.last_i = u.first + u.count;
    here.middle.points = u.count;
    here.divided = u.data;
    here.divided_i = u.plane, here.divided_j = u.row;
    if (here.end[0] && here.first_i == 0) here.ends[0] = u.data;
    if (here.end[1] && here.last_i == n) here.ends[1] = u.data + (u.count - 1) * u.plane;
    here.end_row = u.row;
    if (here.modes[0].faces + here.modes[1].faces > 0) launch_sum(here, stream);
    launch_collect(here, sweeps(places, first_x, all), stream);
}

template <class T>
void ModeFaces<T>::gather(const FreeFaces& places, Index first_x, T* all, Stream stream) const {
    launch_gather(sweeps(places, first_x, all), stream);
}

template <class T>
void ModeFaces<T>::add(const ModePlanes<T>& f, double restore, Stream stream) const {
    if (f.count == 0) return;
    ModeSweeps<T> all = sweeps_;
    all.inverse = static_cast<T>(1 / restore);
    all.first_i = f.first, all.last_i = f.first + f.count;
    all.field = f.data - f.first * f.plane;
    all.field_i = f.plane, all.field_j = f.row, all.field_k = 1;
    launch_spread(all, stream);
    launch_add_planes(all, stream);
}

template class ModeFaces<float>;
template class ModeFaces<double>;

}  // namespace poisson3d::walled
