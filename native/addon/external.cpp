#include "external.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace mmptx {

void check(Napi::Env env, napi_status status, const char *what) {
  if (status != napi_ok) throw Napi::Error::New(env, std::string(what) + " failed");
}

napi_value externalBuffer(Napi::Env env, void *data, std::size_t size, napi_finalize finalize, void *hint) {
  napi_value buffer = nullptr;
  const napi_status status = napi_create_external_arraybuffer(env, data, size, finalize, hint, &buffer);
  if (status == napi_ok) return buffer;
  if (status == napi_no_external_buffers_allowed) return nullptr;
  // In an ending environment, nothing was made. After any other failure, Node may call `finalize` on its own.
  if (status == napi_pending_exception || status == napi_cannot_run_js) finalize(env, data, hint);
  check(env, status, "napi_create_external_arraybuffer");
  return nullptr;
}

Napi::Value takeMemory(Napi::Env env, void *data, std::size_t size) {
  const auto release = [](napi_env, void *memory, void *) { std::free(memory); };
  if (size > 0) {
    const napi_value buffer = externalBuffer(env, data, size, release, nullptr);
    if (buffer != nullptr) return Napi::Uint8Array::New(env, size, Napi::ArrayBuffer(env, buffer), 0);
  }
  const std::unique_ptr<void, void (*)(void *)> source(data, std::free);
  Napi::Uint8Array copy = Napi::Uint8Array::New(env, size);
  if (size > 0) std::memcpy(copy.Data(), data, size);
  return copy;
}

}  // namespace mmptx
