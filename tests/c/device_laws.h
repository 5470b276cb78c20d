/* Fields in device memory, for one precision: `real` and OF(name) as in solve_laws.h. What a GPU gives agrees with
 * the host engine to rounding, and ghosts are not touched. */

typedef struct {
    real* values;
    real* place; /* on the device */
    int64_t strides[3];
    int64_t size, offset;
} OF(device_field);

/* `values` (NULL: none) inside an array with gaps all around of a value that no solve makes. */
static OF(device_field) OF(make_device_field)(const poisson3d_problem* problem, const real* values) {
    OF(device_field) field;
    const int64_t n[3] = {problem->axes[0].points, problem->axes[1].points, problem->axes[2].points};
    field.strides[2] = 1;
    field.strides[1] = n[2] + 3;
    field.strides[0] = (n[1] + 2) * field.strides[1];
    field.offset = 3;
    field.size = n[0] * field.strides[0] + 5;
    field.values = take((size_t)field.size * sizeof(real));
    for (int64_t m = 0; m < field.size; ++m) field.values[m] = (real)-7.75e7;
    for (int64_t m = 0; values != NULL && m < n[0] * n[1] * n[2]; ++m)
        field.values[field.offset + m / n[2] / n[1] * field.strides[0] + m / n[2] % n[1] * field.strides[1] +
                     m % n[2]] = values[m];
    field.place = (real*)device_take((size_t)field.size * sizeof(real), field.values) + field.offset;
    return field;
}

static void OF(give_back)(OF(device_field) * field) {
    device_give_back(field->place - field->offset);
    free(field->values);
}

/* The greatest difference from `expected`, or 1e30 if something beside the field was written. */
static double OF(difference)(const poisson3d_problem* problem, OF(device_field) * field, const real* expected,
                             void* stream) {
    const int64_t n[3] = {problem->axes[0].points, problem->axes[1].points, problem->axes[2].points};
    device_read(field->values, field->place - field->offset, (size_t)field->size * sizeof(real), stream);
    double worst = 0;
    for (int64_t m = 0; m < n[0] * n[1] * n[2]; ++m) {
        real* const value = field->values + field->offset + m / n[2] / n[1] * field->strides[0] +
                            m / n[2] % n[1] * field->strides[1] + m % n[2];
        const double apart = (double)*value - (double)expected[m];
        if (!(apart <= worst && apart >= -worst)) worst = apart < 0 ? -apart : apart;
        *value = (real)-7.75e7;
    }
    for (int64_t m = 0; m < field->size; ++m)
        if (field->values[m] != (real)-7.75e7) return 1e30;
    return worst;
}

static void OF(test_device)(const poisson3d_problem* problem, int engine, void* stream) {
    const int64_t count = size_of(problem);
    const size_t bytes = (size_t)count * sizeof(real);
    const double tolerance = sizeof(real) == 4 ? 2e-5 : 4e-14;
    real* const f = take(bytes);
    real* const expected = take(bytes);
    real* const u = take(bytes);
    real* const faces = take(600 * sizeof(real));
    for (int64_t n = 0; n < count; ++n) f[n] = (real)value_at(n, 1);
    for (int64_t n = 0; n < 600; ++n) faces[n] = (real)value_at(n, 2);
    real* const device_faces = device_take(600 * sizeof(real), faces);
    poisson3d_options host = {.size = sizeof host, .engine = POISSON3D_ENGINE_HOST, .threads = 1};
    poisson3d_options options = {.size = sizeof options, .engine = engine, .memory = POISSON3D_MEMORY_FAST};
    OF(boundary) boundary = {.size = sizeof boundary}, on_device = boundary;
    for (int a = 0; a < 3 && problem->discretization == POISSON3D_SECOND_ORDER; ++a) {
        if (problem->axes[a].lower == POISSON3D_PERIODIC) continue;
        boundary.faces[a][0].constant = on_device.faces[a][0].constant = 0.5 + a;
        boundary.faces[a][1].data = faces + 200 * a;
        on_device.faces[a][1].data = device_faces + 200 * a;
    }
    OF(plan)* on_host = NULL;
    DO(OF(create)(problem, &host, &on_host));
    DO(OF(solve)(on_host, f, NULL, expected, NULL, &boundary, -3, NULL));
    double largest = 0;
    for (int64_t n = 0; n < count; ++n)
        if (expected[n] > largest || -expected[n] > largest)
            largest = expected[n] < 0 ? -(double)expected[n] : (double)expected[n];
    poisson3d_result wanted, found;
    DO(OF(get_results)(on_host, NULL, &wanted, 1));

    /* device memory, in a workspace of the caller's; apart and in place */
    DO(OF(workspace_bytes)(problem, &options, &options.workspace_bytes));
    void* const nothing = calloc(options.workspace_bytes + 1, 1);
    options.workspace = device_take(options.workspace_bytes, nothing);
    void* const workspace = options.workspace;
    free(nothing);
    OF(plan)* plan = NULL;
    DO(OF(create)(problem, &options, &plan));
    poisson3d_info info = {.size = sizeof info};
    DO(OF(get_info)(plan, &info));
    CHECK(info.engine == engine && info.workspace_bytes == options.workspace_bytes, "%s", info.description);
    OF(device_field) from = OF(make_device_field)(problem, f), to = OF(make_device_field)(problem, NULL);
    DO(OF(solve)(plan, from.place, from.strides, to.place, to.strides, &on_device, -3, stream));
    DO(OF(get_results)(plan, stream, &found, 1));
    double apart = OF(difference)(problem, &to, expected, stream);
    CHECK(apart <= tolerance * largest, "%g of %g", apart, largest);
    CHECK(found.singular == wanted.singular, "%d", found.singular);
    apart = found.mean_removed - wanted.mean_removed;
    CHECK(apart < tolerance && -apart < tolerance, "%g, %g", found.mean_removed, wanted.mean_removed);
    DO(OF(solve)(plan, from.place, from.strides, from.place, from.strides, &on_device, -3, stream));
    apart = OF(difference)(problem, &from, expected, stream);
    CHECK(apart <= tolerance * largest, "in place %g of %g", apart, largest);

    /* host memory through the device */
    if (problem->discretization == POISSON3D_SECOND_ORDER) {
        DO(OF(solve)(plan, f, NULL, u, NULL, &boundary, -3, stream));
        poisson3d_residual residual;
        DO(OF(measure_residual)(problem, f, NULL, u, NULL, &boundary, -3, found.mean_removed, &residual));
        CHECK(residual.backward < 8 * (sizeof(real) == 4 ? 1.2e-7 : 2.2e-16), "%g", residual.backward);
        REFUSED(POISSON3D_USAGE, "memory", OF(solve)(plan, f, NULL, from.place, from.strides, NULL, 1, stream));
    }

    /* a batch */
    poisson3d_options many = {.size = sizeof many, .engine = engine, .batch = 3};
    OF(plan)* batch = NULL;
    DO(OF(create)(problem, &many, &batch));
    real* const all = take(3 * bytes);
    for (int64_t n = 0; n < 3 * count; ++n) all[n] = (real)value_at(n, 4);
    real* const all_on_device = device_take(3 * bytes, all);
    DO(OF(solve_batch)(batch, 3, all_on_device, NULL, count, all_on_device, NULL, count, &on_device, 1, stream));
    poisson3d_result results[3];
    DO(OF(get_results)(batch, stream, results, 3));
    for (int64_t b = 0; b < 3; ++b) {
        DO(OF(solve)(on_host, all + b * count, NULL, expected, NULL, &boundary, 1, NULL));
        device_read(u, all_on_device + b * count, bytes, stream);
        for (int64_t n = 0; n < count; ++n) {
            apart = (double)u[n] - (double)expected[n];
            if (!(apart <= 4 * tolerance * largest && -apart <= 4 * tolerance * largest)) break;
        }
        CHECK(apart <= 4 * tolerance * largest && -apart <= 4 * tolerance * largest, "field %d: %g", (int)b, apart);
    }
    device_give_back(all_on_device);
    OF(destroy)(batch);

    /* the gradient */
    OF(gradient)* of_host = NULL, *of_device = NULL;
    DO(OF(gradient_create)(problem, &host, &of_host));
    options.workspace = NULL, options.workspace_bytes = 0;
    DO(OF(gradient_create)(problem, &options, &of_device));
    OF(device_field) input = OF(make_device_field)(problem, f), d[3];
    for (int a = 0; a < 3; ++a) d[a] = OF(make_device_field)(problem, NULL);
    real* const places[3] = {d[0].place, d[1].place, d[2].place};
    DO(OF(gradient_evaluate)(of_device, input.place, input.strides, places, d[0].strides, &on_device, stream));
    for (int a = 0; a < 3; ++a) {
        real* const one[3] = {a == 0 ? u : NULL, a == 1 ? u : NULL, a == 2 ? u : NULL};
        DO(OF(gradient_evaluate)(of_host, f, NULL, one, NULL, &boundary, NULL));
        apart = OF(difference)(problem, &d[a], u, stream);
        CHECK(apart < 40 * tolerance, "axis %d: %g", a, apart);
        OF(give_back)(&d[a]);
    }
    OF(give_back)(&input);
    OF(gradient_destroy)(of_host);
    OF(gradient_destroy)(of_device);
    OF(destroy)(plan);
    device_give_back(workspace);
    OF(destroy)(on_host);
    OF(give_back)(&from);
    OF(give_back)(&to);
    device_give_back(device_faces);
    free(all), free(f), free(u), free(expected), free(faces);
}
