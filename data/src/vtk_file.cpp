#include "poisson3d/vtk_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "h5_output.hpp"
#include "permuted_copy.hpp"
#include "vtkhdf.hpp"

namespace poisson3d {

namespace {

constexpr std::size_t x = 0, y = 1, z = 2;
constexpr std::array<std::size_t, 3> in_file{z, y, x};  // slowest first

h5::Space simple_space(const h5::Subject& about, Extents extents, Index components) {
    std::vector<hsize_t> all(extents.begin(), extents.end());
    if (components > 1) all.push_back(static_cast<hsize_t>(components));
    return h5::Space(about.check(H5Screate_simple(static_cast<int>(all.size()), all.data(), nullptr),
                                 "cannot describe its shape"));
}

}  // namespace

struct VtkWriter::State {
    State(const std::string& path, const Grid& grid) : output(path), image(vtk_image(grid)), points(grid.points()) {
        write_vtkhdf(output.file(), output.subject(), image);
        for (std::size_t d = 0; d < 3; ++d) extents[d] = image.points[in_file[d]];
        if (image.rectilinear()) write_coordinates();
    }

    void write_coordinates() {
        const h5::Quiet quiet;
        for (const std::size_t v : {x, y, z}) {
            const std::string name = std::string("/VTKHDF/") + "XYZ"[v] + "Coordinates";
            const h5::Subject about{ErrorCode::output, output.subject().name + ", array " + name};
            const std::vector<double>& values = image.coordinates[v];
            const hsize_t count = values.size();
            const h5::Space space(about.check(H5Screate_simple(1, &count, nullptr), "cannot describe its shape"));
            const hid_t made = output.create(about, name, h5::native_type<double>(), space);
            about.check(H5Dwrite(made, h5::native_type<double>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                        "cannot be written");
        }
    }

    /// The index of the array along which neighbours in memory lie.
    [[nodiscard]] std::size_t contiguous() const {
        std::size_t found = 2, best = 0;
        for (std::size_t d = 0; d < 3; ++d)
            if (!image.doubled[in_file[d]] && image.axes[in_file[d]] >= best) {
                best = image.axes[in_file[d]];
                found = d;
            }
        return found;
    }

    template <class T>
    void write(const std::string& name, const std::vector<Source<T>>& components, const Progress& progress) {
        const h5::Quiet quiet;
        const h5::Subject about{ErrorCode::output, output.subject().name + ", array " + name};
        const Index step = static_cast<Index>(components.size());
        const Index size = extents[0] * extents[1] * extents[2];
        output.require_space(static_cast<std::uint64_t>(size * step) * sizeof(T));
        const h5::Space space = simple_space(about, extents, step);
        const hid_t array = output.create(about, "/VTKHDF/PointData/" + name, h5::native_type<T>(), space);

        const Extents most = permuted_block(extents, contiguous(), components.size() * sizeof(T));
        Field<T> block({most[0], most[1], most[2] * step});
        Index done = 0;
        Extents first{};
        for (first[0] = 0; first[0] < extents[0]; first[0] += most[0])
            for (first[1] = 0; first[1] < extents[1]; first[1] += most[1])
                for (first[2] = 0; first[2] < extents[2]; first[2] += most[2]) {
                    Extents count{};
                    for (std::size_t d = 0; d < 3; ++d) count[d] = std::min(most[d], extents[d] - first[d]);
                    for (Index c = 0; c < step; ++c)
                        gather(components[static_cast<std::size_t>(c)], first, count, block.data() + c, step);
                    write_block(about, array, space, first, count, step, block.data());
                    done += count[0] * count[1] * count[2];
                    if (progress) progress(done, size);
                }
    }

    /// `first` and `count` are of the array.
    template <class T>
    void gather(const Source<T>& source, const Extents& first, const Extents& count, T* to, Index step) const {
        Extents from{}, wanted{};
        for (std::size_t d = 0; d < 3; ++d) {
            const std::size_t axis = image.axes[in_file[d]];
            const bool doubled = image.doubled[in_file[d]];
            from[axis] = doubled ? 0 : first[d];
            wanted[axis] = doubled ? 1 : count[d];
        }
        const FieldView<const T> box = source(from, wanted);
        Strides strides{};
        for (std::size_t d = 0; d < 3; ++d)
            strides[d] = image.doubled[in_file[d]] ? 0 : box.strides[image.axes[in_file[d]]];
        permuted_copy(count, box.data, strides, to, step);
    }

    template <class T>
    static void write_block(const h5::Subject& about, hid_t array, const h5::Space& space, const Extents& first,
                            const Extents& count, Index step, const T* values) {
        std::vector<hsize_t> start(first.begin(), first.end()), counts(count.begin(), count.end());
        start.push_back(0);
        counts.push_back(static_cast<hsize_t>(step));
        about.check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, counts.data(), nullptr),
                    "cannot select a block");
        const h5::Space memory = simple_space(about, count, step);
        about.check(H5Dwrite(array, h5::native_type<T>(), memory.get(), space.get(), H5P_DEFAULT, values),
                    "cannot be written");
    }

    h5::Output output;
    VtkImage image;
    Extents points;   ///< of the grid
    Extents extents;  ///< of the arrays
};

VtkWriter::VtkWriter(const std::string& path, const Grid& grid) : state_(std::make_unique<State>(path, grid)) {}
VtkWriter::~VtkWriter() = default;
VtkWriter::VtkWriter(VtkWriter&&) noexcept = default;
VtkWriter& VtkWriter::operator=(VtkWriter&&) noexcept = default;

std::uint64_t VtkWriter::bytes(int numbers, std::size_t size) const noexcept {
    const Extents& n = state_->extents;
    return static_cast<std::uint64_t>(n[0] * n[1] * n[2] * numbers) * size;
}

void VtkWriter::require_space(std::uint64_t bytes) const {
    state_->output.require_space(bytes);
}

template <class T>
void VtkWriter::write(const std::string& name, const Source<T>& field, const Progress& progress) {
    state_->write<T>(name, {field}, progress);
}

template <class T>
void VtkWriter::write(const std::string& name, const std::array<Source<T>, 3>& components,
                      const Progress& progress) {
    const std::array<std::size_t, 3>& axes = state_->image.axes;
    state_->write<T>(name, {components[axes[x]], components[axes[y]], components[axes[z]]}, progress);
}

OutputFile VtkWriter::finish() {
    return state_->output.finish();
}

bool is_vtk_name(const std::string& path) {
    return std::filesystem::path(path).extension() == ".vtkhdf";
}

template void VtkWriter::write(const std::string&, const Source<float>&, const Progress&);
template void VtkWriter::write(const std::string&, const Source<double>&, const Progress&);
template void VtkWriter::write(const std::string&, const std::array<Source<float>, 3>&, const Progress&);
template void VtkWriter::write(const std::string&, const std::array<Source<double>, 3>&, const Progress&);

}  // namespace poisson3d
