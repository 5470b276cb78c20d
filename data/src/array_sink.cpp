// Outputs that hold one field and nothing else: .npy files, written where their numbers belong, and cube files,
// whose text is made of a temporary file when all numbers are there.
#include <algorithm>
#include <optional>
#include <utility>

#include "cube.hpp"
#include "field_sink.hpp"
#include "finite.hpp"
#include "npy.hpp"
#include "raw_array.hpp"

namespace poisson3d {

namespace {

class ArraySink final : public FieldSink {
public:
    ArraySink(const std::string& path, WriteOptions options, bool cube)
        : options_(std::move(options)), cube_(cube), output_(path), subject_{ErrorCode::output, path} {
        if (options_.compress != 0)
            subject_.fail(ErrorCode::usage, "found compression, which HDF5 files have; wanted the ending .h5");
    }

    void require_holds(const Grid& grid, int fields) const override {
        if (fields > 1)
            subject_.fail(ErrorCode::unsupported, "holds one field, found " + std::to_string(fields) +
                                                      " to write; wanted an HDF5 file (.h5)");
        if (!cube_) return;
        for (std::size_t a = 0; a < 3; ++a) {
            const std::string axis(1, grid.labels[a]);
            if (!grid.axes[a].uniform())
                subject_.fail(ErrorCode::unsupported, "found steps that differ along " + axis +
                                                          ", which a cube cannot hold; wanted an HDF5 file (.h5)");
            if (axis < "x" || axis > "z")
                subject_.fail(ErrorCode::unsupported,
                              "found an axis called " + axis + "; those of a cube are called x, y and z");
        }
    }

    void require_space(std::uint64_t bytes) const override { output_.require_space(bytes); }

    void create(const std::string& dataset, const Grid& grid, double, std::size_t bytes,
                const std::vector<Index>&) override {
        if (!name_.empty())
            subject_.fail(ErrorCode::unsupported, "holds one field, and was given " + dataset + " beside " + name_ +
                                                      "; wanted an HDF5 file (.h5)");
        require_holds(grid, 1);
        name_ = dataset;
        grid_ = grid;
        const NumberType type = bytes == sizeof(float) ? native_number<float>() : native_number<double>();
        if (cube_) {
            array_ =
                bytes == sizeof(float) ? scratch_array<float>(grid.points()) : scratch_array<double>(grid.points());
        } else {
            const std::string header = make_npy_header(type, grid.points());
            output_.write(header);
            array_ = {subject_, nullptr, output_.descriptor(), header.size(), type, grid.points()};
            output_.require_space(array_.bytes());
        }
        array_.subject = subject_;
        written_.assign(static_cast<std::size_t>(grid.points()[0]), false);
    }

    void select(Index step) override {
        if (step != 0) subject_.fail(ErrorCode::usage, "holds one field, and has no step " + std::to_string(step));
    }

    void write(const std::string& dataset, Index first, FieldView<const float> slab) override {
        write_planes(dataset, first, slab);
    }
    void write(const std::string& dataset, Index first, FieldView<const double> slab) override {
        write_planes(dataset, first, slab);
    }
    void read_back(const std::string& dataset, const Extents& first, FieldView<float> box) const override {
        read_box(dataset, first, box);
    }
    void read_back(const std::string& dataset, const Extents& first, FieldView<double> box) const override {
        read_box(dataset, first, box);
    }
    void write_numbers(const std::string& dataset, const std::vector<Index>&, const std::vector<double>&) override {
        subject_.fail(ErrorCode::unsupported,
                      "holds one field, and was given " + dataset + "; wanted an HDF5 file (.h5)");
    }
    void attributes(const std::string&, const std::vector<Attribute>&) override {}
    bool link_vtk(const Grid&, const std::vector<std::string>&) override { return false; }

    OutputFile finish() override {
        const auto hole = std::find(written_.begin(), written_.end(), false);
        if (name_.empty() || hole != written_.end())
            subject_.fail(ErrorCode::internal,
                          "plane " + std::to_string(hole - written_.begin()) + " was never written");
        if (cube_) write_cube();
        output_.finish();
        return std::move(output_);
    }

private:
    void require(const std::string& dataset) const {
        if (dataset != name_) subject_.fail(ErrorCode::internal, "has no dataset " + dataset);
    }

    template <class T>
    void write_planes(const std::string& dataset, Index first, FieldView<const T> slab) {
        require(dataset);
        h5::require_planes(subject_, array_.points, first, slab.extents);
        array_.write(first, slab);
        std::fill_n(written_.begin() + first, slab.extents[0], true);
    }

    /// Row by row: who reads back asks for blocks.
    template <class T>
    void read_box(const std::string& dataset, const Extents& first, FieldView<T> box) const {
        require(dataset);
        RawArray row = array_;
        row.points = {1, 1, box.extents[2]};
        for (Index i = 0; i < box.extents[0]; ++i)
            for (Index j = 0; j < box.extents[1]; ++j) {
                const Index element =
                    ((first[0] + i) * array_.points[1] + first[1] + j) * array_.points[2] + first[2];
                row.offset = array_.offset + static_cast<std::uint64_t>(element * array_.type.bytes);
                row.read(0, FieldView<T>(&box(i, j, 0), row.points));
            }
    }

    void write_cube() {
        CubeHeader header;
        header.title = options_.title.empty() ? "solution\nwritten by poisson3d" : options_.title;
        header.atoms = options_.atoms;
        header.points = grid_.points();
        header.labels = grid_.labels;
        header.angstrom = options_.units.length == "angstrom";
        for (std::size_t a = 0; a < 3; ++a) {
            header.first[a] = grid_.axes[a].position(0);
            header.spacing[a] = grid_.axes[a].step();
        }
        output_.write(make_cube_header(header));
        write_cube_values(array_, output_);
    }

    WriteOptions options_;
    bool cube_;
    OutputFile output_;
    h5::Subject subject_;
    std::string name_;  ///< of the field
    Grid grid_;
    RawArray array_;
    std::vector<bool> written_;
};

}  // namespace

std::unique_ptr<FieldSink> make_array_sink(const std::string& path, const WriteOptions& options, bool cube) {
    return std::make_unique<ArraySink>(path, options, cube);
}

}  // namespace poisson3d
