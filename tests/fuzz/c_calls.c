/* Calls the functions of poisson3d.h in any order with any arguments that the header allows to be wrong: null
 * pointers, sizes of other versions, numbers from the far ends, plans of another kind. Every call must come to one
 * of the codes of the header other than INTERNAL, with a sentence where it failed.
 *
 *     c_calls COUNT [SEED [trace]]
 *
 * Memory is always as large as strides and counts say, since the library cannot know. */
#include <dirent.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <poisson3d.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_points = 7, max_batch = 3, arena_elements = 1 << 15, struct_bytes = 1024 };

static uint64_t state;
static long calls, failures[256];
static int tracing;

static uint64_t any(void) {
    state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(int n) {
    return (int)(any() % (uint64_t)n);
}

/* Once in n. */
static int rarely(int n) {
    return below(n) == 0;
}

#define PICK(array) (array)[below((int)(sizeof(array) / sizeof *(array)))]

static double odd_number(void) {
    static const double numbers[] = {0.0,  -0.0,  -1.0,  1e-320,  DBL_MIN,  1e-200,   1e-30,     1e15,
                                     1e30, 1e200, 1e300, DBL_MAX, -DBL_MAX, INFINITY, -INFINITY, NAN};
    return PICK(numbers);
}

static int odd_int(void) {
    static const int numbers[] = {-1, 3, 4, 5, 64, 1000, INT_MAX, INT_MIN, INT_MIN + 1};
    return PICK(numbers);
}

static int64_t odd_count(void) {
    static const int64_t numbers[] = {
        0, -1, max_batch + 1, (int64_t)1 << 31, (int64_t)1 << 40, (int64_t)1 << 61, INT64_MAX, INT64_MIN};
    return PICK(numbers);
}

static size_t struct_size(size_t right) {
    if (!rarely(12)) return right;
    const size_t sizes[] = {0,        1,       7, 8, right - 1, right - 8, right + 1, right + 8, struct_bytes,
                            1u << 17, SIZE_MAX};
    return PICK(sizes);
}

/* ---- Judging ------------------------------------------------------------------------------------------------ */

static void wrong(const char* what) {
    fprintf(stderr, "call %ld: %s\n", calls, what);
    exit(1);
}

static int judge(const char* name, int status) {
    ++calls;
    if (tracing) fprintf(stderr, "%ld %s %d %s\n", calls, name, status, status ? poisson3d_last_message() : "");
    switch (status) {
        case POISSON3D_OK: break;
        case POISSON3D_USAGE:
        case POISSON3D_UNSUPPORTED:
        case POISSON3D_DATA:
        case POISSON3D_RESONANT:
        case POISSON3D_OUT_OF_MEMORY:
        case POISSON3D_DEVICE:
            if (poisson3d_last_message()[0] == '\0') wrong("failed without a sentence");
            break;
        default:
            fprintf(stderr, "%s: status %d: %s\n", name, status, poisson3d_last_message());
            wrong("a status that no call should come to");
    }
    if (strlen(poisson3d_message(status)) == 0) wrong("a status without words");
    ++failures[status];
    return status;
}

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

/* Structs stand in more memory than they need, so that a size beyond theirs is a size of something. */
typedef union {
    unsigned char bytes[struct_bytes];
    poisson3d_problem problem;
    poisson3d_options options;
    poisson3d_boundary boundary;
    poisson3d_boundary_float boundary_float;
    poisson3d_info info;
} room;

/* A plan for more right-hand sides than there is memory for is made, but never asked to solve as many. */
static double doubles[3][arena_elements];
static float floats[3][arena_elements];

static void zero(room* made) {
    memset(made, 0, sizeof *made);
    if (rarely(30)) memset(made->bytes + struct_bytes / 2, 1, struct_bytes / 2);
}

static const poisson3d_problem* any_problem(room* made) {
    if (rarely(60)) return NULL;
    zero(made);
    poisson3d_problem* problem = &made->problem;
    problem->size = struct_size(sizeof *problem);
    for (int a = 0; a < 3; ++a) {
        poisson3d_axis* axis = &problem->axes[a];
        axis->points = rarely(60) ? odd_count() : 1 + below(max_points);
        axis->spacing = rarely(40) ? odd_number() : 0.1 * (1 + below(9));
        axis->origin = rarely(40) ? odd_number() : below(3);
        axis->centering = rarely(60) ? odd_int() : below(2);
        axis->lower = rarely(60) ? odd_int() : 1 + below(2);
        axis->upper = rarely(60) ? odd_int() : 1 + below(2);
        if (rarely(4)) axis->lower = axis->upper = POISSON3D_PERIODIC;
        if (rarely(6)) axis->upper = POISSON3D_FREE;
        if (rarely(6)) axis->lower = POISSON3D_FREE;
        if (rarely(90)) axis->reserved = 1;
    }
    if (rarely(3)) problem->helmholtz = rarely(4) ? odd_number() : below(9) - 2;
    problem->discretization = rarely(60) ? odd_int() : rarely(3);
    problem->gauge = rarely(60) ? odd_int() : rarely(5) ? 1 + below(3) : 0;
    for (int a = 0; a < 3; ++a) problem->gauge_point[a] = rarely(20) ? odd_count() : below(3);
    if (rarely(20)) memset(problem->labels, below(256), 1 + (size_t)below(8));
    return problem;
}

static const poisson3d_options* any_options(room* made) {
    if (rarely(4)) return NULL;
    zero(made);
    poisson3d_options* options = &made->options;
    options->size = struct_size(sizeof *options);
    options->engine = rarely(40) ? odd_int() : rarely(10) ? below(4) : POISSON3D_ENGINE_HOST;
    options->memory = rarely(40) ? odd_int() : below(4);
    options->threads = 1 + rarely(20); /* as many as are asked for are made, which is no test of anything here */
    if (rarely(60)) options->threads = -below(3) * (INT_MAX / 2) - 1;
    options->device = rarely(60) ? odd_int() : 0;
    options->batch = rarely(40) ? odd_count() : below(max_batch + 1);
    return options;
}

/* A face reads at most columns·rows from an arena, whatever its strides. */
#define ANY_BOUNDARY(name, type, arena)                                                        \
    static const type* name(room* made) {                                                      \
        if (!rarely(3)) return NULL;                                                           \
        zero(made);                                                                            \
        type* boundary = (type*)(void*)made;                                                   \
        boundary->size = struct_size(sizeof *boundary);                                        \
        for (int axis = 0; axis < 3; ++axis)                                                   \
            for (int side = 0; side < 2; ++side) {                                             \
                if (!rarely(4)) continue;                                                      \
                boundary->faces[axis][side].constant = rarely(9) ? odd_number() : below(3);    \
                if (rarely(2)) boundary->faces[axis][side].data = arena[2];                    \
                boundary->faces[axis][side].stride = rarely(9) ? -below(9) : below(12);        \
                boundary->faces[axis][side].field_stride = rarely(9) ? -below(9) : below(200); \
            }                                                                                  \
        return boundary;                                                                       \
    }
ANY_BOUNDARY(any_boundary, poisson3d_boundary, doubles)
ANY_BOUNDARY(any_boundary_float, poisson3d_boundary_float, floats)

/* Strides that fit the arena, or such that must be refused: planes that overlap once their distance has wrapped
 * round. */
static const int64_t* any_strides(int64_t strides[3], const int64_t points[3]) {
    if (rarely(2)) return NULL;
    strides[2] = 1;
    strides[1] = points[2] + below(3);
    strides[0] = points[1] * strides[1] + below(5);
    if (rarely(8)) strides[below(3)] = -below(3);
    if (rarely(20)) strides[2] = odd_count();
    if (rarely(30) && points[1] > 2) strides[0] = INT64_MAX, strides[1] = INT64_MAX / 2;
    return strides;
}

/* ---- Plans -------------------------------------------------------------------------------------------------- */

enum kind { solver, solver_float, differentiator, differentiator_float, mixed, kinds };

struct slot {
    void* plan;
    enum kind kind;
    int64_t points[3];
    int64_t batch;
    void* workspace;
};
static struct slot slots[12];

static int create_kind(enum kind kind, const poisson3d_problem* problem, const poisson3d_options* options,
                       void** made) {
    const int refinements = rarely(10) ? odd_int() : below(5) - 1;
    switch (kind) {
        case solver: return poisson3d_create(problem, options, (poisson3d_plan**)made);
        case solver_float: return poisson3d_create_float(problem, options, (poisson3d_plan_float**)made);
        case differentiator: return poisson3d_gradient_create(problem, options, (poisson3d_gradient**)made);
        case differentiator_float:
            return poisson3d_gradient_create_float(problem, options, (poisson3d_gradient_float**)made);
        default: return poisson3d_mixed_create(problem, options, refinements, (poisson3d_mixed**)made);
    }
}

static int bytes_of_kind(enum kind kind, const poisson3d_problem* problem, const poisson3d_options* options,
                         size_t* bytes) {
    switch (kind) {
        case solver: return poisson3d_workspace_bytes(problem, options, bytes);
        case solver_float: return poisson3d_workspace_bytes_float(problem, options, bytes);
        case differentiator: return poisson3d_gradient_workspace_bytes(problem, options, bytes);
        case differentiator_float: return poisson3d_gradient_workspace_bytes_float(problem, options, bytes);
        default: return poisson3d_mixed_workspace_bytes(problem, options, bytes);
    }
}

static void destroy(struct slot* slot) {
    switch (slot->kind) {
        case solver: poisson3d_destroy(slot->plan); break;
        case solver_float: poisson3d_destroy_float(slot->plan); break;
        case differentiator: poisson3d_gradient_destroy(slot->plan); break;
        case differentiator_float: poisson3d_gradient_destroy_float(slot->plan); break;
        default: poisson3d_mixed_destroy(slot->plan);
    }
    free(slot->workspace);
    memset(slot, 0, sizeof *slot);
}

/* Memory of the caller: enough, too little, or not aligned. */
static void bring_workspace(struct slot* slot, const poisson3d_problem* problem, poisson3d_options* options) {
    size_t bytes = 0;
    if (judge("workspace_bytes", bytes_of_kind(slot->kind, problem, options, &bytes)) != POISSON3D_OK) return;
    if (bytes > (1u << 20)) return;
    const size_t room_for = (bytes + 127) / 64 * 64;
    slot->workspace = aligned_alloc(64, room_for);
    if (slot->workspace == NULL) exit(2);
    options->workspace = rarely(10) ? (char*)slot->workspace + 8 : slot->workspace;
    options->workspace_bytes = rarely(10) ? bytes / 2 : bytes;
    if (rarely(30)) options->workspace = NULL;
    if (rarely(30)) options->workspace_bytes = 0;
}

static void create(struct slot* slot) {
    room problem_room, options_room;
    destroy(slot);
    slot->kind = (enum kind)below(kinds);
    const poisson3d_problem* problem = any_problem(&problem_room);
    const poisson3d_options* options = any_options(&options_room);
    if (problem != NULL && options != NULL && problem->size == sizeof *problem &&
        options->size == sizeof *options && rarely(4))
        bring_workspace(slot, problem, &options_room.options);
    void* made = &slots;
    if (rarely(100)) {
        if (judge("create", create_kind(slot->kind, problem, options, NULL)) == POISSON3D_OK)
            wrong("made a plan for a null pointer");
        return;
    }
    if (judge("create", create_kind(slot->kind, problem, options, &made)) == POISSON3D_OK) {
        slot->plan = made;
        for (int a = 0; a < 3; ++a) slot->points[a] = problem->axes[a].points;
        slot->batch = options == NULL || options->batch == 0 ? 1 : options->batch;
        if (made == NULL) wrong("success and no plan");
        for (int a = 0; a < 3; ++a)
            if (slot->points[a] > max_points) wrong("points beyond all bounds were taken");
    } else if (made != NULL) {
        wrong("a plan after a failure");
    }
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

static const int64_t* points_of(const struct slot* slot) {
    static const int64_t most[3] = {max_points, max_points, max_points};
    return slot->plan == NULL ? most : slot->points;
}

#define ANY_FIELD(arena, n) (rarely(60) ? NULL : (arena)[rarely(8) ? 0 : (n)] + 64 + (rarely(9) ? below(9) : 0))

/* The solves of one precision. A plan of another kind is refused by the tag that it begins with. */
#define CALL_SOLVER(name, plan_type, real, suffix, arena, boundary_of)                                            \
    static void name(struct slot* slot) {                                                                         \
        room boundary_room, info_room, faces_room;                                                                \
        int64_t f_strides[3], u_strides[3];                                                                       \
        plan_type* plan = slot->plan;                                                                             \
        const int64_t* points = points_of(slot);                                                                  \
        const int64_t* f_shape = any_strides(f_strides, points);                                                  \
        const int64_t* u_shape = any_strides(u_strides, points);                                                  \
        const real* f = ANY_FIELD(arena, 0);                                                                      \
        real* u = ANY_FIELD(arena, 1);                                                                            \
        const real scale = (real)(rarely(20) ? odd_number() : below(3));                                          \
        const int64_t count = rarely(12) && slot->batch <= max_batch ? odd_count() : below(max_batch + 1);        \
        const int64_t step = rarely(12) ? -below(9) : 400 + below(3);                                             \
        poisson3d_result results[max_batch];                                                                      \
        poisson3d_info* info = &info_room.info;                                                                   \
        switch (below(7)) {                                                                                       \
            case 0:                                                                                               \
            case 1:                                                                                               \
                judge("solve", poisson3d_solve##suffix(plan, f, f_shape, u, u_shape, boundary_of(&boundary_room), \
                                                       scale, NULL));                                             \
                break;                                                                                            \
            case 2:                                                                                               \
                judge("solve_batch",                                                                              \
                      poisson3d_solve_batch##suffix(plan, count, f, f_shape, rarely(4) ? 0 : step, u, u_shape,    \
                                                    step, boundary_of(&boundary_room), scale, NULL));             \
                break;                                                                                            \
            case 5:                                                                                               \
                zero(&faces_room);                                                                                \
                ((poisson3d_boundary*)&faces_room)->size = struct_size(sizeof(poisson3d_boundary));               \
                judge("get_faces", poisson3d_get_faces##suffix(plan, boundary_of(&boundary_room), NULL,           \
                                                               rarely(60) ? NULL : (void*)&faces_room));          \
                break;                                                                                            \
            case 3: judge("apply", poisson3d_apply##suffix(plan, f, f_shape, u, u_shape, scale, NULL)); break;    \
            case 4:                                                                                               \
                judge("get_results",                                                                              \
                      poisson3d_get_results##suffix(plan, NULL, rarely(60) ? NULL : results, count));             \
                break;                                                                                            \
            default:                                                                                              \
                zero(&info_room);                                                                                 \
                info->size = struct_size(sizeof *info);                                                           \
                judge("get_info", poisson3d_get_info##suffix(plan, rarely(60) ? NULL : info));                    \
        }                                                                                                         \
    }
CALL_SOLVER(call_solver, poisson3d_plan, double, , doubles, any_boundary)
CALL_SOLVER(call_solver_float, poisson3d_plan_float, float, _float, floats, any_boundary_float)

#define CALL_GRADIENT(name, plan_type, real, suffix, arena, boundary_of)                          \
    static void name(struct slot* slot) {                                                         \
        room boundary_room, info_room;                                                            \
        int64_t u_strides[3], strides[3];                                                         \
        plan_type* plan = slot->plan;                                                             \
        const int64_t* points = points_of(slot);                                                  \
        real* components[3];                                                                      \
        for (int a = 0; a < 3; ++a) components[a] = rarely(9) ? NULL : arena[1] + 2000 * a;       \
        poisson3d_info* info = &info_room.info;                                                   \
        zero(&info_room);                                                                         \
        info->size = struct_size(sizeof *info);                                                   \
        if (rarely(4)) {                                                                          \
            judge("gradient_get_info", poisson3d_gradient_get_info##suffix(plan, info));          \
            return;                                                                               \
        }                                                                                         \
        judge("evaluate", poisson3d_gradient_evaluate##suffix(                                    \
                              plan, rarely(60) ? NULL : arena[0], any_strides(u_strides, points), \
                              rarely(60) ? NULL : components, any_strides(strides, points),       \
                              boundary_of(&boundary_room), NULL));                                \
    }
CALL_GRADIENT(call_gradient, poisson3d_gradient, double, , doubles, any_boundary)
CALL_GRADIENT(call_gradient_float, poisson3d_gradient_float, float, _float, floats, any_boundary_float)

static void call_mixed(struct slot* slot) {
    room boundary_room, info_room;
    int64_t f_strides[3], u_strides[3];
    const int64_t* points = points_of(slot);
    poisson3d_result result;
    zero(&info_room);
    info_room.info.size = struct_size(sizeof info_room.info);
    switch (below(4)) {
        case 0: judge("mixed_get_info", poisson3d_mixed_get_info(slot->plan, &info_room.info)); break;
        case 1:
            judge("mixed_get_result", poisson3d_mixed_get_result(slot->plan, NULL, rarely(60) ? NULL : &result));
            break;
        default:
            judge("mixed_solve",
                  poisson3d_mixed_solve(slot->plan, ANY_FIELD(doubles, 0), any_strides(f_strides, points),
                                        ANY_FIELD(doubles, 1), any_strides(u_strides, points),
                                        any_boundary(&boundary_room), rarely(20) ? odd_number() : 1.0, NULL));
    }
}

/* Calls that need no plan. */
static void call_free(void) {
    room problem_room, options_room, boundary_room;
    int64_t f_strides[3], u_strides[3];
    poisson3d_residual residual;
    double freeness;
    size_t bytes;
    const poisson3d_problem* problem = any_problem(&problem_room);
    int64_t points[3] = {1, 1, 1};
    int held = problem != NULL;
    for (int a = 0; held && a < 3; ++a) points[a] = problem->axes[a].points;
    for (int a = 0; a < 3; ++a) held = held && points[a] > 0 && points[a] <= max_points;
    if (!held) points[0] = points[1] = points[2] = 1;
    /* A face's rows of an axis beyond the arena are read only if the points were taken. */
    switch (below(7)) {
        case 0:
            judge("check_boundary", poisson3d_check_boundary(held ? problem : NULL, any_boundary(&boundary_room)));
            break;
        case 1:
            judge("check_boundary_float",
                  poisson3d_check_boundary_float(held ? problem : NULL, any_boundary_float(&boundary_room)));
            break;
        case 2:
            if (!held) break;
            judge("measure_residual",
                  poisson3d_measure_residual(problem, ANY_FIELD(doubles, 0), any_strides(f_strides, points),
                                             ANY_FIELD(doubles, 1), any_strides(u_strides, points),
                                             any_boundary(&boundary_room), rarely(20) ? odd_number() : 1.0,
                                             rarely(20) ? odd_number() : 0.0, rarely(60) ? NULL : &residual));
            break;
        case 3:
            if (!held) break;
            judge("measure_freeness",
                  poisson3d_measure_freeness(problem, ANY_FIELD(doubles, 1), any_strides(u_strides, points),
                                             any_boundary(&boundary_room), rarely(60) ? NULL : &freeness));
            judge("measure_residual_float",
                  poisson3d_measure_residual_float(problem, ANY_FIELD(floats, 0), any_strides(f_strides, points),
                                                   ANY_FIELD(floats, 1), any_strides(u_strides, points),
                                                   any_boundary_float(&boundary_room), 1.0f,
                                                   rarely(20) ? odd_number() : 0.0, rarely(60) ? NULL : &residual));
            break;
        case 4:
            judge("workspace_bytes", bytes_of_kind((enum kind)below(kinds), problem, any_options(&options_room),
                                                   rarely(60) ? NULL : &bytes));
            break;
        case 5:
            /* Here the size says how much memory there is. */
            judge("default_options", poisson3d_default_options(rarely(20) ? NULL : &options_room.options,
                                                               rarely(3) ? (rarely(3) ? SIZE_MAX - (size_t)below(9)
                                                                                      : (size_t)below(struct_bytes))
                                                                         : sizeof(poisson3d_options)));
            break;
        default:
            judge("engine_usable", poisson3d_engine_usable(rarely(3) ? odd_int() : below(4)));
            if (poisson3d_message(odd_int()) == NULL || poisson3d_version() == NULL) wrong("no text");
    }
}

static void call_plan(struct slot* slot) {
    /* Now and then by the functions of another kind, which must see it. */
    switch (rarely(30) ? (enum kind)below(kinds) : slot->kind) {
        case solver: call_solver(slot); break;
        case solver_float: call_solver_float(slot); break;
        case differentiator: call_gradient(slot); break;
        case differentiator_float: call_gradient_float(slot); break;
        default: call_mixed(slot);
    }
}

static int entries_of(const char* path) {
    DIR* directory = opendir(path);
    int count = 0;
    if (directory == NULL) return 0;
    while (readdir(directory) != NULL) ++count;
    closedir(directory);
    return count;
}

int main(int count, char** words) {
    const long wanted = count > 1 ? atol(words[1]) : 10000;
    const uint64_t seed = count > 2 ? strtoull(words[2], NULL, 10) : 1;
    const int slot_count = (int)(sizeof slots / sizeof *slots);
    const int open_before = entries_of("/proc/self/fd");
    state = seed;
    tracing = count > 3;
    for (int n = 0; n < arena_elements; ++n)
        for (int a = 0; a < 3; ++a) floats[a][n] = (float)(doubles[a][n] = (double)(n * (a + 3) % 17) - 8.0);
    while (calls < wanted) {
        struct slot* slot = &slots[below(slot_count)];
        if (rarely(6))
            create(slot);
        else if (rarely(6))
            call_free();
        else
            call_plan(slot);
    }
    for (int s = 0; s < slot_count; ++s) destroy(&slots[s]);
    if (entries_of("/proc/self/fd") != open_before) wrong("descriptors stay open");
    printf("seed %llu: %ld calls;", (unsigned long long)seed, calls);
    for (int status = 0; status < 256; ++status)
        if (failures[status] > 0) printf(" %d: %ld", status, failures[status]);
    printf("\n");
    return 0;
}
