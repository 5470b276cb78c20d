// Closed faces of a member on a device (closed_faces.hpp): the face operator alone, with planes and values of all
// faces in the memory of the device.
#include "closed_faces.hpp"
#include "device_faces.hpp"
#include "field_sweeps.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::walled {

namespace {

template <class T>
class DeviceClosedFaces final : public ClosedFaces<T> {
public:
    DeviceClosedFaces(const Problem& problem, Index fields, int device)
        : device_(device), faces_(problem.grid), operator_(problem, closed_as_cells(problem.grid)) {
        const DeviceScope scope(device_);
        device::WorkspaceLayout layout;
        operator_.reserve(layout);
        const auto numbers = [&](Index count) { return layout.take(static_cast<std::size_t>(count) * sizeof(T)); };
        const std::size_t room = numbers(operator_.room()), planes = numbers(faces_.size),
                          values = numbers(fields * faces_.size);
        own_ = DeviceBuffer(layout.end());
        auto* const base = static_cast<std::byte*>(own_.data());
        fill_on_device(base, 0, own_.size());  // points on Dirichlet nodes are never written
        operator_.upload(base, reinterpret_cast<T*>(base + room));
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

    void find(Index field, int, int, Stream stream) override {
        const DeviceScope scope(device_);
        PlaneViews<T> in;
        FaceArrays<T> out{};
        in.row = faces_.row, in.column = {1, 1, 1};
        faces_.for_each([&](int axis, int side) {
            in.data[axis][side] = planes_ + faces_.first[axis][side];
            out[axis][side] = values(field) + faces_.first[axis][side];
        });
        operator_.run(in, out, faces_.row, stream);
    }

    void subtract(Index field, const T* value, Stream stream) override {
        const DeviceScope scope(device_);
        device::launch_subtract<T>({values(field), {1, 1, faces_.size}}, value, 1, 0, stream);
    }

    [[nodiscard]] bool mean(int axis) const override { return operator_.mean(axis); }
    [[nodiscard]] std::size_t bytes() const override { return own_.size(); }

private:
    int device_;
    FreeFaces faces_;
    FaceOperator<T> operator_;
    DeviceBuffer own_;
    T *planes_ = nullptr, *values_ = nullptr;
};

}  // namespace

}  // namespace poisson3d::walled

namespace poisson3d {

template <class T>
std::unique_ptr<ClosedFaces<T>> make_closed_faces_on_device(const Problem& problem, Index fields, int device) {
    return std::make_unique<walled::DeviceClosedFaces<T>>(problem, fields, device);
}

template std::unique_ptr<ClosedFaces<float>> make_closed_faces_on_device(const Problem&, Index, int);
template std::unique_ptr<ClosedFaces<double>> make_closed_faces_on_device(const Problem&, Index, int);

}  // namespace poisson3d
