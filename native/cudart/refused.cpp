// The functions that the emulator does not have: each writes a sentence once and returns cudaErrorNotSupported.
#include "connection.h"
#include "errors.h"

using namespace cudart;

#define REFUSE(name)                                                              \
  CUDART_EXPORT Error name() {                                                    \
    static bool told = false;                                                     \
    if (!told) complain("expected a CUDA call that the emulator has, found " #name); \
    told = true;                                                                  \
    return result(NOT_SUPPORTED);                                                 \
  }

#include "refused.inc"
