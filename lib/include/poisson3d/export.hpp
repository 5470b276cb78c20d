// What a shared library shows: everything is compiled with hidden symbols, the public API is marked. The marks say
// the same in static libraries and in programs that use either kind, so nothing needs to be defined or generated.
#pragma once

/// On classes, functions and templates of the public API. Explicit instantiations take it from their template.
#define POISSON3D_API __attribute__((visibility("default")))
/// On private nested classes of a marked class, which would be shown with it.
#define POISSON3D_LOCAL __attribute__((visibility("hidden")))
