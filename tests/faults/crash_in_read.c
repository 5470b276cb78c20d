/* Preloaded, this makes HDF5 crash where it reads values. */
#include <signal.h>

int H5Dread(void);

int H5Dread(void) {
    raise(SIGSEGV);
    return -1;
}
