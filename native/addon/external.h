// JavaScript's view of memory that was allocated natively.
#pragma once

#include <napi.h>

#include <cstddef>

namespace mmptx {

// Throws if a call of Node-API failed. Every call fails once its environment is ending.
void check(Napi::Env env, napi_status status, const char *what);

// An ArrayBuffer over `data`, for which `finalize` is called with `hint` when JavaScript cannot reach it any more; if this
// throws, it is called as well. Null if the host forbids such buffers: nothing is called then.
napi_value externalBuffer(Napi::Env env, void *data, std::size_t size, napi_finalize finalize, void *hint);

// Transfers memory from `malloc` to JavaScript; if this throws, it is freed as well.
Napi::Value takeMemory(Napi::Env env, void *data, std::size_t size);

}  // namespace mmptx
