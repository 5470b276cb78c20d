// A file for VTK and ParaView: VTKHDF ImageData or RectilinearGrid, whose axes run as those programs want them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "poisson3d/field.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/output_file.hpp"

namespace poisson3d {

/// Writes fields of a grid as point data of one image (VTKHDF 1.0, which VTK reads from 9.1 on); if steps of an
/// axis differ, of one rectilinear grid (VTKHDF 2.7, VTK from 9.7 on, ParaView from 6.2 on).
/// - VTK's filters take the first axis of an image for x and the last for z, whatever its Direction says. So the
///   axes of fields are permuted while they are written: x is the fastest, Direction the identity.
/// - Axes go by their labels; if these are not x, y, z in some order, index 0 runs along x, 1 along y, 2 along z.
/// - Cells become points at cell centres.
/// - An axis of one point gets two, half a spacing to either side, with the same values: VTK wants arrays of fewer
///   dimensions there, and its version 9.1 crashes on some of them.
/// - The file gets its name by publish() of what finish() hands back. Takes about 32 MiB of memory.
/// - Errors are Error{output} naming file and cause.
class VtkWriter {
public:
    /// Called with the number of elements written so far and in all.
    using Progress = std::function<void(Index done, Index total)>;
    /// A box of a field that lies somewhere: `count` points of each axis from `first` on, in index order of the
    /// grid. What it returns is looked at until the next call of any source.
    template <class T>
    using Source = std::function<FieldView<const T>(const Extents& first, const Extents& count)>;

    /// Makes the temporary file, so that a directory that is missing or may not be written to is known at once.
    VtkWriter(const std::string& path, const Grid& grid);
    ~VtkWriter();
    VtkWriter(VtkWriter&&) noexcept;
    VtkWriter& operator=(VtkWriter&&) noexcept;

    /// Bytes of `numbers` fields of elements of `size` bytes.
    [[nodiscard]] std::uint64_t bytes(int numbers, std::size_t size) const noexcept;
    /// Throws if the file system says that it has not that many bytes left.
    void require_space(std::uint64_t bytes) const;

    /// Writes a field as the array `name`. Boxes are asked for in the order in which they are written.
    template <class T>
    void write(const std::string& name, const Source<T>& field, const Progress& progress = {});
    /// Writes three fields, the components along the axes of the grid in index order, as one array of vectors
    /// (x, y, z).
    template <class T>
    void write(const std::string& name, const std::array<Source<T>, 3>& components, const Progress& progress = {});

    /// Flushes and closes, and hands over the file, which publish() gives its name.
    [[nodiscard]] OutputFile finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The ending by which ParaView chooses its reader: ".vtkhdf".
bool is_vtk_name(const std::string& path);

/// A field in memory as a source, without a copy.
template <class T>
VtkWriter::Source<T> in_memory(FieldView<const T> field) {
    return [field](const Extents& first, const Extents& count) {
        return FieldView<const T>(&field(first[0], first[1], first[2]), count, field.strides);
    };
}

}  // namespace poisson3d
