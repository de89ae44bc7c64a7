// The hot parts build results with the plain calls of Node-API: this runs on the event loop's thread, once per job.
#include "result.h"

#include <utility>

#include "external.h"

namespace mmptx {
namespace {

Napi::Value takeCubin(Napi::Env env, Finished &finished) {
  return takeMemory(env, std::exchange(finished.result.cubin, nullptr), finished.result.cubin_size);
}

// Logs quote the PTX, which is ASCII. Anything else that the compiler writes must not make a result unreadable.
Napi::Value logText(Napi::Env env, const char *text, std::size_t size) {
  napi_value value = nullptr;
  if (size == 0 || napi_create_string_latin1(env, text, size, &value) != napi_ok) {
    return Napi::String::New(env, "");
  }
  return Napi::String(env, value);
}

}  // namespace

napi_value toJavaScript(Napi::Env env, Finished &finished) {
  const mmptxc_result &result = finished.result;
  const Napi::Value fields[] = {
      Napi::Number::New(env, static_cast<double>(finished.id)),
      Napi::Number::New(env, static_cast<int32_t>(finished.outcome)),
      Napi::Number::New(env, finished.milliseconds),
      Napi::Number::New(env, result.status),
      Napi::Number::New(env, result.native_status),
      Napi::Number::New(env, static_cast<int32_t>(finished.scan.refusal)),
      Napi::Number::New(env, static_cast<double>(finished.scan.offset)),
      Napi::Number::New(env, finished.signal),
      Napi::Boolean::New(env, finished.confined),
      Napi::Number::New(env, static_cast<double>(finished.memoryBytes)),
      logText(env, result.info_log, result.info_log_size),
      finished.problem.empty() ? logText(env, result.error_log, result.error_log_size)
                               : Napi::String::New(env, finished.problem),
      finished.outcome == Outcome::compiled ? takeCubin(env, finished) : env.Undefined(),
  };
  constexpr uint32_t count = sizeof fields / sizeof fields[0];
  napi_value array = nullptr;
  check(env, napi_create_array_with_length(env, count, &array), "napi_create_array_with_length");
  for (uint32_t i = 0; i < count; i++) check(env, napi_set_element(env, array, i, fields[i]), "napi_set_element");
  return array;
}

}  // namespace mmptx
