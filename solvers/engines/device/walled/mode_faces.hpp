// The faces of a closed box in modes of two axes, between two runs of the middle pass (mode_sweeps.hpp): tables,
// memory, and what goes to the face operator and comes from it. Of a box that several share by planes of x, each
// has all that is next to faces in one array (closed_faces.hpp), in modes, where parts of faces take the places of
// sides.
#pragma once

#include <array>
#include <vector>

#include "closed_axis.hpp"
#include "closed_faces.hpp"
#include "device_faces.hpp"
#include "middle_twice.hpp"
#include "mode_order.hpp"
#include "mode_sweeps.hpp"
#include "workspace.hpp"

namespace poisson3d::walled {

template <class T>
class ModeFaces {
public:
    ModeFaces(const std::array<lines::ClosedAxis, 3>& closed, const device::MiddleTwice<T>& passes,
              const FaceOperator<T>& faces);
    /// For planes of x, with modes of y and z.
    ModeFaces(const std::array<lines::ClosedAxis, 3>& closed, const std::array<ModeOrder, 3>& modes,
              const FaceOperator<T>& faces);

    void reserve(device::WorkspaceLayout& layout);
    /// Synchronises. The operator has its memory.
    void upload(std::byte* workspace, const FaceOperator<T>& faces);

    /// What is left next to the faces, to the parts of the operator. Asynchronous, as are the others; allocates
    /// nothing.
    void take(const device::MiddleFields<T>& fields, Stream stream) const;
    /// From there: what the modes that the middle pass reads get, which lack a factor `restore`; and adds it.
    [[nodiscard]] device::MiddleTerms<T> terms(double restore, Stream stream) const;
    void add(const device::MiddleFields<T>& fields, Stream stream) const;

    /// The same of planes of x: to an array of all, from there to the operator, and from this to what the modes of
    /// these planes get. `first_x`: the first unknown among stored points.
    void take(const ModePlanes<T>& u, const FreeFaces& places, Index first_x, T* all, Stream stream) const;
    void gather(const FreeFaces& places, Index first_x, T* all, Stream stream) const;
    void add(const ModePlanes<T>& f, double restore, Stream stream) const;

private:
    ModeFaces(const std::array<lines::ClosedAxis, 3>& closed, const std::array<int, 3>& axes,
              const std::array<ModeOrder, 3>& modes, bool planes, const FaceOperator<T>& faces);
    [[nodiscard]] ModeSweeps<T> sweeps(const device::MiddleFields<T>& fields) const;
    [[nodiscard]] ModeSweeps<T> sweeps(const FreeFaces& places, Index first_x, T* all) const;

    std::array<int, 3> axes_;  ///< the middle one, then j and k
    ModeSweeps<T> sweeps_;     ///< without fields
    std::array<std::vector<T>, 2> sums_, terms_;
    std::array<std::vector<int>, 2> places_;
    std::array<std::array<std::size_t, 3>, 2> offsets_{};
    std::size_t rows_offset_ = 0;
    std::array<Index, 3> rows_{};  ///< where those of the faces of each axis begin
    std::array<Index, 2> partials_{};
    Index room_ = 0;
};

}  // namespace poisson3d::walled
