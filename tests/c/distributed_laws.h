/* Members against one solver. Included once for each precision, with `real` and OF(name), the function or type for
 * that precision, and `near`, what solutions of one problem may differ by, relative to the largest value. */

#include "parts.h"

/* The gradient of a field on all members against that of one; then without its second component. */
static void OF(test_gradient_of_members)(const poisson3d_problem* problem, OF(distributed) * solver, int first,
                                         int mine, const char* my_points, real* walls) {
    enum { most_members = 16 };
    const int64_t row = problem->axes[2].points, plane = problem->axes[1].points * row, count = size_of(problem);
    const int64_t strides[3] = {plane, row, 1}, none[3] = {0, 0, 0};
    real* const u = take((size_t)count * sizeof(real));
    real *expected[3], *found[3];
    for (int64_t n = 0; n < count; ++n) u[n] = (real)value_at(n, 7);
    for (int a = 0; a < 3; ++a) {
        expected[a] = take((size_t)count * sizeof(real)), found[a] = take((size_t)count * sizeof(real));
        for (int64_t n = 0; n < count; ++n) found[a][n] = (real)-7.75e7;
    }
    poisson3d_options alone = {.size = sizeof alone, .engine = POISSON3D_ENGINE_HOST, .threads = 1};
    OF(gradient)* gradient = NULL;
    OF(boundary) whole, parts[most_members];
    OF(make_part_of_boundary)(problem, none, walls, &whole);
    DO(OF(gradient_create)(problem, &alone, &gradient));
    DO(OF(gradient_evaluate)(gradient, u, NULL, expected, NULL, &whole, NULL));
    OF(gradient_destroy)(gradient);
    const OF(boundary) * boundaries[most_members];
    const real* from[most_members];
    real* to[3 * most_members];
    for (int m = 0; m < mine; ++m) {
        poisson3d_box box;
        DO(OF(distributed_get_box)(solver, first + m, &box));
        const int64_t at = box.first[0] * plane + box.first[1] * row + box.first[2];
        OF(make_part_of_boundary)(problem, box.first, walls, &parts[m]);
        boundaries[m] = &parts[m];
        from[m] = u + at;
        for (int a = 0; a < 3; ++a) to[3 * m + a] = found[a] + at;
    }
    DO(OF(distributed_gradient)(solver, from, strides, to, strides, boundaries));
    /* beside a source, which is not looked at where no face is free */
    real* const again[3] = {take((size_t)count * sizeof(real)), take((size_t)count * sizeof(real)),
                            take((size_t)count * sizeof(real))};
    for (int a = 0; a < 3; ++a) memcpy(again[a], found[a], (size_t)count * sizeof(real));
    for (int64_t n = 0; n < count; ++n)
        for (int a = 0; a < 3 && my_points[n]; ++a) found[a][n] = 3;
    DO(OF(distributed_gradient_with_source)(solver, from, strides, from, strides, 2, to, strides, boundaries));
    for (int a = 0; a < 3; ++a) {
        CHECK(memcmp(again[a], found[a], (size_t)count * sizeof(real)) == 0, "beside a source, component %d", a);
        free(again[a]);
    }
    for (int a = 0; a < 3; ++a) {
        double largest = 0;
        const double off = OF(distance)(found[a], expected[a], my_points, count, &largest);
        CHECK(off <= near * largest, "component %d: %g of %g", a, off, largest);
        for (int64_t n = 0; n < count; ++n)
            CHECK(my_points[n] || found[a][n] == (real)-7.75e7, "touched element %d", (int)n);
    }
    for (int m = 0; m < mine; ++m) to[3 * m + 1] = NULL;
    for (int64_t n = 0; n < count; ++n) found[1][n] = 5;
    DO(OF(distributed_gradient)(solver, from, strides, to, strides, boundaries));
    for (int64_t n = 0; n < count; ++n) CHECK(found[1][n] == 5, "touched element %d", (int)n);
    free(u);
    for (int a = 0; a < 3; ++a) free(expected[a]), free(found[a]);
}

/* Two fields in one solve, and the operator. All members have f as a whole; each solves its box. `boxes`: how the
 * grid is decomposed. */
static void OF(test_members)(const poisson3d_problem* problem, const poisson3d_communicator* all,
                             const int64_t* planes, int method, const poisson3d_distributed_options* boxes) {
    enum { fields = 2, most_members = 16 };
    const int64_t row = problem->axes[2].points, plane = problem->axes[1].points * row, count = size_of(problem);
    const int64_t step = count + 5, strides[3] = {plane, row, 1}, none[3] = {0, 0, 0};
    char* const my_points = take((size_t)count);
    memset(my_points, 0, (size_t)count);
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
    OF(make_part_of_boundary)(problem, none, walls, &whole);
    DO(OF(create)(problem, &alone, &plan));
    DO(OF(solve_batch)(plan, fields, f, NULL, step, expected, NULL, step, &whole, -2, NULL));
    DO(OF(get_results)(plan, NULL, wanted, fields));

    int members = 0, first = 0, mine = 0;
    DO(poisson3d_communicator_get_members(all, &members, &first, &mine));
    poisson3d_distributed_options options = {0};
    if (boxes != NULL) options = *boxes;
    options.size = sizeof options, options.method = method, options.threads = 2, options.batch = fields;
    OF(distributed)* solver = NULL;
    DO(OF(distributed_create)(problem, all, planes, &options, &solver));
    const real* from[most_members];
    real* to[most_members];
    OF(boundary) parts[most_members];
    const OF(boundary) * boundaries[most_members];
    int64_t my_count = 0;
    for (int m = 0; m < mine; ++m) {
        poisson3d_box box;
        int64_t at = 0, many = 0;
        DO(OF(distributed_get_box)(solver, first + m, &box));
        DO(OF(distributed_get_planes)(solver, first + m, &at, &many));
        CHECK(at == box.first[0] && many == box.points[0], "%d", (int)many);
        CHECK(planes == NULL || many == planes[first + m], "%d", (int)many);
        OF(make_part_of_boundary)(problem, box.first, walls, &parts[m]);
        boundaries[m] = &parts[m];
        const int64_t offset = box.first[0] * plane + box.first[1] * row + box.first[2];
        from[m] = f + offset;
        to[m] = u + offset;
        for (int64_t i = 0; i < box.points[0]; ++i)
            for (int64_t j = 0; j < box.points[1]; ++j) {
                memset(my_points + offset + i * plane + j * row, 1, (size_t)box.points[2]);
                my_count += box.points[2];
            }
    }
    if (mine == members) CHECK(my_count == count, "%d", (int)my_count);
    DO(OF(distributed_solve_batch)(solver, fields, from, strides, step, to, strides, step, boundaries, -2));
    DO(OF(distributed_get_results)(solver, found, fields));
    for (int n = 0; n < fields; ++n) {
        double largest = 0;
        const double off = OF(distance)(u + n * step, expected + n * step, my_points, count, &largest);
        CHECK(off <= near * largest, "field %d: %g of %g", n, off, largest);
        CHECK(found[n].singular == wanted[n].singular, "%d", found[n].singular);
        CHECK(fabs(found[n].mean_removed - wanted[n].mean_removed) <= near, "%g", found[n].mean_removed);
        for (int64_t i = 0; i < step; ++i)
            CHECK((i < count && my_points[i]) || u[n * step + i] == (real)-7.75e7, "touched element %d", (int)i);
    }

    DO(OF(apply)(plan, f, NULL, expected, NULL, 3, NULL));
    DO(OF(distributed_apply)(solver, from, strides, to, strides, 3));
    double largest = 0;
    double off = OF(distance)(u, expected, my_points, count, &largest);
    CHECK(off <= near * largest, "apply: %g of %g", off, largest);
    OF(test_gradient_of_members)(problem, solver, first, mine, my_points, walls);
    /* one field, no boundary data, in place */
    DO(OF(solve)(plan, f, NULL, expected, NULL, NULL, 1, NULL));
    DO(OF(distributed_solve)(solver, from, strides, (real* const*)from, strides, NULL, 1));
    off = OF(distance)(f, expected, my_points, count, &largest);
    CHECK(off <= near * largest, "in place: %g of %g", off, largest);

    poisson3d_distributed_info info = {.size = sizeof info};
    DO(OF(distributed_get_info)(solver, &info));
    CHECK(method == 0 || info.method == method, "%d", info.method);
    CHECK(info.threads >= 1 && info.batch == fields && info.workspace_bytes > 0, "%d", info.threads);
    CHECK(members == 1 || info.messages > 0 || problem->axes[0].points == 1, "%d", (int)info.messages);
    int64_t sent_messages = 0;
    double sent_bytes = 0;
    for (int m = 0; m < members; ++m) {
        int64_t messages = -1;
        double bytes = -1;
        DO(OF(distributed_get_sent)(solver, m, &messages, &bytes));
        CHECK(messages >= 0 && (messages > 0) == (bytes > 0), "%d", (int)messages);
        sent_messages += messages, sent_bytes += bytes;
    }
    CHECK(sent_messages == info.messages && sent_bytes == info.message_bytes, "%g", sent_bytes);
    CHECK(strcmp(info.method_name, info.method == POISSON3D_METHOD_ELIMINATE ? "eliminate" : "transpose") == 0,
          "%s", info.method_name);
    CHECK(strstr(info.description, " over ") != NULL, "%s", info.description);
    OF(distributed_destroy)(solver);
    OF(destroy)(plan);
    free(f), free(u), free(expected), free(walls), free(my_points);
}

/* Pencils of all kinds, and boxes that are none. */
static void OF(test_boxes)(const poisson3d_problem* problem, const poisson3d_communicator* all, int method) {
    const int64_t nx = problem->axes[0].points, ny = problem->axes[1].points, nz = problem->axes[2].points;
    int members = 0, first = 0, mine = 0, order[16];
    int64_t columns[16];
    poisson3d_box boxes[16];
    DO(poisson3d_communicator_get_members(all, &members, &first, &mine));
    for (int m = 0; m < members; ++m) order[m] = members - 1 - m, columns[m] = m == members - 1 ? ny : 0;
    poisson3d_distributed_options options = {.decomposition = POISSON3D_DECOMPOSITION_AUTOMATIC};
    OF(test_members)(problem, all, NULL, method, &options);
    options.decomposition = POISSON3D_DECOMPOSITION_PENCILS;
    OF(test_members)(problem, all, NULL, method, &options);
    options.rows = 1, options.columns = members, options.order = order;
    OF(test_members)(problem, all, NULL, method, &options);
    options.column_points = columns, options.row_points = &nx;
    OF(test_members)(problem, all, NULL, method, &options);
    /* Layers of z, from the last member to the first one. */
    const poisson3d_distributed_options own = {.decomposition = POISSON3D_DECOMPOSITION_OWN, .boxes = boxes};
    for (int n = 0; n < mine; ++n) {
        const int layer = members - 1 - (first + n);
        const poisson3d_box box = {{0, 0, nz * layer / members},
                                   {nx, ny, nz * (layer + 1) / members - nz * layer / members}};
        boxes[n] = box;
    }
    OF(test_members)(problem, all, NULL, method, &own);
}
