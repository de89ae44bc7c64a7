// Memory pools, and other functions that need little on a device whose memory is the host's.
#include <string.h>

#include "errors.h"
#include "host_memory.h"
#include "memory.h"
#include "objects.h"

using namespace cudart;

namespace {

struct Pool {
  uint64_t attributes[16];
};

Pool* default_pool() {
  static Pool pool{};
  return &pool;
}

}  // namespace

CUDART_EXPORT Error cudaDeviceGetDefaultMemPool(Pool** pool, int) {
  *pool = default_pool();
  return result(device_error());
}
CUDART_ALSO(cudaDeviceGetDefaultMemPool, cudaDeviceGetMemPool)
CUDART_EXPORT Error cudaDeviceSetMemPool(int, Pool*) { return SUCCESS; }
CUDART_EXPORT Error cudaMemPoolCreate(Pool** pool, const void*) {
  *pool = new Pool{};
  return result(device_error());
}
CUDART_EXPORT Error cudaMemPoolDestroy(Pool* pool) {
  if (pool != default_pool()) delete pool;
  return SUCCESS;
}
CUDART_EXPORT Error cudaMemPoolTrimTo(Pool*, size_t) { return SUCCESS; }
CUDART_EXPORT Error cudaMemPoolSetAccess(Pool*, const void*, size_t) { return SUCCESS; }
CUDART_EXPORT Error cudaMemPoolGetAccess(int* flags, Pool*, void*) {
  *flags = 3;
  return SUCCESS;
}
// The first three attributes are of type int, the others have 64 bits.
CUDART_EXPORT Error cudaMemPoolSetAttribute(Pool* pool, int attribute, void* value) {
  if (attribute < 1 || attribute > 8 || value == nullptr) return result(INVALID_VALUE);
  memcpy(&pool->attributes[attribute], value, attribute <= 3 ? 4 : 8);
  return SUCCESS;
}
CUDART_EXPORT Error cudaMemPoolGetAttribute(Pool* pool, int attribute, void* value) {
  if (attribute < 1 || attribute > 8 || value == nullptr) return result(INVALID_VALUE);
  memcpy(value, &pool->attributes[attribute], attribute <= 3 ? 4 : 8);
  return SUCCESS;
}

#if MM_PTX_CUDART_VERSION >= 13
CUDART_EXPORT Error cudaMemGetDefaultMemPool(Pool** pool, const Location*, int) {
  return cudaDeviceGetDefaultMemPool(pool, 0);
}
CUDART_ALSO(cudaMemGetDefaultMemPool, cudaMemGetMemPool)
CUDART_EXPORT Error cudaMemSetMemPool(const Location*, int, Pool*) { return SUCCESS; }
#endif

CUDART_EXPORT ChannelDescription cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return {x, y, z, w, kind}; }

// The driver's functions are not there, which programs have to expect of old drivers.
CUDART_EXPORT Error cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long, int* status) {
  complain("expected a program that needs only the CUDA runtime, found one that asks for `%s` of the driver", name);
  *function = nullptr;
  if (status == nullptr) return result(SYMBOL_NOT_FOUND);
  *status = 1;
  return SUCCESS;
}
CUDART_PTSZ(cudaGetDriverEntryPoint)
CUDART_EXPORT Error cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                                     unsigned long long flags, int* status) {
  return cudaGetDriverEntryPoint(name, function, flags, status);
}
CUDART_PTSZ(cudaGetDriverEntryPointByVersion)
