/* Members against one solver. Included once for each precision, with `real` and OF(name), the function or type for
 * that precision, and `near`, what solutions of one problem may differ by, relative to the largest value. */

/* A constant on the lower faces, arrays with gaps on the upper ones; of those the part that begins at plane
 * `first`. */
static void OF(make_part_of_boundary)(const poisson3d_problem* problem, int64_t first, real* memory,
                                      OF(boundary) * part) {
    memset(part, 0, sizeof *part);
    part->size = sizeof *part;
    for (int a = 0; a < 3; ++a, memory += 400) {
        if (problem->axes[a].lower == POISSON3D_PERIODIC || problem->discretization == POISSON3D_SPECTRAL) continue;
        const int64_t stride = problem->axes[a == 2 ? 1 : 2].points + 2;
        part->faces[a][0].constant = 0.5 + a;
        part->faces[a][1].data = memory + (a == 0 ? 0 : first * stride);
        part->faces[a][1].stride = stride;
    }
}

/* max |u − expected| over `count` numbers, and max |expected|. */
static double OF(distance)(const real* u, const real* expected, int64_t count, double* largest) {
    double most = 0;
    *largest = 0;
    for (int64_t n = 0; n < count; ++n) {
        if (!(fabs((double)u[n] - (double)expected[n]) <= most)) most = fabs((double)u[n] - (double)expected[n]);
        if (fabs((double)expected[n]) > *largest) *largest = fabs((double)expected[n]);
    }
    return most;
}

/* Two fields in one solve, and the operator. All members have f as a whole; each solves its planes. */
static void OF(test_members)(const poisson3d_problem* problem, const poisson3d_communicator* all,
                             const int64_t* planes, int method) {
    enum { fields = 2, most_members = 16 };
    const int64_t plane = problem->axes[1].points * problem->axes[2].points, count = size_of(problem);
    const int64_t step = count + 5;
    real* const f = take((size_t)(fields * step) * sizeof(real));
    real* const u = take((size_t)(fields * step) * sizeof(real));
    real* const expected = take((size_t)(fields * step) * sizeof(real));
    real* const walls = take(1200 * sizeof(real));
    for (int64_t n = 0; n < fields * step; ++n) f[n] = (real)value_at(n, 3), u[n] = expected[n] = (real)-7.75e7;
    for (int n = 0; n < 1200; ++n) walls[n] = (real)value_at(n, 4);

    poisson3d_options alone = {
        .size = sizeof alone, .engine = POISSON3D_ENGINE_HOST, .threads = 1, .batch = fields};
    OF(plan)* plan = NULL;
    OF(boundary) whole;
    poisson3d_result wanted[fields], found[fields];
    OF(make_part_of_boundary)(problem, 0, walls, &whole);
    DO(OF(create)(problem, &alone, &plan));
    DO(OF(solve_batch)(plan, fields, f, NULL, step, expected, NULL, step, &whole, -2, NULL));
    DO(OF(get_results)(plan, NULL, wanted, fields));

    int members = 0, first = 0, mine = 0;
    DO(poisson3d_communicator_get_members(all, &members, &first, &mine));
    const poisson3d_distributed_options options = {
        .size = sizeof options, .method = method, .threads = 2, .batch = fields};
    OF(distributed)* solver = NULL;
    DO(OF(distributed_create)(problem, all, planes, &options, &solver));
    const real* from[most_members];
    real* to[most_members];
    OF(boundary) parts[most_members];
    const OF(boundary) * boundaries[most_members];
    int64_t begin = count, end = 0; /* of all that is mine */
    for (int m = 0; m < mine; ++m) {
        int64_t at = 0, many = 0;
        DO(OF(distributed_get_planes)(solver, first + m, &at, &many));
        CHECK(planes == NULL || many == planes[first + m], "%d", (int)many);
        OF(make_part_of_boundary)(problem, at, walls, &parts[m]);
        boundaries[m] = &parts[m];
        from[m] = f + at * plane;
        to[m] = u + at * plane;
        if (at * plane < begin) begin = at * plane;
        if ((at + many) * plane > end) end = (at + many) * plane;
    }
    DO(OF(distributed_solve_batch)(solver, fields, from, NULL, step, to, NULL, step, boundaries, -2));
    DO(OF(distributed_get_results)(solver, found, fields));
    for (int n = 0; n < fields; ++n) {
        double largest = 0, ignored = 0;
        OF(distance)(expected + n * step, expected + n * step, count, &largest);
        const double off = OF(distance)(u + n * step + begin, expected + n * step + begin, end - begin, &ignored);
        CHECK(off <= near * largest, "field %d: %g of %g", n, off, largest);
        CHECK(found[n].singular == wanted[n].singular, "%d", found[n].singular);
        CHECK(fabs(found[n].mean_removed - wanted[n].mean_removed) <= near, "%g", found[n].mean_removed);
        for (int64_t i = 0; i < step; ++i)
            CHECK((i >= begin && i < end) || u[n * step + i] == (real)-7.75e7, "touched element %d", (int)i);
    }

    DO(OF(apply)(plan, f, NULL, expected, NULL, 3, NULL));
    DO(OF(distributed_apply)(solver, from, NULL, to, NULL, 3));
    double largest = 0, ignored = 0;
    OF(distance)(expected, expected, count, &largest);
    CHECK(OF(distance)(u + begin, expected + begin, end - begin, &ignored) <= near * largest, "apply");
    /* one field, no boundary data, in place */
    DO(OF(solve)(plan, f, NULL, expected, NULL, NULL, 1, NULL));
    DO(OF(distributed_solve)(solver, from, NULL, (real* const*)from, NULL, NULL, 1));
    OF(distance)(expected, expected, count, &largest);
    CHECK(OF(distance)(f + begin, expected + begin, end - begin, &ignored) <= near * largest, "in place");

    poisson3d_distributed_info info = {.size = sizeof info};
    DO(OF(distributed_get_info)(solver, &info));
    CHECK(method == 0 || info.method == method, "%d", info.method);
    CHECK(info.threads >= 1 && info.batch == fields && info.workspace_bytes > 0, "%d", info.threads);
    CHECK((members > 1) == (info.messages > 0) || problem->axes[0].points == 1, "%d", (int)info.messages);
    CHECK(strcmp(info.method_name, info.method == POISSON3D_METHOD_ELIMINATE ? "eliminate" : "transpose") == 0,
          "%s", info.method_name);
    CHECK(strstr(info.description, " over ") != NULL, "%s", info.description);
    OF(distributed_destroy)(solver);
    OF(destroy)(plan);
    free(f), free(u), free(expected), free(walls);
}
