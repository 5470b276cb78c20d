// A member on a GPU (member.hpp). Where x is eliminated the unknowns of slabs stand in u between passes, else in
// buffers.
#include <algorithm>
#include <array>
#include <optional>

#include "eliminated_part.hpp"
#include "end_planes.hpp"
#include "exchanged_lines.hpp"
#include "fields_on_device.hpp"
#include "gauge_on_device.hpp"
#include "sample_order.hpp"

namespace poisson3d::members {

namespace {

template <class T>
class DeviceMember final : public MemberEngine<T> {
public:
    using Removed = typename Pipeline<T>::Removed;
    using MemberEngine<T>::stream_;
    using MemberEngine<T>::set_;

    DeviceMember(const Problem& problem, const Options& options, SplitMethod method, const Parts& parts, int member)
        : device_(options.device),
          scope_(options.device),
          method_(method),
          singular_(poisson3d::singular(problem)),
          grows_(lines::has_constant_line(problem, 0) && problem.grid.axes[0].unbounded()),
          batch_(options.batch),
          parts_(parts),
          member_(member),
          part_(parts.parts[static_cast<std::size_t>(member)]),
          slab_(problem, {part_, parts.y, parts.z_modes, {0, parts.y.all_unknowns}}, parts.z.first_stored,
                method == SplitMethod::transposed),
          points_(problem.grid.points()),
          end_planes_(problem, part_, parts.y, options.batch) {
        if (method == SplitMethod::eliminated) eliminated_.emplace(problem, parts_, member, slab_);
        allocate();
        scope_.reset();
    }

    void begin(const Call<T>& call) override {
        operation_ = call.operation;
        scale_ = call.scale * call.restore;
        restore_ = call.restore;
    }

    void require(const Call<T>& call, const std::string& who) const override {
        require_fields_on(device_, call, who);
    }

    void reduce_links() override {
        const DeviceScope scope(device_);
        eliminated_->reduce_links(buffers(), at_hand(), stream_);
    }
    void keep_links() override {
        const DeviceScope scope(device_);
        copy_on_device(buffers().links(), buffers()[MemberBuffer::shares], buffers().bytes_of_links(), stream_);
        synchronize(stream_);
    }

    void take_samples(const Call<T>& call) override {
        const DeviceScope scope(device_);
        if (has_points())
            launch_samples<T>(call.f, {part_.first, parts_.y.first}, samples(), buffers()[MemberBuffer::samples],
                              stream_);
    }

    void forward(const Call<T>& call, Constant<T>, int chunk) override {
        const DeviceScope scope(device_);
        if (singular_ && chunk == 0) launch_typical_value(samples(), &at_hand()->shift, stream_);
        if (parts_.pencils) {
            if (has_rows()) slab_.forward_z(call, rows(), at_hand(), stream_);
            return;
        }
        const Planes planes = parts_.chunk(member_, chunk);
        if (planes.count == 0) return;
        if (!eliminated_) {
            if (!lines().stores()) return slab_.forward(call, planes, lines().planes(), at_hand(), stream_);
            const SentElements<T> rows = lines().rows_elsewhere();
            return slab_.forward(call, planes, lines().planes(), at_hand(), stream_, &rows);
        }
        slab_.forward(call, planes, before_middle(call), at_hand(), stream_);
        reduce(call, before_middle(call));
    }

    [[nodiscard]] Index size_of_modes() const override {
        return eliminated_ && !singular_ && !parts_.pencils ? part_.unknowns * parts_.unknowns[1] * row_of_modes()
                                                            : 0;
    }
    void keep_modes(T* memory) override { modes_ = memory; }
    [[nodiscard]] ModeOrder mode_order(int axis) const override {
        return {slab_.box().axis(axis).mode_of(), slab_.box().axis(axis).gain()};
    }
    [[nodiscard]] ModePlanes<T> kept_modes() const override { return mode_planes(modes()); }
    ModePlanes<T> solved_modes(const Call<T>& call) override {
        const DeviceScope scope(device_);
        const Unknowns<T> u = slab_.unknowns_of(call.u);
        if (part_.unknowns > 0) eliminated_->substitute(call, modes(), u, buffers(), at_hand(), stream_);
        return mode_planes(u);
    }
    void reduce_again(const Call<T>& call) override {
        const DeviceScope scope(device_);
        if (part_.unknowns > 0) reduce(call, modes());
    }

    void forward_columns(const Call<T>& call) override {
        const DeviceScope scope(device_);
        if (!has_columns()) return;
        slab_.forward_y(call, columns(), eliminated_ ? columns() : lines().planes(), stream_);
        if (eliminated_) reduce(call, columns());
    }

    [[nodiscard]] bool may_store() const override {
        return (parts_.one_field || parts_.rows_first) && parts_.members() <= SentElements<T>::most &&
               slab_.may_store();
    }
    void store_into(const std::vector<T*>& inner, const std::vector<T*>& across) override {
        all_lines_[static_cast<std::size_t>(set_)].store_into(inner, across);
    }

    void middle(int piece) override {
        const DeviceScope scope(device_);
        if (eliminated_) {
            if (operation_ == ModeOperation::divide) eliminated_->solve_separators(buffers(), stream_);
            return;
        }
        const Planes rows = parts_.piece(member_, piece);
        if (rows.count > 0) {
            const Index first = parts_.share_first[static_cast<std::size_t>(member_)] + rows.first;
            Call<T> call;
            call.operation = operation_;
            call.restore = restore_;
            const bool may = may_store();
            const SentElements<T> planes = may ? lines().planes_elsewhere(rows) : SentElements<T>{};
            slab_.middle(call, first, rows.count, lines().rows(rows), at_hand(), stream_, may ? &planes : nullptr);
        }
        if (piece + 1 == parts_.pieces && singular_ && parts_.owner_of_constant() == member_)
            copy_on_device(buffers().last(MemberBuffer::across), &at_hand()->mean, sizeof(T), stream_);
    }

    void backward_columns(const Call<T>& call) override {
        const DeviceScope scope(device_);
        if (singular_ || grows())
            copy_on_device(buffers()[MemberBuffer::columns] + parts_.mean_columns(member_), buffers().mean(method_),
                           sizeof(T), stream_);
        if (!has_columns()) return;
        if (eliminated_) eliminated_->substitute(call, columns(), columns(), buffers(), at_hand(), stream_);
        slab_.backward_y(call, eliminated_ ? columns() : lines().planes(), columns(), stream_);
    }

    void backward(const Call<T>& call, int chunk) override {
        const DeviceScope scope(device_);
        if (parts_.pencils) {
            if (has_rows()) slab_.backward_z(call, rows(), stream_);
            if (has_points()) write_dirichlet_planes(call, stream_, 2);
            return;
        }
        const Planes planes = parts_.chunk(member_, chunk);
        if (planes.count > 0) {
            if (eliminated_)
                eliminated_->substitute(call, before_middle(call), slab_.unknowns_of(call.u), buffers(), at_hand(),
                                        stream_);
            slab_.backward(call, planes, eliminated_ ? slab_.unknowns_of(call.u) : lines().planes(), stream_);
        }
        if (has_points() && chunk == 0)  // which comes last
            write_dirichlet_planes(call, stream_, slab_.turns(slab_.unknowns_of(call.u)) ? 3 : 2);
    }

    void take_gauge(FieldView<T> u, const std::array<Index, 3>& point) override {
        const DeviceScope scope(device_);
        GaugeOnDevice<T>::take_point(u, point, buffers()[MemberBuffer::gauge], stream_);
    }
    void weigh(const std::array<std::vector<double>, 3>& weights, double total) override {
        const DeviceScope scope(device_);
        gauge_.weigh(weights, total);
    }
    void take_sum(FieldView<T> u) override {
        const DeviceScope scope(device_);
        if (has_points()) gauge_.take_sum(u, buffers()[MemberBuffer::gauge], stream_);
    }
    void find_mean() override {
        const DeviceScope scope(device_);
        gauge_.find_mean(parts_.all_members, buffers()[MemberBuffer::gauge], stream_);
    }
    void subtract(FieldView<T> u, T) override {
        const DeviceScope scope(device_);
        if (has_points()) GaugeOnDevice<T>::subtract(u, buffers()[MemberBuffer::gauge], stream_);
    }

    void finish(Index field) override {
        const DeviceScope scope(device_);
        if (!tells() && !grows()) return;
        copy_on_device(&at_hand()->mean, buffers().last_mean(method_), sizeof(T), stream_);
        copy_on_device(removed_ + sets_ + field, at_hand(), sizeof(Removed), stream_);
    }
    [[nodiscard]] Result result(Index field) override {
        const DeviceScope scope(device_);
        Removed removed{};
        if (tells())
            copy_to_host(&removed, removed_ + sets_ + field, sizeof(Removed), stream_);
        else
            synchronize(stream_);
        if (!tells()) return {};
        return {true,
                static_cast<double>(removed.mean) +
                    (static_cast<double>(removed.shift.high) + static_cast<double>(removed.shift.low)) * scale_};
    }

    [[nodiscard]] T current(Index field) override {
        if (!grows()) return T(0);
        const DeviceScope scope(device_);
        Removed removed{};
        copy_to_host(&removed, removed_ + sets_ + field, sizeof(Removed), stream_);
        return removed.mean;
    }
    void keep_end_planes(FieldView<T> u, Index field) override {
        const DeviceScope scope(device_);
        end_planes_.keep(u, field, stream_);
    }
    void get_end_plane(Index field, int side, T* plane) override {
        const DeviceScope scope(device_);
        end_planes_.get(field, side, plane, stream_);
    }

    [[nodiscard]] int sets() const noexcept override { return sets_; }
    [[nodiscard]] T* buffer(MemberBuffer which) override { return buffers()[which]; }
    [[nodiscard]] std::size_t workspace() const noexcept override {
        return own_.size() + end_planes_.bytes() + gauge_.bytes();
    }
    [[nodiscard]] std::string description() const override { return "fused (a kernel a pass)"; }

private:
    [[nodiscard]] const MemberBuffers<T>& buffers() const { return all_buffers_[static_cast<std::size_t>(set_)]; }
    [[nodiscard]] const ExchangedLines<T>& lines() const { return all_lines_[static_cast<std::size_t>(set_)]; }
    [[nodiscard]] bool has_points() const { return part_.points > 0 && parts_.y.points > 0; }
    /// Of pencils, before lines along z are transformed and after: whether it has some, and which.
    [[nodiscard]] bool has_rows() const { return part_.unknowns > 0 && parts_.y.unknowns > 0; }
    [[nodiscard]] bool has_columns() const { return part_.unknowns > 0 && parts_.z_modes.count > 0; }
    [[nodiscard]] Unknowns<T> rows() const {
        return {buffers()[MemberBuffer::rows], {parts_.row_pitch, part_.unknowns * parts_.row_pitch, 1}, true};
    }
    [[nodiscard]] Unknowns<T> columns() const {
        return {
            buffers()[MemberBuffer::columns], {parts_.column_pitch, part_.unknowns * parts_.column_pitch, 1}, true};
    }
    /// A right-hand side that stays (keep_modes()), rows of an even number.
    [[nodiscard]] Index row_of_modes() const { return (parts_.unknowns[2] + 1) / 2 * 2; }
    [[nodiscard]] Unknowns<T> modes() const {
        return {modes_, {parts_.unknowns[1] * row_of_modes(), row_of_modes(), 1}, true};
    }
    [[nodiscard]] Unknowns<T> before_middle(const Call<T>& call) const {
        return modes_ != nullptr ? modes() : slab_.unknowns_of(call.u);
    }
    [[nodiscard]] ModePlanes<T> mode_planes(const Unknowns<T>& here) const {
        return {here.data, here.strides[0], here.strides[1], part_.first_unknown, part_.unknowns};
    }
    /// Lines along x, as far as they are eliminated here.
    void reduce(const Call<T>& call, const Unknowns<T>& here) {
        if (operation_ == ModeOperation::multiply)
            eliminated_->take_end_planes(here, buffers(), stream_);
        else
            eliminated_->reduce(call, here, buffers(), at_hand(), stream_);
    }
    [[nodiscard]] Removed* at_hand() const { return removed_ + set_; }  ///< of the field at hand
    [[nodiscard]] SharedSamples<T> samples() const { return {buffers()[MemberBuffer::samples], places_, points_}; }
    [[nodiscard]] Index samples_of_box() const {
        const SharedSamples<T> of_box{nullptr, nullptr, points_};
        return singular_ ? of_box.size(of_box.samples()) : 0;
    }
    /// Whether a current leaves by free ends of the first axis in the constant mode.
    [[nodiscard]] bool grows() const { return operation_ == ModeOperation::divide && eliminated_ && grows_; }
    /// Whether something is removed, and told.
    [[nodiscard]] bool tells() const { return singular_ && operation_ == ModeOperation::divide; }

    /// Of a batch some fields are on their way at once, as many as there is room for.
    void allocate() {
        if (!eliminated_ && parts_.in_turn)
            sets_ = static_cast<int>(std::min<Index>(batch_, MemberEngine<T>::most_sets));
        for (int set = 0; set < sets_; ++set) {
            all_buffers_.emplace_back(parts_, member_, method_, samples_of_box());
            all_lines_.emplace_back(parts_, member_);
        }
        while (sets_ > 1 && layout_of(sets_).end() >= free_device_memory()) --sets_;
        WorkspaceLayout layout = layout_of(sets_);
        const std::size_t removed = layout.take(static_cast<std::size_t>(batch_ + sets_) * sizeof(Removed));
        const std::vector<int> order = singular_ ? parts_.samples->places() : std::vector<int>();
        const std::size_t places = layout.take(order.size() * sizeof(int));
        own_ = DeviceBuffer(layout.end());
        auto* const base = static_cast<std::byte*>(own_.data());
        fill_on_device(base, 0, own_.size());
        for (std::size_t set = 0; set < static_cast<std::size_t>(sets_); ++set) {
            all_buffers_[set].bind(base);
            if (!eliminated_) all_lines_[set].bind(all_buffers_[set]);
        }
        removed_ = reinterpret_cast<Removed*>(base + removed);
        places_ = reinterpret_cast<const int*>(base + places);
        copy_to_device(base + places, order.data(), order.size() * sizeof(int));
        slab_.bind(base);
        if (eliminated_) eliminated_->bind(base, removed_);
        synchronize();
    }

    WorkspaceLayout layout_of(int sets) {
        WorkspaceLayout layout;
        for (int set = 0; set < sets; ++set) all_buffers_[static_cast<std::size_t>(set)].reserve(layout);
        slab_.reserve(layout);
        if (eliminated_) eliminated_->reserve(layout);
        return layout;
    }

    int device_;
    std::optional<DeviceScope> scope_;  ///< while planning
    SplitMethod method_;
    bool singular_, grows_;
    Index batch_;
    Parts parts_;
    int member_;
    Part part_;
    SlabPasses<T> slab_;
    std::optional<EliminatedPart<T>> eliminated_;
    Extents points_;                             ///< of the box
    const int* places_ = nullptr;                ///< of samples, where the problem is singular (sample_order.hpp)
    std::vector<MemberBuffers<T>> all_buffers_;  ///< of each set
    std::vector<ExchangedLines<T>> all_lines_;   ///< the same
    int sets_ = 1;
    Removed* removed_ = nullptr;  ///< on the device: of the field of each set, then of each of a batch
    EndPlanes<T> end_planes_;
    GaugeOnDevice<T> gauge_;
    DeviceBuffer own_;
    T* modes_ = nullptr;  ///< where a right-hand side stays, if one does
    ModeOperation operation_ = ModeOperation::none;
    double scale_ = 1.0, restore_ = 1.0;
};

}  // namespace

}  // namespace poisson3d::members

namespace poisson3d {

template <class T>
std::unique_ptr<MemberEngine<T>> make_device_member(const Problem& problem, const Options& options,
                                                    SplitMethod method, const Parts& parts, int member) {
    const std::string why = [&] {
        const DeviceScope scope(options.device);
        return members::SlabPasses<T>::refuses(problem, method == SplitMethod::transposed);
    }();
    if (!why.empty())
        throw Error(ErrorCode::unsupported, why + ", which members on devices cannot have: use members on threads");
    return std::make_unique<members::DeviceMember<T>>(problem, options, method, parts, member);
}

template std::unique_ptr<MemberEngine<float>> make_device_member(const Problem&, const Options&, SplitMethod,
                                                                 const Parts&, int);
template std::unique_ptr<MemberEngine<double>> make_device_member(const Problem&, const Options&, SplitMethod,
                                                                  const Parts&, int);

}  // namespace poisson3d
