// Where fields go: what every format of output files can be asked for.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "poisson3d/field_file.hpp"

namespace poisson3d {

/// An output that is being written. FieldWriter says what the functions do and throw.
class FieldSink {
public:
    FieldSink() = default;
    FieldSink(const FieldSink&) = delete;
    FieldSink& operator=(const FieldSink&) = delete;
    virtual ~FieldSink() = default;

    virtual void require_holds(const Grid& grid, int fields) const = 0;
    virtual void require_space(std::uint64_t bytes) const = 0;
    virtual void create(const std::string& dataset, const Grid& grid, double helmholtz, std::size_t bytes,
                        const std::vector<Index>& leading) = 0;
    virtual void select(Index step) = 0;
    virtual void write(const std::string& dataset, Index first, FieldView<const float> slab) = 0;
    virtual void write(const std::string& dataset, Index first, FieldView<const double> slab) = 0;
    [[nodiscard]] virtual bool leave_to_others(const std::string& /*dataset*/) { return false; }
    virtual void read_back(const std::string& dataset, const Extents& first, FieldView<float> box) const = 0;
    virtual void read_back(const std::string& dataset, const Extents& first, FieldView<double> box) const = 0;
    virtual void write_numbers(const std::string& dataset, const std::vector<Index>& extents,
                               const std::vector<double>& values) = 0;
    virtual void attributes(const std::string& dataset, const std::vector<Attribute>& attributes) = 0;
    virtual bool link_vtk(const Grid& grid, const std::vector<std::string>& datasets) = 0;
    [[nodiscard]] virtual OutputFile finish() = 0;
};

std::unique_ptr<FieldSink> make_hdf5_sink(const std::string& path, const WriteOptions& options);
/// An .npy or .cube file.
std::unique_ptr<FieldSink> make_array_sink(const std::string& path, const WriteOptions& options, bool cube);

}  // namespace poisson3d
