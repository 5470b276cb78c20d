/* The problems of the tests in C: three different axes each, so that one taken for another shows. */
#ifndef POISSON3D_TEST_PROBLEMS_H
#define POISSON3D_TEST_PROBLEMS_H

#include "poisson3d.h"

enum { problem_count = 6 };

static const poisson3d_problem problems[problem_count] = {
    /* walls of all kinds */
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 7, .spacing = 0.7, .origin = -0.25},
              {.points = 5, .spacing = 1.3, .lower = POISSON3D_DIRICHLET, .upper = POISSON3D_NEUMANN},
              {.points = 9,
               .spacing = 0.45,
               .origin = 3.0,
               .centering = POISSON3D_NODE,
               .lower = POISSON3D_NEUMANN,
               .upper = POISSON3D_DIRICHLET}}},
    /* Helmholtz, two Dirichlet faces of nodes that meet */
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 11,
               .spacing = 0.4,
               .centering = POISSON3D_NODE,
               .lower = POISSON3D_DIRICHLET,
               .upper = POISSON3D_DIRICHLET},
              {.points = 13, .spacing = 1.1, .centering = POISSON3D_NODE},
              {.points = 6, .spacing = 0.9, .lower = POISSON3D_NEUMANN, .upper = POISSON3D_NEUMANN}},
     .helmholtz = 0.7,
     .labels = "zyx"},
    /* singular, mean zero */
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 5, .spacing = 0.8, .lower = POISSON3D_NEUMANN, .upper = POISSON3D_NEUMANN},
              {.points = 8, .spacing = 0.3},
              {.points = 7,
               .spacing = 0.6,
               .centering = POISSON3D_NODE,
               .lower = POISSON3D_NEUMANN,
               .upper = POISSON3D_NEUMANN}}},
    /* singular, zero at a point */
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 6, .spacing = 0.8},
              {.points = 5, .spacing = 0.35},
              {.points = 3, .spacing = 0.6, .lower = POISSON3D_NEUMANN, .upper = POISSON3D_NEUMANN}},
     .gauge = POISSON3D_GAUGE_POINT,
     .gauge_point = {4, 1, 2}},
    /* spectral */
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 10, .spacing = 0.2, .lower = POISSON3D_DIRICHLET, .upper = POISSON3D_DIRICHLET},
              {.points = 4, .spacing = 0.5, .lower = POISSON3D_NEUMANN, .upper = POISSON3D_DIRICHLET},
              {.points = 15, .spacing = 0.25}},
     .discretization = POISSON3D_SPECTRAL},
    /* 1, 2, 3 points */
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 1, .spacing = 0.7},
              {.points = 2, .spacing = 1.3, .lower = POISSON3D_DIRICHLET, .upper = POISSON3D_DIRICHLET},
              {.points = 3,
               .spacing = 0.45,
               .centering = POISSON3D_NODE,
               .lower = POISSON3D_DIRICHLET,
               .upper = POISSON3D_DIRICHLET}}},
};

static inline int64_t size_of(const poisson3d_problem* problem) {
    return problem->axes[0].points * problem->axes[1].points * problem->axes[2].points;
}

#endif
