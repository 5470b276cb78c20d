// Rings in SIMD lanes. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "ring_loops.hpp"

#include "lane_packs.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

constexpr int counted_together = 4;  // packs, so that divisions do not wait for each other

void count_of_ring(const lines::RingView& ring, const double* shifts, double* below) {
    P mu[counted_together], found[counted_together];
    for (int i = 0; i < counted_together; ++i) mu[i] = P::load_loose(shifts + i * P::lanes);
    lines::count_below<P, counted_together>(ring, mu, found);
    for (int i = 0; i < counted_together; ++i) found[i].store_loose(below + i * P::lanes);
}

void find_in_ring(const lines::RingView& ring, const lines::SoughtModes& sought, double* scratch, double* modes) {
    lines::RingSearch<Packs>(ring, sought, reinterpret_cast<Packs*>(scratch)).find(modes);
}

}  // namespace

extern const lines::RingLoops ring_loops;
const lines::RingLoops ring_loops{counted_together * P::lanes, Packs::lanes, &count_of_ring, &find_in_ring};

}  // namespace poisson3d::POISSON3D_ISA
