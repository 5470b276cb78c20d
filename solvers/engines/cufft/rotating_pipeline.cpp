// The way through the five passes for any kinds of axis.
//
// Two real lines make one complex line. Along z and x lines are paired over y, along y over z, so that pairs need
// to be made anew only before and after y:
//
//     first    [x][y pairs][z]     gather, FFT z                                        FFT z, scatter
//     second   [y pairs][z][x]            rotate, FFT x                      rotate, FFT x
//     first    [z pairs][x][y]                  rotate, FFT y, middle, FFT y
//
// Seven sweeps and six FFTs, each one copy of the field at best. The second field is a row of slabs, one per pair
// in y: in memory mode standard the first of them live in u, the rest in memory of our own (all that padding, odd
// extents and extended type I lines take beyond u), in mode fast all of them do.
#include <algorithm>

#include "device_axis.hpp"
#include "poisson3d/device_memory.hpp"
#include "schedule.hpp"

namespace poisson3d::cufft {

namespace {

/// Slabs of the second field that lie together.
template <class T>
struct Part {
    Index first, count;
    bool in_solution;
    LineFfts<T> ffts;
    Complex<T>* base = nullptr;
};

template <class T>
class RotatingPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    RotatingPipeline(const Problem& problem, Memory memory)
        : problem_(problem),
          memory_(memory),
          x_(make_axis_tables<T>(problem.grid.axes[0], problem.discretization, Listing::by_position)),
          y_(make_axis_tables<T>(problem.grid.axes[1], problem.discretization, Listing::by_position)),
          z_(make_axis_tables<T>(problem.grid.axes[2], problem.discretization, Listing::by_sample)),
          pairs_y_(y_.tables.forward_pre.orbits),
          pairs_z_((unknowns(z_) + 1) / 2),
          ffts_z_(z_.tables, unknowns(x_) * pairs_y_, most_work<T>(problem)),
          ffts_y_(y_.tables, pairs_z_ * unknowns(x_), most_work<T>(problem)) {
        for (const DeviceAxis<T>* axis : {&x_, &y_, &z_})
            round_trip_ *= static_cast<double>(axis->tables.kind.round_trip);
        const Index in_solution = memory == Memory::standard ? slabs_in_solution() : 0;
        add_part(0, in_solution, true);
        add_part(in_solution, pairs_y_ - in_solution, false);
        reserve();
        locate_gauge();
    }

    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }

    void bind(std::byte* workspace) override {
        for (DeviceAxis<T>* axis : {&x_, &y_, &z_}) axis->upload(workspace);
        first_ = reinterpret_cast<Complex<T>*>(workspace + first_offset_);
        own_ = reinterpret_cast<Complex<T>*>(workspace + own_offset_);
        scalars_ = reinterpret_cast<T*>(workspace + scalars_offset_);
        fill_on_device(scalars_, 0, 3 * sizeof(T));
        synchronize();
        void* const work = workspace + work_offset_;
        ffts_z_.set_work(work);
        ffts_y_.set_work(work);
        for (Part<T>& part : parts_) part.ffts.set_work(work);
    }

    void run(ModeOperation operation, FieldView<const T> f, FieldView<T> u, double scale, Stream stream,
             const PassClock& clock) override {
        for (Part<T>& part : parts_) part.base = part.in_solution ? inside(u) : own_;
        gather(f, stream);
        ffts_z_.execute(first_, stream);
        for (const Part<T>& part : parts_) launch_rotate(z_to_x(part), stream);
        clock.mark(1, stream);

        for (const Part<T>& part : parts_) part.ffts.execute(part.base, stream);
        for (const Part<T>& part : parts_) launch_rotate(x_to_y(part), stream);
        clock.mark(2, stream);

        ffts_y_.execute(first_, stream);
        launch_middle(middle(operation, scale), stream);
        ffts_y_.execute(first_, stream);
        for (const Part<T>& part : parts_) launch_rotate(y_to_x(part), stream);
        clock.mark(3, stream);

        for (const Part<T>& part : parts_) part.ffts.execute(part.base, stream);
        for (const Part<T>& part : parts_) launch_rotate(x_to_z(part), stream);
        clock.mark(4, stream);

        ffts_z_.execute(first_, stream);
        scatter(operation, u, stream);
        clock.mark(5, stream);
    }

    [[nodiscard]] const Removed* removed() const noexcept override {
        return reinterpret_cast<const Removed*>(scalars_);
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override {
        if (memory_ != Memory::fast) return {};
        return {reinterpret_cast<T*>(own_), problem_.grid.points()};
    }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const double field = static_cast<double>(sizeof(T)) * static_cast<double>(unknowns(x_)) *
                             static_cast<double>(unknowns(y_)) * static_cast<double>(unknowns(z_));
        const auto lines = static_cast<double>(first_lines()) * static_cast<double>(2 * sizeof(T));
        const double z = lines * static_cast<double>(z_.tables.rows);
        const double x = static_cast<double>(2 * sizeof(T) * pairs_y_ * slab());
        const double y = static_cast<double>(2 * sizeof(T) * pairs_z_ * unknowns(x_) * y_.tables.rows);
        return {field + z + 2 * z + z + x, 2 * x + x + y, 6 * y + y + x, 2 * x + x + z, 2 * z + z + field};
    }

    [[nodiscard]] bool needs_dense_solution() const noexcept override { return memory_ != Memory::fast; }

private:
    static Index unknowns(const DeviceAxis<T>& axis) { return axis.tables.kind.unknowns; }
    [[nodiscard]] Index first_lines() const { return unknowns(x_) * pairs_y_; }
    /// Elements of one slab of the second field.
    [[nodiscard]] Index slab() const { return unknowns(z_) * x_.tables.rows; }
    [[nodiscard]] std::size_t field_bytes() const {
        return static_cast<std::size_t>(problem_.grid.size()) * sizeof(T);
    }

    /// Whole slabs that fit u wherever it begins: complex elements want their own alignment.
    [[nodiscard]] Index slabs_in_solution() const {
        const std::size_t slab_bytes = static_cast<std::size_t>(slab()) * 2 * sizeof(T);
        return std::min(pairs_y_, static_cast<Index>((field_bytes() - sizeof(T)) / slab_bytes));
    }

    static Complex<T>* inside(FieldView<T> u) {
        constexpr std::uintptr_t alignment = 2 * sizeof(T);
        const auto address = reinterpret_cast<std::uintptr_t>(u.data);
        return reinterpret_cast<Complex<T>*>((address + alignment - 1) / alignment * alignment);
    }

    void add_part(Index first, Index count, bool in_solution) {
        if (count == 0) return;
        parts_.push_back(
            {first, count, in_solution, LineFfts<T>(x_.tables, count * unknowns(z_), most_work<T>(problem_))});
    }

    void reserve() {
        Carver carver;
        const Index first = std::max(first_lines() * z_.tables.rows, pairs_z_ * unknowns(x_) * y_.tables.rows);
        first_offset_ = carver.take(static_cast<std::size_t>(first) * 2 * sizeof(T));
        std::size_t own = 0;
        for (const Part<T>& part : parts_)
            if (!part.in_solution) own = static_cast<std::size_t>(part.count * slab()) * 2 * sizeof(T);
        if (memory_ == Memory::fast) own = std::max(own, field_bytes());  // copies of host fields stand here
        own_offset_ = carver.take(own);
        for (DeviceAxis<T>* axis : {&x_, &y_, &z_}) axis->reserve(carver);
        scalars_offset_ = carver.take(3 * sizeof(T));
        std::size_t work = std::max(ffts_z_.work_bytes(), ffts_y_.work_bytes());
        for (const Part<T>& part : parts_) work = std::max(work, part.ffts.work_bytes());
        work_offset_ = carver.take(work);
        bytes_ = carver.end();
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
        gauge_y_ = find(y_.tables.backward_post, j);
        gauge_z_ = find(z_.tables.backward_post, k);
    }

    [[nodiscard]] Index first_unknown(const Strides& strides) const {
        return x_.tables.kind.first * strides[0] + y_.tables.kind.first * strides[1] + z_.tables.kind.first;
    }

    LineTask<T> lines(T* field, const Strides& strides) const {
        LineTask<T> task;
        task.field = field + first_unknown(strides);
        task.stride_x = strides[0];
        task.stride_y = strides[1];
        task.work = first_;
        task.pitch = z_.tables.rows;
        task.extent_x = unknowns(x_);
        task.pairs = pairs_y_;
        return task;
    }

    void gather(FieldView<const T> f, Stream stream) {
        LineTask<T> task = lines(const_cast<T*>(f.data), f.strides);  // only read
        task.pair = y_.forward_pre.in;
        task.z = z_.forward_pre;
        task.mirror = z_.tables.mirror;
        if (singular(problem_)) {
            // The constant is removed anyway: taken out here, it costs no digits of the rest.
            launch_median(f.data, f.strides, f.extents, scalars_ + 1, stream);
            task.subtract = scalars_ + 1;
        }
        launch_gather(task, stream);
    }

    void scatter(ModeOperation operation, FieldView<T> u, Stream stream) {
        LineTask<T> task = lines(u.data, u.strides);
        task.pair = y_.backward_post.out;
        task.z = z_.backward_post;
        const AxisKind& kind = z_.tables.kind;
        task.samples = kind.unknowns;
        task.below = kind.first;
        task.above = kind.points - kind.first - kind.unknowns;
        if (operation == ModeOperation::divide && singular(problem_) && problem_.gauge.point) {
            launch_probe(task, gauge_x_, gauge_y_ % pairs_y_, gauge_y_ >= pairs_y_, gauge_z_ % task.z.count,
                         gauge_z_ >= task.z.count, scalars_ + 2, stream);
            task.subtract = scalars_ + 2;
        }
        launch_scatter(task, stream);
        zero_planes(u, stream);
    }

    /// Dirichlet nodes on whole planes of x and y.
    void zero_planes(FieldView<T> u, Stream stream) {
        const auto& e = u.extents;
        for (int a = 0; a < 2; ++a) {
            const AxisKind& kind = (a == 0 ? x_ : y_).tables.kind;
            for (const Index p : {Index{0}, kind.points - 1}) {
                if (p >= kind.first && p < kind.first + kind.unknowns) continue;
                launch_zero(u.data + p * u.strides[a], u.strides[0], u.strides[1],
                            a == 0 ? Extents{1, e[1], e[2]} : Extents{e[0], 1, e[2]}, stream);
            }
        }
    }

    RotateTask<T> z_to_x(const Part<T>& part) const {
        RotateTask<T> task = between_z_and_x(part, z_.forward_post, x_.forward_pre);
        task.mirror = x_.tables.mirror;
        task.in = first_ + part.first * z_.tables.rows;
        task.in_batch = z_.tables.rows;
        task.in_row = pairs_y_ * z_.tables.rows;
        task.out = part.base;
        task.out_batch = slab();
        task.out_line = x_.tables.rows;
        return task;
    }

    RotateTask<T> x_to_z(const Part<T>& part) const {
        RotateTask<T> task = between_z_and_x(part, x_.backward_post, z_.backward_pre);
        task.mirror = z_.tables.mirror;
        task.in = part.base;
        task.in_batch = slab();
        task.in_row = x_.tables.rows;
        task.out = first_ + part.first * z_.tables.rows;
        task.out_batch = z_.tables.rows;
        task.out_line = pairs_y_ * z_.tables.rows;
        return task;
    }

    RotateTask<T> between_z_and_x(const Part<T>& part, const Orbits<T>& columns, const Orbits<T>& rows) const {
        RotateTask<T> task;
        task.batches = part.count;
        task.columns = columns;
        task.rows = rows;
        task.column_count = columns.count;
        task.row_count = rows.count;
        return task;
    }

    RotateTask<T> x_to_y(const Part<T>& part) const {
        RotateTask<T> task;
        task.repair = Repair::rows;
        task.in = part.base;
        task.in_batch = 2 * x_.tables.rows;
        task.in_half = x_.tables.rows;
        task.in_row = slab();
        task.out = first_;
        task.out_batch = unknowns(x_) * y_.tables.rows;
        task.out_line = y_.tables.rows;
        task.batches = pairs_z_;
        task.halves = unknowns(z_);
        task.columns = x_.forward_post;
        task.column_count = task.columns.count;
        task.rows = y_.forward_pre;
        task.mirror = y_.tables.mirror;
        task.first_row = static_cast<int>(part.first);
        task.row_count = static_cast<int>(part.count);
        return task;
    }

    RotateTask<T> y_to_x(const Part<T>& part) const {
        RotateTask<T> task;
        task.repair = Repair::columns;
        task.in = first_;
        task.in_batch = unknowns(x_) * y_.tables.rows;
        task.in_row = y_.tables.rows;
        task.out = part.base;
        task.out_batch = 2 * x_.tables.rows;
        task.out_half = x_.tables.rows;
        task.out_line = slab();
        task.batches = pairs_z_;
        task.halves = unknowns(z_);
        task.columns = y_.backward_post;
        task.first_column = static_cast<int>(part.first);
        task.column_count = static_cast<int>(part.count);
        task.rows = x_.backward_pre;
        task.mirror = x_.tables.mirror;
        task.row_count = task.rows.count;
        return task;
    }

    MiddleTask<T> middle(ModeOperation operation, double scale) const {
        MiddleTask<T> task;
        task.work = first_;
        task.pitch = y_.tables.rows;
        task.pairs = pairs_z_;
        task.extent_x = unknowns(x_);
        task.extent_z = unknowns(z_);
        task.post = y_.forward_post;
        task.pre = y_.backward_pre;
        task.mirror = y_.tables.mirror;
        task.lambda_x = x_.eigenvalues;
        task.lambda_y = y_.eigenvalues;
        task.lambda_z = z_.eigenvalues;
        task.shift = static_cast<T>(-problem_.helmholtz);
        task.factor = static_cast<T>(scale / round_trip_);
        task.multiply = operation == ModeOperation::multiply;
        if (singular(problem_)) task.removed = scalars_;
        return task;
    }

    Problem problem_;
    Memory memory_;
    DeviceAxis<T> x_, y_, z_;
    Index pairs_y_, pairs_z_;
    LineFfts<T> ffts_z_, ffts_y_;
    std::vector<Part<T>> parts_;
    double round_trip_ = 1.0;
    Index gauge_x_ = 0, gauge_y_ = 0, gauge_z_ = 0;
    std::size_t first_offset_ = 0, own_offset_ = 0, scalars_offset_ = 0, work_offset_ = 0, bytes_ = 0;
    Complex<T>* first_ = nullptr;
    Complex<T>* own_ = nullptr;
    T* scalars_ = nullptr;  ///< what is removed; the value at the gauge point
};

}  // namespace

template <class T>
std::unique_ptr<Pipeline<T>> make_rotating_pipeline(const Problem& problem, Memory memory) {
    return std::make_unique<RotatingPipeline<T>>(problem, memory);
}

template std::unique_ptr<Pipeline<float>> make_rotating_pipeline(const Problem&, Memory);
template std::unique_ptr<Pipeline<double>> make_rotating_pipeline(const Problem&, Memory);

}  // namespace poisson3d::cufft
