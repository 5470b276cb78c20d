// The way through the five passes (fused_passes.hpp). The fields of a batch go through a pass together, so that
// small boxes fill the device.
#include <algorithm>

#include "flat_box.hpp"
#include "fused_passes.hpp"
#include "fused_shape.hpp"
#include "line_methods.hpp"
#include "pipelines.hpp"
#include "thin_box.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
class FusedPipeline final : public Pipeline<T>, public MiddleTwice<T>, public ModeStop<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// Of FusedPasses.
    FusedPipeline(const Problem& problem, const std::array<LineMethod, 3>& methods, Memory memory, Index fields,
                  int eliminated, const std::array<bool, 3>& long_ones, std::vector<T> in_modes = {})
        : grid_(problem.grid),
          memory_(memory),
          fields_(fields),
          eliminated_(eliminated),
          helmholtz_(static_cast<T>(problem.helmholtz)),
          passes_(problem, methods, memory, fields, eliminated, long_ones, std::move(in_modes)) {
        WorkspaceLayout layout;
        passes_.reserve(layout);
        const Index faces = memory == Memory::fast ? face_points(grid_) : 0;  // of fields on the host
        faces_offset_ = layout.take(static_cast<std::size_t>(faces) * sizeof(T));
        bytes_ = layout.end();
    }

    [[nodiscard]] bool fits() const { return passes_.fits(); }

    [[nodiscard]] std::string name() const override {
        return std::string("a kernel a pass") +
               (eliminated_ < 0 ? "" : std::string(", ") + grid_.labels[eliminated_] + " eliminated") +
               passes_.description();
    }
    [[nodiscard]] Schedule schedule() const override { return way_.schedule; }
    [[nodiscard]] std::vector<std::string> parts(const std::array<char, 3>& labels) const override {
        std::vector<std::string> names;
        for (int number = 0; number < 5; ++number)
            if (!passes_.skips(number))
                names.push_back(describe(way_.schedule[number], passes_.place(number) + 1, labels));
        return names;
    }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return fields_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        if (memory_ == Memory::fast) faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        const bool made = passes_.begin(call, removed, stream);
        for (int number = 0; number < 5; ++number)
            if (!passes_.skips(number)) run_pass(number, made, call, removed, stream, clock);
        passes_.end(call, stream);
    }

    /// Rotated, the middle pass reads the second internal field and writes the first one.
    [[nodiscard]] MiddleTwice<T>* middle_twice() noexcept override {
        return way_.movement == Movement::rotated ? this : nullptr;
    }
    [[nodiscard]] std::array<int, 3> axes_in_middle() const override {
        const Permutation& order = way_.schedule[2].order;
        return {order[2], order[0], order[1]};
    }
    [[nodiscard]] ModeOrder modes_of(int axis) const override {
        return {passes_.box().axis(axis).mode_of(), passes_.box().axis(axis).gain()};
    }
    [[nodiscard]] MiddleFields<T> middle_fields() const override {
        const Pass& pass = way_.schedule[2];
        const Unknowns<T> before = passes_.unknowns(pass.from, pass.order, {});
        const Unknowns<T> after = passes_.unknowns(pass.to, permute(pass.order, pass.movement), {});
        return {before.data, before.strides, after.data, after.strides};
    }
    [[nodiscard]] Index middle_room() const override { return passes_.internal().first_elements(); }
    void run_before_middle(const Call<T>& call, Stream stream, const PassClock& clock) override {
        const bool made = passes_.begin(call, nullptr, stream);
        for (int number = 0; number < 2; ++number) run_pass(number, made, call, nullptr, stream, clock);
    }
    void run_middle(const Call<T>& call, Stream stream, const PassClock& clock) override {
        run_pass(2, false, call, nullptr, stream, clock);
    }
    bool run_middle_with(const MiddleTerms<T>& terms, const Call<T>& call, Stream stream,
                         const PassClock& clock) override {
        const bool done = passes_.run_middle_with(terms, call, stream);
        if (done) clock.mark(3, stream);
        return done;
    }
    void run_after_middle(const Call<T>& call, Stream stream, const PassClock& clock) override {
        for (int number = 3; number < 5; ++number) run_pass(number, false, call, nullptr, stream, clock);
        passes_.end(call, stream);
    }

    /// In place, where every axis is transformed by one pass.
    [[nodiscard]] ModeStop<T>* mode_stop() noexcept override {
        return passes_.all_kernels() && way_.movement == Movement::in_place ? this : nullptr;
    }
    [[nodiscard]] ModeField<T> modes(const Call<T>& call) const override {
        const Unknowns<T> here = passes_.unknowns(Buffer::first, identity_order, call);
        const auto& box = passes_.box();
        return {here.data,
                here.strides,
                {box.axis(0).eigenvalues(), box.axis(1).eigenvalues(), box.axis(2).eigenvalues()},
                -helmholtz_,
                box.mode_factor(call),
                static_cast<T>(call.restore)};
    }
    void run_to_modes(const Call<T>& call, Stream stream, const PassClock& clock) override {
        run_before_middle(call, stream, clock);
        passes_.run_half(Direction::forward, call, stream);
    }
    void run_from_modes(const Call<T>& call, Stream stream, const PassClock& clock) override {
        passes_.run_half(Direction::backward, call, stream);
        clock.mark(3, stream);
        run_after_middle(call, stream, clock);
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override { return staged(passes_.internal().staging()); }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override {
        return staged(passes_.internal().result_staging());
    }
    [[nodiscard]] bool stages_apart() const noexcept override {
        return memory_ == Memory::fast && way_.movement == Movement::rotated;
    }
    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const auto [x, y, z] = passes_.box().unknowns();
        const double each = 2.0 * sizeof(T) * static_cast<double>(x * y * z);
        std::array<double, 5> bytes{};
        for (int number = 0; number < 5; ++number) {
            if (passes_.skips(number)) continue;
            bytes[passes_.place(number)] = each * passes_.sweeps(way_.schedule[number]);
        }
        return bytes;
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return memory_ != Memory::fast; }
    [[nodiscard]] bool works_in_solution() const noexcept override { return !passes_.internal().any(); }

private:
    void run_pass(int number, bool made, const Call<T>& call, Removed* removed, Stream stream,
                  const PassClock& clock) {
        passes_.run(number, made, call, removed, stream);
        clock.mark(passes_.place(number) + 1, stream);
    }
    [[nodiscard]] FieldView<T> staged(T* data) const {
        return data == nullptr ? FieldView<T>{} : FieldView<T>{data, grid_.points()};
    }

    Grid grid_;
    Memory memory_;
    Index fields_;
    int eliminated_;  ///< an axis, or −1
    T helmholtz_;
    FusedPasses<T> passes_;
    const FieldWay& way_ = passes_.way();
    std::size_t faces_offset_ = 0, bytes_ = 0;
    T* faces_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory, Index batch,
                                                 int eliminated) {
    if (is_flat(problem)) {
        auto plane = make_fused_pipeline<T>(in_plane(problem), memory, batch,
                                            eliminated < 0 ? -1 : axis_in_plane(eliminated));
        return plane == nullptr ? nullptr : make_flat_pipeline<T>(problem, std::move(plane));
    }
    std::array<LineMethod, 3> methods{};
    std::array<bool, 3> long_ones{};
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        methods[a] = line_method<T>(problem, a, eliminated);
        if (!has_ffts(methods[a]) || lines_fit<T>(axis, methods[a])) continue;
        if (!LongAxes<T>::possible(axis)) return nullptr;
        long_ones[a] = true;
        methods[a] = LineMethod::none;
    }
    if (eliminated < 0 && is_thin<T>(problem, memory, methods))
        if (auto thin = make_thin_pipeline<T>(problem, memory, fields_at_once<T>(problem, memory, batch)))
            return thin;
    const bool any_long = long_ones[0] || long_ones[1] || long_ones[2];
    const Index fields = any_long ? 1 : fields_at_once<T>(problem, memory, batch);
    auto pipeline = std::make_unique<FusedPipeline<T>>(problem, methods, memory, fields, eliminated, long_ones);
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template <class T>
std::unique_ptr<Pipeline<T>> make_passes_beside_modes(const Problem& problem, Index fields,
                                                      const std::vector<T>& eigenvalues) {
    const std::array<LineMethod, 3> methods{line_method<T>(problem, 0, -1), LineMethod::none,
                                            line_method<T>(problem, 2, -1)};
    auto pipeline = std::make_unique<FusedPipeline<T>>(problem, methods, Memory::low, fields, -1,
                                                       std::array<bool, 3>{}, eigenvalues);
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template std::unique_ptr<Pipeline<float>> make_passes_beside_modes(const Problem&, Index,
                                                                   const std::vector<float>&);
template std::unique_ptr<Pipeline<double>> make_passes_beside_modes(const Problem&, Index,
                                                                    const std::vector<double>&);
template std::unique_ptr<Pipeline<float>> make_fused_pipeline(const Problem&, Memory, Index, int);
template std::unique_ptr<Pipeline<double>> make_fused_pipeline(const Problem&, Memory, Index, int);

}  // namespace poisson3d::fused
