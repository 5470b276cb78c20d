/* Checks for tests written in C: a failed one is printed and counted, and makes the program fail. */
#ifndef POISSON3D_TEST_CHECK_H
#define POISSON3D_TEST_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "poisson3d.h"

static int failures = 0;

#define CHECK(condition, ...)                                          \
    do {                                                               \
        if (!(condition)) {                                            \
            ++failures;                                                \
            printf("%s:%d: not %s: ", __FILE__, __LINE__, #condition); \
            printf(__VA_ARGS__);                                       \
            printf("\n");                                              \
        }                                                              \
    } while (0)

/* A call that must succeed. */
#define DO(call)                                                                                \
    do {                                                                                        \
        const int status_ = (call);                                                             \
        CHECK(status_ == POISSON3D_OK, "%s: %d, %s", #call, status_, poisson3d_last_message()); \
    } while (0)

/* A call that must fail with this status and a sentence that has these words in it. */
#define REFUSED(status, words, call)                                                      \
    do {                                                                                  \
        const int status_ = (call);                                                       \
        CHECK(status_ == (status), "%s gave %d", #call, status_);                         \
        CHECK(strstr(poisson3d_last_message(), words) != NULL, "\"%s\" in \"%s\"", words, \
              poisson3d_last_message());                                                  \
    } while (0)

static inline void* take(size_t bytes) {
    void* const memory = malloc(bytes);
    if (memory == NULL) {
        printf("no memory for a test\n");
        exit(1);
    }
    return memory;
}

/* Values without pattern in [-1, 1), multiples of 2^-20: the same in float and double. */
static inline double value_at(int64_t index, int64_t seed) {
    uint64_t x = (uint64_t)index * 0x9e3779b97f4a7c15u + (uint64_t)seed * 0xd1b54a32d192ed03u + 1u;
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 29;
    return (double)(x >> 43) / 1048576.0 - 1.0;
}

#endif
