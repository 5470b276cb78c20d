#include "poisson3d/field_file.hpp"

#include "field_sink.hpp"
#include "file_formats.hpp"

namespace poisson3d {

void require_output_name(const std::string& path) {
    static_cast<void>(output_format(path, false));
}

FieldWriter::FieldWriter(const std::string& path, WriteOptions options) {
    const FileFormat format = output_format(path, options.cube_stream);
    sink_ = format == FileFormat::hdf5 ? make_hdf5_sink(path, options)
                                       : make_array_sink(path, options, format == FileFormat::cube);
}

FieldWriter::~FieldWriter() = default;
FieldWriter::FieldWriter(FieldWriter&&) noexcept = default;
FieldWriter& FieldWriter::operator=(FieldWriter&&) noexcept = default;

void FieldWriter::require_holds(const Grid& grid, int fields) const {
    sink_->require_holds(grid, fields);
}

void FieldWriter::require_space(std::uint64_t bytes) const {
    sink_->require_space(bytes);
}

template <class T>
void FieldWriter::create(const std::string& dataset, const Grid& grid, double helmholtz,
                         const std::vector<Index>& leading) {
    sink_->create(dataset, grid, helmholtz, sizeof(T), leading);
}

void FieldWriter::select(Index step) {
    sink_->select(step);
}

template <class T>
void FieldWriter::write(const std::string& dataset, Index first, FieldView<const T> slab) {
    sink_->write(dataset, first, slab);
}

bool FieldWriter::leave_to_others(const std::string& dataset) {
    return sink_->leave_to_others(dataset);
}

template <class T>
void FieldWriter::read_back(const std::string& dataset, const Extents& first, FieldView<T> box) const {
    sink_->read_back(dataset, first, box);
}

void FieldWriter::write_boundary_value(const std::string& face, double value) {
    sink_->write_numbers("/boundary_values/" + face, {}, {value});
}

void FieldWriter::write_boundary_values(const std::string& face, std::array<Index, 2> extents,
                                        const std::vector<double>& values) {
    sink_->write_numbers("/boundary_values/" + face, {extents[0], extents[1]}, values);
}

void FieldWriter::attributes(const std::string& dataset, const std::vector<Attribute>& attributes) {
    sink_->attributes(dataset, attributes);
}

bool FieldWriter::link_vtk(const Grid& grid, const std::vector<std::string>& datasets) {
    return sink_->link_vtk(grid, datasets);
}

OutputFile FieldWriter::finish() {
    return sink_->finish();
}

void FieldWriter::commit() {
    finish().publish();
}

template void FieldWriter::create<float>(const std::string&, const Grid&, double, const std::vector<Index>&);
template void FieldWriter::create<double>(const std::string&, const Grid&, double, const std::vector<Index>&);
template void FieldWriter::write(const std::string&, Index, FieldView<const float>);
template void FieldWriter::write(const std::string&, Index, FieldView<const double>);
template void FieldWriter::read_back(const std::string&, const Extents&, FieldView<float>) const;
template void FieldWriter::read_back(const std::string&, const Extents&, FieldView<double>) const;

}  // namespace poisson3d
