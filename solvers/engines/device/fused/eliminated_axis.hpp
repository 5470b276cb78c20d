// The axis that is eliminated in the middle pass: its chain in device memory, and what the pass is told.
#pragma once

#include "box_passes.hpp"
#include "chain_tables.hpp"
#include "elimination_task.hpp"
#include "part.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

using namespace device;

template <class T>
class EliminatedAxis {
public:
    EliminatedAxis(const Problem& problem, int axis);
    /// Of axis x the unknowns of a part, which are one or more.
    EliminatedAxis(const Problem& problem, const Part& part);

    /// Whether a block can take its lines.
    [[nodiscard]] bool fits() const;

    /// Reserves the bytes; then, with the workspace there, copies the chain to the device.
    void reserve(WorkspaceLayout& layout);
    void upload(std::byte* workspace);

    /// The middle pass, without the field.
    [[nodiscard]] EliminationTask<T> task(const BoxPasses<T, Compact>& passes, const Pass& pass,
                                          const Call<T>& call, typename Pipeline<T>::Removed* removed) const;

private:
    void describe_lines(const Problem& problem, int axis);

    lines::ChainTables<T> tables_;
    EliminationTask<T> task_;
    std::size_t links_ = 0, volumes_ = 0, sectioned_ = 0;  ///< offsets in the workspace
};

}  // namespace poisson3d::fused
