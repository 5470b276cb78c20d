// Meshes of openPMD in HDF5: a record is a data set, or a group of components, with attributes of their own.
// https://github.com/openPMD/openPMD-standard/blob/1.1.0/STANDARD.md
#pragma once

#include "poisson3d/field_file.hpp"
#include "source.hpp"

namespace poisson3d {

/// unitSI of a component of a mesh: what its numbers are multiplied with; 1 if `dataset` is none.
double openpmd_unit(const h5::Input& input, const h5::Numbers& numbers, const std::string& dataset);

/// If `dataset` is a component of a mesh: spacing and origin from gridSpacing, gridGlobalOffset and gridUnitSI, in
/// metres, labels from axisLabels, centering from position, 0.5 being cells and 0 nodes; else nothing is changed.
/// Throws Error{data} for geometries other than cartesian, positions that differ from these, and attributes that
/// are missing or have other sizes.
void read_openpmd(const h5::Input& input, const h5::Source& source, const std::string& dataset,
                  FieldHeader& header);

}  // namespace poisson3d
