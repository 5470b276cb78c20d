// The field file: an HDF5 file with a right-hand side and the problem as attributes (docs/file-format.md).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/output_file.hpp"

namespace poisson3d {

class FieldSink;
class FieldSource;

/// Units as text, in the spelling of UDUNITS ("m-3 C"); empty where they are not known.
struct Units {
    std::string length;    ///< of positions and spacing
    std::string field;     ///< of the right-hand side
    std::string solution;  ///< of the solution, where the input says them
};

/// An atom of a Gaussian cube file, in its units of length.
struct Atom {
    double number = 0.0, charge = 0.0;
    std::array<double, 3> place{};  ///< x, y, z
};

/// ε and λ of ∇·(ε∇u) − λu that vary: data sets of the shape of the field, or, where it has steps, of one of them.
struct VariableFields {
    bool at_points = false;  ///< /coefficient: ε at the points
    bool on_faces = false;   ///< /coefficient/x, … by the axes' labels: ε on faces, one more along that axis
    bool helmholtz = false;  ///< /lambda: λ at the points
    bool stepped = false;    ///< one of these has steps, too

    [[nodiscard]] bool any() const noexcept { return at_points || on_faces || helmholtz; }
    /// So many data sets, one for ε that is 1 included.
    [[nodiscard]] int fields() const noexcept { return (on_faces ? 3 : 1) + (helmholtz ? 1 : 0); }
    friend bool operator==(const VariableFields&, const VariableFields&) = default;
};

/// What a field file says about its problem. What it does not say is empty: nothing is guessed here.
///
/// Attributes of the data set, arrays in index order (slowest first). Numbers may be of any integer or float type,
/// text of fixed or variable length, padded with NULs or blanks:
///   spacing      3 finite numbers above 0. One number for all axes is refused: it could be an oversight. Of no
///                meaning on an axis with positions
///   origin       3 finite numbers, the lower faces; default 0
///   boundary     one text for all axes; or 3, one per axis; or 6 (or 3 x 2), lower and upper of each axis.
///                A text is periodic, dirichlet, neumann or robin; in the first two forms also "lower:upper"
///   robin_x_lower, robin_x_upper, …   2 numbers: α and β of a face with boundary robin, by the axis' label
///   centering    one text for all axes or 3: cell or node; default cell
///   helmholtz    one finite number; default 0
///   axis_labels  3 different letters; default x, y, z
/// Beside the data set, in the groups /positions, /conductances and /weights, a 1-D data set by an axis' label:
/// Axis::positions and Axis::custom. /coefficient and /lambda: VariableFields.
struct FieldHeader {
    std::string path;     ///< of the file
    std::string dataset;  ///< "/rhs"
    Extents points{};
    std::vector<Index> leading;  ///< extents before those of the field, of a data set that holds many: its steps
    int type_bytes = 8;          ///< of the stored type: 4 or 8
    std::string type_name;       ///< "float64 big endian", for people
    std::string storage;         ///< "contiguous", "chunked 16 x 16 x 16, deflate": for people
    std::optional<std::array<double, 3>> spacing;
    std::array<double, 3> origin{0.0, 0.0, 0.0};
    std::optional<std::array<std::array<Boundary, 2>, 3>> boundary;  ///< lower, upper per axis
    std::array<std::array<std::optional<Robin>, 2>, 3> robin{};      ///< of any face that has them
    std::array<std::vector<double>, 3> positions{};                  ///< empty: the axis has none; any order
    std::array<Coefficients, 3> coefficients{};                      ///< none, or both lists
    std::array<Centering, 3> centering{Centering::cell, Centering::cell, Centering::cell};
    double helmholtz = 0.0;
    std::array<char, 3> labels{'x', 'y', 'z'};
    bool has_exact = false;                    ///< /exact of the same shape is there (ReadOptions::look_for_exact)
    std::string exact_problem;                 ///< why the /exact that is there cannot be compared with
    VariableFields variable;                   ///< that are there, for any data set but themselves
    std::vector<std::string> boundary_values;  ///< names found in /boundary_values, e.g. "x_lower"

    std::string format = "HDF5";   ///< or "npy", "npz", "cube", "openPMD"
    bool origin_is_point = false;  ///< origin is where the first point is, whatever the centering
    bool data_sets = true;         ///< fields of the format have names
    Units units{};
    std::vector<Atom> atoms{};       ///< of a cube
    std::string title{};             ///< of a cube: its two lines of text
    std::vector<std::string> notes;  ///< what was converted on the way, a sentence each
    std::string solved_dataset;      ///< of a solution: the data set it is the solution of

    /// Product of `leading`: 1 of a 3-D array.
    [[nodiscard]] Index steps() const;
};

/// What a file says of one face: a number for all of it, or an array over all stored points of the two other axes
/// in index order, the later one contiguous: point (a, b) has values[a · extents[1] + b].
struct FaceData {
    bool array = false;
    std::array<Index, 2> extents{1, 1};
    std::vector<double> values;  ///< one, or extents[0] · extents[1]
};

/// A file that is going to be written: the option that named it, for complaints, and its path. A path that is empty
/// or leads nowhere cannot be an input.
struct OutputName {
    std::string option;
    std::string path;
};

/// Error{usage}: a file that is going to be written is one that is read. Nothing was written to it.
class OutputIsInput : public Error {
public:
    OutputIsInput(std::string option, const std::string& message)
        : Error(ErrorCode::usage, message), option_(std::move(option)) {}
    [[nodiscard]] const std::string& option() const noexcept { return option_; }

private:
    std::string option_;
};

/// A file that is read.
struct InputIdentity {
    std::string path;
    std::uint64_t device = 0, inode = 0;
};

/// What is read of a field file, and how.
struct ReadOptions {
    std::string dataset = "/rhs";
    std::string exact{};                ///< read_from() will be asked for it: opened with the rest; empty: none
    bool look_for_exact = false;        ///< fills in FieldHeader::has_exact and exact_problem
    bool allow_fill = false;            ///< values that were never written are the data set's fill value
    bool steps = false;                 ///< arrays of more dimensions are taken, too: the last three are a field
    std::vector<OutputName> outputs{};  ///< refused if they are inputs, before anything of these is read
};

/// Reads a field file, slab by slab. Not thread-safe (HDF5 is not). Errors name file, data set, attribute, what was
/// found and what is wanted:
/// - Error{file}: it cannot be read (missing, not HDF5, cut off, a damaged chunk, a link that leads nowhere, a
///   filter or external file that is not there);
/// - Error{data}: it was read and is not acceptable, or was never written.
///
/// HDF5 crashes or does not come to an end with some damaged files. So a child process first does, for at most a
/// few seconds (trial.hpp),
/// - all that the constructor does,
/// - reading data sets as a whole that are packed with anything but deflate, shuffle and fletcher32.
///
/// This process may have threads: the child uses nothing but HDF5 and the C library's memory.
class FieldReader {
public:
    /// Opens everything that `options` and the file name and reads the header, with positions and coefficients;
    /// reads no other data. Throws OutputIsInput.
    explicit FieldReader(const std::string& path, const ReadOptions& options = {});
    ~FieldReader();
    FieldReader(FieldReader&&) noexcept;
    FieldReader& operator=(FieldReader&&) noexcept;

    [[nodiscard]] const FieldHeader& header() const noexcept;

    /// read() and read_from() are about this step from now on, counted from 0 over FieldHeader::leading in C order;
    /// about step 0 before. Throws Error{usage} if there is no such step.
    void select(Index step);

    /// All files that were opened so far: the one that was named first, then those that its external links lead to
    /// (every one of a chain) and those of external raw values.
    [[nodiscard]] std::vector<InputIdentity> inputs() const;
    /// Throws Error{file} if size or time of modification of one of inputs() are not what they were when it was
    /// opened: HDF5 reads zeros beyond the end of a file that was cut off meanwhile. A new file under an old name
    /// is no change, except of raw values. To be called after the last read, before results are handed out.
    void require_unchanged() const;

    /// Reads planes first … first + slab.extents[0] − 1 of the right-hand side, converted to T (float or double)
    /// directly into the view, whose strides may leave room for pitches and ghost layers. Beside the view it takes
    /// the chunk cache (8 MiB a data set), HDF5's conversion buffer (1 MiB), for packed data one chunk, and for
    /// values of the other precision in the other byte order 16 MiB, at least a plane.
    /// Throws Error{data} naming the first NaN, Inf or value that T cannot hold and its index; Error{file} if HDF5
    /// cannot read; Error{usage} if planes or extents are not those of the data set.
    template <class T>
    void read(Index first, FieldView<T> slab) const;
    /// Same, from another data set of the same shape: ReadOptions::exact, or one that is opened now, with the
    /// checks of the constructor.
    template <class T>
    void read_from(const std::string& dataset, Index first, FieldView<T> slab) const;

    /// The values of a face of header().boundary_values, converted to double. A data set of one element of any rank
    /// counts as a number. Throws Error{data} if it holds NaN or Inf (the first, with its index); Error{file} if
    /// HDF5 cannot read it; Error{usage} if the file has no values for `face`. (The constructor refused one that is
    /// not float32 or float64 or has another rank or other extents than the face.)
    [[nodiscard]] FaceData boundary_values(const std::string& face) const;

    /// Planes a slab should hold: about 16 MiB in double precision, rounded to whole chunks so that no chunk is
    /// unpacked twice; not above 256 MiB; at least 1.
    [[nodiscard]] Index planes_per_slab() const noexcept;

private:
    std::unique_ptr<FieldSource> source_;
};

/// Paths of the data sets of a file that a pattern means, in natural order: /step9 before /step10. In each part of
/// the pattern between slashes `*` stands for any text, `?` for a character, [abc] for one of these. Of ReadOptions
/// only `outputs` is used. Throws Error{data} if there is none, Error{file} as FieldReader does, OutputIsInput.
std::vector<std::string> matching_datasets(const std::string& path, const std::string& pattern,
                                           const ReadOptions& options = {});
/// The path has one of these signs.
bool is_pattern(const std::string& dataset);
/// The groups that tell the matches of a pattern apart: of a match of /run*/step*/rho the first two parts,
/// /run1/step3.
std::string matched_group(const std::string& pattern, const std::string& match);

/// An attribute to write: a number, a text, or a list of these.
struct Attribute {
    std::string name;
    std::variant<double, long long, std::string, std::vector<double>, std::vector<long long>,
                 std::vector<std::string>>
        value;
};

/// These attributes, put there one after the other: of a list in braces GCC 12 destroys elements that are not there
/// if memory runs out in its middle.
template <class... Each>
std::vector<Attribute> attribute_list(Each&&... each) {
    std::vector<Attribute> list;
    list.reserve(sizeof...(each));
    (list.push_back(std::forward<Each>(each)), ...);
    return list;
}

/// How a field file is written, and what stands in it beside the fields.
struct WriteOptions {
    int compress = 0;            ///< 1 to 9: HDF5 data sets in chunks, shuffled and deflated so hard; 0: contiguous
    bool cube_stream = false;    ///< "-" is a cube, else an npy file
    Units units{};               ///< `length` goes to the coordinates
    std::vector<Index> steps{};  ///< numbers of the steps in data sets that hold many; empty: counted from 0
    std::vector<Atom> atoms{};   ///< of a cube
    std::string title{};         ///< of a cube: two lines
};

/// Throws Error{usage} for a name of an output whose ending says no format (FieldWriter).
void require_output_name(const std::string& path);

/// Writes a field file that gets its name on commit() (OutputFile): without that nothing is left of it and the
/// final name is untouched. Errors are Error{output} naming file and cause.
///
/// The ending of the name decides the format: .npy and .cube hold one field, without attributes; HDF5 (.h5, .hdf5,
/// .hdf, .he5, .nc, .nc4, .vtkhdf, no ending) holds all. "-" is standard output, an npy file or a cube.
class FieldWriter {
public:
    /// Makes the file, so that a directory that is missing or may not be written to is known at once.
    /// A symbolic link is followed; what is there and no regular file (a device, say) is refused. Throws
    /// Error{usage} naming the known endings for any other one.
    explicit FieldWriter(const std::string& path, WriteOptions options = {});
    ~FieldWriter();
    FieldWriter(FieldWriter&&) noexcept;
    FieldWriter& operator=(FieldWriter&&) noexcept;

    /// Throws Error{unsupported} if the format cannot hold so many fields, or one with axes of that kind.
    void require_holds(const Grid& grid, int fields) const;
    /// Throws Error{output} if the file system says that it has fewer bytes left: for all that will be written.
    void require_space(std::uint64_t bytes) const;

    /// Creates `dataset` (T = float or double, native) and the groups above it, with the dimension scales of the
    /// grid (/x, /y, /z by the labels: coordinates of its points) and the grid as attributes: spacing, origin,
    /// boundary [6], centering [3], axis_labels [3], α and β of Robin faces; helmholtz as given. An axis with
    /// positions or widths has its positions in /positions, and as spacing their mean; one with coefficients has
    /// these in /conductances and /weights. Throws Error{output} also if the file system says that it has not that
    /// many bytes left. With `leading` extents it holds many fields, which only HDF5 can.
    template <class T>
    void create(const std::string& dataset, const Grid& grid, double helmholtz,
                const std::vector<Index>& leading = {});
    /// What is written and read back from now on belongs to this field of those data sets that hold many, counted
    /// from 0 in C order; to the first before.
    void select(Index step);
    /// Writes planes first … of a data set made by create(), from a view that may have strides.
    template <class T>
    void write(const std::string& dataset, Index first, FieldView<const T> slab);
    /// Takes the room of a data set made by create() in the file, and leaves its values to somebody who writes them
    /// after finish(). False, and nothing is done, if the format cannot, or the data set is packed.
    [[nodiscard]] bool leave_to_others(const std::string& dataset);
    /// Reads a box of a data set made by create(), `first` being its first point; what was not written before may
    /// hold anything. The view has no gaps. Throws Error{output} if it cannot be read.
    template <class T>
    void read_back(const std::string& dataset, const Extents& first, FieldView<T> box) const;
    /// Boundary data of a face ("x_lower", letters as in Grid::labels), stored as float64 in /boundary_values: one
    /// number for the whole face, or an array over all stored points of the two other axes in index order, the
    /// later one contiguous. Once per face. Throws Error{usage} if the values do not fill the extents.
    void write_boundary_value(const std::string& face, double value);
    void write_boundary_values(const std::string& face, std::array<Index, 2> extents,
                               const std::vector<double>& values);
    /// Adds attributes to a data set made by create(); one of the same name is replaced.
    void attributes(const std::string& dataset, const std::vector<Attribute>& attributes);
    /// Adds the group /VTKHDF (ImageData) whose PointData are hard links to `datasets`, so that VTK and ParaView
    /// open the file directly: axes, spacing, origin right (cells become points at cell centres). "/gradient/x"
    /// appears as gradient_x. Once per file. Only fields that lie as VTK wants them can be linked: index 0 runs
    /// along z, 1 along y, 2 along x, by the labels, and each has two points at least. False for others, and
    /// nothing is added: VtkWriter turns them.
    bool link_vtk(const Grid& grid, const std::vector<std::string>& datasets);
    /// Puts everything on disk, and hands over the file, which publish() gives its name. Throws Error{output}, or
    /// Error{internal} if a plane of a data set was never written.
    [[nodiscard]] OutputFile finish();
    /// finish() and publish(). Throws as they do; then the final name is as it was.
    void commit();

private:
    std::unique_ptr<FieldSink> sink_;
};

}  // namespace poisson3d
