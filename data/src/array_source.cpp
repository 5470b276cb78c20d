// Inputs that are no HDF5: the arrays of .npy, .npz and cube files, and what comes through standard input. What
// cannot be read plane by plane where it is, is first brought into a temporary file.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include <map>
#include <utility>

#include "cube.hpp"
#include "field_source.hpp"
#include "file_formats.hpp"
#include "finite.hpp"
#include "input_files.hpp"
#include "npy.hpp"
#include "npz.hpp"
#include "poisson3d/text.hpp"
#include "raw_array.hpp"

namespace poisson3d {

namespace {

constexpr Index slab_bytes = Index{16} << 20;

/// A file that is read, open as long as anything lies in it.
struct OpenFile {
    std::shared_ptr<const void> owner;
    int descriptor = -1;
    std::uint64_t bytes = 0;
};

struct Opened {
    RawArray array;
    bool fortran_order = false;
};

std::string without(const std::string& text, const std::string& start, const std::string& end) {
    std::string rest = text;
    if (rest.starts_with(start)) rest.erase(0, start.size());
    if (rest.ends_with(end)) rest.erase(rest.size() - end.size());
    return rest;
}

/// An npy file of `bytes` bytes that begins at `offset` of an open file.
Opened open_npy(const h5::Subject& subject, const OpenFile& file, std::uint64_t offset, std::uint64_t bytes) {
    std::uint64_t at = 0;
    const NpyHeader header = read_npy_header(subject, [&](void* to, std::size_t count) {
        if (count > bytes - at)
            subject.fail("ends within its header, after " + std::to_string(bytes) + " bytes: it is cut off");
        read_at(file.descriptor, to, count, offset + at, subject);
        at += count;
    });
    if (header.shape.size() != 3)
        subject.fail(
            ErrorCode::data,
            "found " +
                (header.shape.empty() ? std::string("a single value")
                                      : std::to_string(header.shape.size()) + "-D of extents " +
                                            h5::describe_extents({header.shape.begin(), header.shape.end()})) +
                ", wanted a 3-D array");
    Extents points{};
    for (std::size_t a = 0; a < 3; ++a)
        points[a] = static_cast<Index>(std::min<std::uint64_t>(header.shape[a], std::uint64_t{1} << 62U));
    require_countable(subject, points);
    RawArray array{subject, file.owner, file.descriptor, offset + header.bytes, header.type, points};
    if (array.bytes() > bytes - header.bytes)
        subject.fail("holds " + std::to_string(bytes - header.bytes) + " bytes of numbers, wanted " +
                     std::to_string(array.bytes()) + ": it is cut off");
    return {array, header.fortran_order};
}

class ArraySource final : public FieldSource {
public:
    ArraySource(const std::string& path, const ReadOptions& options)
        : subject_{ErrorCode::file, path == "-" ? "standard input" : printable_name(path)},
          files_(options.outputs) {
        const OpenFile file = path == "-" ? take_stream() : open_file(path);
        format_ = format_of(path, file);
        header_.path = subject_.name;
        header_.format = name(format_);
        header_.dataset = options.dataset;
        header_.data_sets = format_ == FileFormat::npz;
        if (format_ == FileFormat::npz) {
            archive_ = file;
            members_ = list_zip(file.descriptor, file.bytes, subject_);
            header_.dataset = choose_member(options.dataset);
        } else if (options.dataset != ReadOptions().dataset) {
            subject_.fail(ErrorCode::data, "found no data set " + printable(options.dataset) +
                                               ": a file of format " + header_.format +
                                               " holds one field without a name");
        }
        add(header_.dataset, format_ == FileFormat::npz   ? open_member(header_.dataset)
                             : format_ == FileFormat::npy ? open_npy(subject_, file, 0, file.bytes)
                                                          : open_cube(file));
        if (!options.exact.empty()) static_cast<void>(array(options.exact));
        if (options.look_for_exact) look_for_exact();
    }

    [[nodiscard]] const FieldHeader& header() const noexcept override { return header_; }
    [[nodiscard]] std::vector<InputIdentity> inputs() const override { return files_.identities(); }
    void require_unchanged() const override { files_.require_unchanged(); }
    void select(Index step) override { require_step(subject_, step, 1); }
    void read(const std::string& dataset, Index first, FieldView<float> slab) override {
        read_planes(dataset, first, slab);
    }
    void read(const std::string& dataset, Index first, FieldView<double> slab) override {
        read_planes(dataset, first, slab);
    }
    [[nodiscard]] FaceData boundary_values(const std::string& face) const override {
        throw Error(ErrorCode::usage, subject_.name + ": has no boundary values for " + face);
    }
    [[nodiscard]] Index planes_per_slab() const noexcept override {
        const Index plane_bytes = header_.points[1] * header_.points[2] * 8;
        return std::clamp<Index>(slab_bytes / plane_bytes, 1, header_.points[0]);
    }

private:
    OpenFile open_file(const std::string& path) {
        h5::InputFile named = h5::open_input_file(path, subject_);
        const auto owner = std::make_shared<Descriptor>(fcntl(named.descriptor.get(), F_DUPFD_CLOEXEC, 0));
        if (owner->get() < 0) subject_.fail("cannot be opened: " + h5::describe_errno(errno));
        OpenFile file{owner, owner->get(), named.bytes()};
        files_.add(std::move(named));
        return file;
    }

    /// All of standard input.
    [[nodiscard]] OpenFile take_stream() const {
        const auto scratch = std::make_shared<ScratchFile>();
        std::vector<char> part(std::size_t{1} << 20U);
        std::uint64_t bytes = 0;
        while (const std::size_t count = read_next(STDIN_FILENO, part.data(), part.size(), subject_)) {
            write_at(scratch->descriptor(), part.data(), count, bytes, scratch->subject());
            bytes += count;
        }
        return {scratch, scratch->descriptor(), bytes};
    }

    /// Of standard input what is neither of the others is text.
    [[nodiscard]] FileFormat format_of(const std::string& path, const OpenFile& file) const {
        if (const auto known = path == "-" ? std::nullopt : format_of_name(path)) return *known;
        std::array<char, 8> start{};
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(start.size(), file.bytes));
        read_at(file.descriptor, start.data(), count, 0, subject_);
        const FileFormat found = format_of_bytes({start.data(), count}).value_or(FileFormat::cube);
        if (found == FileFormat::hdf5)
            subject_.fail(ErrorCode::usage,
                          "found an HDF5 file, which is read here and there: give the name of the "
                          "file; npy, npz and cube can be streamed");
        return found;
    }

    [[nodiscard]] std::string member_names() const {
        std::string text;
        for (const ZipMember& member : members_) {
            if (text.size() > 200) return text + ", and more";
            text += (text.empty() ? "" : ", ") + printable(without(member.name, "", ".npy"));
        }
        return text.empty() ? "it is empty" : "it has " + text;
    }
    [[nodiscard]] const ZipMember* member(const std::string& dataset) const {
        const std::string wanted = without(dataset, "/", ".npy");
        for (const ZipMember& found : members_)
            if (without(found.name, "", ".npy") == wanted) return &found;
        return nullptr;
    }
    /// The only one there is needs no name.
    [[nodiscard]] std::string choose_member(const std::string& dataset) const {
        if (member(dataset) == nullptr && dataset == ReadOptions().dataset && members_.size() == 1)
            return "/" + without(members_[0].name, "", ".npy");
        return dataset;
    }
    [[nodiscard]] Opened open_member(const std::string& dataset) const {
        const h5::Subject subject{ErrorCode::file, h5::name_of(subject_.name, "array", dataset)};
        const ZipMember* const found = member(dataset);
        if (found == nullptr)
            subject.fail(ErrorCode::data, "not found; " + member_names() + " (--dataset chooses one)");
        const std::uint64_t data = find_zip_data(archive_.descriptor, archive_.bytes, *found, subject);
        if (!found->deflated) return open_npy(subject, archive_, data, found->bytes);
        const auto unpacked = inflate(archive_.descriptor, data, *found, subject);
        return open_npy(subject, {unpacked, unpacked->descriptor()}, 0, found->bytes);
    }

    Opened open_cube(const OpenFile& file) {
        if (lseek(file.descriptor, 0, SEEK_SET) != 0) subject_.fail("cannot be read: " + h5::describe_errno(errno));
        Cube cube = read_cube(file.descriptor, subject_);
        header_.labels = cube.header.labels;
        header_.spacing = cube.header.spacing;
        header_.origin = cube.header.first;
        header_.origin_is_point = true;
        header_.units.length = cube.header.angstrom ? "angstrom" : "bohr";
        header_.atoms = std::move(cube.header.atoms);
        header_.title = std::move(cube.header.title);
        return {cube.values, false};
    }

    /// The field, or another one of the same shape.
    void add(const std::string& dataset, Opened opened) {
        const RawArray& array = opened.array;
        if (arrays_.empty()) {
            header_.points = array.points;
            header_.type_bytes = array.type.solved_bytes();
            header_.type_name = format_ == FileFormat::cube ? "text" : array.type.describe();
            header_.storage = opened.fortran_order ? "Fortran order" : "C order";
            if (format_ == FileFormat::cube) header_.storage = "cube, in " + header_.units.length;
            if (const std::string note = conversion_note(array.type.describe(), header_.type_bytes); !note.empty())
                header_.notes.push_back(note);
        } else if (array.points != header_.points) {
            array.subject.fail(ErrorCode::data, "found " + h5::describe_points(array.points) + " points, wanted " +
                                                    h5::describe_points(header_.points) + " as in " +
                                                    printable(header_.dataset));
        }
        arrays_.emplace(dataset, opened.fortran_order ? reordered(array) : array);
    }

    const RawArray& array(const std::string& dataset) {
        const auto known = arrays_.find(dataset);
        if (known != arrays_.end()) return known->second;
        if (!header_.data_sets)
            subject_.fail(ErrorCode::data, "found no data set " + printable(dataset) + ": a file of format " +
                                               header_.format + " holds one field without a name");
        add(dataset, open_member(dataset));
        return arrays_.at(dataset);
    }

    void look_for_exact() {
        if (!header_.data_sets || member("/exact") == nullptr) return;
        try {
            static_cast<void>(array("/exact"));
            header_.has_exact = true;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::out_of_memory) throw;
            header_.exact_problem = error.what();
        }
    }

    template <class T>
    void read_planes(const std::string& dataset, Index first, FieldView<T> slab) {
        const RawArray& from = array(dataset);
        h5::require_planes(from.subject, from.points, first, slab.extents);
        from.read(first, slab);
        h5::require_finite<T>(from.subject, first, slab, [&](const Extents& index) { return from.stored(index); });
    }

    h5::Subject subject_;
    h5::InputFiles files_;
    FileFormat format_ = FileFormat::npy;
    FieldHeader header_;
    OpenFile archive_;  // of npz
    std::vector<ZipMember> members_;
    std::map<std::string, RawArray> arrays_;  // by the names that were asked for
};

}  // namespace

std::unique_ptr<FieldSource> open_array_source(const std::string& path, const ReadOptions& options) {
    return std::make_unique<ArraySource>(path, options);
}

}  // namespace poisson3d
