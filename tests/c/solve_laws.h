/* Every function for fields once, against the bits of the C++ interface. Included once for each precision, with
 * `real` and OF(name), the function or type for that precision, and REFERENCE(name). */

/* A field with gaps: rows 2 longer, planes 3 rows longer, a margin before and behind, all of it a value that no
 * solve makes. */
typedef struct {
    real* memory;
    real* first;
    int64_t strides[3];
    int64_t size, points[3];
} OF(padded);

static OF(padded) OF(make_padded)(const poisson3d_problem* problem) {
    OF(padded) p;
    for (int a = 0; a < 3; ++a) p.points[a] = problem->axes[a].points;
    p.strides[2] = 1;
    p.strides[1] = p.points[2] + 2;
    p.strides[0] = (p.points[1] + 3) * p.strides[1];
    p.size = p.points[0] * p.strides[0] + 10;
    p.memory = take((size_t)p.size * sizeof(real));
    p.first = p.memory + 5;
    for (int64_t n = 0; n < p.size; ++n) p.memory[n] = (real)-7.75e7;
    return p;
}

static real* OF(element)(const OF(padded) * p, int64_t n) {
    const int64_t k = n % p->points[2], j = n / p->points[2] % p->points[1], i = n / p->points[2] / p->points[1];
    return p->first + i * p->strides[0] + j * p->strides[1] + k;
}

/* The elements into `dense`, and how many others have changed. */
static int64_t OF(read_padded)(const OF(padded) * p, real* dense) {
    const int64_t count = p->points[0] * p->points[1] * p->points[2];
    int64_t untouched = 0;
    for (int64_t n = 0; n < count; ++n) {
        dense[n] = *OF(element)(p, n);
        *OF(element)(p, n) = (real)-7.75e7;
    }
    for (int64_t n = 0; n < p->size; ++n) untouched += p->memory[n] == (real)-7.75e7;
    return p->size - untouched;
}

/* Data on all faces there are: a constant on the lower ones, an array with gaps on the upper ones. */
static void OF(make_boundary)(const poisson3d_problem* problem, OF(boundary) * boundary, real* memory, int gap) {
    memset(boundary, 0, sizeof *boundary);
    boundary->size = sizeof *boundary;
    for (int a = 0; a < 3; ++a) {
        if (problem->axes[a].lower == POISSON3D_PERIODIC) continue;
        boundary->faces[a][0].constant = 0.5 + a;
        boundary->faces[a][1].data = memory;
        boundary->faces[a][1].stride = gap == 0 ? 0 : problem->axes[a == 2 ? 1 : 2].points + gap;
        memory += 200;
    }
}

static void OF(test_solves)(const poisson3d_problem* problem, int memory) {
    const int64_t count = size_of(problem);
    const size_t bytes = (size_t)count * sizeof(real);
    real* const f = take(bytes);
    real* const u = take(bytes);
    real* const expected = take(bytes);
    real* const face_memory = take(600 * sizeof(real));
    for (int64_t n = 0; n < count; ++n) f[n] = (real)value_at(n, 1);
    for (int64_t n = 0; n < 600; ++n) face_memory[n] = (real)value_at(n, 2);
    poisson3d_options options;
    DO(poisson3d_default_options(&options, sizeof options));
    options.engine = POISSON3D_ENGINE_HOST;
    options.memory = memory;
    options.threads = 1;
    options.batch = 3;
    poisson3d_options single = options;
    single.batch = 0;

    OF(plan)* plan = NULL;
    DO(OF(create)(problem, &options, &plan));
    poisson3d_info info = {.size = sizeof info};
    DO(OF(get_info)(plan, &info));
    CHECK(info.engine == POISSON3D_ENGINE_HOST && info.memory == memory && info.threads == 1 && info.batch == 3,
          "%d %d %d", info.engine, info.memory, info.threads);
    CHECK(strcmp(info.engine_name, "host") == 0 && strstr(info.description, info.memory_name) != NULL, "%s",
          info.description);
    size_t plan_bytes = 0;
    DO(OF(workspace_bytes)(problem, &options, &plan_bytes));
    CHECK(info.workspace_bytes == plan_bytes, "%zu, %zu", info.workspace_bytes, plan_bytes);
    DO(OF(workspace_bytes)(problem, &single, &plan_bytes));
    CHECK(plan_bytes == REFERENCE(bytes)(problem, memory), "%zu", plan_bytes);

    /* apart, with gaps, in place; twice each */
    poisson3d_result wanted, found;
    REFERENCE(solve)(problem, memory, f, expected, NULL, -3, &wanted);
    for (int again = 0; again < 2; ++again) {
        memset(u, 0xff, bytes);
        DO(OF(solve)(plan, f, NULL, u, NULL, NULL, -3, NULL));
        CHECK(memcmp(u, expected, bytes) == 0, "apart");
        DO(OF(get_results)(plan, NULL, &found, 1));
        CHECK(found.singular == wanted.singular && found.mean_removed == wanted.mean_removed, "%g, %g",
              found.mean_removed, wanted.mean_removed);
        memcpy(u, f, bytes);
        DO(OF(solve)(plan, u, NULL, u, NULL, NULL, -3, NULL));
        CHECK(memcmp(u, expected, bytes) == 0, "in place");
    }
    poisson3d_residual residual, residual_wanted;
    if (problem->discretization == POISSON3D_SECOND_ORDER) {
        DO(OF(measure_residual)(problem, f, NULL, u, NULL, NULL, -3, wanted.mean_removed, &residual));
        REFERENCE(residual)(problem, f, u, -3, wanted.mean_removed, &residual_wanted);
        CHECK(memcmp(&residual, &residual_wanted, sizeof residual) == 0, "%g", residual.backward);
        CHECK(residual.backward < 8 * (sizeof(real) == 4 ? 1.2e-7 : 2.2e-16), "%g", residual.backward);
    }
    OF(padded) from = OF(make_padded)(problem), to = OF(make_padded)(problem);
    for (int64_t n = 0; n < count; ++n) *OF(element)(&from, n) = f[n];
    const real* const f_first = from.first;
    const int gaps_in_u = memory != POISSON3D_MEMORY_STANDARD;
    DO(OF(solve)(plan, f_first, from.strides, gaps_in_u ? to.first : u, gaps_in_u ? to.strides : NULL, NULL, -3,
                 NULL));
    if (gaps_in_u) CHECK(OF(read_padded)(&to, u) == 0, "the gaps of u were written");
    CHECK(memcmp(u, expected, bytes) == 0, "gaps");
    CHECK(OF(read_padded)(&from, u) == 0, "the gaps of f were written");
    CHECK(memcmp(u, f, bytes) == 0, "f was written");

    /* the operator */
    REFERENCE(apply)(problem, memory, f, expected, 2);
    DO(OF(apply)(plan, f, NULL, u, NULL, 2, NULL));
    CHECK(memcmp(u, expected, bytes) == 0, "apply");

    /* boundary data, and its gradient */
    OF(boundary) boundary;
    for (int gap = 0; gap < 4; gap += 3) {
        OF(make_boundary)(problem, &boundary, face_memory, gap);
        if (problem->discretization == POISSON3D_SPECTRAL) {
            REFUSED(POISSON3D_UNSUPPORTED, "spectral", OF(solve)(plan, f, NULL, u, NULL, &boundary, 1, NULL));
            continue;
        }
        REFERENCE(solve)(problem, memory, f, expected, &boundary, 1, &wanted);
        DO(OF(solve)(plan, f, NULL, u, NULL, &boundary, 1, NULL));
        CHECK(memcmp(u, expected, bytes) == 0, "boundary data");
        DO(OF(get_results)(plan, NULL, &found, 1));
        DO(OF(measure_residual)(problem, f, NULL, u, NULL, &boundary, 1, found.mean_removed, &residual));
        CHECK(residual.backward < 8 * (sizeof(real) == 4 ? 1.2e-7 : 2.2e-16), "%g", residual.backward);
    }
    DO(OF(solve)(plan, f, NULL, u, NULL, NULL, 1, NULL));
    OF(boundary)* const data = problem->discretization == POISSON3D_SPECTRAL ? NULL : &boundary;
    real* components[3];
    real* components_expected[3];
    OF(padded) components_padded[3];
    for (int a = 0; a < 3; ++a) {
        components[a] = take(bytes);
        components_expected[a] = take(bytes);
        components_padded[a] = OF(make_padded)(problem);
    }
    REFERENCE(gradient)(problem, u, components_expected, data);
    OF(gradient)* gradient = NULL;
    DO(OF(gradient_create)(problem, &single, &gradient));
    DO(OF(gradient_get_info)(gradient, &info));
    CHECK(strstr(info.description, "gradient") != NULL && info.threads == 1, "%s", info.description);
    DO(OF(gradient_workspace_bytes)(problem, &single, &plan_bytes));
    CHECK(plan_bytes == info.workspace_bytes && plan_bytes == REFERENCE(gradient_bytes)(problem), "%zu",
          plan_bytes);
    DO(OF(gradient_evaluate)(gradient, u, NULL, components, NULL, data, NULL));
    real* const places[3] = {components_padded[0].first, NULL, components_padded[2].first};
    DO(OF(gradient_evaluate)(gradient, u, NULL, places, components_padded[0].strides, data, NULL));
    for (int a = 0; a < 3; ++a) {
        CHECK(memcmp(components[a], components_expected[a], bytes) == 0, "gradient, axis %d", a);
        CHECK(OF(read_padded)(&components_padded[a], components[a]) == 0, "gaps, axis %d", a);
        if (a != 1) CHECK(memcmp(components[a], components_expected[a], bytes) == 0, "gaps, axis %d", a);
        memset(components[a], 0, bytes);
    }
    DO(OF(gradient_evaluate_with_source)(gradient, u, NULL, f, NULL, 2, components, NULL, data, NULL));
    for (int a = 0; a < 3; ++a)
        CHECK(memcmp(components[a], components_expected[a], bytes) == 0, "gradient beside a source, axis %d", a);
    OF(gradient_destroy)(gradient);

    /* a batch, its fields apart, in the memory of the caller */
    poisson3d_options owned = options;
    DO(OF(workspace_bytes)(problem, &options, &owned.workspace_bytes));
    owned.workspace = aligned_alloc(64, (owned.workspace_bytes + 64) / 64 * 64);
    OF(plan)* in_workspace = NULL;
    DO(OF(create)(problem, &owned, &in_workspace));
    const int64_t step = count + 4;
    real* const many_f = take((size_t)(3 * step) * sizeof(real));
    real* const many_u = take((size_t)(3 * step) * sizeof(real));
    for (int64_t n = 0; n < 3 * step; ++n) many_f[n] = (real)value_at(n, 3), many_u[n] = (real)-7.75e7;
    if (data != NULL)
        for (int a = 0; a < 3; ++a) boundary.faces[a][1].field_stride = boundary.faces[a][1].data == NULL ? 0 : 7;
    poisson3d_result results[3];
    memset(results, 0xff, sizeof results);
    DO(OF(solve_batch)(in_workspace, 3, many_f, NULL, step, many_u, NULL, step, data, 2, NULL));
    DO(OF(get_results)(in_workspace, NULL, results, 3));
    REFUSED(POISSON3D_USAGE, "count 4", OF(get_results)(in_workspace, NULL, results, 4));
    REFUSED(POISSON3D_USAGE, "count 0", OF(get_results)(in_workspace, NULL, results, 0));
    for (int64_t b = 0; b < 3; ++b) {
        if (data != NULL) OF(make_boundary)(problem, &boundary, face_memory + 7 * b, 3);
        REFERENCE(solve)(problem, memory, many_f + b * step, expected, data, 2, &wanted);
        CHECK(memcmp(many_u + b * step, expected, bytes) == 0, "field %d of a batch", (int)b);
        CHECK(many_u[b * step + count] == (real)-7.75e7, "between the fields");
        CHECK(results[b].singular == wanted.singular && results[b].mean_removed == wanted.mean_removed, "%g",
              results[b].mean_removed);
    }
    OF(destroy)(in_workspace);
    free(owned.workspace);
    OF(destroy)(plan);
    for (int a = 0; a < 3; ++a) {
        free(components[a]);
        free(components_expected[a]);
        free(components_padded[a].memory);
    }
    free(many_f), free(many_u), free(from.memory), free(to.memory);
    free(f), free(u), free(expected), free(face_memory);
}
