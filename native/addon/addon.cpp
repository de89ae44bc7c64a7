// The functions that JavaScript calls. They check their arguments, because a wrong one must throw and never crash; what
// the values mean is checked by the TypeScript side, which is the only caller.
#include <napi.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "environment.h"
#include "library.h"

#ifndef MMPTX_ADDON_VERSION
#error "MMPTX_ADDON_VERSION must be the package's version"
#endif

namespace mmptx {
namespace {

// Tells our pools from any other wrapped object.
constexpr napi_type_tag kPoolTag = {0x6d6d7074785f706fULL, 0x6f6c5f7461675f31ULL};

void deletePool(napi_env env, void *data, void *) {
  std::unique_ptr<PoolHandle> handle(static_cast<PoolHandle *>(data));
  napi_delete_reference(env, handle->object);
}

std::string textArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name) {
  if (!info[index].IsString()) throw Napi::TypeError::New(info.Env(), std::string("expected a string as ") + name);
  return info[index].As<Napi::String>().Utf8Value();
}

double numberArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name, double least, double most) {
  const double value = info[index].IsNumber() ? info[index].As<Napi::Number>().DoubleValue() : -1;
  if (!(value >= least && value <= most)) {
    throw Napi::TypeError::New(info.Env(), std::string("expected a number in range as ") + name);
  }
  return value;
}

PoolHandle &poolArgument(const Napi::CallbackInfo &info) {
  bool ours = false;
  void *handle = nullptr;
  if (!info[0].IsObject() || napi_check_object_type_tag(info.Env(), info[0], &kPoolTag, &ours) != napi_ok || !ours ||
      napi_unwrap(info.Env(), info[0], &handle) != napi_ok) {
    throw Napi::TypeError::New(info.Env(), "expected a pool");
  }
  return *static_cast<PoolHandle *>(handle);
}

// The bytes of PTX in a string or a Uint8Array. A string that is not ASCII is read as UTF-8: the scan refuses it then,
// where Latin-1 would quietly turn it into other text.
std::string ptxArgument(const Napi::CallbackInfo &info, std::size_t index) {
  const Napi::Env env = info.Env();
  const Napi::Value value = info[index];
  if (value.IsString()) {
    std::size_t units = 0;
    std::size_t bytes = 0;
    napi_get_value_string_latin1(env, value, nullptr, 0, &units);
    napi_get_value_string_utf8(env, value, nullptr, 0, &bytes);
    std::string text(bytes, '\0');
    const auto read = units == bytes ? napi_get_value_string_latin1 : napi_get_value_string_utf8;
    read(env, value, text.data(), bytes + 1, &bytes);
    return text;
  }
  if (value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array) {
    const auto bytes = value.As<Napi::Uint8Array>();
    return bytes.ByteLength() == 0 ? std::string()
                                   : std::string(reinterpret_cast<const char *>(bytes.Data()), bytes.ByteLength());
  }
  throw Napi::TypeError::New(env, "expected PTX as a string or a Uint8Array");
}

const Library &libraryArgument(const Napi::CallbackInfo &info, std::size_t index) {
  std::string error;
  const Library *library = openLibrary(textArgument(info, index, "library path"), error);
  if (library == nullptr) throw Napi::Error::New(info.Env(), error);
  return *library;
}

// openLibrary(path) -> { version, ptxVersions: [major, minor][] }
Napi::Value openLibraryFunction(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  const Library &library = libraryArgument(info, 0);
  const std::size_t count = library.ptxVersions(nullptr, 0);
  std::vector<int32_t> pairs(count * 2);
  library.ptxVersions(reinterpret_cast<int32_t(*)[2]>(pairs.data()), count);
  Napi::Array versions = Napi::Array::New(env, count);
  for (std::size_t i = 0; i < count; i++) {
    Napi::Array pair = Napi::Array::New(env, 2);
    pair.Set(0u, pairs[2 * i]);
    pair.Set(1u, pairs[2 * i + 1]);
    versions.Set(static_cast<uint32_t>(i), pair);
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("version", library.version());
  result.Set("ptxVersions", versions);
  return result;
}

// onResults(function): once an environment, before the first pool.
Napi::Value onResults(const Napi::CallbackInfo &info) {
  if (!info[0].IsFunction()) throw Napi::TypeError::New(info.Env(), "expected a function");
  Environment::of(info.Env()).onResults(info.Env(), info[0].As<Napi::Function>());
  return info.Env().Undefined();
}

// createPool(libraryPath, threads, arch, effort, maxRegisters, lineInfo) -> pool; 0 threads: as many as cores.
Napi::Value createPool(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  if (!Environment::of(env).ready()) throw Napi::Error::New(env, "expected onResults before the first pool");
  const Library &library = libraryArgument(info, 0);
  unsigned threads = static_cast<unsigned>(numberArgument(info, 1, "threads", 0, 4096));
  if (threads == 0) threads = std::thread::hardware_concurrency();
  CompileOptions options;
  options.arch = textArgument(info, 2, "arch");
  options.effort = static_cast<int32_t>(numberArgument(info, 3, "effort", 0, 2));
  options.maxRegisters = static_cast<int32_t>(numberArgument(info, 4, "register limit", 0, 255));
  options.lineInfo = info[5].ToBoolean();
  Napi::Object object = Napi::Object::New(env);
  auto handle = std::make_unique<PoolHandle>(Environment::of(env), library, std::move(options), threads);
  object.TypeTag(&kPoolTag);
  const napi_status status = napi_wrap(env, object, handle.get(), deletePool, nullptr, &handle->object);
  if (status != napi_ok) throw Napi::Error::New(env, "napi_wrap failed");
  handle.release();
  return object;
}

// submit(pool, id, ptx, timeoutMs): ids are unique in the environment; 0 ms means no timeout.
Napi::Value submit(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  PoolHandle &handle = poolArgument(info);
  if (handle.closed) throw Napi::Error::New(env, "expected an open pool, found a closed one");
  const auto id = static_cast<uint64_t>(numberArgument(info, 1, "id", 0, 9007199254740991.0));
  const auto timeout = static_cast<int64_t>(numberArgument(info, 3, "timeout", 0, 2147483647.0));
  handle.pool.submit(id, ptxArgument(info, 2), std::chrono::milliseconds(timeout));
  Environment::of(env).addPending(handle);
  return env.Undefined();
}

// cancel(pool, id) -> whether it was still there; its result never arrives then.
Napi::Value cancel(const Napi::CallbackInfo &info) {
  PoolHandle &handle = poolArgument(info);
  const bool found = handle.pool.cancel(static_cast<uint64_t>(numberArgument(info, 1, "id", 0, 9007199254740991.0)));
  if (found) Environment::of(info.Env()).removePending(handle, 1);
  return Napi::Boolean::New(info.Env(), found);
}

// drain(limit) -> results of all pools of the environment, at most `limit`.
Napi::Value drain(const Napi::CallbackInfo &info) {
  return Environment::of(info.Env())
      .drain(info.Env(), static_cast<std::size_t>(numberArgument(info, 0, "limit", 1, 65536)));
}

// closePool(pool): drops its jobs; their results never arrive. Twice without harm.
Napi::Value closePool(const Napi::CallbackInfo &info) {
  poolArgument(info).close();
  return info.Env().Undefined();
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  Environment::install(env);
  exports.Set("version", MMPTX_ADDON_VERSION);
  exports.Set("openLibrary", Napi::Function::New<openLibraryFunction>(env, "openLibrary"));
  exports.Set("onResults", Napi::Function::New<onResults>(env, "onResults"));
  exports.Set("createPool", Napi::Function::New<createPool>(env, "createPool"));
  exports.Set("submit", Napi::Function::New<submit>(env, "submit"));
  exports.Set("cancel", Napi::Function::New<cancel>(env, "cancel"));
  exports.Set("drain", Napi::Function::New<drain>(env, "drain"));
  exports.Set("closePool", Napi::Function::New<closePool>(env, "closePool"));
  return exports;
}

}  // namespace
}  // namespace mmptx

static Napi::Object initialiseAddon(Napi::Env env, Napi::Object exports) { return mmptx::initialise(env, exports); }

NODE_API_MODULE(mmptx, initialiseAddon)
