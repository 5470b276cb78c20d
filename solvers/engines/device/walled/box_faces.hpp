// The faces of a closed box in modes of all three axes, while the passes stop there (mode_stop.hpp): tables,
// memory, and the sweeps of box_sweeps.hpp.
#pragma once

#include <array>
#include <vector>

#include "box_sweeps.hpp"
#include "closed_axis.hpp"
#include "device_faces.hpp"
#include "mode_stop.hpp"
#include "workspace.hpp"

namespace poisson3d::walled {

template <class T>
class BoxFaces {
public:
    BoxFaces(const std::array<lines::ClosedAxis, 3>& closed, const device::ModeStop<T>& passes,
             const FaceOperator<T>& faces);

    /// Elements of memory that take() works in, and nothing else.
    [[nodiscard]] Index room() const { return room_; }
    void reserve(device::WorkspaceLayout& layout);
    /// Synchronises. The operator has its memory.
    void upload(std::byte* workspace, T* room, const FaceOperator<T>& faces);

    /// What is left next to the faces, to the parts of the operator; and modes := those of the solution, by what it
    /// has made of them. Asynchronous; allocate nothing.
    void take(const device::ModeField<T>& modes, Stream stream) const;
    void divide(const device::ModeField<T>& modes, Stream stream) const;

private:
    static constexpr Index most_of_tile = 64, enough_tiles = 512;
    [[nodiscard]] BoxSweeps<T> sweeps(const device::ModeField<T>& modes) const;

    BoxSweeps<T> sweeps_;  ///< without a field
    std::array<std::vector<T>, 3> sums_, terms_;
    std::array<std::vector<int>, 3> places_, orders_;
    std::array<std::array<std::size_t, 4>, 3> offsets_{};
    std::array<Index, 3> partials_{};  ///< where they begin
    Index room_ = 0;
};

}  // namespace poisson3d::walled
