// Who executes the sweeps of a field of which a slab or a block is in memory (slab_solver.hpp).
//
//   forward     a slab of planes of x after the other:     f, z and y forward      →  its piece of every block
//   middle      a block of lines along x after the other:  x forward, mode space, x backward, in its place
//   backward    a slab after the other:                 ←  its pieces, y and z backward, u
//
// Where y or z is eliminated, that axis and x are what blocks are about, and slabs the other one.
#pragma once

#include <memory>
#include <string>

#include "engine.hpp"
#include "poisson3d/slab_solver.hpp"

namespace poisson3d {

template <class T>
class SlabEngine {
public:
    virtual ~SlabEngine() = default;
    SlabEngine() = default;
    SlabEngine(const SlabEngine&) = delete;
    SlabEngine& operator=(const SlabEngine&) = delete;

    /// Operation, scale, boundary data of the whole box, halvings; f and u are not in it.
    virtual void forward(const Call<T>& call, SlabStore& store, const typename SlabSolver<T>::Fill& fill) = 0;
    virtual void middle(SlabStore& store) = 0;
    virtual void backward(SlabStore& store, const typename SlabSolver<T>::Take& take) = 0;

    [[nodiscard]] virtual Result result() const = 0;
    [[nodiscard]] virtual SlabPlan plan() const noexcept = 0;
    [[nodiscard]] virtual int threads() const noexcept = 0;
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Of a problem without free faces. Throws Error{out_of_memory} if the bytes of the options are too few.
template <class T>
std::unique_ptr<SlabEngine<T>> make_host_slabs(const Problem& problem, const SlabOptions& options);
template <class T>
SlabPlan host_slab_plan(const Problem& problem, const SlabOptions& options);

}  // namespace poisson3d
