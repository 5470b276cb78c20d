// Where a field comes from: what every format of input files can be asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "h5.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d {

/// An opened input. FieldReader says what the functions do and throw.
class FieldSource {
public:
    FieldSource() = default;
    FieldSource(const FieldSource&) = delete;
    FieldSource& operator=(const FieldSource&) = delete;
    virtual ~FieldSource() = default;

    [[nodiscard]] virtual const FieldHeader& header() const noexcept = 0;
    [[nodiscard]] virtual std::vector<InputIdentity> inputs() const = 0;
    virtual void require_unchanged() const = 0;
    virtual void select(Index step) = 0;
    virtual void read(const std::string& dataset, Index first, FieldView<float> slab) = 0;
    virtual void read(const std::string& dataset, Index first, FieldView<double> slab) = 0;
    [[nodiscard]] virtual FaceData boundary_values(const std::string& face) const = 0;
    [[nodiscard]] virtual Index planes_per_slab() const noexcept = 0;
};

/// Throws Error{usage} of `subject` unless `step` is one of `count`.
void require_step(const h5::Subject& subject, Index step, Index count);

/// An HDF5 file, tried in a child process first.
std::unique_ptr<FieldSource> open_hdf5_source(const std::string& path, const ReadOptions& options);
/// A file of one of the other formats, or standard input ("-").
std::unique_ptr<FieldSource> open_array_source(const std::string& path, const ReadOptions& options);

}  // namespace poisson3d
