/* The same problems solved through the C++ interface, translated there on their own: what the C interface gives
 * must have these bits. Dense fields, one thread. */
#ifndef POISSON3D_TEST_REFERENCE_H
#define POISSON3D_TEST_REFERENCE_H

#include "poisson3d.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POISSON3D_REFERENCES(real, boundary_struct, name)                                                         \
    void reference_solve##name(const poisson3d_problem* problem, int memory, const real* f, real* u,              \
                               const boundary_struct* boundary, real scale, poisson3d_result* result);            \
    void reference_apply##name(const poisson3d_problem* problem, int memory, const real* f, real* u, real scale); \
    void reference_gradient##name(const poisson3d_problem* problem, const real* u, real* const components[3],     \
                                  const boundary_struct* boundary);                                               \
    void reference_residual##name(const poisson3d_problem* problem, const real* f, const real* u, double scale,   \
                                  double mean, poisson3d_residual* residual);                                     \
    size_t reference_bytes##name(const poisson3d_problem* problem, int memory);                                   \
    size_t reference_gradient_bytes##name(const poisson3d_problem* problem);
POISSON3D_REFERENCES(double, poisson3d_boundary, )
POISSON3D_REFERENCES(float, poisson3d_boundary_float, _float)

void reference_mixed(const poisson3d_problem* problem, int refinements, const double* f, double* u,
                     const poisson3d_boundary* boundary, double scale, poisson3d_result* result);
size_t reference_mixed_bytes(const poisson3d_problem* problem);

#ifdef __cplusplus
}
#endif

#endif
