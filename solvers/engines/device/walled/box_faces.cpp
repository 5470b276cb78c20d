#include "box_faces.hpp"

#include <algorithm>
#include <utility>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::walled {

template <class T>
BoxFaces<T>::BoxFaces(const std::array<lines::ClosedAxis, 3>& closed, const device::ModeStop<T>& passes,
                      const FaceOperator<T>& faces) {
    for (int a = 0; a < 3; ++a) {
        const FoldedLine& line = faces.line(a);
        const ModeOrder modes = passes.modes_of(a);
        BoxAxis<T>& mine = sweeps_.axes[a];
        mine.count = line.points;
        mine.faces = closed[a].faces;
        mine.first_odd = static_cast<int>(mine.faces == 2 ? line.even() : line.points);
        for (const Index mode : modes.mode_of) {
            places_[a].push_back(static_cast<int>(place_of_mode(line, mode)));
            if (mine.faces == 0) continue;
            sums_[a].push_back(static_cast<T>(closed[a].sums[mode]));
            terms_[a].push_back(static_cast<T>(modes.gain * closed[a].terms[mode]));
        }
        for (const bool odd : {false, true})
            for (int slot = 0; slot < static_cast<int>(mine.count); ++slot)
                if ((places_[a][slot] >= mine.first_odd) == odd) orders_[a].push_back(slot);
        mine.even = std::count_if(places_[a].begin(), places_[a].end(), [&](int p) { return p < mine.first_odd; });
    }
    sweeps_.axes[1].tile = rows_of_tile;
    const Index across_i = std::max<Index>(1, sweeps_.axes[1].tiles() * sweeps_.tiles_of_k());
    const Index wanted = sweeps_.axes[0].count * across_i / enough_tiles;
    sweeps_.axes[0].tile = std::clamp<Index>(wanted, 8, most_of_tile);
    for (int a = 0; a < 3; ++a)
        partials_[a] = std::exchange(room_, room_ + sweeps_.partials(a) * sweeps_.axes[sweeps_.first_of(a)].count *
                                                        sweeps_.axes[sweeps_.second_of(a)].count);
}

template <class T>
void BoxFaces<T>::reserve(device::WorkspaceLayout& layout) {
    for (int a = 0; a < 3; ++a)
        offsets_[a] = {layout.take(sums_[a].size() * sizeof(T)), layout.take(terms_[a].size() * sizeof(T)),
                       layout.take(places_[a].size() * sizeof(int)), layout.take(orders_[a].size() * sizeof(int))};
}

template <class T>
void BoxFaces<T>::upload(std::byte* workspace, T* room, const FaceOperator<T>& faces) {
    const auto put = [&](const auto& table, std::size_t offset, auto& there) {
        copy_to_device(workspace + offset, table.data(), table.size() * sizeof(table[0]));
        there = reinterpret_cast<decltype(there + 0)>(workspace + offset);
    };
    for (int a = 0; a < 3; ++a) {
        BoxAxis<T>& mine = sweeps_.axes[a];
        put(sums_[a], offsets_[a][0], mine.sums);
        put(terms_[a], offsets_[a][1], mine.terms);
        put(places_[a], offsets_[a][2], mine.place);
        put(orders_[a], offsets_[a][3], mine.order);
        mine.partial = room + partials_[a];
        const auto [d, e] = across(a);
        const Index row = faces.line(e).points;
        sweeps_.parts[a] = {faces.parts(a), faces.line(d).points * row, row};
    }
    synchronize();
    sums_ = {}, terms_ = {}, places_ = {}, orders_ = {};
}

template <class T>
BoxSweeps<T> BoxFaces<T>::sweeps(const device::ModeField<T>& modes) const {
    BoxSweeps<T> all = sweeps_;
    all.field = modes.data;
    all.slow = modes.strides[0], all.row = modes.strides[1];
    for (int a = 0; a < 3; ++a) all.axes[a].eigenvalues = modes.eigenvalues[a];
    all.shift = modes.shift, all.factor = modes.factor, all.restore = modes.restore;
    return all;
}

template <class T>
void BoxFaces<T>::take(const device::ModeField<T>& modes, Stream stream) const {
    const BoxSweeps<T> all = sweeps(modes);
    launch_box_sum(all, stream);
    launch_box_gather(all, stream);
}

template <class T>
void BoxFaces<T>::divide(const device::ModeField<T>& modes, Stream stream) const {
    launch_box_divide(sweeps(modes), stream);
}

template class BoxFaces<float>;
template class BoxFaces<double>;

}  // namespace poisson3d::walled
