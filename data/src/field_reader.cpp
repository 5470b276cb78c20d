#include "poisson3d/field_file.hpp"

#include "field_source.hpp"
#include "file_formats.hpp"

namespace poisson3d {

FieldReader::FieldReader(const std::string& path, const ReadOptions& options)
    : source_(holds_hdf5(path) ? open_hdf5_source(path, options) : open_array_source(path, options)) {}

FieldReader::~FieldReader() {
    const h5::Reading reading;
    source_.reset();
}

FieldReader::FieldReader(FieldReader&&) noexcept = default;
FieldReader& FieldReader::operator=(FieldReader&&) noexcept = default;

const FieldHeader& FieldReader::header() const noexcept {
    return source_->header();
}

void FieldReader::select(Index step) {
    source_->select(step);
}

std::vector<InputIdentity> FieldReader::inputs() const {
    return source_->inputs();
}

void FieldReader::require_unchanged() const {
    source_->require_unchanged();
}

Index FieldReader::planes_per_slab() const noexcept {
    return source_->planes_per_slab();
}

template <class T>
void FieldReader::read(Index first, FieldView<T> slab) const {
    source_->read(header().dataset, first, slab);
}

template <class T>
void FieldReader::read_from(const std::string& dataset, Index first, FieldView<T> slab) const {
    source_->read(dataset, first, slab);
}

FaceData FieldReader::boundary_values(const std::string& face) const {
    return source_->boundary_values(face);
}

template void FieldReader::read(Index, FieldView<float>) const;
template void FieldReader::read(Index, FieldView<double>) const;
template void FieldReader::read_from(const std::string&, Index, FieldView<float>) const;
template void FieldReader::read_from(const std::string&, Index, FieldView<double>) const;

}  // namespace poisson3d
