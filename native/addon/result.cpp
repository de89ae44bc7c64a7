#include "result.h"

#include <cstring>

namespace mmptx {
namespace {

Napi::Value takeCubin(Napi::Env env, Finished &finished) {
  void *data = finished.result.cubin;
  const std::size_t size = finished.result.cubin_size;
  napi_value buffer = nullptr;
  const napi_status status = napi_create_external_arraybuffer(
      env, data, size, [](napi_env, void *cubin, void *hint) { static_cast<const Library *>(hint)->free(cubin); },
      const_cast<Library *>(finished.library), &buffer);
  if (status == napi_ok) {
    finished.result.cubin = nullptr;
    return Napi::Uint8Array::New(env, size, Napi::ArrayBuffer(env, buffer), 0);
  }
  // Hosts with a memory cage forbid external buffers; the copy's source is freed with `finished`.
  Napi::Uint8Array copy = Napi::Uint8Array::New(env, size);
  std::memcpy(copy.Data(), data, size);
  return copy;
}

// Logs quote the PTX, which is ASCII; whatever else the compiler writes must not make a result unreadable.
Napi::Value logText(Napi::Env env, const char *text, std::size_t size) {
  napi_value value = nullptr;
  if (text == nullptr || napi_create_string_latin1(env, text, size, &value) != napi_ok) {
    return Napi::String::New(env, "");
  }
  return Napi::String(env, value);
}

}  // namespace

Napi::Object toJavaScript(Napi::Env env, Finished &finished) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("id", static_cast<double>(finished.id));
  object.Set("outcome", static_cast<int32_t>(finished.outcome));
  object.Set("status", finished.result.status);
  object.Set("nativeStatus", finished.result.native_status);
  object.Set("milliseconds", finished.milliseconds);
  object.Set("refusal", static_cast<int32_t>(finished.scan.refusal));
  object.Set("offset", static_cast<double>(finished.scan.offset));
  object.Set("infoLog", logText(env, finished.result.info_log, finished.result.info_log_size));
  object.Set("errorLog", logText(env, finished.result.error_log, finished.result.error_log_size));
  if (finished.outcome == Outcome::compiled) object.Set("cubin", takeCubin(env, finished));
  return object;
}

}  // namespace mmptx
