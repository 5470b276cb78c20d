/* poisson3d for C: (∇² − λ) u = f on a three-dimensional box, planned once, solved many times.
 *
 *   - Plan: made from a problem and options, solves for fields of double (poisson3d_plan) or of float
 *     (poisson3d_plan_float), and is destroyed. One call at a time per plan; any number of plans in any number of
 *     threads.
 *   - Status: every function that can fail returns POISSON3D_OK or the kind of the failure;
 *     poisson3d_last_message() then has the whole sentence.
 *   - Field: a pointer and three strides. Element (i, j, k) is data[i·strides[0] + j·strides[1] + k·strides[2]],
 *     counted in elements, axis 0 the slowest, strides[2] = 1. NULL for strides means no gaps. Elements between are
 *     not touched, so that padded rows and ghost layers need no copy.
 *   - Structs that may grow begin with their size: set it to sizeof. Zero in every other field is the default. A
 *     caller compiled against an older, shorter struct gets the defaults of what it does not know; one with a
 * longer struct is refused only if what the library does not know is not zero.
 */
#ifndef POISSON3D_H
#define POISSON3D_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define POISSON3D_C_API __attribute__((visibility("default")))
#else
#define POISSON3D_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ------------------------------------------------------------------------------------------------- */

/* What a call came to. Never renumbered. */
enum poisson3d_status {
    POISSON3D_OK = 0,
    POISSON3D_INACCURATE = 10,    /* of the program only */
    POISSON3D_USAGE = 20,         /* an argument or option makes no sense */
    POISSON3D_UNSUPPORTED = 21,   /* a combination this version or this build cannot do */
    POISSON3D_FILE = 30,          /* of the program only */
    POISSON3D_DATA = 31,          /* the problem as described is not acceptable */
    POISSON3D_UNSOLVABLE = 40,    /* of the program only */
    POISSON3D_RESONANT = 41,      /* λ meets an eigenvalue */
    POISSON3D_OUT_OF_MEMORY = 50, /* of the host or of the device */
    POISSON3D_DEVICE = 51,        /* no device, or the device failed */
    POISSON3D_OUTPUT = 60,        /* of the program only */
    POISSON3D_INTERNAL = 70       /* a defect of this library */
};

/* What a status means, in a few words. Static storage, never NULL. */
POISSON3D_C_API const char* poisson3d_message(int status);

/* The sentence of the last call of this thread that failed: what was found, what was wanted. UTF-8, "" if none
 * failed. Valid until the next call of this thread that fails. */
POISSON3D_C_API const char* poisson3d_last_message(void);

/* "0.1.0". Static storage. */
POISSON3D_C_API const char* poisson3d_version(void);

/* ---- Problem ------------------------------------------------------------------------------------------------ */

enum poisson3d_boundary_kind {
    POISSON3D_PERIODIC = 0,
    POISSON3D_DIRICHLET = 1,
    POISSON3D_NEUMANN = 2,
    POISSON3D_ROBIN = 3, /* alpha u + beta ∂u/∂n = γ */
    POISSON3D_FREE = 4   /* nothing stands there: space goes on without end, and f is 0 in it */
};
enum poisson3d_centering { POISSON3D_CELL = 0, POISSON3D_NODE = 1 };
/* Second-order differences, or the eigenvalues of ∇² itself. */
enum poisson3d_discretization { POISSON3D_SECOND_ORDER = 0, POISSON3D_SPECTRAL = 1 };
/* A constant that the equations leave open, in problems without Dirichlet faces and with λ = 0:
 *   - 0: mean of u zero (weight ½ at Neumann nodes); where one or two axes have free faces, FAR.
 *   - POINT: u zero at a point.
 *   - FAR: one or two axes with free faces alone: u as it must be far away, (Q/ℓ) ln r / 2π or Σ |x − x'| f(x')/2.
 *   - BOX_MEAN: mean of u in the box zero, with free faces, too.
 * Problems with free faces that leave no constant open take 0 alone (USAGE). */
enum poisson3d_gauge {
    POISSON3D_GAUGE_MEAN = 0,
    POISSON3D_GAUGE_POINT = 1,
    POISSON3D_GAUGE_FAR = 2,
    POISSON3D_GAUGE_BOX_MEAN = 3
};

/* Cell: point j at origin + (j + ½) h, `points` cells. Node: point j at origin + j h, both end points stored;
 * periodic axes do not repeat the first. Fewest points: 1; 2 for nodes with a Neumann face, 3 for nodes between
 * Dirichlet ones. */
typedef struct poisson3d_axis {
    int64_t points;
    double spacing; /* h > 0 */
    double origin;  /* the lower face */
    int centering;  /* enum poisson3d_centering */
    int lower;      /* enum poisson3d_boundary_kind */
    int upper;
    int reserved; /* 0 */
} poisson3d_axis;

/* What an axis may have beside that; all zero: nothing. Second-order, engines HOST and FUSED. Arrays are
 * read while planning, and by the calls that take the problem.
 *   - positions, in place of spacing and origin: n + 1 faces of cells, n points of nodes, of periodic nodes n + 1,
 *     the last the first plus the period; they rise strictly. Or widths, their differences, from origin on.
 *     Uniform to rounding (8 eps of the largest position) they are one spacing, and the axis is transformed.
 *   - conductances g and weights D, both or neither: −u''_j = (g_j (u_j − u_{j−1}) + g_{j+1} (u_j − u_{j+1})) /
 * D_j. Of cells n + 1 and n, the first and last g lead to the walls; of nodes n − 1 and n, periodic n and n. */
typedef struct poisson3d_uneven_axis {
    const double* positions;
    const double* widths;
    const double* conductances;
    const double* weights;
    double alpha[2], beta[2]; /* of ROBIN faces, lower and upper: at least 0, not both 0; beta above 0 on nodes */
} poisson3d_uneven_axis;

typedef struct poisson3d_problem {
    size_t size;            /* sizeof(poisson3d_problem) */
    poisson3d_axis axes[3]; /* in index order: the slowest first, the contiguous one last */
    double helmholtz;       /* λ, in 1/length² */
    int discretization;     /* enum poisson3d_discretization */
    int gauge;              /* enum poisson3d_gauge */
    int64_t gauge_point[3]; /* (i, j, k), where gauge says so */
    char labels[8];         /* letters of the axes in messages, "" for "xyz" */
    poisson3d_uneven_axis uneven[3];
} poisson3d_problem;

/* ---- Options ------------------------------------------------------------------------------------------------ */

/* HOST: threads of this process. CUFFT, FUSED: the engines of a GPU. AUTOMATIC: the fastest there is. */
enum poisson3d_engine {
    POISSON3D_ENGINE_AUTOMATIC = 0,
    POISSON3D_ENGINE_HOST = 1,
    POISSON3D_ENGINE_CUFFT = 2,
    POISSON3D_ENGINE_FUSED = 3
};
/* Internal fields of a plan on a GPU: FAST two, STANDARD one, LOW none. AUTOMATIC: the first of these that fits.
 * STANDARD and LOW want a dense u there. On the host there are none in any mode; LOW bounds the line buffers. */
enum poisson3d_memory {
    POISSON3D_MEMORY_AUTOMATIC = 0,
    POISSON3D_MEMORY_FAST = 1,
    POISSON3D_MEMORY_STANDARD = 2,
    POISSON3D_MEMORY_LOW = 3
};

/* The axis in the middle of the passes: TRANSFORM it, ELIMINATE it, or, by default, what is needed or faster. */
enum poisson3d_middle {
    POISSON3D_MIDDLE_AUTOMATIC = 0,
    POISSON3D_MIDDLE_TRANSFORM = 1,
    POISSON3D_MIDDLE_ELIMINATE = 2
};

typedef struct poisson3d_options {
    size_t size; /* sizeof(poisson3d_options) */
    int engine;  /* enum poisson3d_engine */
    int memory;  /* enum poisson3d_memory */
    int threads; /* of the host; 0: all this process may use */
    int device;  /* number of the GPU */
    /* NULL: the plan allocates. Else memory that outlives the plan, at least poisson3d_workspace_bytes: of the
     * host, aligned to 64 bytes, for HOST; of the device, aligned to 256, for CUFFT and FUSED. */
    void* workspace;
    size_t workspace_bytes;
    int64_t batch; /* the most right-hand sides of one solve; 0 is 1 */
    int middle;    /* enum poisson3d_middle */
    int reserved;  /* 0 */
} poisson3d_options;

/* Fills in the defaults and the size. `size` is the caller's sizeof(poisson3d_options). */
POISSON3D_C_API int poisson3d_default_options(poisson3d_options* options, size_t size);

/* OK if an engine can be used here; else UNSUPPORTED, and the last message says why. */
POISSON3D_C_API int poisson3d_engine_usable(int engine);

/* ---- Boundary data ------------------------------------------------------------------------------------------ */

/* Values on one face, of u on a Dirichlet face, of the outward normal derivative on a Neumann face, γ on a Robin
 * face: a constant, or an array over all points of the two other axes in index order, point (a, b) at data[a·stride
 * + b]. Arrays lie where the fields lie, host or device. In a batch field n reads at n·field_stride further on. */
typedef struct poisson3d_face {
    double constant;      /* where there is no array */
    const double* data;   /* NULL: none */
    int64_t stride;       /* of rows, in elements; 0: no gaps */
    int64_t field_stride; /* 0: one array for all fields of a batch */
} poisson3d_face;

typedef struct poisson3d_boundary {
    size_t size;                /* sizeof(poisson3d_boundary) */
    poisson3d_face faces[3][2]; /* [axis][0 lower, 1 upper] */
} poisson3d_boundary;

/* The same with arrays of float. */
typedef struct poisson3d_face_float {
    double constant;
    const float* data;
    int64_t stride;
    int64_t field_stride;
} poisson3d_face_float;

typedef struct poisson3d_boundary_float {
    size_t size;
    poisson3d_face_float faces[3][2];
} poisson3d_boundary_float;

/* Checks data in host memory: none on periodic axes, finite, and equal where Dirichlet faces of node axes meet.
 * Solves do not look. DATA with a sentence naming faces, index and values. */
POISSON3D_C_API int poisson3d_check_boundary(const poisson3d_problem* problem, const poisson3d_boundary* boundary);
POISSON3D_C_API int poisson3d_check_boundary_float(const poisson3d_problem* problem,
                                                   const poisson3d_boundary_float* boundary);

/* ---- Plans -------------------------------------------------------------------------------------------------- */

typedef struct poisson3d_plan poisson3d_plan;             /* for fields of double */
typedef struct poisson3d_plan_float poisson3d_plan_float; /* for fields of float */

/* What one solve did. */
typedef struct poisson3d_result {
    int singular; /* 1: constants are in the null space */
    int reserved;
    double mean_removed; /* the weighted mean of scale·f that was subtracted, 0 unless singular */
} poisson3d_result;

/* What a plan is. Texts live as long as the plan. */
typedef struct poisson3d_info {
    size_t size;             /* set by the caller: sizeof(poisson3d_info) */
    int engine;              /* the one chosen, never AUTOMATIC */
    int memory;              /* the one chosen; AUTOMATIC for a gradient, which has none */
    int threads;             /* host threads at work */
    int refinements;         /* of mixed precision */
    size_t workspace_bytes;  /* held by the plan; on a GPU, there */
    int64_t batch;           /* the most right-hand sides of one solve */
    const char* engine_name; /* "fused" */
    const char* memory_name; /* "fast" */
    const char* description; /* one line for a log */
} poisson3d_info;

/* Makes a plan: takes all memory, makes the FFT plans, tabulates eigenvalues. `options` may be NULL: all defaults.
 * *plan is NULL after a failure: USAGE, DATA (grid), UNSUPPORTED or DEVICE (engine), RESONANT, OUT_OF_MEMORY. */
POISSON3D_C_API int poisson3d_create(const poisson3d_problem* problem, const poisson3d_options* options,
                                     poisson3d_plan** plan);
/* Frees it. NULL is fine. Solves under way on a stream must have ended. */
POISSON3D_C_API void poisson3d_destroy(poisson3d_plan* plan);
/* Bytes of workspace a plan would take, exactly. Allocates nothing. */
POISSON3D_C_API int poisson3d_workspace_bytes(const poisson3d_problem* problem, const poisson3d_options* options,
                                              size_t* bytes);
POISSON3D_C_API int poisson3d_get_info(const poisson3d_plan* plan, poisson3d_info* info);

/* u := solution of (∇² − λ) u = scale·f with the given boundary data (NULL: zero), all factors of the transforms
 * included.
 *   - f and u have the shape of the grid. f is only read, unless u is the same memory, which is allowed. f on
 *     Dirichlet nodes is ignored, u there is the data.
 *   - `stream` is a cudaStream_t or NULL.
 *   - Engine HOST, host memory: blocks, allocates nothing, ignores the stream.
 *   - Engine of a GPU, device memory: returns at once, allocates nothing, waits for nothing, may be captured in a
 *     CUDA graph.
 *   - Engine of a GPU, host memory: copies both ways and blocks; needs MEMORY_FAST.
 *   - USAGE for what does not fit, UNSUPPORTED for data with SPECTRAL. */
POISSON3D_C_API int poisson3d_solve(poisson3d_plan* plan, const double* f, const int64_t f_strides[3], double* u,
                                    const int64_t u_strides[3], const poisson3d_boundary* boundary, double scale,
                                    void* stream);

/* The same for `count` fields, count at most options.batch: field n begins n·f_step and n·u_step elements after the
 * first. f_step 0: all have the same right-hand side. */
POISSON3D_C_API int poisson3d_solve_batch(poisson3d_plan* plan, int64_t count, const double* f,
                                          const int64_t f_strides[3], int64_t f_step, double* u,
                                          const int64_t u_strides[3], int64_t u_step,
                                          const poisson3d_boundary* boundary, double scale, void* stream);

/* u := scale·(∇² − λ) f with homogeneous boundary data, through the transforms: the inverse of a solve. */
POISSON3D_C_API int poisson3d_apply(poisson3d_plan* plan, const double* f, const int64_t f_strides[3], double* u,
                                    const int64_t u_strides[3], double scale, void* stream);

/* Waits for the stream's solve and fills in the results of its first `count` fields. */
POISSON3D_C_API int poisson3d_get_results(poisson3d_plan* plan, void* stream, poisson3d_result* results,
                                          int64_t count);

/* Fills in `faces`, whose size the caller sets: `walls` (NULL: zero), and on free faces what the last solve found
 * there, which residual and gradient take as boundary data: of cells the mean of u on both sides of the face, of
 * nodes u one step outside. Waits for the stream. Arrays are the plan's, in host memory, until its next solve.
 * UNSUPPORTED with SPECTRAL and free faces, which knows u at its points alone. */
POISSON3D_C_API int poisson3d_get_faces(poisson3d_plan* plan, const poisson3d_boundary* walls, void* stream,
                                        poisson3d_boundary* faces);

/* The same for fields of float. */
POISSON3D_C_API int poisson3d_create_float(const poisson3d_problem* problem, const poisson3d_options* options,
                                           poisson3d_plan_float** plan);
POISSON3D_C_API void poisson3d_destroy_float(poisson3d_plan_float* plan);
POISSON3D_C_API int poisson3d_workspace_bytes_float(const poisson3d_problem* problem,
                                                    const poisson3d_options* options, size_t* bytes);
POISSON3D_C_API int poisson3d_get_info_float(const poisson3d_plan_float* plan, poisson3d_info* info);
POISSON3D_C_API int poisson3d_solve_float(poisson3d_plan_float* plan, const float* f, const int64_t f_strides[3],
                                          float* u, const int64_t u_strides[3],
                                          const poisson3d_boundary_float* boundary, float scale, void* stream);
POISSON3D_C_API int poisson3d_solve_batch_float(poisson3d_plan_float* plan, int64_t count, const float* f,
                                                const int64_t f_strides[3], int64_t f_step, float* u,
                                                const int64_t u_strides[3], int64_t u_step,
                                                const poisson3d_boundary_float* boundary, float scale,
                                                void* stream);
POISSON3D_C_API int poisson3d_apply_float(poisson3d_plan_float* plan, const float* f, const int64_t f_strides[3],
                                          float* u, const int64_t u_strides[3], float scale, void* stream);
POISSON3D_C_API int poisson3d_get_results_float(poisson3d_plan_float* plan, void* stream, poisson3d_result* results,
                                                int64_t count);

POISSON3D_C_API int poisson3d_get_faces_float(poisson3d_plan_float* plan, const poisson3d_boundary_float* walls,
                                              void* stream, poisson3d_boundary_float* faces);

/* ---- Distributed solvers ------------------------------------------------------------------------------------ */

/* Members that share a box, each with a part of it: some planes of axis 0, or another box. This process has one or
 * several of them, which follow each other. poisson3d_mpi.h has members that are ranks of MPI. */
typedef struct poisson3d_communicator poisson3d_communicator;

/* Members on threads of this process, all of them mine. USAGE for members < 1. */
POISSON3D_C_API int poisson3d_communicator_threads(int members, poisson3d_communicator** communicator);
/* A member on each of `members` GPUs of this process, all of them mine, whose fields are in the memory of its
 * device; numbers[n] is that of member n, and may be that of another too. USAGE for none, more than 16 and devices
 * that are not there, DEVICE without a GPU, UNSUPPORTED in a build without CUDA. */
POISSON3D_C_API int poisson3d_communicator_devices(const int* numbers, int members,
                                                   poisson3d_communicator** communicator);
/* NULL is fine. Solvers keep what they need of it. */
POISSON3D_C_API void poisson3d_communicator_destroy(poisson3d_communicator* communicator);
/* How many members there are, the first of mine, how many are mine. Any pointer but the first may be NULL. */
POISSON3D_C_API int poisson3d_communicator_get_members(const poisson3d_communicator* communicator, int* members,
                                                       int* first, int* mine);
/* In the place of a call of all members that this process cannot make, since it has nothing that makes sense to
 * call with: the others, which make it, get this status (not 0). */
POISSON3D_C_API int poisson3d_communicator_refuse(const poisson3d_communicator* communicator, int status);

/* How members work on axis 0: ELIMINATE it, where two planes of numbers travel for each member; TRANSPOSE, where
 * the field travels twice, to the bits of one solver; or, by default, ELIMINATE where that is possible. */
enum poisson3d_method {
    POISSON3D_METHOD_AUTOMATIC = 0,
    POISSON3D_METHOD_ELIMINATE = 1,
    POISSON3D_METHOD_TRANSPOSE = 2
};

/* Which boxes members have: SLABS of planes of axis 0; PENCILS, which are cut along axis 1 too, in rows × columns,
 * member columns·r + c in row r and column c; by AUTOMATIC slabs while there are planes for all, then pencils; or
 * OWN, any boxes that hold every point once, of which each process gives those of its members. OWN boxes that are
 * slabs or pencils are solved as they are, others as those of AUTOMATIC, between which f and u travel. */
enum poisson3d_decomposition {
    POISSON3D_DECOMPOSITION_SLABS = 0,
    POISSON3D_DECOMPOSITION_PENCILS = 1,
    POISSON3D_DECOMPOSITION_AUTOMATIC = 2,
    POISSON3D_DECOMPOSITION_OWN = 3
};

/* How what members on devices send goes: by COPIES of the receiver's copy engines; by STORES of the sender into the
 * memory of the receiver, which needs access to it; by NCCL's sends and receives; STAGED, through pinned memory of
 * the host; by the PASSES before an exchange, of members that transpose, which store what others need where it
 * is needed; between ranks by MPI from device memory; or AUTOMATIC: passes between devices of a fast
 * link, else the one measured to be the fastest of copies and stores, or where devices have no access to each other
 * of copies and staged; between ranks passes, too, else copies, else NCCL, else of mpi and staged. All give the
 * same bits. UNSUPPORTED for one that is not there, and for members on the host all but AUTOMATIC. */
enum poisson3d_way {
    POISSON3D_WAY_AUTOMATIC = 0,
    POISSON3D_WAY_COPIES = 1,
    POISSON3D_WAY_STORES = 2,
    POISSON3D_WAY_NCCL = 3,
    POISSON3D_WAY_STAGED = 4,
    POISSON3D_WAY_PASSES = 5,
    POISSON3D_WAY_MPI = 6
};

/* Stored points first … first + points − 1 of each axis. */
typedef struct poisson3d_box {
    int64_t first[3], points[3];
} poisson3d_box;

typedef struct poisson3d_distributed_options {
    size_t size;   /* sizeof(poisson3d_distributed_options) */
    int method;    /* enum poisson3d_method */
    int threads;   /* of all my members together; 0: all this process may use, shared evenly between ranks of a host
                    */
    int64_t batch; /* the most right-hand sides of one solve; 0 is 1 */
    int decomposition;            /* enum poisson3d_decomposition */
    int rows, columns;            /* of PENCILS; both 0: in the grid nearest to a square */
    const int64_t* row_points;    /* of axis 0 in each row, 0 allowed; NULL: as even as can be */
    const int64_t* column_points; /* of axis 1 in each column; NULL: as even as can be */
    const int* order;             /* NULL, or for each member m the one whose box it has instead of that of m */
    const poisson3d_box* boxes;   /* of OWN: one for each of my members */
    int way;                      /* enum poisson3d_way */
    int chunks; /* of members on devices that transpose: how many a part is exchanged in; 0: chosen by its size */
} poisson3d_distributed_options;

/* What a distributed solver is. Texts live as long as it does. */
typedef struct poisson3d_distributed_info {
    size_t size;            /* set by the caller: sizeof(poisson3d_distributed_info) */
    int method;             /* the one chosen, never AUTOMATIC */
    int threads;            /* host threads of all my members together */
    int64_t messages;       /* of one field's solve, between all members */
    double message_bytes;   /* in them */
    size_t workspace_bytes; /* held for my members */
    int64_t batch;
    const char* method_name; /* "eliminate" */
    const char* description; /* one line for a log */
} poisson3d_distributed_info;

typedef struct poisson3d_distributed poisson3d_distributed;             /* for fields of double */
typedef struct poisson3d_distributed_float poisson3d_distributed_float; /* for fields of float */

/* Plans on all members; a call of all of them, with the same arguments but for options.boxes. `planes`: of slabs,
 * of each member in order, 0 allowed (NULL: as even as can be). What a member refuses all refuse: its process has
 * the sentence. As poisson3d_create besides; UNSUPPORTED for a method that the problem cannot have. */
POISSON3D_C_API int poisson3d_distributed_create(const poisson3d_problem* problem,
                                                 const poisson3d_communicator* communicator, const int64_t* planes,
                                                 const poisson3d_distributed_options* options,
                                                 poisson3d_distributed** plan);
/* NULL is fine. A call of all ranks of MPI. */
POISSON3D_C_API void poisson3d_distributed_destroy(poisson3d_distributed* plan);
/* The planes first … first + planes − 1 of a member. */
POISSON3D_C_API int poisson3d_distributed_get_planes(const poisson3d_distributed* plan, int member, int64_t* first,
                                                     int64_t* planes);
/* All that a member has. */
POISSON3D_C_API int poisson3d_distributed_get_box(const poisson3d_distributed* plan, int member,
                                                  poisson3d_box* box);
POISSON3D_C_API int poisson3d_distributed_get_info(const poisson3d_distributed* plan,
                                                   poisson3d_distributed_info* info);
/* Of the messages of poisson3d_distributed_info, and of the bytes in them, those that one member sends, on this or
 * any other process; NULL is fine. What passes store where it is needed (WAY_PASSES) has bytes and no messages. */
POISSON3D_C_API int poisson3d_distributed_get_sent(const poisson3d_distributed* plan, int member, int64_t* messages,
                                                   double* bytes);
/* poisson3d_communicator_refuse of a solver's communicator. */
POISSON3D_C_API int poisson3d_distributed_refuse(const poisson3d_distributed* plan, int status);

/* Of members on devices: streams[n], a cudaStream_t on the device of the n-th of my members, is where it works from
 * now on; NULL: in the default streams, as at the beginning. A solve in other streams than the one before must come
 * after it, which is the caller's to see to. Members on the host have none: nothing happens. */
POISSON3D_C_API int poisson3d_distributed_set_streams(poisson3d_distributed* plan, void* const streams[]);

/* A solve as poisson3d_solve has it, on all members. f[n], u[n]: the box of the n-th of my members, all with the
 * same strides; NULL where it has none. boundaries[n] (all NULL or each NULL: zero): the parts of the faces that
 * its box touches; others do not count. With fields in host memory it blocks, and allocates no fields. Members on
 * devices have f[n], u[n] and arrays of boundaries[n] in the memory of their device, where x is eliminated f and u
 * apart or the same; what their streams held before is done first, the call returns when all is launched, and
 * poisson3d_distributed_get_results waits. */
POISSON3D_C_API int poisson3d_distributed_solve(poisson3d_distributed* plan, const double* const f[],
                                                const int64_t f_strides[3], double* const u[],
                                                const int64_t u_strides[3],
                                                const poisson3d_boundary* const boundaries[], double scale);
/* The same for `count` fields, one after the other, field n of each member n·f_step and n·u_step elements on. */
POISSON3D_C_API int poisson3d_distributed_solve_batch(poisson3d_distributed* plan, int64_t count,
                                                      const double* const f[], const int64_t f_strides[3],
                                                      int64_t f_step, double* const u[], const int64_t u_strides[3],
                                                      int64_t u_step, const poisson3d_boundary* const boundaries[],
                                                      double scale);
/* u := scale·(∇² − λ) f, as poisson3d_apply has it. */
POISSON3D_C_API int poisson3d_distributed_apply(poisson3d_distributed* plan, const double* const f[],
                                                const int64_t f_strides[3], double* const u[],
                                                const int64_t u_strides[3], double scale);
/* components[3·n + a] := ∂u/∂x_a in the box of the n-th of my members, as poisson3d_gradient_evaluate has it, for
 * those that are not NULL, all with the same strides; none may overlap u. `boundaries` is what u was solved with;
 * on free faces u is the solution of the last solve, which knows what stands there. With the spectral
 * discretization a component along an axis that is cut is left out by all members or by none; UNSUPPORTED with it
 * beside free faces, where the next function is for it. A call of all members, blocking or not as a solve; the
 * first one plans, takes memory and waits. */
POISSON3D_C_API int poisson3d_distributed_gradient(poisson3d_distributed* plan, const double* const u[],
                                                   const int64_t u_strides[3], double* const components[],
                                                   const int64_t strides[3],
                                                   const poisson3d_boundary* const boundaries[]);
/* The same of the solution u of (∇² − λ) u = scale · f, as poisson3d_gradient_evaluate_with_source has it: with the
 * spectral discretization and free faces components along free axes are made from f, by one more solve of all
 * members each, and left out by all or by none; everywhere else f and scale are not looked at. f may be the
 * component of the highest axis asked for. */
POISSON3D_C_API int poisson3d_distributed_gradient_with_source(poisson3d_distributed* plan, const double* const u[],
                                                               const int64_t u_strides[3], const double* const f[],
                                                               const int64_t f_strides[3], double scale,
                                                               double* const components[], const int64_t strides[3],
                                                               const poisson3d_boundary* const boundaries[]);
/* Of the first `count` fields of the last solve; the same on all members. Waits for it. */
POISSON3D_C_API int poisson3d_distributed_get_results(const poisson3d_distributed* plan, poisson3d_result* results,
                                                      int64_t count);

/* The same for fields of float. */
POISSON3D_C_API int poisson3d_distributed_create_float(const poisson3d_problem* problem,
                                                       const poisson3d_communicator* communicator,
                                                       const int64_t* planes,
                                                       const poisson3d_distributed_options* options,
                                                       poisson3d_distributed_float** plan);
POISSON3D_C_API void poisson3d_distributed_destroy_float(poisson3d_distributed_float* plan);
POISSON3D_C_API int poisson3d_distributed_get_planes_float(const poisson3d_distributed_float* plan, int member,
                                                           int64_t* first, int64_t* planes);
POISSON3D_C_API int poisson3d_distributed_get_box_float(const poisson3d_distributed_float* plan, int member,
                                                        poisson3d_box* box);
POISSON3D_C_API int poisson3d_distributed_get_info_float(const poisson3d_distributed_float* plan,
                                                         poisson3d_distributed_info* info);
POISSON3D_C_API int poisson3d_distributed_get_sent_float(const poisson3d_distributed_float* plan, int member,
                                                         int64_t* messages, double* bytes);
POISSON3D_C_API int poisson3d_distributed_refuse_float(const poisson3d_distributed_float* plan, int status);
POISSON3D_C_API int poisson3d_distributed_set_streams_float(poisson3d_distributed_float* plan,
                                                            void* const streams[]);
POISSON3D_C_API int poisson3d_distributed_solve_float(poisson3d_distributed_float* plan, const float* const f[],
                                                      const int64_t f_strides[3], float* const u[],
                                                      const int64_t u_strides[3],
                                                      const poisson3d_boundary_float* const boundaries[],
                                                      float scale);
POISSON3D_C_API int poisson3d_distributed_solve_batch_float(poisson3d_distributed_float* plan, int64_t count,
                                                            const float* const f[], const int64_t f_strides[3],
                                                            int64_t f_step, float* const u[],
                                                            const int64_t u_strides[3], int64_t u_step,
                                                            const poisson3d_boundary_float* const boundaries[],
                                                            float scale);
POISSON3D_C_API int poisson3d_distributed_apply_float(poisson3d_distributed_float* plan, const float* const f[],
                                                      const int64_t f_strides[3], float* const u[],
                                                      const int64_t u_strides[3], float scale);
POISSON3D_C_API int poisson3d_distributed_gradient_float(poisson3d_distributed_float* plan, const float* const u[],
                                                         const int64_t u_strides[3], float* const components[],
                                                         const int64_t strides[3],
                                                         const poisson3d_boundary_float* const boundaries[]);
POISSON3D_C_API int poisson3d_distributed_gradient_with_source_float(
    poisson3d_distributed_float* plan, const float* const u[], const int64_t u_strides[3], const float* const f[],
    const int64_t f_strides[3], float scale, float* const components[], const int64_t strides[3],
    const poisson3d_boundary_float* const boundaries[]);
POISSON3D_C_API int poisson3d_distributed_get_results_float(const poisson3d_distributed_float* plan,
                                                            poisson3d_result* results, int64_t count);

/* ---- Gradient ----------------------------------------------------------------------------------------------- */

/* +∇u at the points of u, by the rules u was solved with. */
typedef struct poisson3d_gradient poisson3d_gradient;
typedef struct poisson3d_gradient_float poisson3d_gradient_float;

POISSON3D_C_API int poisson3d_gradient_create(const poisson3d_problem* problem, const poisson3d_options* options,
                                              poisson3d_gradient** gradient);
POISSON3D_C_API void poisson3d_gradient_destroy(poisson3d_gradient* gradient);
POISSON3D_C_API int poisson3d_gradient_workspace_bytes(const poisson3d_problem* problem,
                                                       const poisson3d_options* options, size_t* bytes);
POISSON3D_C_API int poisson3d_gradient_get_info(const poisson3d_gradient* gradient, poisson3d_info* info);
/* components[a] := ∂u/∂x_a for those that are not NULL, all with the same strides; none may overlap u. `boundary`
 * is what u was solved with. Blocks in host memory; on the stream in device memory, as a solve does. */
POISSON3D_C_API int poisson3d_gradient_evaluate(poisson3d_gradient* gradient, const double* u,
                                                const int64_t u_strides[3], double* const components[3],
                                                const int64_t strides[3], const poisson3d_boundary* boundary,
                                                void* stream);
/* The same of the solution u of (∇² − λ) u = scale · f. With the spectral discretization and free faces, where u in
 * the box does not say its derivatives, components along free axes are made from f, by one more solve each, by
 * engine HOST or, asked for by name, FUSED; everywhere else f and scale are not looked at. f may be the component
 * of the highest axis asked for. */
POISSON3D_C_API int poisson3d_gradient_evaluate_with_source(poisson3d_gradient* gradient, const double* u,
                                                            const int64_t u_strides[3], const double* f,
                                                            const int64_t f_strides[3], double scale,
                                                            double* const components[3], const int64_t strides[3],
                                                            const poisson3d_boundary* boundary, void* stream);

/* The same for fields of float. */
POISSON3D_C_API int poisson3d_gradient_create_float(const poisson3d_problem* problem,
                                                    const poisson3d_options* options,
                                                    poisson3d_gradient_float** gradient);
POISSON3D_C_API void poisson3d_gradient_destroy_float(poisson3d_gradient_float* gradient);
POISSON3D_C_API int poisson3d_gradient_workspace_bytes_float(const poisson3d_problem* problem,
                                                             const poisson3d_options* options, size_t* bytes);
POISSON3D_C_API int poisson3d_gradient_get_info_float(const poisson3d_gradient_float* gradient,
                                                      poisson3d_info* info);
POISSON3D_C_API int poisson3d_gradient_evaluate_float(poisson3d_gradient_float* gradient, const float* u,
                                                      const int64_t u_strides[3], float* const components[3],
                                                      const int64_t strides[3],
                                                      const poisson3d_boundary_float* boundary, void* stream);
POISSON3D_C_API int poisson3d_gradient_evaluate_with_source_float(
    poisson3d_gradient_float* gradient, const float* u, const int64_t u_strides[3], const float* f,
    const int64_t f_strides[3], float scale, float* const components[3], const int64_t strides[3],
    const poisson3d_boundary_float* boundary, void* stream);

/* ---- Mixed precision ---------------------------------------------------------------------------------------- */

/* Fields of double, transforms in float, residuals and sums in double. Second-order only. */
typedef struct poisson3d_mixed poisson3d_mixed;

/* refinements: 0 to 8, or below 0 for as many as take the error to that of a solve in double. UNSUPPORTED where
 * they would not converge. */
POISSON3D_C_API int poisson3d_mixed_create(const poisson3d_problem* problem, const poisson3d_options* options,
                                           int refinements, poisson3d_mixed** mixed);
POISSON3D_C_API void poisson3d_mixed_destroy(poisson3d_mixed* mixed);
POISSON3D_C_API int poisson3d_mixed_workspace_bytes(const poisson3d_problem* problem,
                                                    const poisson3d_options* options, size_t* bytes);
POISSON3D_C_API int poisson3d_mixed_get_info(const poisson3d_mixed* mixed, poisson3d_info* info);
/* As poisson3d_solve, but f and u must not overlap, and with an engine of a GPU they are in device memory. */
POISSON3D_C_API int poisson3d_mixed_solve(poisson3d_mixed* mixed, const double* f, const int64_t f_strides[3],
                                          double* u, const int64_t u_strides[3], const poisson3d_boundary* boundary,
                                          double scale, void* stream);
/* Waits for the stream's solve. */
POISSON3D_C_API int poisson3d_mixed_get_result(poisson3d_mixed* mixed, void* stream, poisson3d_result* result);

/* ---- Variable coefficients ---------------------------------------------------------------------------------- */

/* ∇·(ε∇u) − λu = f, ε > 0 a field, by conjugate gradients with one fast solve an iteration. In host memory, by
 * engine HOST, second-order, λ ≥ 0, without free faces, batches and workspaces of the caller's; else UNSUPPORTED.
 */
typedef struct poisson3d_variable poisson3d_variable;             /* for fields of double */
typedef struct poisson3d_variable_float poisson3d_variable_float; /* for fields of float */

typedef struct poisson3d_variable_control {
    size_t size;        /* sizeof(poisson3d_variable_control) */
    double tolerance;   /* of the residual; 0: 1e-8, of float 1e-5 */
    int max_iterations; /* 0: 1000 */
    int start_from_u;   /* 1: u holds a guess, as in time steps; 0: the solve begins with 0 */
} poisson3d_variable_control;

typedef struct poisson3d_variable_result {
    size_t size;         /* set by the caller: sizeof(poisson3d_variable_result) */
    int converged;       /* 1: the residual is at most the tolerance, or what rounding leaves */
    int iterations;      /* each with one solve of the problem with a constant coefficient */
    double residual;     /* root mean square of scale·f − mean − A u over that of scale·f − mean */
    double mean_removed; /* the weighted mean of scale·f that was subtracted, 0 unless singular */
    int singular;        /* 1: constants are in the null space */
    int reserved;
} poisson3d_variable_result;

/* scaling: θ from 0 to 1 (variable_solver.hpp), or below 0 for the one that suits the coefficient. */
POISSON3D_C_API int poisson3d_variable_create(const poisson3d_problem* problem, const poisson3d_options* options,
                                              double scaling, poisson3d_variable** variable);
POISSON3D_C_API void poisson3d_variable_destroy(poisson3d_variable* variable);
/* The most it takes with any coefficient. */
POISSON3D_C_API int poisson3d_variable_workspace_bytes(const poisson3d_problem* problem,
                                                       const poisson3d_options* options, size_t* bytes);
POISSON3D_C_API int poisson3d_variable_get_info(const poisson3d_variable* variable, poisson3d_info* info);

/* ε at the stored points, above 0; on faces between two points their harmonic mean. helmholtz: λ at the points, 0
 * or above, in the place of that of the problem, or NULL. Both are copied. DATA with the first number that is not
 * as it should be; there is no coefficient then. Texts of an earlier get_info end. */
POISSON3D_C_API int poisson3d_variable_set_coefficient(poisson3d_variable* variable, const double* coefficient,
                                                       const int64_t strides[3], const double* helmholtz,
                                                       const int64_t helmholtz_strides[3]);
/* ε on the faces, a field for each axis, one longer along it: entry j is the face between points j − 1 and j, the
 * first and the last are walls, on periodic axes the same face. Without gaps. */
POISSON3D_C_API int poisson3d_variable_set_faces(poisson3d_variable* variable, const double* const faces[3],
                                                 const double* helmholtz, const int64_t helmholtz_strides[3]);

/* u := solution of ∇·(ε∇u) − λu = scale·f. Boundary data is u, or ∂u/∂n, not ε times it. f and u must not overlap.
 * control may be NULL: all defaults; result may be NULL. What does not converge is OK, too: the result tells.
 * USAGE without a coefficient. */
POISSON3D_C_API int poisson3d_variable_solve(poisson3d_variable* variable, const double* f,
                                             const int64_t f_strides[3], double* u, const int64_t u_strides[3],
                                             const poisson3d_boundary* boundary, double scale,
                                             const poisson3d_variable_control* control,
                                             poisson3d_variable_result* result);
/* f := ∇·(ε∇u) − λu with homogeneous boundary values, 0 at Dirichlet nodes. u and f must not overlap. */
POISSON3D_C_API int poisson3d_variable_apply(poisson3d_variable* variable, const double* u,
                                             const int64_t u_strides[3], double* f, const int64_t f_strides[3]);

/* The same for fields of float. */
POISSON3D_C_API int poisson3d_variable_create_float(const poisson3d_problem* problem,
                                                    const poisson3d_options* options, double scaling,
                                                    poisson3d_variable_float** variable);
POISSON3D_C_API void poisson3d_variable_destroy_float(poisson3d_variable_float* variable);
POISSON3D_C_API int poisson3d_variable_workspace_bytes_float(const poisson3d_problem* problem,
                                                             const poisson3d_options* options, size_t* bytes);
POISSON3D_C_API int poisson3d_variable_get_info_float(const poisson3d_variable_float* variable,
                                                      poisson3d_info* info);
POISSON3D_C_API int poisson3d_variable_set_coefficient_float(poisson3d_variable_float* variable,
                                                             const float* coefficient, const int64_t strides[3],
                                                             const float* helmholtz,
                                                             const int64_t helmholtz_strides[3]);
POISSON3D_C_API int poisson3d_variable_set_faces_float(poisson3d_variable_float* variable,
                                                       const float* const faces[3], const float* helmholtz,
                                                       const int64_t helmholtz_strides[3]);
POISSON3D_C_API int poisson3d_variable_solve_float(poisson3d_variable_float* variable, const float* f,
                                                   const int64_t f_strides[3], float* u, const int64_t u_strides[3],
                                                   const poisson3d_boundary_float* boundary, float scale,
                                                   const poisson3d_variable_control* control,
                                                   poisson3d_variable_result* result);
POISSON3D_C_API int poisson3d_variable_apply_float(poisson3d_variable_float* variable, const float* u,
                                                   const int64_t u_strides[3], float* f,
                                                   const int64_t f_strides[3]);

/* ---- Residual ----------------------------------------------------------------------------------------------- */

/* r = f̃ − mean − L u over all unknowns, f̃ = scale·f and what the boundary data adds. */
typedef struct poisson3d_residual {
    double max;      /* max|r| */
    double l2;       /* root mean square of r */
    double relative; /* max|r| / max|f̃| */
    double backward; /* max|r| / (A max|u| + max|f̃|), A = Σ 4/h² + |λ|: a few roundings for a good solution */
    double max_rhs;
    double max_solution;
} poisson3d_residual;

/* Measures a solution in host memory by the stencil, in double: independent of the transforms. scale and boundary
 * as given to the solve, mean is mean_removed of its result. SECOND_ORDER; UNSUPPORTED with SPECTRAL, whose L u is
 * had from poisson3d_apply. */
POISSON3D_C_API int poisson3d_measure_residual(const poisson3d_problem* problem, const double* f,
                                               const int64_t f_strides[3], const double* u,
                                               const int64_t u_strides[3], const poisson3d_boundary* boundary,
                                               double scale, double mean, poisson3d_residual* residual);
POISSON3D_C_API int poisson3d_measure_residual_float(const poisson3d_problem* problem, const float* f,
                                                     const int64_t f_strides[3], const float* u,
                                                     const int64_t u_strides[3],
                                                     const poisson3d_boundary_float* boundary, float scale,
                                                     double mean, poisson3d_residual* residual);

/* How far the values on free faces are from those of an empty space outside, which no residual can see: 0 but for
 * rounding, relative to max|u|, by Green's identity on the lattice. `faces` is what poisson3d_get_faces says. All
 * in host memory. UNSUPPORTED with SPECTRAL; not a number beside other axes with steps that differ or Robin faces.
 */
POISSON3D_C_API int poisson3d_measure_freeness(const poisson3d_problem* problem, const double* u,
                                               const int64_t u_strides[3], const poisson3d_boundary* faces,
                                               double* freeness);
POISSON3D_C_API int poisson3d_measure_freeness_float(const poisson3d_problem* problem, const float* u,
                                                     const int64_t u_strides[3],
                                                     const poisson3d_boundary_float* faces, double* freeness);

#ifdef __cplusplus
}
#endif

#endif
