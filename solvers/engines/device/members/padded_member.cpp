// A member on a GPU of a box whose free axes are padded with zeros (member.hpp): the passes of one GPU
// (padded_passes.hpp) over its planes of x, and over its share of the modes of z.
#include <algorithm>
#include <memory>
#include <optional>

#include "field_sweeps.hpp"
#include "fields_on_device.hpp"
#include "gauge_on_device.hpp"
#include "member_buffers.hpp"
#include "padded_passes.hpp"

namespace poisson3d::members {

namespace {

using fused::PaddedLayout;
using fused::PaddedPasses;
using fused::Slab;

template <class T>
class PaddedMember final : public MemberEngine<T> {
public:
    using Modes = fused::Unknowns<T>;
    using MemberEngine<T>::stream_;

    PaddedMember(const Problem& problem, const Options& options, const Parts& parts, int member,
                 std::unique_ptr<PaddedPasses<T>> passes)
        : device_(options.device),
          parts_(parts),
          member_(member),
          part_(parts.parts[static_cast<std::size_t>(member)]),
          passes_(std::move(passes)),
          layout_(problem.grid, passes_->unknowns(),
                  {passes_->modes(0), passes_->modes(1), std::max(parts.share(member), parts.together)},
                  room(problem), 0, sizeof(T)),
          apart_(problem.grid.axes[passes_->plane().a].unbounded()),
          buffers_(parts, member, SplitMethod::transposed, 0) {
        const DeviceScope scope(device_);
        WorkspaceLayout layout;
        buffers_.reserve(layout);
        passes_->reserve(layout);
        const Index count = apart_ && parts_.share(member_) > 0 ? layout_.planes_size : 0;
        const std::size_t planes = layout.take(static_cast<std::size_t>(count) * sizeof(T));
        own_ = DeviceBuffer(layout.end());
        auto* const base = static_cast<std::byte*>(own_.data());
        fill_on_device(base, 0, own_.size());
        buffers_.bind(base);
        passes_->bind(base);
        planes_ = reinterpret_cast<T*>(base + planes);
        synchronize();
    }

    void begin(const Call<T>& call) override { restore_ = call.restore; }
    void require(const Call<T>& call, const std::string& who) const override {
        require_fields_on(device_, call, who);
    }
    void reduce_links() override {}
    void keep_links() override {}

    void forward(const Call<T>& call, Constant<T>, int chunk) override {
        const DeviceScope scope(device_);
        const Planes planes = parts_.chunk(member_, chunk);
        if (planes.count > 0)
            passes_->rows_there(from_plane(call, planes.first), planes.count, rows(planes.first), nullptr, stream_);
    }
    void middle(int piece) override {
        const DeviceScope scope(device_);
        const Planes some = parts_.piece(member_, piece);
        const Index first = parts_.share_first[static_cast<std::size_t>(member_)];
        const Index end = std::min(some.first + some.count, passes_->row() - first);
        Call<T> call;
        call.restore = restore_;
        for (Index mode = some.first; mode < end; mode += layout_.slab) {
            const Slab slab{first + mode, std::min(layout_.slab, end - mode)};
            const Modes modes = share(mode);
            passes_->columns(call, slab, modes, apart_ ? Modes{planes_, layout_.planes, 0} : modes, stream_);
        }
    }
    void backward(const Call<T>& call, int chunk) override {
        const DeviceScope scope(device_);
        const Planes planes = parts_.chunk(member_, chunk);
        if (planes.count > 0)
            passes_->rows_back(from_plane(call, planes.first), planes.count, rows(planes.first), stream_);
        if (part_.points > 0 && chunk == 0) write_dirichlet_planes(call, stream_);  // which comes last
    }

    void take_gauge(FieldView<T> u, const std::array<Index, 3>& point) override {
        const DeviceScope scope(device_);
        GaugeOnDevice<T>::take_point(u, point, buffers_[MemberBuffer::gauge], stream_);
    }
    void weigh(const std::array<std::vector<double>, 3>& weights, double total) override {
        const DeviceScope scope(device_);
        gauge_.weigh(weights, total);
    }
    void take_sum(FieldView<T> u) override {
        const DeviceScope scope(device_);
        if (part_.points > 0) gauge_.take_sum(u, buffers_[MemberBuffer::gauge], stream_);
    }
    void find_mean() override {
        const DeviceScope scope(device_);
        gauge_.find_mean(parts_.all_members, buffers_[MemberBuffer::gauge], stream_);
    }
    void subtract(FieldView<T> u, T) override {
        const DeviceScope scope(device_);
        if (part_.points > 0) GaugeOnDevice<T>::subtract(u, buffers_[MemberBuffer::gauge], stream_);
    }

    void finish(Index) override {}
    [[nodiscard]] Result result(Index) override {
        const DeviceScope scope(device_);
        synchronize(stream_);
        return {};
    }
    [[nodiscard]] T current(Index) override { return T(0); }

    [[nodiscard]] T* buffer(MemberBuffer which) override { return buffers_[which]; }
    [[nodiscard]] std::size_t workspace() const noexcept override { return own_.size() + gauge_.bytes(); }
    [[nodiscard]] std::string description() const override { return "fused (a kernel a pass, padded lines)"; }

private:
    /// Elements of planes: what mode standard of one GPU has, a quarter of a field.
    [[nodiscard]] Index room(const Problem& problem) const {
        const Index part = problem.grid.size() / parts_.members();
        return std::max(static_cast<Index>(max_work<T>(problem) / sizeof(T)), part / 4);
    }
    /// A call whose f and u begin at a plane of unknowns.
    [[nodiscard]] static Call<T> from_plane(const Call<T>& call, Index first) {
        Call<T> here = call;
        here.f.data += first * call.f.strides[0];
        here.u.data += first * call.u.strides[0];
        return here;
    }
    /// Modes of z of its planes from `first` on, and of its share from mode `first` on at all x and y. In one field
    /// both are where they are in the whole.
    [[nodiscard]] Modes rows(Index first) const {
        const Index plane = first + (parts_.one_field ? part_.first_unknown : 0);
        return {buffers_[MemberBuffer::inner] + plane * parts_.lines(), {parts_.lines(), parts_.unknowns[2], 1}, 0};
    }
    [[nodiscard]] Modes share(Index first) const {
        T* const data = buffers_[MemberBuffer::across] + first;
        if (parts_.one_field)
            return {data + parts_.share_first[static_cast<std::size_t>(member_)],
                    {parts_.lines(), parts_.unknowns[2], 1},
                    0};
        return {data, {parts_.lines_of(member_), parts_.share(member_), 1}, 0};
    }

    int device_;
    Parts parts_;
    int member_;
    Part part_;
    std::unique_ptr<PaddedPasses<T>> passes_;
    PaddedLayout layout_;  ///< of its share
    bool apart_;           ///< planes are not where modes are
    MemberBuffers<T> buffers_;
    GaugeOnDevice<T> gauge_;
    DeviceBuffer own_;
    T* planes_ = nullptr;
    double restore_ = 1.0;
};

}  // namespace

}  // namespace poisson3d::members

namespace poisson3d {

template <class T>
std::unique_ptr<MemberEngine<T>> make_padded_device_member(const Problem& problem, const Options& options,
                                                           const Parts& parts, int member) {
    const DeviceScope scope(options.device);
    auto passes = fused::make_padded_passes<T>(problem);
    if (passes == nullptr)
        throw Error(ErrorCode::unsupported,
                    "no kernels have lines as long as those of free axes, padded, which members on devices need: "
                    "use members on threads");
    return std::make_unique<members::PaddedMember<T>>(problem, options, parts, member, std::move(passes));
}

template std::unique_ptr<MemberEngine<float>> make_padded_device_member(const Problem&, const Options&,
                                                                        const Parts&, int);
template std::unique_ptr<MemberEngine<double>> make_padded_device_member(const Problem&, const Options&,
                                                                         const Parts&, int);

}  // namespace poisson3d
