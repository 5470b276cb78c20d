/* Device memory and streams for tests in C and Fortran, which have no CUDA header. Failures end the program. */
#ifndef POISSON3D_TEST_ON_DEVICE_H
#define POISSON3D_TEST_ON_DEVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

int device_missing(void); /* 1, and the reason printed, where there is none */
int device_count(void);
void device_use(int number); /* what follows is about this one */
int device_current(void);
void* device_take(size_t bytes, const void* values);
void device_write(void* device, const void* values, size_t bytes, void* stream);
void device_read(void* values, const void* device, size_t bytes, void* stream);
void device_give_back(void* device);
void* device_stream_make(void);
void device_stream_end(void* stream);

#ifdef __cplusplus
}
#endif

#endif
