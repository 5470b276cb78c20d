/* What the C interface refuses, and that the sentence names the argument, what was found and what is wanted. */
#include <pthread.h>

#include "check.h"
#include "problems.h"

static poisson3d_problem good;
static poisson3d_options host;

static void* make_another_failure(void* message) {
    CHECK(strcmp(poisson3d_last_message(), "") == 0, "%s", poisson3d_last_message());
    REFUSED(POISSON3D_USAGE, "options is a null pointer", poisson3d_default_options(NULL, sizeof host));
    strcpy(message, poisson3d_last_message());
    return NULL;
}

static void test_messages(void) {
    CHECK(strcmp(poisson3d_last_message(), "") == 0, "%s", poisson3d_last_message());
    const int statuses[] = {0, 10, 20, 21, 30, 31, 40, 41, 50, 51, 60, 70};
    for (size_t n = 0; n < sizeof statuses / sizeof *statuses; ++n) {
        CHECK(strlen(poisson3d_message(statuses[n])) > 3, "%d", statuses[n]);
        CHECK(strcmp(poisson3d_message(statuses[n]), poisson3d_message(1)) != 0, "%d", statuses[n]);
        for (size_t m = 0; m < n; ++m)
            CHECK(strcmp(poisson3d_message(statuses[n]), poisson3d_message(statuses[m])) != 0, "%d", statuses[n]);
    }
    CHECK(strcmp(poisson3d_message(-5), poisson3d_message(1)) == 0, "%s", poisson3d_message(-5));
    int major = -1, minor = -1, patch = -1;
    CHECK(sscanf(poisson3d_version(), "%d.%d.%d", &major, &minor, &patch) == 3, "%s", poisson3d_version());

    /* one for each thread, and a success leaves it */
    char other[1024] = "";
    pthread_t thread;
    REFUSED(POISSON3D_USAGE, "engine", poisson3d_engine_usable(77));
    char mine[1024];
    strcpy(mine, poisson3d_last_message());
    pthread_create(&thread, NULL, make_another_failure, other);
    pthread_join(thread, NULL);
    DO(poisson3d_default_options(&host, sizeof host));
    CHECK(strcmp(mine, poisson3d_last_message()) == 0 && strcmp(mine, other) != 0, "%s", other);
}

static int make(const poisson3d_problem* problem, const poisson3d_options* options) {
    poisson3d_plan* plan = (poisson3d_plan*)&good;
    const int status = poisson3d_create(problem, options, &plan);
    CHECK((status == POISSON3D_OK) == (plan != NULL), "a plan that failed is not null");
    poisson3d_destroy(plan);
    return status;
}

static void test_problems(void) {
    REFUSED(POISSON3D_USAGE, "problem is a null pointer", make(NULL, &host));
    REFUSED(POISSON3D_USAGE, "plan is a null pointer", poisson3d_create(&good, &host, NULL));
    REFUSED(POISSON3D_USAGE, "bytes is a null pointer", poisson3d_workspace_bytes(&good, &host, NULL));
    poisson3d_problem p = good;
#define WRONG(field, value, status, words)                                     \
    do {                                                                       \
        p = good;                                                              \
        p.field = value;                                                       \
        REFUSED(status, words, make(&p, &host));                               \
        size_t bytes_ = 1;                                                     \
        REFUSED(status, words, poisson3d_workspace_bytes(&p, &host, &bytes_)); \
    } while (0)
    WRONG(size, 0, POISSON3D_USAGE, "problem.size 0, wanted sizeof");
    WRONG(size, offsetof(poisson3d_problem, uneven) - 8, POISSON3D_USAGE, "problem.size");
    WRONG(size, (size_t)-1, POISSON3D_USAGE, "problem.size");
    WRONG(axes[0].centering, 2, POISSON3D_USAGE, "2 in problem.axes[0].centering, wanted 0 to 1");
    WRONG(axes[1].lower, -1, POISSON3D_USAGE, "-1 in problem.axes[1].lower, wanted 0 to 4");
    WRONG(axes[2].upper, 5, POISSON3D_USAGE, "5 in problem.axes[2].upper, wanted 0 to 4");
    WRONG(axes[2].reserved, 3, POISSON3D_USAGE, "3 in problem.axes[2].reserved, wanted 0");
    WRONG(discretization, 2, POISSON3D_USAGE, "2 in problem.discretization, wanted 0 to 1");
    WRONG(gauge, 4, POISSON3D_USAGE, "4 in problem.gauge, wanted 0 to 3");
    WRONG(gauge, POISSON3D_GAUGE_FAR, POISSON3D_USAGE, "POISSON3D_GAUGE_FAR in problem.gauge, which needs");
    WRONG(labels[0], 'u', POISSON3D_USAGE, "problem.labels has no letter for axis 1");
    WRONG(axes[1].points, 0, POISSON3D_DATA, "axis y");
    WRONG(axes[1].points, -3, POISSON3D_DATA, "axis y");
    WRONG(axes[0].spacing, 0, POISSON3D_DATA, "axis x");
    WRONG(axes[1].upper, POISSON3D_PERIODIC, POISSON3D_DATA, "axis y");
    WRONG(helmholtz, 1.0 / 0.0, POISSON3D_DATA, "Helmholtz");
    p = good;
    strcpy(p.labels, "uvw");
    p.axes[2].points = 0;
    REFUSED(POISSON3D_DATA, "axis w", make(&p, &host));
    p = good;
    p.gauge = POISSON3D_GAUGE_POINT;
    p.gauge_point[1] = 5;
    REFUSED(POISSON3D_USAGE, "gauge point has index 5 on axis y", make(&p, &host));

    p = good; /* free faces */
    for (int a = 0; a < 3; ++a) p.axes[a].lower = p.axes[a].upper = POISSON3D_FREE;
    DO(make(&p, &host));
    p.gauge = POISSON3D_GAUGE_BOX_MEAN;
    REFUSED(POISSON3D_USAGE, "leaves no constant open", make(&p, &host));
    p.gauge = POISSON3D_GAUGE_FAR;
    REFUSED(POISSON3D_USAGE, "POISSON3D_GAUGE_FAR", make(&p, &host));
    p.gauge = POISSON3D_GAUGE_MEAN;
    p.helmholtz = -1;
    REFUSED(POISSON3D_UNSUPPORTED, "through which waves leave", make(&p, &host));
    p.axes[0].lower = POISSON3D_PERIODIC;
    REFUSED(POISSON3D_DATA, "axis x", make(&p, &host));

    static const double steps[9] = {1, 1, 1, -1, 1, 1, 1, 1, 1};
    WRONG(uneven[0].widths, steps, POISSON3D_DATA, "axis x: widths: found -1 at index 3");
    WRONG(uneven[2].positions, steps, POISSON3D_DATA, "axis z: positions");
    WRONG(uneven[1].weights, steps, POISSON3D_USAGE, "problem.uneven[1].conductances is a null pointer");
    WRONG(uneven[1].conductances, steps, POISSON3D_USAGE, "problem.uneven[1].weights is a null pointer");
    p = good;
    p.axes[1].lower = p.axes[1].upper = POISSON3D_ROBIN;
    REFUSED(POISSON3D_DATA, "α = 0, β = 0 on the lower Robin face", make(&p, &host));
    p = good; /* of a program that knows no uneven axes */
    p.size = offsetof(poisson3d_problem, uneven);
    p.uneven[0].widths = (const double*)8;
    DO(make(&p, &host));

    /* λ = −the only eigenvalue there is */
    poisson3d_problem resonant = {.size = sizeof resonant, .helmholtz = -4};
    for (int a = 0; a < 3; ++a) resonant.axes[a] = (poisson3d_axis){.points = 1, .spacing = 1};
    resonant.axes[1].points = 1, resonant.axes[1].lower = resonant.axes[1].upper = POISSON3D_DIRICHLET;
    REFUSED(POISSON3D_RESONANT, "Helmholtz", make(&resonant, &host));

    /* more than there is, in lines for so many threads; than a grid may have */
    poisson3d_problem huge = {.size = sizeof huge};
    for (int a = 0; a < 3; ++a) huge.axes[a] = (poisson3d_axis){.points = 1, .spacing = 1};
    huge.axes[1].points = 1 << 20;
    poisson3d_options many = host;
    many.memory = POISSON3D_MEMORY_FAST;
    many.threads = 1 << 16;
    REFUSED(POISSON3D_OUT_OF_MEMORY, "wanted", make(&huge, &many));
    for (int a = 0; a < 3; ++a) huge.axes[a].points = INT64_MAX;
    REFUSED(POISSON3D_DATA, "points", make(&huge, &host));

    /* what a newer header knows */
    struct {
        poisson3d_problem known;
        double news[3];
    } newer = {good, {0, 0, 0}};
    newer.known.size = sizeof newer;
    DO(make(&newer.known, &host));
    newer.news[2] = 1;
    REFUSED(POISSON3D_USAGE, "more than this version understands", make(&newer.known, &host));
}

static void test_options(void) {
    poisson3d_options o = host;
#define WRONG_OPTION(field, value, status, words) \
    do {                                          \
        o = host;                                 \
        o.field = value;                          \
        REFUSED(status, words, make(&good, &o));  \
    } while (0)
    WRONG_OPTION(size, 0, POISSON3D_USAGE, "options.size 0, wanted sizeof");
    WRONG_OPTION(size, 1 << 20, POISSON3D_USAGE, "options.size");
    WRONG_OPTION(engine, 4, POISSON3D_USAGE, "4 in options.engine, wanted 0 to 3");
    WRONG_OPTION(memory, -1, POISSON3D_USAGE, "-1 in options.memory, wanted 0 to 3");
    WRONG_OPTION(threads, -2, POISSON3D_USAGE, "-2");
    WRONG_OPTION(middle, 3, POISSON3D_USAGE, "3 in options.middle, wanted 0 to 2");
    WRONG_OPTION(reserved, 1, POISSON3D_USAGE, "1 in options.reserved, wanted 0");
    WRONG_OPTION(batch, -2, POISSON3D_USAGE, "-2 in options.batch, wanted at least 0");
    WRONG_OPTION(workspace_bytes, 100, POISSON3D_USAGE, "options.workspace is a null pointer");
    WRONG_OPTION(workspace, &good, POISSON3D_USAGE, "options.workspace_bytes is 0");
    o = host;
    o.memory = POISSON3D_MEMORY_FAST;
    size_t bytes = 0;
    DO(poisson3d_workspace_bytes(&good, &o, &bytes));
    o.workspace = aligned_alloc(64, (bytes + 64) / 64 * 64);
    o.workspace_bytes = bytes - 1;
    REFUSED(POISSON3D_USAGE, "workspace", make(&good, &o));
    o.workspace_bytes = bytes;
    DO(make(&good, &o));
    free(o.workspace);

    /* An older caller: its struct ends before `batch`, and what follows is not ours to read or write. */
    const size_t known = offsetof(poisson3d_options, batch);
    poisson3d_options older, before;
    memset(&older, 0xfb, sizeof older);
    before = older;
    DO(poisson3d_default_options(&older, known));
    CHECK(memcmp((char*)&older + known, (char*)&before + known, sizeof older - known) == 0,
          "written beyond the struct of the caller");
    CHECK(older.size == known && older.batch < 0, "%d", (int)older.size);
    older.engine = POISSON3D_ENGINE_HOST;
    DO(make(&good, &older));
    REFUSED(POISSON3D_USAGE, "size 8", poisson3d_default_options(&o, 8));

    /* A newer one. */
    struct {
        poisson3d_options known;
        int64_t news;
    } newer;
    memset(&newer, 0xff, sizeof newer);
    DO(poisson3d_default_options(&newer.known, sizeof newer));
    CHECK(newer.news == 0 && newer.known.size == sizeof newer, "%d", (int)newer.news);
    DO(make(&good, &newer.known));
    newer.news = 1;
    REFUSED(POISSON3D_USAGE, "more than this version understands", make(&good, &newer.known));

    REFUSED(POISSON3D_USAGE, "-1 in engine, wanted 0 to 3", poisson3d_engine_usable(-1));
}

/* Wakes the driver of a GPU. */
static void test_engines(void) {
    DO(make(&good, NULL));
    poisson3d_options o = host;
    for (int engine = POISSON3D_ENGINE_HOST; engine <= POISSON3D_ENGINE_FUSED; ++engine) {
        const int status = poisson3d_engine_usable(engine);
        o.engine = engine;
        CHECK(make(&good, &o) == status || status == POISSON3D_UNSUPPORTED, "engine %d", engine);
        CHECK((status == POISSON3D_OK) == (make(&good, &o) == POISSON3D_OK), "engine %d", engine);
    }
}

static void test_calls(void) {
    double f[7 * 5 * 9] = {1}, u[7 * 5 * 9];
    float f_float[7 * 5 * 9] = {1};
    poisson3d_plan* plan = NULL;
    poisson3d_plan_float* plan_float = NULL;
    poisson3d_mixed* mixed = NULL;
    poisson3d_gradient* gradient = NULL;
    DO(poisson3d_create(&good, &host, &plan));
    DO(poisson3d_create_float(&good, &host, &plan_float));
    DO(poisson3d_mixed_create(&good, &host, -1, &mixed));
    DO(poisson3d_gradient_create(&good, &host, &gradient));
    REFUSED(POISSON3D_USAGE, "plan is a null pointer", poisson3d_solve(NULL, f, NULL, u, NULL, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "field f is a null pointer",
            poisson3d_solve(plan, NULL, NULL, u, NULL, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "field u is a null pointer", poisson3d_apply(plan, f, NULL, NULL, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "plan is not of the kind",
            poisson3d_solve((poisson3d_plan*)plan_float, f, NULL, u, NULL, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "plan is not of the kind",
            poisson3d_solve_float((poisson3d_plan_float*)mixed, f_float, NULL, f_float, NULL, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "mixed is not of the kind",
            poisson3d_mixed_solve((poisson3d_mixed*)gradient, f, NULL, u, NULL, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "gradient is not of the kind",
            poisson3d_gradient_get_info((poisson3d_gradient*)plan, NULL));
    const int64_t wrong[3] = {45, 8, 1};
    REFUSED(POISSON3D_USAGE, "field f has strides 45 x 8 x 1",
            poisson3d_solve(plan, f, wrong, u, NULL, NULL, 1, NULL));
    const int64_t wrapping[3] = {INT64_MAX, INT64_MAX / 2, 1}; /* a few rows of these are less than nothing */
    REFUSED(POISSON3D_USAGE, "field u has strides 9223372036854775807 x 4611686018427387903 x 1",
            poisson3d_solve(plan, f, NULL, u, wrapping, NULL, 1, NULL));
    const int64_t endless[3] = {INT64_MAX / 8, 8, 1};
    REFUSED(POISSON3D_USAGE, "fit into memory", poisson3d_solve(plan, f, NULL, u, endless, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "results is a null pointer", poisson3d_get_results(plan, NULL, NULL, 1));
    REFUSED(POISSON3D_USAGE, "result is a null pointer", poisson3d_mixed_get_result(mixed, NULL, NULL));
    REFUSED(POISSON3D_USAGE, "info is a null pointer", poisson3d_get_info(plan, NULL));
    REFUSED(POISSON3D_USAGE, "components is a null pointer",
            poisson3d_gradient_evaluate(gradient, u, NULL, NULL, NULL, NULL, NULL));
    poisson3d_mixed_destroy(mixed);
    REFUSED(POISSON3D_USAGE, "9", poisson3d_mixed_create(&good, &host, 9, &mixed));
    CHECK(mixed == NULL, "not null after a failure");
    REFUSED(POISSON3D_USAGE, "2 fields, wanted 1 to 1",
            poisson3d_solve_batch(plan, 2, f, NULL, 0, u, NULL, 1, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "u_step 0", poisson3d_solve_batch(plan, 2, f, NULL, 0, u, NULL, 0, NULL, 1, NULL));
    REFUSED(POISSON3D_USAGE, "0 fields", poisson3d_solve_batch(plan, 0, f, NULL, 0, u, NULL, 0, NULL, 1, NULL));

    /* info: what there is room for */
    struct {
        poisson3d_info known;
        int64_t more[2];
    } room;
    memset(&room, 0xff, sizeof room);
    REFUSED(POISSON3D_USAGE, "info.size", poisson3d_get_info(plan, &room.known));
    room.known.size = offsetof(poisson3d_info, threads);
    DO(poisson3d_get_info(plan, &room.known));
    CHECK(room.known.engine == POISSON3D_ENGINE_HOST && room.known.threads == -1, "%d", room.known.threads);
    room.known.size = sizeof room;
    DO(poisson3d_get_info(plan, &room.known));
    CHECK(room.known.threads > 0 && room.more[1] == 0, "%d", room.known.threads);

    /* boundary data */
    poisson3d_boundary boundary = {.size = sizeof boundary};
    boundary.faces[0][1].constant = 2;
    REFUSED(POISSON3D_USAGE, "x_upper", poisson3d_solve(plan, f, NULL, u, NULL, &boundary, 1, NULL));
    REFUSED(POISSON3D_DATA, "x_upper", poisson3d_check_boundary(&good, &boundary));
    boundary = (poisson3d_boundary){.size = sizeof boundary};
    boundary.faces[1][0].data = f;
    boundary.faces[1][0].stride = 8;
    REFUSED(POISSON3D_USAGE, "y_lower: found rows 8", poisson3d_solve(plan, f, NULL, u, NULL, &boundary, 1, NULL));
    boundary.faces[1][0].stride = 0;
    boundary.faces[1][0].field_stride = -1;
    REFUSED(POISSON3D_USAGE, "y_lower: found field_stride -1",
            poisson3d_solve(plan, f, NULL, u, NULL, &boundary, 1, NULL));
    boundary.faces[1][0].field_stride = 0;
    DO(poisson3d_check_boundary(&good, &boundary));
    f[62] = 0.0 / 0.0;
    REFUSED(POISSON3D_DATA, "[6, 8]", poisson3d_check_boundary(&good, &boundary));
    boundary.size = 0;
    REFUSED(POISSON3D_USAGE, "boundary.size 0", poisson3d_solve(plan, f, NULL, u, NULL, &boundary, 1, NULL));
    poisson3d_boundary_float boundary_float = {.size = sizeof boundary_float};
    boundary_float.faces[1][0].constant = 1e200;
    REFUSED(POISSON3D_DATA, "beyond the range of single",
            poisson3d_solve_float(plan_float, f_float, NULL, f_float, NULL, &boundary_float, 1, NULL));
    boundary_float.faces[1][0].constant = 1.0 / 0.0;
    REFUSED(POISSON3D_DATA, "y_lower", poisson3d_check_boundary_float(&good, &boundary_float));

    /* residual */
    poisson3d_residual residual;
    poisson3d_problem spectral = good;
    spectral.discretization = POISSON3D_SPECTRAL;
    REFUSED(POISSON3D_UNSUPPORTED, "poisson3d_apply",
            poisson3d_measure_residual(&spectral, f, NULL, u, NULL, NULL, 1, 0, &residual));
    REFUSED(POISSON3D_USAGE, "residual is a null pointer",
            poisson3d_measure_residual(&good, f, NULL, u, NULL, NULL, 1, 0, NULL));
    REFUSED(POISSON3D_USAGE, "field u is a null pointer",
            poisson3d_measure_residual(&good, f, NULL, NULL, NULL, NULL, 1, 0, &residual));
    poisson3d_destroy(plan);
    poisson3d_destroy_float(plan_float);
    poisson3d_gradient_destroy(gradient);
    poisson3d_destroy(NULL);
    poisson3d_destroy_float(NULL);
    poisson3d_gradient_destroy(NULL);
    poisson3d_gradient_destroy_float(NULL);
    poisson3d_mixed_destroy(NULL);
}

/* With an argument: on the host alone. */
int main(int arguments, char** argument) {
    (void)argument;
    good = problems[0];
    test_messages();
    host.engine = POISSON3D_ENGINE_HOST;
    test_problems();
    test_options();
    test_calls();
    if (arguments == 1) test_engines();
    return failures == 0 ? 0 : 1;
}
