// Closed faces of a member on a device (closed_faces.hpp): the face operator, with planes and values of all faces
// in the memory of the device, at points or in modes of y and z.
#include <optional>

#include "axis_kind.hpp"
#include "closed_faces.hpp"
#include "device_faces.hpp"
#include "field_sweeps.hpp"
#include "mode_faces.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::walled {

namespace {

template <class T>
class DeviceClosedFaces final : public ClosedFacesOnDevice<T> {
public:
    DeviceClosedFaces(const Problem& problem, Index fields, int device, const std::array<ModeOrder, 3>& modes)
        : device_(device),
          faces_(problem.grid),
          first_x_(axis_kind(problem.grid.axes[0]).first),
          operator_(problem, closed_as_cells(problem.grid), modes_of(modes)) {
        const DeviceScope scope(device_);
        device::WorkspaceLayout layout;
        operator_.reserve(layout);
        if (!modes[1].mode_of.empty())
            in_modes_.emplace(closed_as_cells(problem.grid), modes, operator_).reserve(layout);
        const auto numbers = [&](Index count) { return layout.take(static_cast<std::size_t>(count) * sizeof(T)); };
        const std::size_t room = numbers(operator_.room()), planes = numbers(faces_.size),
                          values = numbers(fields * faces_.size);
        own_ = DeviceBuffer(layout.end());
        auto* const base = static_cast<std::byte*>(own_.data());
        fill_on_device(base, 0, own_.size());  // points on Dirichlet nodes are never written
        operator_.upload(base, reinterpret_cast<T*>(base + room));
        if (in_modes_) in_modes_->upload(base, operator_);
        planes_ = reinterpret_cast<T*>(base + planes), values_ = reinterpret_cast<T*>(base + values);
    }

    [[nodiscard]] T* planes() override { return planes_; }
    [[nodiscard]] T* values(Index field) override { return values_ + field * faces_.size; }

    void take(const Box& box, FieldView<const T> u, T* to, Stream stream) override {
        const DeviceScope scope(device_);
        for_each_plane<T>(
            faces_, box, u,
            [&](const T* from, Index row, Index column, Index rows, Index columns, Index place, Index to_row) {
                device::RightHandSide<T> copy;
                if (column == 1) {
                    copy.f = {from, {1, rows, columns}, {0, row, 1}};
                    copy.out = {to + place, {1, rows, columns}, {0, to_row, 1}};
                } else {
                    copy.f = {from, {rows, columns, 1}, {row, column, 1}};
                    copy.out = {to + place, {rows, columns, 1}, {to_row, 1, 1}};
                }
                device::launch_right_hand_side(copy, 1, stream);
            });
    }

    void find(Index field, Stream stream) override {
        const DeviceScope scope(device_);
        PlaneViews<T> in;
        in.row = faces_.row, in.column = {1, 1, 1};
        faces_.for_each([&](int axis, int side) { in.data[axis][side] = planes_ + faces_.first[axis][side]; });
        operator_.run(in, arrays_of(field), faces_.row, stream);
    }

    void take_modes(const ModePlanes<T>& u, Stream stream) override {
        const DeviceScope scope(device_);
        in_modes_->take(u, faces_, first_x_, planes_, stream);
    }
    void find_in_modes(Index field, const ModePlanes<T>& f, double restore, Stream stream) override {
        const DeviceScope scope(device_);
        in_modes_->gather(faces_, first_x_, planes_, stream);
        operator_.run(stream);
        in_modes_->add(f, restore, stream);
        operator_.find_values(arrays_of(field), faces_.row, stream);
    }

    void subtract(Index field, const T* value, Stream stream) override {
        const DeviceScope scope(device_);
        device::launch_subtract<T>({values(field), {1, 1, faces_.size}}, value, 1, 0, stream);
    }

    [[nodiscard]] bool mean(int axis) const override { return operator_.mean(axis); }
    [[nodiscard]] std::size_t bytes() const override { return own_.size(); }

private:
    static std::array<AxisModes, 3> modes_of(const std::array<ModeOrder, 3>& modes) {
        std::array<AxisModes, 3> all;
        for (std::size_t axis = 0; axis < 3; ++axis) all[axis] = {modes[axis].mode_of, modes[axis].gain};
        return all;
    }
    [[nodiscard]] FaceArrays<T> arrays_of(Index field) {
        FaceArrays<T> all{};
        faces_.for_each([&](int axis, int side) { all[axis][side] = values(field) + faces_.first[axis][side]; });
        return all;
    }

    int device_;
    FreeFaces faces_;
    Index first_x_;
    FaceOperator<T> operator_;
    std::optional<ModeFaces<T>> in_modes_;
    DeviceBuffer own_;
    T *planes_ = nullptr, *values_ = nullptr;
};

}  // namespace

}  // namespace poisson3d::walled

namespace poisson3d {

template <class T>
std::unique_ptr<ClosedFacesOnDevice<T>> make_closed_faces_on_device(const Problem& problem, Index fields,
                                                                    int device,
                                                                    const std::array<ModeOrder, 3>& modes) {
    return std::make_unique<walled::DeviceClosedFaces<T>>(problem, fields, device, modes);
}

template std::unique_ptr<ClosedFacesOnDevice<float>> make_closed_faces_on_device(const Problem&, Index, int,
                                                                                 const std::array<ModeOrder, 3>&);
template std::unique_ptr<ClosedFacesOnDevice<double>> make_closed_faces_on_device(const Problem&, Index, int,
                                                                                  const std::array<ModeOrder, 3>&);

}  // namespace poisson3d
