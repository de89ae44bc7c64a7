// The last error of each thread, as `cudaGetLastError` returns it.
#pragma once
#include "abi.h"

namespace cudart {

/** Remembers an error for `cudaGetLastError`, and returns it. */
Error result(Error error);

}  // namespace cudart

CUDART_EXPORT const char* cudaGetErrorName(int error);
CUDART_EXPORT const char* cudaGetErrorString(int error);
