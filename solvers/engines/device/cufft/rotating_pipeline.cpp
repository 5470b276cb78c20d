// The way through the five passes for any kinds of axis (rotating_fields.hpp): seven sweeps and six FFTs, each one
// copy of the field at best.
//
// In memory mode standard the first slabs of the second field live in u and the rest in memory of our own (all that
// padding, odd extents and extended type I lines take beyond u), in mode fast all of them do.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "field_sweeps.hpp"
#include "poisson3d/device_memory.hpp"
#include "rotating_fields.hpp"

namespace poisson3d::cufft {

namespace {

/// Slabs of the second field that lie together, and their FFTs.
template <class T>
struct Part {
    Slabs<T> slabs;
    bool in_solution;
    LineFfts<T> ffts;
};

template <class T>
class RotatingPipeline final : public device::Pipeline<T> {
public:
    using Removed = typename device::Pipeline<T>::Removed;
    using Fields = RotatingFields<T>;

    RotatingPipeline(const Problem& problem, Memory memory)
        : problem_(problem),
          memory_(memory),
          fields_(problem),
          ffts_z_(fields_.z.tables, fields_.lines_z(), device::max_work<T>(problem)),
          ffts_y_(fields_.y.tables, fields_.lines_y(), device::max_work<T>(problem)) {
        for (const DeviceAxis<T>* axis : {&fields_.x, &fields_.y, &fields_.z})
            round_trip_ *= static_cast<double>(axis->tables.kind.round_trip);
        const Index in_solution = memory == Memory::standard ? slabs_in_solution() : 0;
        add_part(0, in_solution, true);
        add_part(in_solution, fields_.pairs_y() - in_solution, false);
        reserve();
        locate_gauge();
    }

    [[nodiscard]] std::string name() const override { return "cuFFT batches and sweeps"; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }

    void bind(std::byte* workspace) override {
        for (DeviceAxis<T>* axis : {&fields_.x, &fields_.y, &fields_.z}) axis->upload(workspace);
        first_ = reinterpret_cast<Complex<T>*>(workspace + first_offset_);
        own_ = reinterpret_cast<Complex<T>*>(workspace + own_offset_);
        gauge_ = reinterpret_cast<T*>(workspace + gauge_offset_);
        if (memory_ == Memory::fast && device::face_points(problem_.grid) > 0)
            faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
        synchronize();
        void* const work = workspace + work_offset_;
        ffts_z_.set_work(work);
        ffts_y_.set_work(work);
        for (Part<T>& part : parts_) part.ffts.set_work(work);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const device::PassClock& clock) override {
        for (Part<T>& part : parts_) part.slabs.base = part.in_solution ? inside(call.u) : own_;
        gather(call, removed, stream);
        ffts_z_.execute(first_, stream);
        for (const Part<T>& part : parts_) launch_rotate(fields_.z_to_x(first_, part.slabs), stream);
        clock.mark(1, stream);

        for (const Part<T>& part : parts_) part.ffts.execute(part.slabs.base, stream);
        for (const Part<T>& part : parts_) launch_rotate(fields_.x_to_y(first_, part.slabs), stream);
        clock.mark(2, stream);

        ffts_y_.execute(first_, stream);
        launch_middle(middle(call, removed), stream);
        ffts_y_.execute(first_, stream);
        for (const Part<T>& part : parts_) launch_rotate(fields_.y_to_x(first_, part.slabs), stream);
        clock.mark(3, stream);

        for (const Part<T>& part : parts_) part.ffts.execute(part.slabs.base, stream);
        for (const Part<T>& part : parts_) launch_rotate(fields_.x_to_z(first_, part.slabs), stream);
        clock.mark(4, stream);

        ffts_z_.execute(first_, stream);
        scatter(call, stream);
        clock.mark(5, stream);
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override {
        if (memory_ != Memory::fast) return {};
        return {reinterpret_cast<T*>(own_), problem_.grid.points()};
    }

    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        constexpr auto element = static_cast<double>(2 * sizeof(T));
        const auto bytes = [](Index elements) { return element * static_cast<double>(elements); };
        const double field =
            bytes(Fields::unknowns(fields_.x) * Fields::unknowns(fields_.y) * Fields::unknowns(fields_.z)) / 2;
        const double z = bytes(fields_.lines_z() * Fields::rows(fields_.z));
        const double x = bytes(fields_.pairs_y() * fields_.slab());
        const double y = bytes(fields_.lines_y() * Fields::rows(fields_.y));
        return {field + z + 2 * z + z + x, 2 * x + x + y, 6 * y + y + x, 2 * x + x + z, 2 * z + z + field};
    }

    [[nodiscard]] bool needs_dense_solution() const noexcept override { return memory_ != Memory::fast; }

private:
    [[nodiscard]] std::size_t field_bytes() const {
        return static_cast<std::size_t>(problem_.grid.size()) * sizeof(T);
    }

    /// Whole slabs that fit u wherever it begins: complex elements want their own alignment.
    [[nodiscard]] Index slabs_in_solution() const {
        const std::size_t slab_bytes = static_cast<std::size_t>(fields_.slab()) * 2 * sizeof(T);
        return std::min(fields_.pairs_y(), static_cast<Index>((field_bytes() - sizeof(T)) / slab_bytes));
    }

    static Complex<T>* inside(FieldView<T> u) {
        constexpr std::uintptr_t alignment = 2 * sizeof(T);
        const auto address = reinterpret_cast<std::uintptr_t>(u.data);
        return reinterpret_cast<Complex<T>*>((address + alignment - 1) / alignment * alignment);
    }

    void add_part(Index first, Index count, bool in_solution) {
        if (count == 0) return;
        const Index lines = count * Fields::unknowns(fields_.z);
        parts_.push_back({{first, count, nullptr},
                          in_solution,
                          LineFfts<T>(fields_.x.tables, lines, device::max_work<T>(problem_))});
    }

    void reserve() {
        device::WorkspaceLayout layout;
        first_offset_ = layout.take(static_cast<std::size_t>(fields_.first_size()) * 2 * sizeof(T));
        std::size_t own = 0;
        for (const Part<T>& part : parts_)
            if (!part.in_solution)
                own = static_cast<std::size_t>(part.slabs.count * fields_.slab()) * 2 * sizeof(T);
        if (memory_ == Memory::fast) own = std::max(own, field_bytes());  // copies of host fields stand here
        own_offset_ = layout.take(own);
        if (memory_ == Memory::fast)
            faces_offset_ = layout.take(static_cast<std::size_t>(device::face_points(problem_.grid)) * sizeof(T));
        for (DeviceAxis<T>* axis : {&fields_.x, &fields_.y, &fields_.z}) axis->reserve(layout);
        gauge_offset_ = layout.take(sizeof(T));
        std::size_t work = std::max(ffts_z_.work_bytes(), ffts_y_.work_bytes());
        for (const Part<T>& part : parts_) work = std::max(work, part.ffts.work_bytes());
        work_offset_ = layout.take(std::max<std::size_t>(work, 1));  // cuFFT refuses an area that is also data
        bytes_ = layout.end();
    }

    /// Where the last sweep makes the value of the gauge point.
    void locate_gauge() {
        if (!singular(problem_) || !problem_.gauge.point) return;
        const auto find = [](const OrbitTable<T>& table, Index sample) {
            const auto at = std::find(table.out.begin(), table.out.end(), static_cast<std::int32_t>(sample));
            return static_cast<Index>(at - table.out.begin());
        };
        const auto [i, j, k] = *problem_.gauge.point;  // singular: every point is an unknown
        gauge_x_ = i;
        gauge_y_ = find(fields_.y.tables.backward_post, j);
        gauge_z_ = find(fields_.z.tables.backward_post, k);
    }

    void gather(const Call<T>& call, Removed* removed, Stream stream) const {
        const FieldView<const T>& f = call.f;
        LineTask<T> task = fields_.gather(first_, f);
        task.scale = static_cast<T>(call.scale);
        task.boundary = call.boundary;
        if (singular(problem_)) {
            // The constant is removed anyway: taken out here, it costs no digits of the rest.
            device::launch_typical_value(f.data, f.strides, f.extents, &removed->shift, 1, 0, 0, stream);
            task.shift = &removed->shift;
        }
        launch_gather(task, stream);
    }

    void scatter(const Call<T>& call, Stream stream) const {
        LineTask<T> task = fields_.scatter(first_, call.u);
        task.boundary = call.boundary;
        if (call.operation == ModeOperation::divide && singular(problem_) && problem_.gauge.point) {
            launch_probe(task, gauge_x_, gauge_y_ % task.pairs, gauge_y_ >= task.pairs, gauge_z_ % task.z.count,
                         gauge_z_ >= task.z.count, gauge_, stream);
            task.subtract = gauge_;
        }
        launch_scatter(task, stream);
        device::write_dirichlet_planes(call, stream);
    }

    MiddleTask<T> middle(const Call<T>& call, Removed* removed) const {
        MiddleTask<T> task = fields_.middle(first_);
        task.shift = static_cast<T>(-problem_.helmholtz);
        task.factor = static_cast<T>(call.restore / round_trip_);
        task.multiply = call.operation == ModeOperation::multiply;
        if (singular(problem_)) task.removed = &removed->mean;
        return task;
    }

    Problem problem_;
    Memory memory_;
    Fields fields_;
    LineFfts<T> ffts_z_, ffts_y_;
    std::vector<Part<T>> parts_;
    double round_trip_ = 1.0;
    Index gauge_x_ = 0, gauge_y_ = 0, gauge_z_ = 0;
    std::size_t first_offset_ = 0, own_offset_ = 0, faces_offset_ = 0, gauge_offset_ = 0, work_offset_ = 0,
                bytes_ = 0;
    Complex<T>* first_ = nullptr;
    Complex<T>* own_ = nullptr;
    T* faces_ = nullptr;
    T* gauge_ = nullptr;  ///< the value at the gauge point
};

}  // namespace

template <class T>
std::unique_ptr<device::Pipeline<T>> make_rotating_pipeline(const Problem& problem, Memory memory) {
    return std::make_unique<RotatingPipeline<T>>(problem, memory);
}

template std::unique_ptr<device::Pipeline<float>> make_rotating_pipeline(const Problem&, Memory);
template std::unique_ptr<device::Pipeline<double>> make_rotating_pipeline(const Problem&, Memory);

}  // namespace poisson3d::cufft
