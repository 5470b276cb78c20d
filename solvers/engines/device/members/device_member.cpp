// A member on a GPU (member.hpp). Where x is eliminated the unknowns stand in u between passes, else in `inner`.
#include <algorithm>
#include <optional>

#include "beyond_faces.hpp"
#include "eliminated_axis.hpp"
#include "field_checks.hpp"
#include "launch_pass.hpp"
#include "member_buffers.hpp"
#include "member_separators.hpp"
#include "near_ends.hpp"
#include "sample_order.hpp"
#include "slab_passes.hpp"

namespace poisson3d::members {

namespace {

using fused::EliminatedAxis;
using fused::EliminationTask;
using fused::SentElements;

template <class T>
class DeviceMember final : public MemberEngine<T> {
public:
    using Removed = typename Pipeline<T>::Removed;
    using MemberEngine<T>::stream_;
    using MemberEngine<T>::set_;

    DeviceMember(const Problem& problem, const Options& options, SplitMethod method, const Parts& parts, int member)
        : problem_(problem),
          device_(options.device),
          scope_(options.device),
          method_(method),
          eliminates_(method == SplitMethod::eliminated),
          singular_(poisson3d::singular(problem)),
          parts_(parts),
          member_(member),
          part_(parts.parts[static_cast<std::size_t>(member)]),
          active_(static_cast<Index>(parts.active().size())),
          slab_(problem, part_, !eliminates_),
          whole_(make_chain(problem.grid.axes[0])),
          all_buffers_{MemberBuffers<T>(parts, member, method, samples_of_box()),
                       MemberBuffers<T>(parts, member, method, samples_of_box())},
          batch_(options.batch) {
        if (eliminates_ && part_.unknowns > 0) {
            middle_.emplace(problem, part_);
            if (!middle_->fits())
                throw Error(ErrorCode::unsupported,
                            "member " + std::to_string(member) + " has " + std::to_string(part_.unknowns) +
                                " planes of unknowns, wanted at most " + std::to_string(fused::max_eliminated) +
                                ": use more members");
        }
        allocate();
        reserve_end_planes();
        scope_.reset();
    }

    void require(const Call<T>& call, const std::string& who) const override {
        const DeviceScope scope(device_);
        const auto require_here = [&](const T* data, const char* what) {
            const int found = device_of(data);
            if (found == device_) return;
            throw Error(ErrorCode::usage, std::string(what) + who + ": found it in the memory of " +
                                              (found < 0 ? "the host" : "device " + std::to_string(found)) +
                                              ", wanted that of device " + std::to_string(device_));
        };
        require_here(call.f.data, "f");
        require_here(call.u.data, "u");
        for (const auto& axis : call.boundary.face)
            for (const FaceValues<T>& face : axis)
                if (face.data != nullptr) require_here(face.data, "boundary data");
        const bool same = call.f.data == call.u.data && call.f.strides == call.u.strides;
        if (!same && overlap<T>(call.f, call.u))
            throw Error(ErrorCode::usage, "f and u" + who + " overlap in memory and are not the same view");
    }

    void reduce_links() override {
        if (!middle_) return;
        const DeviceScope scope(device_);
        EliminationTask<T> task = part_task(LineParts<T>::Step::reduce, {}, at_hand());
        fill_on_device(buffers()[MemberBuffer::ends], 0, buffers().bytes(MemberBuffer::ends), stream_);
        task.data = buffers()[MemberBuffer::ends];  // zeros
        task.slow = task.line = task.sample = 0;
        task.parts.tie = buffers()[MemberBuffer::planes];
        task.parts.excess = buffers()[MemberBuffer::planes] + lines();
        task.parts.left_excess = buffers()[MemberBuffer::planes] + 2 * lines();
        task.parts.constant = buffers()[MemberBuffer::ends] + 2 * lines();
        launch_elimination(task, slab_.early(), stream_);
    }

    void keep_links() override {
        const DeviceScope scope(device_);
        copy_on_device(buffers().links(), buffers()[MemberBuffer::shares], buffers().bytes_of_links(), stream_);
        synchronize(stream_);
    }

    void take_samples(const Call<T>& call) override {
        const DeviceScope scope(device_);
        if (part_.points > 0)
            launch_samples<T>(call.f, part_.first, samples(), buffers()[MemberBuffer::samples], stream_);
    }

    void forward(const Call<T>& call, Constant<T>, int chunk) override {
        const DeviceScope scope(device_);
        operation_ = call.operation;
        scale_ = call.scale * call.restore;
        restore_ = call.restore;
        if (singular_ && chunk == 0) launch_typical_value(samples(), &at_hand()->shift, stream_);
        const Planes planes = parts_.chunk(member_, chunk);
        if (planes.count == 0) return;
        const SentElements rows = rows_of_other();
        slab_.forward(call, planes, between(call), at_hand(), stream_, stores() ? &rows : nullptr);
        if (!eliminates_) return;
        if (operation_ == ModeOperation::multiply) return take_end_planes(call);
        EliminationTask<T> task = part_task(LineParts<T>::Step::reduce, call, at_hand());
        task.parts.current = buffers()[MemberBuffer::planes];
        task.parts.left_current = buffers()[MemberBuffer::planes] + lines();
        task.parts.constant = buffers()[MemberBuffer::planes] + 2 * lines();
        near_.reduce(task, slab_.early(), stream_);
    }

    [[nodiscard]] bool may_store() const override { return parts_.one_field && slab_.may_store(); }
    void store_into(const std::vector<T*>& fields) override {
        const auto address = [&](int m) {
            return reinterpret_cast<std::intptr_t>(fields[static_cast<std::size_t>(m)]);
        };
        const auto bytes = address(parts_.members() - 1 - member_) - address(member_);
        further_[static_cast<std::size_t>(set_)] = bytes / static_cast<std::intptr_t>(sizeof(T));
    }

    void middle(int piece) override {
        const DeviceScope scope(device_);
        if (eliminates_) {
            if (operation_ == ModeOperation::divide) launch_separators(separators(), stream_);
            return;
        }
        const Planes rows = parts_.piece(member_, piece);
        if (rows.count > 0) {
            const Index pitch = parts_.unknowns[2];
            const Index first = parts_.share_first[static_cast<std::size_t>(member_)] + rows.first;
            Unknowns<T> lines{buffers()[MemberBuffer::across] + rows.first * pitch,
                              {parts_.share(member_) * pitch, pitch, 1},
                              true};
            if (parts_.one_field)
                lines = {buffers()[MemberBuffer::across] + first * parts_.unknowns[0] * pitch,
                         {pitch, parts_.unknowns[0] * pitch, 1},
                         true};
            Call<T> call;
            call.operation = operation_;
            call.restore = restore_;
            const SentElements others = planes_of_other();
            slab_.middle(call, first, rows.count, lines, at_hand(), stream_, may_store() ? &others : nullptr);
        }
        if (piece + 1 == parts_.pieces && singular_ && parts_.owner_of_constant() == member_)
            copy_on_device(buffers().last(MemberBuffer::across), &at_hand()->mean, sizeof(T), stream_);
    }

    void backward(const Call<T>& call, int chunk) override {
        const DeviceScope scope(device_);
        const Planes planes = parts_.chunk(member_, chunk);
        if (planes.count > 0) {
            if (eliminates_) {
                EliminationTask<T> task = part_task(LineParts<T>::Step::substitute, call, at_hand());
                task.parts.left = buffers()[MemberBuffer::ends];
                task.parts.right = buffers()[MemberBuffer::ends] + lines();
                task.parts.constant = buffers()[MemberBuffer::ends] + 2 * lines();
                launch_elimination(task, slab_.early(), stream_);
            }
            slab_.backward(call, planes, between(call), stream_);
        }
        if (part_.points > 0 && chunk == 0)  // which comes last
            write_dirichlet_planes(call, stream_, slab_.turns(slab_.unknowns_of(call.u)) ? 3 : 2);
    }

    void take_gauge(FieldView<T> u, const std::array<Index, 3>& point) override {
        const DeviceScope scope(device_);
        copy_on_device(buffers()[MemberBuffer::gauge], &u(point[0], point[1], point[2]), sizeof(T), stream_);
    }
    void subtract(FieldView<T> u, T) override {
        const DeviceScope scope(device_);
        if (part_.points > 0) launch_subtract<T>(u, buffers()[MemberBuffer::gauge] + 1, 1, 0, stream_);
    }

    void finish(Index field) override {
        const DeviceScope scope(device_);
        if (!tells() && !grows()) return;
        copy_on_device(&at_hand()->mean, buffers().mean(method_), sizeof(T), stream_);
        copy_on_device(removed_ + sets_ + field, at_hand(), sizeof(Removed), stream_);
    }
    [[nodiscard]] Result result(Index field) override {
        const DeviceScope scope(device_);
        Removed removed{};
        if (tells())
            copy_to_host(&removed, removed_ + sets_ + field, sizeof(Removed), stream_);
        else
            synchronize(stream_);
        if (operation_ != ModeOperation::divide || !singular_) return {};
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
        for (int side = 0; side < 2; ++side) {
            if (!has_free_end(side)) continue;
            RightHandSide<T> copy;
            copy.f = end_plane<const T>(u, 0, side);
            copy.out = {end_plane_of(field, side), {1, u.extents[1], u.extents[2]}};
            launch_right_hand_side(copy, 1, stream_);
        }
    }
    void get_end_plane(Index field, int side, T* plane) override {
        const DeviceScope scope(device_);
        copy_to_host(plane, end_plane_of(field, side), static_cast<std::size_t>(size_of_plane()) * sizeof(T),
                     stream_);
    }

    [[nodiscard]] int sets() const noexcept override { return sets_; }
    [[nodiscard]] T* buffer(MemberBuffer which) override { return buffers()[which]; }
    [[nodiscard]] std::size_t workspace() const noexcept override { return own_.size() + end_planes_.size(); }
    [[nodiscard]] std::string description() const override { return "fused (a kernel a pass)"; }

private:
    /// What passes store into the memory of the other one of two members.
    [[nodiscard]] bool stores() const { return further_[static_cast<std::size_t>(set_)].has_value(); }
    [[nodiscard]] SentElements of_other(Index first, Index count) const {
        return {further_[static_cast<std::size_t>(set_)].value_or(0), static_cast<int>(first),
                static_cast<int>(parts_.members() == 2 && stores() ? count : 0)};
    }
    [[nodiscard]] SentElements rows_of_other() const {
        const int other = parts_.members() - 1 - member_;
        return of_other(parts_.share_first[static_cast<std::size_t>(other)], parts_.stored_rows(other));
    }
    [[nodiscard]] SentElements planes_of_other() const {
        const int other = parts_.members() - 1 - member_;
        const Planes planes = parts_.stored_planes(other);
        return of_other(parts_.parts[static_cast<std::size_t>(other)].first_unknown + planes.first, planes.count);
    }

    [[nodiscard]] const MemberBuffers<T>& buffers() const { return all_buffers_[static_cast<std::size_t>(set_)]; }
    [[nodiscard]] Removed* at_hand() const { return removed_ + set_; }  ///< of the field at hand
    [[nodiscard]] Index lines() const { return parts_.lines(); }
    [[nodiscard]] SharedSamples<T> samples() const {
        return {buffers()[MemberBuffer::samples], places_, problem_.grid.points()};
    }
    [[nodiscard]] Index samples_of_box() const {
        const SharedSamples<T> of_box{nullptr, nullptr, problem_.grid.points()};
        return singular_ ? of_box.size(of_box.samples()) : 0;
    }
    [[nodiscard]] Index size_of_plane() const {
        return problem_.grid.axes[1].points * problem_.grid.axes[2].points;
    }
    /// Whether a free end of the first axis is in this part.
    [[nodiscard]] bool has_free_end(int side) const {
        const Axis& axis = problem_.grid.axes[0];
        if (part_.points == 0 || (side == 0 ? axis.lower : axis.upper) != Boundary::free) return false;
        return side == 0 ? part_.first == 0 : part_.first + part_.points == axis.points;
    }
    [[nodiscard]] T* end_plane_of(Index field, int side) const {
        return static_cast<T*>(end_planes_.data()) + (2 * field + side) * size_of_plane();
    }
    void reserve_end_planes() {
        if (has_free_end(0) || has_free_end(1))
            end_planes_ = DeviceBuffer(static_cast<std::size_t>(2 * batch_ * size_of_plane()) * sizeof(T));
    }
    /// Whether a current leaves by free ends of the first axis in the constant mode.
    [[nodiscard]] bool grows() const {
        return operation_ == ModeOperation::divide && eliminates_ && lines::has_constant_line(problem_, 0) &&
               problem_.grid.axes[0].unbounded();
    }
    /// Whether something is removed, and told.
    [[nodiscard]] bool tells() const { return singular_ && operation_ == ModeOperation::divide; }
    [[nodiscard]] Unknowns<T> between(const Call<T>& call) const {
        if (eliminates_) return slab_.unknowns_of(call.u);
        const Index pitch = parts_.unknowns[2];
        if (parts_.one_field)
            return {buffers()[MemberBuffer::inner] + part_.first_unknown * pitch,
                    {pitch, parts_.unknowns[0] * pitch, 1},
                    true};
        return {buffers()[MemberBuffer::inner], {parts_.unknowns[1] * pitch, pitch, 1}, true};
    }

    /// Of a batch two fields are on their way at once, if there is room.
    void allocate() {
        if (!eliminates_ && batch_ > 1 && layout_of(2).end() < free_device_memory()) sets_ = 2;
        WorkspaceLayout layout = layout_of(sets_);
        const std::size_t removed = layout.take(static_cast<std::size_t>(batch_ + sets_) * sizeof(Removed));
        const std::size_t links = layout.take(whole_.links.size() * sizeof(T));
        const std::size_t volumes = layout.take(whole_.volumes.size() * sizeof(T));
        const std::vector<int> order =
            singular_ ? SampleOrder(problem_.grid.points()).places() : std::vector<int>();
        const std::size_t places = layout.take(order.size() * sizeof(int));
        own_ = DeviceBuffer(layout.end());
        auto* const base = static_cast<std::byte*>(own_.data());
        fill_on_device(base, 0, own_.size());
        for (int set = 0; set < sets_; ++set) all_buffers_[static_cast<std::size_t>(set)].bind(base);
        removed_ = reinterpret_cast<Removed*>(base + removed);
        places_ = reinterpret_cast<const int*>(base + places);
        copy_to_device(base + places, order.data(), order.size() * sizeof(int));
        slab_.bind(base);
        if (middle_) {
            middle_->upload(base);
            near_.plan(base, whole_.part(part_.first_unknown, part_.unknowns).on_host(),
                       part_task(LineParts<T>::Step::reduce, {}, at_hand()), problem_.helmholtz);
        }
        if (eliminates_ && lines::has_constant_line(problem_, 0) && parts_.owner_of_constant() == member_) {
            copy_to_device(base + links, whole_.links.data(), whole_.links.size() * sizeof(T));
            copy_to_device(base + volumes, whole_.volumes.data(), whole_.volumes.size() * sizeof(T));
            constant_ = lines::make_constant_line(whole_, singular_);
            constant_->chain.links = reinterpret_cast<const T*>(base + links);
            constant_->chain.volumes = reinterpret_cast<const T*>(base + volumes);
        }
        synchronize();
    }

    WorkspaceLayout layout_of(int sets) {
        WorkspaceLayout layout;
        for (int set = 0; set < sets; ++set) all_buffers_[static_cast<std::size_t>(set)].reserve(layout);
        slab_.reserve(layout);
        if (middle_) middle_->reserve(layout);
        if (middle_) near_.reserve(layout, parts_.unknowns[1]);
        return layout;
    }

    /// A step of the lines along x of this part, which stand in u; planes are still to be set.
    [[nodiscard]] EliminationTask<T> part_task(typename LineParts<T>::Step step, const Call<T>& call,
                                               Removed* removed) const {
        Call<T> one = call;
        one.fields = 1;
        EliminationTask<T> task = middle_->task(slab_.box(), slab_.middle_pass(), one, removed);
        const Unknowns<T> here = slab_.unknowns_of(call.u);
        task.data = here.data;
        task.slow = here.strides[1];
        task.line = here.strides[2];
        task.sample = here.strides[0];
        task.removed = nullptr;
        task.parts.step = step;
        return task;
    }

    /// For multiplication: the last plane of this part, and the first.
    void take_end_planes(const Call<T>& call) {
        fill_on_device(buffers()[MemberBuffer::ends], 0, static_cast<std::size_t>(2 * lines()) * sizeof(T),
                       stream_);
        const Unknowns<T> here = slab_.unknowns_of(call.u);
        const Extents plane{1, parts_.unknowns[1], parts_.unknowns[2]};
        for (const int side : {0, 1}) {
            RightHandSide<T> copy;
            copy.f = {here.planes_from(side == 0 ? part_.unknowns - 1 : 0).data, plane, here.strides};
            copy.out = {buffers()[MemberBuffer::planes] + side * lines(), plane};
            launch_right_hand_side(copy, 1, stream_);
        }
    }

    [[nodiscard]] SeparatorTask<T> separators() const {
        const Index share = parts_.lines_of(member_);
        SeparatorTask<T> task;
        task.separators = {buffers().links(),
                           buffers()[MemberBuffer::shares],
                           buffers()[MemberBuffer::potentials],
                           static_cast<int>(active_),
                           share,
                           buffers().work()};
        task.constant = constant_.has_value();
        if (!task.constant) return task;
        task.constant_line = *constant_;
        task.samples = buffers()[MemberBuffer::shares] + 2 * active_ * share;
        task.solution = buffers()[MemberBuffer::potentials] + active_ * share;
        return task;
    }

    Problem problem_;
    int device_;
    std::optional<DeviceScope> scope_;  ///< while planning
    SplitMethod method_;
    bool eliminates_, singular_;
    Parts parts_;
    int member_;
    Part part_;
    Index active_;  ///< parts with unknowns
    SlabPasses<T> slab_;
    std::optional<EliminatedAxis<T>> middle_;  ///< of lines along x the part that is here
    NearEnds<T> near_;
    lines::ChainTables<T> whole_;
    std::optional<lines::ConstantLine<T>> constant_;  ///< where this member solves it
    const int* places_ = nullptr;                  ///< of samples, where the problem is singular (sample_order.hpp)
    std::array<MemberBuffers<T>, 2> all_buffers_;  ///< of each set
    int sets_ = 1;
    std::array<std::optional<Index>, 2> further_;  ///< of each set: the field that passes store into, from here
    Removed* removed_ = nullptr;  ///< on the device: of the field of each set, then of each of a batch
    Index batch_;
    DeviceBuffer own_, end_planes_;  ///< end_planes_: [field][side], where free ends are here
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
