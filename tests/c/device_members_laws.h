/* Members on devices against one solver on the host. Included once for each precision, with `real` and OF(name),
 * the function or type for that precision, and `near`, what solutions of one problem may differ by, relative to the
 * largest value. */
#include "parts.h"

/* Of a member: two fields with gaps, and numbers for faces. */
typedef struct {
    int device;
    int64_t first, planes, size;
    real *f, *u, *walls;
} OF(member_on_device);

/* The slabs of dense fields that all begin at `fields`, each `step` after the one before, with gaps around. */
static void OF(put)(const poisson3d_problem* problem, const OF(member_on_device) * member, real* place,
                    const real* fields, int64_t step, const int64_t strides[3], void* stream) {
    const int64_t ny = problem->axes[1].points, nz = problem->axes[2].points;
    real* const values = take((size_t)(2 * member->size) * sizeof(real));
    for (int64_t n = 0; n < 2 * member->size; ++n) values[n] = (real)-7.75e7;
    for (int64_t b = 0; fields != NULL && b < 2; ++b)
        for (int64_t i = 0; i < member->planes; ++i)
            for (int64_t j = 0; j < ny; ++j)
                for (int64_t k = 0; k < nz; ++k)
                    values[b * member->size + i * strides[0] + j * strides[1] + k] =
                        fields[b * step + ((member->first + i) * ny + j) * nz + k];
    device_use(member->device);
    device_write(place, values, (size_t)(2 * member->size) * sizeof(real), stream);
    free(values);
}

/* The slabs of both fields back into dense ones; CHECKs that gaps are as they were. */
static void OF(get)(const poisson3d_problem* problem, const OF(member_on_device) * member, const real* place,
                    real* fields, int64_t step, const int64_t strides[3], void* stream) {
    const int64_t ny = problem->axes[1].points, nz = problem->axes[2].points;
    real* const values = take((size_t)(2 * member->size) * sizeof(real));
    device_use(member->device);
    device_read(values, place, (size_t)(2 * member->size) * sizeof(real), stream);
    int64_t gaps = 0;
    for (int64_t n = 0; n < 2 * member->size; ++n) gaps += values[n] == (real)-7.75e7;
    CHECK(gaps == 2 * (member->size - member->planes * ny * nz), "%d gaps of %d numbers", (int)gaps,
          (int)(2 * member->size));
    for (int64_t b = 0; b < 2; ++b)
        for (int64_t i = 0; i < member->planes; ++i)
            for (int64_t j = 0; j < ny; ++j)
                for (int64_t k = 0; k < nz; ++k)
                    fields[b * step + ((member->first + i) * ny + j) * nz + k] =
                        values[b * member->size + i * strides[0] + j * strides[1] + k];
    free(values);
}

/* Two fields in one solve with data on faces, in place, and the operator. `own_streams`: in streams of the test. */
static void OF(test_members_on_devices)(const poisson3d_problem* problem, const int* devices, int count, int method,
                                        const int64_t* planes, int own_streams) {
    enum { fields = 2, most = 4 };
    const int64_t ny = problem->axes[1].points, nz = problem->axes[2].points, points = size_of(problem);
    const int64_t strides[3] = {(ny + 2) * (nz + 3), nz + 3, 1}, none[3] = {0, 0, 0};
    const int64_t step = problem->axes[0].points * strides[0]; /* room for any slab */
    char* const all_points = take((size_t)points);
    memset(all_points, 1, (size_t)points);
    real* const f = take((size_t)(fields * points) * sizeof(real));
    real* const found = take((size_t)(fields * points) * sizeof(real));
    real* const expected = take((size_t)(fields * points) * sizeof(real));
    real* const walls = take(1200 * sizeof(real));
    for (int64_t n = 0; n < fields * points; ++n) f[n] = (real)value_at(n, 3);
    for (int n = 0; n < 1200; ++n) walls[n] = (real)value_at(n, 4);

    poisson3d_options alone = {
        .size = sizeof alone, .engine = POISSON3D_ENGINE_HOST, .threads = 1, .batch = fields};
    OF(plan)* plan = NULL;
    OF(boundary) whole, parts[most];
    poisson3d_result wanted[fields], results[fields];
    OF(make_part_of_boundary)(problem, none, walls, &whole);
    DO(OF(create)(problem, &alone, &plan));
    DO(OF(solve_batch)(plan, fields, f, NULL, points, expected, NULL, points, &whole, -2, NULL));
    DO(OF(get_results)(plan, NULL, wanted, fields));

    poisson3d_communicator* all = NULL;
    OF(distributed)* solver = NULL;
    const int staged = method == POISSON3D_METHOD_TRANSPOSE;
    poisson3d_distributed_options options = {.size = sizeof options,
                                             .method = method,
                                             .batch = fields,
                                             .way = staged ? POISSON3D_WAY_STAGED : POISSON3D_WAY_AUTOMATIC,
                                             .chunks = staged ? 2 : 0};
    DO(poisson3d_communicator_devices(devices, count, &all));
    DO(OF(distributed_create)(problem, all, planes, &options, &solver));
    poisson3d_communicator_destroy(all);
    OF(member_on_device) members[most];
    void* streams[most];
    real *from[most], *to[most];
    const OF(boundary) * boundaries[most];
    for (int m = 0; m < count; ++m) {
        OF(member_on_device)* const member = &members[m];
        member->device = devices[m];
        DO(OF(distributed_get_planes)(solver, m, &member->first, &member->planes));
        CHECK(planes == NULL || member->planes == planes[m], "%d", (int)member->planes);
        member->size = step;
        device_use(member->device);
        streams[m] = own_streams ? device_stream_make() : NULL;
        real* const nothing = take((size_t)(fields * step) * sizeof(real));
        memset(nothing, 0, (size_t)(fields * step) * sizeof(real));
        member->f = from[m] = device_take((size_t)(fields * step) * sizeof(real), nothing);
        member->u = to[m] = device_take((size_t)(fields * step) * sizeof(real), nothing);
        member->walls = device_take(1200 * sizeof(real), walls);
        free(nothing);
        OF(put)(problem, member, member->f, f, points, strides, streams[m]);
        OF(put)(problem, member, member->u, NULL, points, strides, streams[m]);
        const int64_t first[3] = {member->first, 0, 0};
        OF(make_part_of_boundary)(problem, first, member->walls, &parts[m]);
        boundaries[m] = &parts[m];
    }
    device_use(devices[count - 1]);
    if (own_streams) DO(OF(distributed_set_streams)(solver, streams));
    DO(OF(distributed_solve_batch)(solver, fields, (const real* const*)from, strides, step, to, strides, step,
                                   boundaries, -2));
    DO(OF(distributed_get_results)(solver, results, fields));
    CHECK(device_current() == devices[count - 1], "device %d is the current one", device_current());
    for (int m = 0; m < count; ++m) OF(get)(problem, &members[m], to[m], found, points, strides, streams[m]);
    for (int n = 0; n < fields; ++n) {
        double largest = 0;
        const double off = OF(distance)(found + n * points, expected + n * points, all_points, points, &largest);
        CHECK(off <= near * largest, "field %d: %g of %g", n, off, largest);
        CHECK(results[n].singular == wanted[n].singular, "%d", results[n].singular);
        CHECK(fabs(results[n].mean_removed - wanted[n].mean_removed) <= near, "%g", results[n].mean_removed);
    }

    double largest = 0;
    DO(OF(apply)(plan, f, NULL, expected, NULL, 3, NULL));
    DO(OF(distributed_apply)(solver, (const real* const*)from, strides, to, strides, 3));
    for (int m = 0; m < count; ++m) OF(get)(problem, &members[m], to[m], found, points, strides, streams[m]);
    double off = OF(distance)(found, expected, all_points, points, &largest);
    CHECK(off <= near * largest, "apply: %g of %g", off, largest);
    /* the gradient of f, each component in the place of u */
    real* slopes[3] = {NULL, NULL, NULL};
    OF(gradient)* gradient = NULL;
    DO(OF(gradient_create)(problem, &alone, &gradient));
    for (int a = 0; a < 3; ++a) {
        real* components[3 * most] = {NULL};
        for (int m = 0; m < count; ++m) components[3 * m + a] = to[m];
        DO(OF(distributed_gradient)(solver, (const real* const*)from, strides, components, strides, boundaries));
        for (int m = 0; m < count; ++m) OF(get)(problem, &members[m], to[m], found, points, strides, streams[m]);
        slopes[0] = slopes[1] = slopes[2] = NULL, slopes[a] = expected;
        DO(OF(gradient_evaluate)(gradient, f, NULL, slopes, NULL, &whole, NULL));
        off = OF(distance)(found, expected, all_points, points, &largest);
        CHECK(off <= near * largest, "gradient %d: %g of %g", a, off, largest);
    }
    OF(gradient_destroy)(gradient);
    /* one field, no boundary data, in place, in the default streams: what the others held is done */
    DO(OF(distributed_set_streams)(solver, NULL));
    DO(OF(solve)(plan, f, NULL, expected, NULL, NULL, 1, NULL));
    DO(OF(distributed_solve)(solver, (const real* const*)from, strides, from, strides, NULL, 1));
    for (int m = 0; m < count; ++m) OF(get)(problem, &members[m], from[m], found, points, strides, NULL);
    off = OF(distance)(found, expected, all_points, points, &largest);
    CHECK(off <= near * largest, "in place: %g of %g", off, largest);

    poisson3d_distributed_info info = {.size = sizeof info};
    DO(OF(distributed_get_info)(solver, &info));
    CHECK(method == 0 || info.method == method, "%d", info.method);
    CHECK(strstr(info.description, " on device") != NULL, "%s", info.description);
    CHECK((strstr(info.description, "staged") != NULL) == staged, "%s", info.description);
    OF(distributed_destroy)(solver);
    OF(destroy)(plan);
    for (int m = 0; m < count; ++m) {
        device_use(members[m].device);
        device_give_back(members[m].f), device_give_back(members[m].u), device_give_back(members[m].walls);
        if (own_streams) device_stream_end(streams[m]);
    }
    free(f), free(found), free(expected), free(walls), free(all_points);
}
