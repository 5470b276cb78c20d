// Two or three free axes on a GPU, second_order: walls and the charges on them. Where the way between walls can do
// its middle pass twice, f is transformed once:
//
//     passes 1, 2, 3                                    the solution between walls, u = 0 there, in modes
//     what is left next to the walls → values of faces  (mode_faces.hpp, device_faces.hpp)
//     pass 3 with what these add to the modes before it  rank one for each face
//     passes 4, 5
//
// Where it can stop in the middle of pass 3, too, and in one field:
//
//     passes 1, 2, half of 3                            f in modes of all axes
//     what is left next to the walls → values of faces  (box_faces.hpp, device_faces.hpp)
//     what these add to modes, and division
//     half of pass 3, passes 4, 5
//
// Else by two solves:
//
//     solve between walls, u = 0 there                 to a field inside the workspace
//     what is left next to them → values of the faces  (device_faces.hpp)
//     f and what these values add to it                to u
//     solve between walls of that                      in place
//
// The second right-hand side is a sweep of its own: a first pass that reads data of faces takes as long as three
// that do not.
//
// A box closed at nodes with one free face has a point more there: a node of the wall, in no field.
//
// Source: James, J. Comput. Phys. 25 (1977).
#include <algorithm>
#include <optional>

#include "box_faces.hpp"
#include "closed_axis.hpp"
#include "device_faces.hpp"
#include "field_checks.hpp"
#include "field_sweeps.hpp"
#include "free_faces.hpp"
#include "free_gauge.hpp"
#include "mode_faces.hpp"
#include "pipelines.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::walled {

using device::Pipeline;

namespace {

using device::FreeGauge;
using device::PassClock;
using device::WorkspaceLayout;

/// Of the axes that are in modes where faces are found.
template <class T>
std::array<AxisModes, 3> modes_at_faces(const device::MiddleTwice<T>* twice, const device::ModeStop<T>* stop) {
    std::array<AxisModes, 3> modes;
    if (twice == nullptr && stop == nullptr) return modes;
    for (int axis = 0; axis < 3; ++axis) {
        if (twice != nullptr && axis == twice->axes_in_middle()[0]) continue;
        auto mine = twice != nullptr ? twice->modes_of(axis) : stop->modes_of(axis);
        modes[axis] = {std::move(mine.mode_of), mine.gain};
    }
    return modes;
}

template <class T>
class WalledPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    WalledPipeline(const Problem& problem, Index batch, std::unique_ptr<Pipeline<T>> walls)
        : problem_(problem),
          walls_(std::move(walls)),
          passes_(walls_->middle_twice()),
          stop_(passes_ == nullptr ? walls_->mode_stop() : nullptr),
          operator_(problem, closed_as_cells(problem.grid), modes_at_faces(passes_, stop_)),
          gauge_(problem) {
        WorkspaceLayout layout;
        walls_offset_ = layout.take(walls_->workspace_bytes());
        operator_.reserve(layout);
        // Between the two solves, or runs of the middle pass, there may be a field that nothing is in.
        works_in_field_ = passes_ != nullptr
                              ? operator_.room() <= passes_->middle_room()
                              : reads_twice() && walls_->stages_apart() && operator_.room() <= problem.grid.size();
        if (passes_ != nullptr)
            faces_in_modes_.emplace(closed_as_cells(problem.grid), *passes_, operator_).reserve(layout);
        Index room = works_in_field_ ? 0 : operator_.room();
        if (stop_ != nullptr) {
            box_faces_.emplace(closed_as_cells(problem.grid), *stop_, operator_).reserve(layout);
            room = std::max(room, box_faces_->room());  // one after the other
        }
        room_offset_ = layout.take(static_cast<std::size_t>(room) * sizeof(T));
        gauge_.reserve(layout);
        for (int a = 0; a < 3; ++a) {
            const auto [rows, columns] = extents_of_face(problem.grid.points(), a);
            for (int side = 0; side < 2; ++side)
                if (is_free(problem.grid.axes[a], side)) offset_[a][side] = next_, next_ += rows * columns;
        }
        faces_offset_ = layout.take(static_cast<std::size_t>(batch * next_) * sizeof(T));
        bytes_ = layout.end();
        batch_ = batch;
    }

    [[nodiscard]] std::string name() const override { return walls_->name() + ", free faces closed by walls"; }
    [[nodiscard]] Schedule schedule() const override { return walls_->schedule(); }
    [[nodiscard]] std::vector<std::string> parts(const std::array<char, 3>& labels) const override {
        std::vector<std::string> names = walls_->parts(labels);
        if (passes_ != nullptr) names[2] += " twice, faces between";
        if (stop_ != nullptr) names[2] += ", faces between";
        return names;
    }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return batch_; }

    void bind(std::byte* workspace) override {
        walls_->bind(workspace + walls_offset_);
        T* const room = reinterpret_cast<T*>(workspace + room_offset_);
        T* const field = passes_ != nullptr ? passes_->middle_fields().after : walls_->staging().data;
        operator_.upload(workspace, works_in_field_ ? field : room);
        if (faces_in_modes_) faces_in_modes_->upload(workspace, operator_);
        if (box_faces_) box_faces_->upload(workspace, room, operator_);
        gauge_.upload(workspace);
        faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
        // Points on Dirichlet nodes are never written.
        fill_on_device(faces_, 0, static_cast<std::size_t>(batch_ * next_) * sizeof(T));
    }

    [[nodiscard]] bool reads_twice() const noexcept override { return passes_ == nullptr && stop_ == nullptr; }

    void prepare(const Call<T>& call, Removed* removed, Stream stream) override {
        if (call.operation != ModeOperation::divide)
            throw Error(
                ErrorCode::unsupported,
                "the operator cannot be applied to u in a box with two or three free axes: u beyond the box is "
                "not known");
        if (!reads_twice()) return;  // run() does it all
        const FieldView<T> inside = walls_->result_staging();
        if (inside.data == nullptr && overlap<T>(call.f, call.u))
            throw Error(
                ErrorCode::unsupported,
                "fields f and u overlap in memory: with two or three free axes and nothing inside the plan for "
                "a field, f is needed to the end: give u memory of its own, or plan with memory fast");
        for (Index field = 0; field < call.fields; ++field) {
            Call<T> first = call.part(field, 1);
            if (inside.data != nullptr) first.u = result_staging();
            walls_->run(first, removed + field, stream, PassClock());
            operator_.run(first.u, faces_of(field), stream);
        }
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        for (Index field = 0; field < call.fields; ++field) {
            const Call<T> one = call.part(field, 1);
            if (passes_ != nullptr)
                solve_once(one, faces_of(field), stream, clock);
            else if (stop_ != nullptr)
                solve_with_stop(one, faces_of(field), stream, clock);
            else
                solve_again(one, faces_of(field), removed + field, stream, clock);
            operator_.translate(one.u, faces_of(field), stream);
            gauge_.apply(one.u, faces_ + field * next_, next_, stream);
        }
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override { return staged(walls_->staging()); }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override { return staged(walls_->result_staging()); }
    [[nodiscard]] T* face_staging() const noexcept override { return walls_->face_staging(); }
    [[nodiscard]] const T* face_values(Index field, int axis, int side) const noexcept override {
        return faces_ + field * next_ + offset_[axis][side];
    }
    [[nodiscard]] std::array<double, 5> traffic() const noexcept override { return walls_->traffic(); }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return walls_->needs_dense_solution(); }
    [[nodiscard]] bool works_in_solution() const noexcept override { return walls_->works_in_solution(); }

private:
    void solve_once(const Call<T>& call, const FaceArrays<T>& faces, Stream stream, const PassClock& clock) {
        const device::MiddleFields<T> fields = passes_->middle_fields();
        passes_->run_before_middle(call, stream, clock);
        passes_->run_middle(call, stream, clock);
        faces_in_modes_->take(fields, stream);
        operator_.run(stream);
        const device::MiddleTerms<T> terms = faces_in_modes_->terms(call.restore, stream);
        operator_.find_values(faces, stream);
        if (!passes_->run_middle_with(terms, call, stream, clock)) {
            faces_in_modes_->add(fields, stream);
            passes_->run_middle(call, stream, clock);
        }
        passes_->run_after_middle(call, stream, clock);
    }
    void solve_with_stop(const Call<T>& call, const FaceArrays<T>& faces, Stream stream, const PassClock& clock) {
        stop_->run_to_modes(call, stream, clock);
        const device::ModeField<T> modes = stop_->modes(call);
        box_faces_->take(modes, stream);
        operator_.run(stream);
        operator_.find_values(faces, stream);
        box_faces_->divide(modes, stream);
        stop_->run_from_modes(call, stream, clock);
    }
    /// The second solve.
    void solve_again(const Call<T>& call, const FaceArrays<T>& faces, Removed* removed, Stream stream,
                     const PassClock& clock) {
        Call<T> second = call;
        second.boundary.any = true;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                if (faces[a][side] == nullptr) continue;
                const auto [rows, columns] = extents_of_face(problem_.grid.points(), a);
                second.boundary.face[a][side] = {T(0), faces[a][side], columns};
                if (operator_.translates(a)) second.boundary.factor[a][side] *= 2;  // of cells: −2/h²
            }
        if (may_write_u(call)) make_right_hand_side(second, stream);
        walls_->run(second, removed, stream, clock);
    }
    /// Whether u may be written while f is read: each element of f is where it is needed in u, or f is elsewhere.
    [[nodiscard]] static bool may_write_u(const Call<T>& call) {
        const bool in_place = call.f.data == call.u.data && call.f.strides == call.u.strides &&
                              (call.fields == 1 || call.f_next == call.u_next);
        return in_place || !overlap<T>(call.f, call.u);
    }
    /// Into u, which becomes the call's f.
    static void make_right_hand_side(Call<T>& call, Stream stream) {
        const auto& first = call.boundary.first;
        const auto& last = call.boundary.last;
        Extents unknowns{};
        Index f = 0, u = 0;
        for (int a = 0; a < 3; ++a) {
            unknowns[a] = last[a] - first[a] + 1;
            f += first[a] * call.f.strides[a];
            u += first[a] * call.u.strides[a];
        }
        device::RightHandSide<T> task;
        task.f = {call.f.data + f, unknowns, call.f.strides};
        task.out = {call.u.data + u, unknowns, call.u.strides};
        task.scale = static_cast<T>(call.scale);
        task.boundary = call.boundary;
        device::launch_right_hand_side(task, 1, stream);
        call.f = {call.u.data, call.u.extents, call.u.strides};
        call.scale = 1;
        call.boundary.any = false;
    }
    /// Closed axes may have a point more.
    [[nodiscard]] FieldView<T> staged(const FieldView<T>& of_walls) const {
        if (of_walls.data == nullptr) return {};
        return {of_walls.data, problem_.grid.points()};
    }
    [[nodiscard]] FaceArrays<T> faces_of(Index field) const {
        FaceArrays<T> faces{};
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side)
                if (is_free(problem_.grid.axes[a], side))
                    faces[a][side] = faces_ + field * next_ + offset_[a][side];
        return faces;
    }

    Problem problem_;
    std::unique_ptr<Pipeline<T>> walls_;
    device::MiddleTwice<T>* passes_;  ///< of `walls_`, or null
    device::ModeStop<T>* stop_;       ///< of `walls_`, or null; both: two solves
    FaceOperator<T> operator_;
    std::optional<ModeFaces<T>> faces_in_modes_;
    std::optional<BoxFaces<T>> box_faces_;
    FreeGauge<T> gauge_;
    std::array<std::array<Index, 2>, 3> offset_{};  ///< of a face among the values of a field
    Index next_ = 0, batch_ = 1;
    bool works_in_field_ = false;
    std::size_t walls_offset_ = 0, room_offset_ = 0, faces_offset_ = 0, bytes_ = 0;
    T* faces_ = nullptr;
};

}  // namespace

Problem between_walls(const Problem& problem) {
    return lines::close_faces(problem, true);
}

template <class T>
std::unique_ptr<Pipeline<T>> make_walled_pipeline(const Problem& problem, Index batch,
                                                  std::unique_ptr<Pipeline<T>> walls) {
    return std::make_unique<WalledPipeline<T>>(problem, batch, std::move(walls));
}

template std::unique_ptr<Pipeline<float>> make_walled_pipeline(const Problem&, Index,
                                                               std::unique_ptr<Pipeline<float>>);
template std::unique_ptr<Pipeline<double>> make_walled_pipeline(const Problem&, Index,
                                                                std::unique_ptr<Pipeline<double>>);

}  // namespace poisson3d::walled
