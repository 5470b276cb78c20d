#include "flat_box.hpp"

#include <utility>

#include "field_sweeps.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::fused {

using namespace device;

namespace {

/// Of x, y, z in the order in which the plane has them.
template <class Three>
Three in_plane_order(const Three& user) {
    return {user[2], user[0], user[1]};
}

template <class T>
FieldView<T> plane_of(const FieldView<T>& field) {
    const auto [nx, ny, one] = field.extents;
    return {field.data, {1, nx, ny}, {nx * field.strides[0], field.strides[0], 1}};
}

/// Whether its points follow each other in a row.
template <class T>
bool has_rows(const FieldView<T>& field) {
    return field.extents[1] == 1 || field.strides[1] == 1;
}

template <class T>
class FlatPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    FlatPipeline(const Problem& problem, std::unique_ptr<Pipeline<T>> plane)
        : points_(problem.grid.points()), plane_(std::move(plane)) {
        WorkspaceLayout layout;
        layout.take(plane_->workspace_bytes());
        faces_offset_ =
            layout.take(static_cast<std::size_t>(plane_->fields_at_once() * face_elements()) * sizeof(T));
        bytes_ = layout.end();
    }

    [[nodiscard]] std::string name() const override { return plane_->name(); }
    [[nodiscard]] Schedule schedule() const override { return plane_->schedule(); }
    [[nodiscard]] std::vector<std::string> parts(const std::array<char, 3>& labels) const override {
        return plane_->parts(in_plane_order(labels));
    }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    void bind(std::byte* workspace) override {
        plane_->bind(workspace);
        faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }
    [[nodiscard]] Index fields_at_once() const noexcept override { return plane_->fields_at_once(); }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        Call<T> inner = call;
        inner.boundary = boundary_in_plane(call, stream);
        const bool in_rows = has_rows(call.f) && has_rows(call.u);
        if (in_rows || plane_->staging().data == nullptr) {
            if (!in_rows) {  // u is dense
                copy(call.f, call.f_next, call.u, call.u_next, call.fields, stream);
                inner.f = call.u;
                inner.f_next = call.u_next;
            }
            inner.f = plane_of(inner.f);
            inner.u = plane_of(call.u);
            return plane_->run(inner, removed, stream, clock);
        }
        for (Index field = 0; field < call.fields; ++field) {
            Call<T> one = inner.part(field, 1);
            const FieldView<T> in = plane_->staging(), out = plane_->result_staging();
            const FieldView<T> u = one.u;
            copy(one.f, 0, {in.data, points_}, 0, 1, stream);
            one.f = in;
            one.u = out;
            plane_->run(one, removed + field, stream, clock);
            copy({out.data, points_}, 0, u, 0, 1, stream);
        }
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override { return staged(plane_->staging()); }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override { return staged(plane_->result_staging()); }
    [[nodiscard]] bool stages_apart() const noexcept override { return plane_->stages_apart(); }
    [[nodiscard]] T* face_staging() const noexcept override { return plane_->face_staging(); }
    [[nodiscard]] std::array<double, 5> traffic() const noexcept override { return plane_->traffic(); }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return plane_->needs_dense_solution(); }
    [[nodiscard]] bool works_in_solution() const noexcept override { return plane_->works_in_solution(); }

private:
    /// Of one field, those across x and y.
    [[nodiscard]] Index face_elements() const { return 2 * (points_[0] + points_[1]); }
    [[nodiscard]] FieldView<T> staged(const FieldView<T>& field) const {
        return field.data == nullptr ? field : FieldView<T>{field.data, points_};
    }

    static void copy(const FieldView<const T>& from, Index from_next, const FieldView<T>& to, Index to_next,
                     Index fields, Stream stream) {
        RightHandSide<T> task;
        task.f = from;
        task.f_next = from_next;
        task.out = to;
        task.out_next = to_next;
        launch_right_hand_side(task, fields, stream);
    }

    /// Values on the faces across x and y are columns of the box and rows of the plane.
    BoundaryTerms<T> boundary_in_plane(const Call<T>& call, Stream stream) {
        BoundaryTerms<T> terms = call.boundary;
        T* room = faces_;
        for (int a = 0; a < 3; ++a) {
            const int to = axis_in_plane(a);
            terms.first[to] = call.boundary.first[a];
            terms.last[to] = call.boundary.last[a];
            for (int side = 0; side < 2; ++side) {
                terms.factor[to][side] = call.boundary.factor[a][side];
                FaceValues<T>& face = terms.face[to][side];
                face = call.boundary.face[a][side];
                if (a == 2 || face.data == nullptr || face.stride == 1) continue;
                const Index count = points_[1 - a], fields = face.field_stride == 0 ? 1 : call.fields;
                copy({face.data, {1, count, 1}, {count * face.stride, face.stride, 1}}, face.field_stride,
                     {room, {1, count, 1}}, count, fields, stream);
                face.data = room;
                face.stride = 1;
                if (fields > 1) face.field_stride = count;
                room += fields * count;
            }
        }
        return terms;
    }

    Extents points_;
    std::unique_ptr<Pipeline<T>> plane_;
    std::size_t faces_offset_ = 0, bytes_ = 0;
    T* faces_ = nullptr;
};

}  // namespace

bool is_flat(const Problem& problem) {
    return problem.grid.axes[2].points == 1 && unbounded_axes(problem.grid) == 0 && problem.grid.size() > 1;
}

Problem in_plane(const Problem& problem) {
    Problem plane = problem;
    plane.grid.axes = in_plane_order(problem.grid.axes);
    plane.grid.labels = in_plane_order(problem.grid.labels);
    if (problem.gauge.point) plane.gauge.point = in_plane_order(*problem.gauge.point);
    return plane;
}

template <class T>
std::unique_ptr<Pipeline<T>> make_flat_pipeline(const Problem& problem, std::unique_ptr<Pipeline<T>> plane) {
    return std::make_unique<FlatPipeline<T>>(problem, std::move(plane));
}

template std::unique_ptr<Pipeline<float>> make_flat_pipeline(const Problem&, std::unique_ptr<Pipeline<float>>);
template std::unique_ptr<Pipeline<double>> make_flat_pipeline(const Problem&, std::unique_ptr<Pipeline<double>>);

}  // namespace poisson3d::fused
