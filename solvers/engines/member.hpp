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
// Where free faces are closed by walls (closed_faces.hpp), the right-hand side may stay in modes of y and z with
// each member, and what faces add comes to it there, between
//
//   eliminated    potentials are substituted, modes next to faces added up; x reduced again, and so on
//   transposed    x forward, modes next to faces added up; x backward, and so on
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

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine.hpp"
#include "face_modes.hpp"
#include "mode_order.hpp"
#include "parts.hpp"
#include "typical_value.hpp"

namespace poisson3d {

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

    /// Of a problem on a host whose free faces are closed by walls; `free`: its grid before that. From
    /// close_faces() on sum_faces() leaves in face_modes() what the modes of the solution at hand are next to these
    /// faces, and add_faces() adds to modes of the right-hand side what the values that face_modes() then have
    /// give. Of lines along x that are whole they take the place of middle(). Those that are eliminated are
    /// substituted by the one, from potentials that have come, and reduced again by the other. Null: nothing is at
    /// hand.
    virtual void close_faces(const Grid& /*free*/) {}
    [[nodiscard]] virtual FaceModes<T>* face_modes() { return nullptr; }
    virtual void sum_faces(const Call<T>& /*call*/) {}
    virtual void add_faces(const Call<T>& /*call*/) {}

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
