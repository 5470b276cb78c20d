// What a member of several does in a solve of a box that is split along x, between two exchanges.
//
//   eliminated    z, y forward; x reduced to the last plane of the part     →  currents of that plane, and into the
//   one before
//                 separators: the last planes of all parts, a share of modes ←  →  their potentials
//                 x substituted; y, z backward                            ←
//
//   transposed    z, y forward, a chunk of planes after the other         →  blocks of lines along x
//                 x forward, mode space, x backward, a share of modes     ←  →  the same blocks
//                 y, z backward, chunk by chunk                           ←
//
// A share is a range of the slow index of lines along x. What is sent and what has come lie in buffers of the
// member, as MemberBuffers says.
//
// Where planes are cut into pencils of some rows of y, members with the same planes are a row of the grid of
// members, those with the same rows of y a column of it. z is forward first; then members of a row exchange blocks,
// so that each has all of y for a share of the modes of z; and each column does the rest of the above as if these
// modes were the whole of z. Backward the same.
//
// Where free axes are padded with zeros (spectral), a member of a slab
//
//                 z forward, n → 2n, a chunk of planes after the other        →  blocks of modes of z
//                 y and x, n → 2n, times −K, back to n, a share of the modes  ←  →  the same blocks
//                 z backward, 2n → n, chunk by chunk                          ←
//
// so that the exchange carries 2n modes for n points where z is free, and nothing that y and x are padded with.
// There a share is one of modes of z (Parts::across is 1), and unknowns[2] counts modes.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine.hpp"
#include "mode_order.hpp"
#include "part.hpp"
#include "sample_order.hpp"
#include "typical_value.hpp"

namespace poisson3d {

/// All parts of a box, and how the lines along x are shared out. Of pencils those of a column.
struct Parts {
    std::vector<Part> parts;
    Part y;                                 ///< the rows of y that the members have in the fields of the caller
    Part z;                                 ///< where unknowns stand along z there
    Planes z_modes;                         ///< of z, while planes are exchanged; unknowns[2] is their count
    bool pencils = false;                   ///< there are several columns
    int all_members = 1;                    ///< of all columns
    Index row_pitch = 0, column_pitch = 0;  ///< of pencils, of rows and columns (MemberBuffer)
    std::vector<Index> share_first;         ///< of member m: share_first[m] … share_first[m + 1] − 1
    int across = 2;                         ///< lines along x lie across this axis; the other one is the slow one
    Extents unknowns{};                     ///< of lines along x, y, and the modes of z
    int chunks = 1;                         ///< of the planes of each part, which are exchanged one after the other
    double shrink = 1.0;                    ///< each chunk is so large, the one before it being one
    int pieces = 1;             ///< of each share, in which the last chunk is exchanged and lines along x go
    bool one_field = false;     ///< inner and across are one (MemberBuffer), …
    bool planes_first = false;  ///< … which is [x][y][z] and not [y][x][z]
    bool rows_first = false;    ///< inner is [y][its x][z] and across [its y][x][z], for members on devices, …
    bool direct = false;        ///< … whose passes put what they keep where the next one reads it
    Index together = 1;         ///< rows of a share that its pieces keep together
    double stored = 0.0;        ///< of what is sent, what passes store where it is needed
    bool in_turn = true;        ///< fields of a batch may be on their way at once
    std::shared_ptr<const SampleOrder> samples;  ///< of singular problems, for members on devices

    /// Some planes of a part: while one chunk is exchanged there are passes over the next. On the way back the last
    /// one comes first.
    [[nodiscard]] Planes chunk(int member, int number) const {
        const auto sum = [this](int c) {  // by products and sums alone: the same on every machine
            double sizes = 0.0, size = 1.0;
            for (; c > 0; --c, size *= shrink) sizes += size;
            return sizes;
        };
        const auto begin = [&](int c) {
            return static_cast<Index>(static_cast<double>(parts[member].unknowns) * sum(c) / sum(chunks));
        };
        const Index first = begin(number);
        return {first, (number + 1 == chunks ? parts[member].unknowns : begin(number + 1)) - first};
    }
    /// Some of a member's share: while one piece is exchanged lines along x of another are transformed.
    [[nodiscard]] Planes piece(int member, int number) const {
        const Index groups = (share(member) + together - 1) / together;
        const Index first = groups * number / pieces * together;
        return {first, std::min(share(member), groups * (number + 1) / pieces * together) - first};
    }
    /// The first rows of a share are stored by forward passes, the last planes of a part by middle ones, which are
    /// the first that are needed.
    [[nodiscard]] Index stored_rows(int member) const {
        return static_cast<Index>(stored * static_cast<double>(share(member)));
    }
    [[nodiscard]] Planes stored_planes(int member) const {
        const auto count = static_cast<Index>(stored * static_cast<double>(parts[member].unknowns));
        return {parts[member].unknowns - count, count};
    }
    [[nodiscard]] double elements_stored_by(int from) const {
        double sum = 0.0;
        for (int to = 0; to < members(); ++to) {
            if (from == to) continue;
            const Index rows = stored_rows(to) * parts[from].unknowns;
            const Index planes = share(from) * stored_planes(to).count;
            sum += static_cast<double>(rows + planes) * static_cast<double>(unknowns[across]);
        }
        return sum;
    }
    [[nodiscard]] int members() const noexcept { return static_cast<int>(parts.size()); }
    [[nodiscard]] int slow_axis() const noexcept { return 3 - across; }
    [[nodiscard]] Index share(int member) const { return share_first[member + 1] - share_first[member]; }
    /// Lines along x, and those of a share.
    [[nodiscard]] Index lines() const noexcept { return unknowns[1] * unknowns[2]; }
    [[nodiscard]] Index lines_of(int member) const { return share(member) * unknowns[across]; }
    [[nodiscard]] Index first_line_of(int member) const { return share_first[member] * unknowns[across]; }
    /// Where the mean that was removed stands in across and in inner, behind all else.
    [[nodiscard]] Index mean_across(int member) const {
        return unknowns[0] * (one_field ? lines() : lines_of(member));
    }
    [[nodiscard]] Index mean_inner(int member) const {
        return one_field ? unknowns[0] * lines() + 1 : parts[member].unknowns * lines();
    }
    /// And behind rows and columns of pencils.
    [[nodiscard]] Index mean_rows(int member) const { return y.unknowns * parts[member].unknowns * row_pitch; }
    [[nodiscard]] Index mean_columns(int member) const {
        return unknowns[1] * parts[member].unknowns * column_pitch;
    }
    /// Members with unknowns, in order.
    [[nodiscard]] std::vector<int> active() const {
        std::vector<int> all;
        for (int m = 0; m < members(); ++m)
            if (parts[m].unknowns > 0) all.push_back(m);
        return all;
    }
    [[nodiscard]] bool has_constant() const noexcept { return z_modes.first == 0 && z_modes.count > 0; }
    /// Who solves the line that is constant along y and z, if the modes of z are those with has_constant().
    [[nodiscard]] int owner_of_constant() const {
        for (int m = 0; m < members(); ++m)
            if (share(m) > 0) return m;
        return 0;
    }
};

/// Where things lie in the buffers of a member, in elements.
///
///   planes      [2][lines()] of currents that are sent, then the line of κ = 0: its own samples
///   shares      [active part][2][lines of the share] that came, then the line of κ = 0: all samples
///   potentials  [active part][lines of the share] that are sent, then that line, then the mean that was removed
///   ends        [2][lines()] of potentials that came, then that line: its own samples, then the mean
///   inner       the unknowns of its planes, dense, and the mean      (transposed; Parts::rows_first)
///   across      lines along x of its share, dense, and the mean      (transposed)
///   rows        [its rows of y][its planes][z], and the mean                 (pencils, row_pitch apart)
///   columns     [y][its planes][its share of the modes of z], and the mean   (pencils, column_pitch apart)
///
/// Of these last four, rows and inner are the same memory, as are columns and across: one is full while another
/// exchange fills the other.
///
/// Of one or two members (Parts::one_field), but of pencils, inner and across are one field of the whole box, on
/// devices [y][x][z], on hosts [x][y][z], in which numbers stand at the same place on all: a member writes its
/// planes of x, those in its share need no copy, and the others are sent to where they are on the other one. It is
/// no larger than the two would be. Of more members on devices, but of pencils, they are two fields in the same
/// order (Parts::rows_first).
///
/// Members on devices also have, of singular problems,
///   samples     the samples of the box, of all members                (typical_value.hpp)
///   gauge       u at the gauge point, of the member that has it, then for all others; its own weighted sum of u,
///               then those of all members: each is two numbers, the second what the first is rounded by
enum class MemberBuffer { planes, shares, potentials, ends, inner, across, rows, columns, samples, gauge };

enum class SplitMethod { eliminated, transposed };

template <class T>
class MemberEngine {
public:
    virtual ~MemberEngine() = default;
    MemberEngine() = default;
    MemberEngine(const MemberEngine&) = delete;
    MemberEngine& operator=(const MemberEngine&) = delete;

    /// Where it works from now on, if on a device. All functions below are then asynchronous but result().
    void use(Stream stream) noexcept { stream_ = stream; }

    /// Sets of all buffers but for those of elimination, so that so many fields of a batch are on their way at
    /// once; and the one that all functions below work with from now on.
    static constexpr int most_sets = 3;
    [[nodiscard]] virtual int sets() const noexcept { return 1; }
    void take_set(int set) noexcept { set_ = set; }

    /// What the phases below will be of, with the same operation, scale and factors: also before they come to be
    /// launched as a graph, in which this member is not asked.
    virtual void begin(const Call<T>& /*call*/) {}

    /// Throws Error{usage} for fields that it cannot work with.
    virtual void require(const Call<T>& call, const std::string& who) const = 0;

    /// Once, while planning: what the separators of a share are made of. `planes` and `shares` then have three
    /// planes instead of two, and no line.
    virtual void reduce_links() = 0;
    virtual void keep_links() = 0;

    /// On a device the samples of f, before the constant that is taken from it can be known.
    virtual void take_samples(const Call<T>& /*call*/) {}
    /// `shift` is taken from f; on a device that of the samples which have come.
    virtual void forward(const Call<T>& call, Constant<T> shift, int chunk) = 0;
    /// Of pencils, whose forward() ends with z, and whose backward() begins with it: what else there is to do,
    /// after the exchange within rows, and before the one back.
    virtual void forward_columns(const Call<T>& /*call*/) {}
    virtual void middle(int piece) = 0;
    /// Whether forward() and middle() can store what other members need into their memory; and from now on, with
    /// the buffers at hand: into these, of each member, or null for those that nothing is stored into. Of
    /// Parts::one_field and Parts::rows_first.
    [[nodiscard]] virtual bool may_store() const { return false; }
    virtual void store_into(const std::vector<T*>& /*inner*/, const std::vector<T*>& /*across*/) {}
    virtual void backward_columns(const Call<T>& /*call*/) {}

    /// Of slabs on a device whose x is eliminated, of problems that are not singular: elements of memory in which a
    /// right-hand side may stay, in modes of y and z, to go through the exchange again with something added to it.
    /// From keep_modes() on it is put there: forward() then reduces what kept_modes() are, and backward()
    /// substitutes it, as does solved_modes() to u; reduce_again() is forward() without its passes.
    [[nodiscard]] virtual Index size_of_modes() const { return 0; }
    virtual void keep_modes(T* /*memory*/) {}
    [[nodiscard]] virtual ModeOrder mode_order(int /*axis*/) const { return {}; }
    [[nodiscard]] virtual ModePlanes<T> kept_modes() const { return {}; }
    virtual ModePlanes<T> solved_modes(const Call<T>& /*call*/) { return {}; }
    virtual void reduce_again(const Call<T>& /*call*/) {}

    virtual void backward(const Call<T>& call, int chunk) = 0;
    /// u := u − value, on a device that of the gauge point which has come.
    virtual void subtract(FieldView<T> u, T value) = 0;
    /// On a device: u at a point of its planes, to be sent.
    virtual void take_gauge(FieldView<T> /*u*/, const std::array<Index, 3>& /*point*/) {}
    /// Or its weighted sum of u, to be sent, and of the sums that have come the mean, which is then what subtract()
    /// takes. Once, before: the weights of its points along each axis, and the sum of all in the box.
    virtual void weigh(const std::array<std::vector<double>, 3>& /*weights*/, double /*total*/) {}
    virtual void take_sum(FieldView<T> /*u*/) {}
    virtual void find_mean() {}
    /// After backward(): remembers what was removed of a field of the batch, and tells, when it is there.
    virtual void finish(Index field) = 0;
    [[nodiscard]] virtual Result result(Index field) = 0;
    /// On a host, after backward(): what was removed from f, or the current that leaves by free ends in the
    /// constant mode. On a device of a field of the batch, after finish(), when it is there.
    [[nodiscard]] virtual T current(Index field) = 0;
    /// On a device, after backward(): keeps the planes of u next to free ends of the first axis that are here, of a
    /// field of the batch; and one of them, in host memory, dense, when it is there.
    virtual void keep_end_planes(FieldView<T> /*u*/, Index /*field*/) {}
    virtual void get_end_plane(Index /*field*/, int /*side*/, T* /*plane*/) {}

    [[nodiscard]] virtual T* buffer(MemberBuffer which) = 0;
    [[nodiscard]] virtual std::size_t workspace() const noexcept = 0;
    [[nodiscard]] virtual std::string description() const = 0;

protected:
    Stream stream_;
    int set_ = 0;
};

/// Lines along x lie across this axis in the host engine; so many neighbouring lines share complex numbers, and
/// round together.
template <class T>
int host_axis_across(const Extents& unknowns);
template <class T>
Index host_element_lines();

template <class T>
std::unique_ptr<MemberEngine<T>> make_host_member(const Problem& problem, const Options& options,
                                                  SplitMethod method, const Parts& parts, int member);
/// On the device of the options, with Options::batch fields at most. Throws Error{unsupported} for problems that it
/// cannot solve. Lines along x lie across z.
template <class T>
std::unique_ptr<MemberEngine<T>> make_device_member(const Problem& problem, const Options& options,
                                                    SplitMethod method, const Parts& parts, int member);

/// Members of a box whose free axes are padded with zeros: Parts::unknowns[2] are all modes of z, or more where
/// rows have room for more. On the device of the options: throws Error{unsupported} for lines that no kernel can
/// have.
template <class T>
std::unique_ptr<MemberEngine<T>> make_padded_host_member(const Problem& problem, const Options& options,
                                                         const Parts& parts, int member);
template <class T>
std::unique_ptr<MemberEngine<T>> make_padded_device_member(const Problem& problem, const Options& options,
                                                           const Parts& parts, int member);

}  // namespace poisson3d
