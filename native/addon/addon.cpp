// The functions that JavaScript calls. They check their arguments, because a wrong one must throw and never crash. What
// the values mean is checked by the TypeScript code, which is the only caller.
#include <napi.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "arch.h"
#include "arguments.h"
#include "driver_functions.h"
#include "environment.h"
#include "external.h"
#include "in_process.h"
#include "library.h"
#include "worker_process.h"

#ifndef MMPTX_ADDON_VERSION
#error "MMPTX_ADDON_VERSION must be the package's version"
#endif

namespace mmptx {
namespace {

// Distinguishes our objects from other wrapped objects.
constexpr napi_type_tag kPoolTag = {0x6d6d7074785f706fULL, 0x6f6c5f7461675f31ULL};
constexpr napi_type_tag kTemplateTag = {0x6d6d7074785f7465ULL, 0x6d706c6174655f31ULL};

void deletePool(napi_env env, void *data, void *) {
  std::unique_ptr<PoolHandle> handle(static_cast<PoolHandle *>(data));
  napi_delete_reference(env, handle->object);
}

PoolHandle &poolArgument(const Napi::CallbackInfo &info) {
  void *handle = unwrap(info.Env(), info[0], kPoolTag);
  if (handle == nullptr) throw Napi::TypeError::New(info.Env(), "expected a pool");
  return *static_cast<PoolHandle *>(handle);
}

std::vector<uint32_t> numbersArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name) {
  const Napi::Value value = info[index];
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) {
    throw Napi::TypeError::New(info.Env(), std::string("expected a Uint32Array as ") + name);
  }
  const auto array = value.As<Napi::Uint32Array>();
  if (array.ElementLength() == 0) return {};
  return std::vector<uint32_t>(array.Data(), array.Data() + array.ElementLength());
}

// The bytes of PTX in a string or a Uint8Array. A string that is not ASCII is read as UTF-8, so that the scan rejects
// it; Latin-1 would silently turn it into different text.
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
  const auto accepted = library.ptxVersions();
  Napi::Array versions = Napi::Array::New(env, accepted.size());
  for (std::size_t i = 0; i < accepted.size(); i++) {
    Napi::Array pair = Napi::Array::New(env, 2);
    pair.Set(0u, accepted[i].first);
    pair.Set(1u, accepted[i].second);
    versions.Set(static_cast<uint32_t>(i), pair);
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("version", library.version());
  result.Set("ptxVersions", versions);
  return result;
}

// deviceArch(driverPath, ordinal) -> architecture. An empty path selects the system's driver. Throws if there is no
// driver or no such device.
Napi::Value deviceArchFunction(const Napi::CallbackInfo &info) {
  std::string error;
  const auto ordinal = static_cast<int>(numberArgument(info, 1, "ordinal", 0, 1024));
  const std::string arch = deviceArch(textArgument(info, 0, "driver path"), ordinal, error);
  if (arch.empty()) throw Napi::Error::New(info.Env(), error);
  return Napi::String::New(info.Env(), arch);
}

// onResults(function): called once per environment, before the first pool is created.
Napi::Value onResults(const Napi::CallbackInfo &info) {
  if (!info[0].IsFunction()) throw Napi::TypeError::New(info.Env(), "expected a function");
  Environment::of(info.Env()).onResults(info.Env(), info[0].As<Napi::Function>());
  return info.Env().Undefined();
}

// createPool(libraryPath, threads, workerPath, memoryLimit, environment, confine) -> pool. 0 threads means one per core.
// Without a worker path, jobs are compiled on the pool's own threads. A limit of 0 bytes means no limit. The workers'
// environment is a list of `NAME=value`. `confine` is a number of `Confine`.
Napi::Value createPool(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  if (!Environment::of(env).ready()) throw Napi::Error::New(env, "expected onResults before the first pool");
  const Library &library = libraryArgument(info, 0);
  unsigned threads = static_cast<unsigned>(numberArgument(info, 1, "threads", 0, 4096));
  if (threads == 0) threads = std::thread::hardware_concurrency();
  const std::string worker = textArgument(info, 2, "worker path");
  const auto memoryLimit = static_cast<uint64_t>(numberArgument(info, 3, "memory limit", 0, kMaxId));
  std::shared_ptr<WorkerTotals> totals;
  MakeExecutor make = [&library] { return inProcessExecutor(library); };
  if (!worker.empty()) {
    totals = std::make_shared<WorkerTotals>();
    const auto confine = static_cast<Confine>(numberArgument(info, 5, "confine", 0, 2));
    make = [settings = std::make_shared<WorkerSettings>(WorkerSettings{
                worker, library.path, memoryLimit, textsArgument(info, 4, "environment"), confine}),
            totals] {
      return workerExecutor(settings, totals);
    };
  }
  Napi::Object object = Napi::Object::New(env);
  auto handle = std::make_unique<PoolHandle>(Environment::of(env), std::move(make), threads);
  handle->totals = std::move(totals);
  object.TypeTag(&kPoolTag);
  check(env, napi_wrap(env, object, handle.get(), deletePool, nullptr, &handle->object), "napi_wrap");
  handle.release();
  return object;
}

// tryConfinement(libraryPath, workerPath, environment) -> empty if workers confine themselves here, or the reason why they
// can't. Blocks for the start of a worker.
Napi::Value tryConfinementFunction(const Napi::CallbackInfo &info) {
  const WorkerSettings settings{textArgument(info, 1, "worker path"), textArgument(info, 0, "library path"), 0,
                                textsArgument(info, 2, "environment"), Confine::required};
  return Napi::String::New(info.Env(), tryConfinement(settings));
}

// addTarget(pool, arguments) -> the number by which jobs refer to these arguments of the compiler, which `mmptxc_compile` checks.
Napi::Value addTarget(const Napi::CallbackInfo &info) {
  PoolHandle &handle = poolArgument(info);
  std::string arguments = textArgument(info, 1, "arguments");
  if (arguments.size() >= MMPTXC_ARGUMENTS_SIZE) {
    throw Napi::RangeError::New(info.Env(), "expected arguments of less than " + std::to_string(MMPTXC_ARGUMENTS_SIZE) + " bytes");
  }
  handle.targets.push_back(std::make_shared<const std::string>(std::move(arguments)));
  return Napi::Number::New(info.Env(), static_cast<double>(handle.targets.size() - 1));
}

// createTemplate(text, segmentEnds, holes, stubs) -> template. Segment i of the text ends at segmentEnds[i], and stub
// holes[i] fills hole i.
Napi::Value createTemplate(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  auto made = std::make_unique<std::shared_ptr<const Template>>();
  auto form = std::make_shared<Template>();
  form->text = ptxArgument(info, 0);
  form->segmentEnds = numbersArgument(info, 1, "segment ends");
  form->holes = numbersArgument(info, 2, "holes");
  form->stubs = static_cast<uint32_t>(numberArgument(info, 3, "number of stubs", 0, 4294967295.0));
  if (!form->valid()) throw Napi::TypeError::New(env, "expected segments and holes that fit together");
  *made = std::move(form);
  Napi::Object object = Napi::Object::New(env);
  object.TypeTag(&kTemplateTag);
  const auto remove = [](napi_env, void *data, void *) { delete static_cast<std::shared_ptr<const Template> *>(data); };
  check(env, napi_wrap(env, object, made.get(), remove, nullptr, nullptr), "napi_wrap");
  made.release();
  return object;
}

// What to compile: a text, or a template with its stubs concatenated into one text and the end of each stub.
Source sourceArgument(const Napi::CallbackInfo &info, std::size_t index) {
  Source source;
  void *form = unwrap(info.Env(), info[index], kTemplateTag);
  if (form == nullptr) {
    source.text = ptxArgument(info, index);
    return source;
  }
  source.form = *static_cast<std::shared_ptr<const Template> *>(form);
  source.text = ptxArgument(info, index + 1);
  source.stubEnds = numbersArgument(info, index + 2, "stub ends");
  if (!source.valid()) throw Napi::TypeError::New(info.Env(), "expected a stub for each that the template has");
  return source;
}

// submit(pool, id, target, timeoutMs, priority, ptx | template, stubs?, stubEnds?): ids are unique in the environment,
// 0 ms means no timeout, and higher priorities come first.
Napi::Value submit(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  PoolHandle &handle = poolArgument(info);
  if (handle.closed) throw Napi::Error::New(env, "expected an open pool, found a closed one");
  auto job = std::make_shared<Job>();
  job->id = static_cast<uint64_t>(numberArgument(info, 1, "id", 0, kMaxId));
  const auto target = static_cast<std::size_t>(numberArgument(info, 2, "target", 0, kMaxId));
  if (target >= handle.targets.size()) throw Napi::RangeError::New(env, "expected a target of the pool");
  job->arguments = handle.targets[target];
  job->timeout = std::chrono::milliseconds(static_cast<int64_t>(numberArgument(info, 3, "timeout", 0, 2147483647.0)));
  job->priority = static_cast<int32_t>(numberArgument(info, 4, "priority", -1000000, 1000000));
  job->source = sourceArgument(info, 5);
  handle.pool.submit(std::move(job));
  Environment::of(env).addPending(handle);
  return env.Undefined();
}

// figures(pool) -> [queued, running, threads, compiled, failed, started, crashed, outgrown, recycled, peakBytes]. The
// figures from `started` on describe worker processes; a pool without worker processes reports zeros.
Napi::Value figures(const Napi::CallbackInfo &info) {
  PoolHandle &handle = poolArgument(info);
  const PoolFigures pool = handle.pool.figures();
  static const WorkerTotals none;
  const WorkerTotals &workers = handle.totals == nullptr ? none : *handle.totals;
  const double values[] = {
      static_cast<double>(pool.queued),       static_cast<double>(pool.running),
      static_cast<double>(pool.threads),      static_cast<double>(pool.compiled),
      static_cast<double>(pool.failed),       static_cast<double>(workers.started.load()),
      static_cast<double>(workers.crashed.load()),  static_cast<double>(workers.outgrown.load()),
      static_cast<double>(workers.recycled.load()), static_cast<double>(workers.peakBytes.load()),
  };
  Napi::Array array = Napi::Array::New(info.Env(), sizeof values / sizeof values[0]);
  for (uint32_t i = 0; i < array.Length(); i++) array.Set(i, values[i]);
  return array;
}

// cancel(pool, id) -> whether the job was still there. If it was, its result never arrives.
Napi::Value cancel(const Napi::CallbackInfo &info) {
  PoolHandle &handle = poolArgument(info);
  const bool found = handle.pool.cancel(static_cast<uint64_t>(numberArgument(info, 1, "id", 0, kMaxId)));
  if (found) Environment::of(info.Env()).removePending(handle, 1);
  return Napi::Boolean::New(info.Env(), found);
}

// drain(limit) -> results of all pools of the environment, at most `limit`.
Napi::Value drain(const Napi::CallbackInfo &info) {
  return Environment::of(info.Env())
      .drain(info.Env(), static_cast<std::size_t>(numberArgument(info, 0, "limit", 1, 65536)));
}

// awaitResults(): blocks until there may be results to drain.
Napi::Value awaitResults(const Napi::CallbackInfo &info) {
  Environment::of(info.Env()).awaitWake();
  return info.Env().Undefined();
}

// closePool(pool): drops its jobs, whose results never arrive. Safe to call twice.
Napi::Value closePool(const Napi::CallbackInfo &info) {
  poolArgument(info).close();
  return info.Env().Undefined();
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  Environment::install(env);
  exports.Set("version", MMPTX_ADDON_VERSION);
  exports.Set("openLibrary", Napi::Function::New<openLibraryFunction>(env, "openLibrary"));
  exports.Set("deviceArch", Napi::Function::New<deviceArchFunction>(env, "deviceArch"));
  exports.Set("onResults", Napi::Function::New<onResults>(env, "onResults"));
  exports.Set("createPool", Napi::Function::New<createPool>(env, "createPool"));
  exports.Set("tryConfinement", Napi::Function::New<tryConfinementFunction>(env, "tryConfinement"));
  exports.Set("addTarget", Napi::Function::New<addTarget>(env, "addTarget"));
  exports.Set("createTemplate", Napi::Function::New<createTemplate>(env, "createTemplate"));
  exports.Set("figures", Napi::Function::New<figures>(env, "figures"));
  exports.Set("submit", Napi::Function::New<submit>(env, "submit"));
  exports.Set("cancel", Napi::Function::New<cancel>(env, "cancel"));
  exports.Set("drain", Napi::Function::New<drain>(env, "drain"));
  exports.Set("awaitResults", Napi::Function::New<awaitResults>(env, "awaitResults"));
  exports.Set("closePool", Napi::Function::New<closePool>(env, "closePool"));
  addDriverFunctions(env, exports);
  return exports;
}

}  // namespace
}  // namespace mmptx

static Napi::Object initialiseAddon(Napi::Env env, Napi::Object exports) { return mmptx::initialise(env, exports); }

NODE_API_MODULE(mmptx, initialiseAddon)
