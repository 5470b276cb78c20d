/* Laws of variable coefficients for one precision, included once for each: `real`, OF(name), `allowed`, relative.
 */

/* ε and λ of a point, anything that differs along all axes. */
static real OF(eps_at)(int64_t i, int64_t j, int64_t k) {
    return (real)(1.0 + 0.5 * (double)i + 0.25 * (double)(j * j) + (double)((3 * k) % 4));
}
static real OF(lambda_at)(int64_t i, int64_t j, int64_t k) {
    return (real)(0.5 * (double)((i + 2 * j + k) % 3));
}

/* ε on the lower face of point (i, j, k) along an axis; harmonic means, of points beyond walls those inside. */
static double OF(face_at)(int axis, int64_t i, int64_t j, int64_t k) {
    int64_t below[3] = {i, j, k}, above[3] = {i, j, k};
    below[axis] -= 1;
    if (axis == 0) below[0] = (below[0] + box[0]) % box[0], above[0] %= box[0];
    if (below[axis] < 0) below[axis] = 0;
    if (above[axis] == box[axis]) above[axis] = box[axis] - 1;
    const double a = (double)OF(eps_at)(below[0], below[1], below[2]);
    const double b = (double)OF(eps_at)(above[0], above[1], above[2]);
    return 2.0 / (1.0 / a + 1.0 / b);
}

/* ∇·(ε∇u) − λu: x periodic, y from a Dirichlet to a Neumann wall with u = 3 and ∂u/∂n = −2, z between Neumann
 * walls; cells. */
static double OF(operator_at)(const real* u, const int64_t strides[3], int with_lambda, int64_t i, int64_t j,
                              int64_t k) {
    const int64_t at[3] = {i, j, k};
    const double here = (double)u[i * strides[0] + j * strides[1] + k];
    double sum = with_lambda ? -(double)OF(lambda_at)(i, j, k) * here : 0.0;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            int64_t next[3] = {i, j, k}, face[3] = {i, j, k};
            next[axis] += 2 * side - 1, face[axis] += side;
            if (axis == 0) next[0] = (next[0] + box[0]) % box[0];
            const double h = steps[axis], eps = OF(face_at)(axis, face[0], face[1], face[2]);
            double difference = 0.0;
            if (next[axis] >= 0 && next[axis] < box[axis])
                difference = (double)u[next[0] * strides[0] + next[1] * strides[1] + next[2]] - here;
            else if (axis == 1)
                difference = at[1] == 0 ? 2.0 * (3.0 - here) : -2.0 * h;
            sum += eps * difference / (h * h);
        }
    return sum;
}

static void OF(test_variable)(void) {
    const int64_t dense[3] = {box[1] * box[2], box[2], 1};
    const int64_t padded[3] = {(box[1] + 1) * (box[2] + 3), box[2] + 3, 1}; /* and ghosts, which nothing reads */
    real* const eps = take((size_t)(box[0] * padded[0]) * sizeof(real));
    real* const lambda = take((size_t)(box[0] * padded[0]) * sizeof(real));
    real* const f = take((size_t)(box[0] * padded[0]) * sizeof(real));
    real* const u = take((size_t)(box[0] * padded[0]) * sizeof(real));
    real* const v = take((size_t)(box[0] * dense[0]) * sizeof(real));
    real* faces[3];
    for (int axis = 0; axis < 3; ++axis) {
        int64_t e[3] = {box[0], box[1], box[2]};
        e[axis] += 1;
        faces[axis] = take((size_t)(e[0] * e[1] * e[2]) * sizeof(real));
        for (int64_t i = 0; i < e[0]; ++i)
            for (int64_t j = 0; j < e[1]; ++j)
                for (int64_t k = 0; k < e[2]; ++k)
                    faces[axis][(i * e[1] + j) * e[2] + k] = (real)OF(face_at)(axis, i, j, k);
    }
    double size = 0.0;
    for (int64_t i = 0; i < box[0]; ++i)
        for (int64_t j = 0; j < box[1]; ++j)
            for (int64_t k = 0; k < box[2]; ++k) {
                const int64_t at = i * padded[0] + j * padded[1] + k;
                eps[at] = OF(eps_at)(i, j, k);
                lambda[at] = OF(lambda_at)(i, j, k);
                f[at] = (real)((double)((7 * i + 5 * j + 11 * k) % 13) - 6.0);
                size += (double)f[at] * (double)f[at];
            }
    struct OF(boundary) boundary = {.size = sizeof boundary};
    boundary.faces[1][0].constant = 3.0, boundary.faces[1][1].constant = -2.0;
    poisson3d_options options = {.size = sizeof options, .engine = engine, .threads = 1};
    struct OF(variable)* solver = NULL;
    size_t most = 0;
    DO(OF(variable_workspace_bytes)(&problem, &options, &most));
    DO(OF(variable_create)(&problem, &options, -1.0, &solver));
    const poisson3d_variable_control control = {.size = sizeof control, .tolerance = (double)(allowed)};
    for (int way = 0; way < 4; ++way) { /* at points or on faces, without λ and with */
        poisson3d_variable_result result = {.size = sizeof result};
        const real* const with = way % 2 == 1 ? lambda : NULL;
        if (way < 2)
            DO(OF(variable_set_coefficient)(solver, eps, padded, with, padded));
        else
            DO(OF(variable_set_faces)(solver, (const real* const*)faces, with, padded));
        DO(OF(variable_solve)(solver, f, padded, u, padded, &boundary, (real)2, &control, &result));
        CHECK(result.converged == 1 && result.singular == 0 && result.iterations > 2 && result.residual > 0.0,
              "%d iterations", result.iterations);
        double sum = 0.0;
        for (int64_t i = 0; i < box[0]; ++i)
            for (int64_t j = 0; j < box[1]; ++j)
                for (int64_t k = 0; k < box[2]; ++k) {
                    const double r = OF(operator_at)(u, padded, way % 2, i, j, k) -
                                     2.0 * (double)f[i * padded[0] + j * padded[1] + k];
                    sum += r * r;
                }
        CHECK(sum <= 100.0 * size * (double)(allowed) * (double)(allowed), "way %d: residual %g of %g", way, sum,
              size);
        poisson3d_variable_control again = control;
        again.start_from_u = 1;
        DO(OF(variable_solve)(solver, f, padded, u, padded, &boundary, (real)2, &again, &result));
        CHECK(result.iterations == 0, "%d iterations from the solution", result.iterations);
    }
    DO(OF(variable_solve)(solver, f, padded, u, padded, NULL, (real)1, NULL, NULL));
    DO(OF(variable_apply)(solver, u, padded, v, NULL));
    double apart = 0.0;
    for (int64_t n = 0; n < box[0] * dense[0]; ++n) {
        const double r =
            (double)v[n] - (double)f[n / dense[0] * padded[0] + n % dense[0] / box[2] * padded[1] + n % box[2]];
        apart += r * r;
    }
    CHECK(apart <= 1e-8 * size, "operator of the solution: %g of %g", apart, size);

    poisson3d_info info = {.size = sizeof info};
    DO(OF(variable_get_info)(solver, &info));
    CHECK(info.threads == 1 && info.engine == engine, "%d threads, engine %d", info.threads, info.engine);
    CHECK(info.workspace_bytes <= most && info.workspace_bytes > 0, "%zu of %zu", info.workspace_bytes, most);
    CHECK(strstr(info.description, "conjugate gradients") != NULL, "%s", info.description);

    eps[1] = (real)-1;
    REFUSED(POISSON3D_DATA, "found -1 at [0, 0, 1]", OF(variable_set_coefficient)(solver, eps, padded, NULL, NULL));
    REFUSED(POISSON3D_USAGE, "set_coefficient",
            OF(variable_solve)(solver, f, padded, u, padded, NULL, (real)1, NULL, NULL));
    REFUSED(POISSON3D_USAGE, "coefficient is a null pointer",
            OF(variable_set_coefficient)(solver, NULL, NULL, NULL, NULL));
    REFUSED(POISSON3D_USAGE, "faces is a null pointer", OF(variable_set_faces)(solver, NULL, NULL, NULL));
    const real* const without[3] = {faces[0], NULL, faces[2]};
    REFUSED(POISSON3D_USAGE, "faces[1] is a null pointer", OF(variable_set_faces)(solver, without, NULL, NULL));
    lambda[2] = (real)-3;
    REFUSED(POISSON3D_DATA, "helmholtz: found -3 at [0, 0, 2]",
            OF(variable_set_faces)(solver, (const real* const*)faces, lambda, padded));
    DO(OF(variable_set_faces)(solver, (const real* const*)faces, NULL, NULL));
    REFUSED(POISSON3D_USAGE, "overlap",
            OF(variable_solve)(solver, f, padded, f, padded, NULL, (real)1, NULL, NULL));
    const poisson3d_variable_control wrong = {.size = sizeof wrong, .start_from_u = 2};
    REFUSED(POISSON3D_USAGE, "control.start_from_u",
            OF(variable_solve)(solver, f, padded, u, padded, NULL, (real)1, &wrong, NULL));
    REFUSED(POISSON3D_USAGE, "variable is not of the kind",
            OF(variable_apply)((struct OF(variable)*)&options, u, padded, v, NULL));
    OF(variable_destroy)(solver);
    REFUSED(POISSON3D_USAGE, "scaling 2", OF(variable_create)(&problem, &options, 2.0, &solver));
    CHECK(solver == NULL, "not null after a failure");
    OF(variable_destroy)(NULL);
    for (int axis = 0; axis < 3; ++axis) free(faces[axis]);
    free(eps), free(lambda), free(f), free(u), free(v);
}
