/* What tests of members share. Included once for each precision, with `real` and OF(name), the function or type for
 * that precision. */

/* A constant on the lower faces, arrays with gaps on the upper ones; of those the part that begins at `first`. */
static void OF(make_part_of_boundary)(const poisson3d_problem* problem, const int64_t first[3], real* memory,
                                      OF(boundary) * part) {
    memset(part, 0, sizeof *part);
    part->size = sizeof *part;
    for (int a = 0; a < 3; ++a, memory += 400) {
        if (problem->axes[a].lower == POISSON3D_PERIODIC || problem->discretization == POISSON3D_SPECTRAL) continue;
        const int64_t stride = problem->axes[a == 2 ? 1 : 2].points + 2;
        part->faces[a][0].constant = 0.5 + a;
        part->faces[a][1].data = memory + first[a == 0 ? 1 : 0] * stride + first[a == 2 ? 1 : 2];
        part->faces[a][1].stride = stride;
    }
}

/* max |u − expected| over those of `count` numbers that are mine, and max |expected| over all. */
static double OF(distance)(const real* u, const real* expected, const char* mine, int64_t count, double* largest) {
    double most = 0;
    *largest = 0;
    for (int64_t n = 0; n < count; ++n) {
        if (mine[n] && !(fabs((double)u[n] - (double)expected[n]) <= most))
            most = fabs((double)u[n] - (double)expected[n]);
        if (fabs((double)expected[n]) > *largest) *largest = fabs((double)expected[n]);
    }
    return most;
}
