// Sessions as JavaScript sees them. The TypeScript code decides what the records mean; this file checks that they
// cannot make anything read beyond their end.
#include "driver_functions.h"

#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "arguments.h"
#include "environment.h"
#include "external.h"
#include "operations.h"
#include "session.h"

namespace mmptx {
namespace {

constexpr napi_type_tag kSessionTag = {0x6d6d7074785f7365ULL, 0x7373696f6e5f7461ULL};

void deleteSession(napi_env env, void *data, void *) {
  std::unique_ptr<SessionHandle> handle(static_cast<SessionHandle *>(data));
  napi_delete_reference(env, handle->object);
}

SessionHandle &sessionArgument(const Napi::CallbackInfo &info) {
  void *handle = unwrap(info.Env(), info[0], kSessionTag);
  if (handle == nullptr) throw Napi::TypeError::New(info.Env(), "expected a session");
  return *static_cast<SessionHandle *>(handle);
}

struct View {
  const uint8_t *data = nullptr;
  std::size_t size = 0;
};

View bytesArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name) {
  napi_typedarray_type type = napi_int8_array;
  View view;
  void *data = nullptr;
  if (napi_get_typedarray_info(info.Env(), info[index], &type, &view.size, &data, nullptr, nullptr) != napi_ok ||
      type != napi_uint8_array) {
    throw Napi::TypeError::New(info.Env(), std::string("expected a Uint8Array as ") + name);
  }
  view.data = static_cast<const uint8_t *>(data);
  return view;
}

Napi::Value takeBytes(Napi::Env env, Bytes &&bytes) {
  if (!bytes) return env.Undefined();
  const std::size_t size = bytes.size();
  return takeMemory(env, bytes.release(), size);
}

// [session, ticket, tag, operation, status, values, payload or undefined, text]. An array, because named properties
// would cost as much as everything else.
napi_value toJavaScript(Napi::Env env, uint32_t session, Reply &&reply) {
  napi_value values = nullptr;
  check(env, napi_create_array_with_length(env, reply.values.size(), &values), "napi_create_array_with_length");
  for (uint32_t i = 0; i < reply.values.size(); i++) {
    napi_value value = nullptr;
    check(env, napi_create_bigint_uint64(env, reply.values[i], &value), "napi_create_bigint_uint64");
    check(env, napi_set_element(env, values, i, value), "napi_set_element");
  }
  const napi_value fields[] = {
      Napi::Number::New(env, session),
      Napi::Number::New(env, reply.ticket),
      Napi::Number::New(env, reply.tag),
      Napi::Number::New(env, reply.operation),
      Napi::Number::New(env, reply.status),
      values,
      takeBytes(env, std::move(reply.payload)),
      Napi::String::New(env, reply.text),
  };
  constexpr uint32_t count = sizeof fields / sizeof fields[0];
  napi_value array = nullptr;
  check(env, napi_create_array_with_length(env, count, &array), "napi_create_array_with_length");
  for (uint32_t i = 0; i < count; i++) check(env, napi_set_element(env, array, i, fields[i]), "napi_set_element");
  return array;
}

// driverOperations() -> names, in the order of their numbers.
Napi::Value driverOperations(const Napi::CallbackInfo &info) {
  Napi::Array names = Napi::Array::New(info.Env(), operationCount());
  for (uint16_t i = 0; i < operationCount(); i++) names.Set(i, operationOf(i)->name);
  return names;
}

// openDriver(driverPath, workerPath, environment) -> session. An empty driver path selects the system's driver. Without
// a worker path, the driver is called in this process. The workers' environment is a list of `NAME=value`. No driver is
// opened yet.
Napi::Value openDriver(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  Environment &environment = Environment::of(env);
  if (!environment.ready()) throw Napi::Error::New(env, "expected onResults before the first session");
  const std::string driver = textArgument(info, 0, "driver path");
  const std::string worker = textArgument(info, 1, "worker path");
  const std::vector<std::string> variables = textsArgument(info, 2, "environment");
  const auto wake = [&environment] { environment.wake(); };
  std::shared_ptr<Session> session;
  try {
    session = worker.empty() ? threadSession(driver, wake) : workerSession(driver, {worker, variables}, wake);
  } catch (const std::system_error &error) {
    throw Napi::Error::New(env, std::string("a thread could not be started: ") + error.what());
  }
  Napi::Object object = Napi::Object::New(env);
  auto handle = std::make_unique<SessionHandle>(environment, std::move(session));
  object.Set("number", handle->number);
  object.TypeTag(&kSessionTag);
  check(env, napi_wrap(env, object, handle.get(), deleteSession, nullptr, &handle->object), "napi_wrap");
  handle.release();
  return object;
}

// submitDriver(session, records, payload?): the payload belongs to the last record.
void submitDriver(const Napi::CallbackInfo &info) {
  SessionHandle &handle = sessionArgument(info);
  const View records = bytesArgument(info, 1, "records");
  Bytes payload;
  if (!info[2].IsUndefined()) {
    const View view = bytesArgument(info, 2, "payload");
    payload = Bytes(view.data, view.size);
  }
  uint32_t tickets = 0;
  const std::string problem = handle.session().submit(records.data, records.size, std::move(payload), tickets);
  if (!problem.empty()) throw Napi::TypeError::New(info.Env(), problem);
  if (handle.environment != nullptr) handle.environment->addPending(handle, tickets);
}

// callDriver(session, record, timeoutMs) -> its reply. With 0 ms it waits indefinitely, or until the environment ends.
Napi::Value callDriver(const Napi::CallbackInfo &info) {
  const SessionHandle &handle = sessionArgument(info);
  const View record = bytesArgument(info, 1, "record");
  const double timeout = numberArgument(info, 2, "timeout", 0, 2147483647.0);
  const auto until = timeout == 0 ? Clock::time_point::max()
                                  : Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(timeout));
  Reply reply;
  const std::string problem = handle.session().call(record.data, record.size, until, reply,
                                                   [&info] { return Environment::of(info.Env()).isEnding(); });
  if (!problem.empty()) throw Napi::TypeError::New(info.Env(), problem);
  return Napi::Value(info.Env(), toJavaScript(info.Env(), handle.number, std::move(reply)));
}

// drainDriver(limit) -> replies of all sessions of the environment, at most `limit`.
Napi::Value drainDriver(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  const auto limit = static_cast<std::size_t>(numberArgument(info, 0, "limit", 1, 65536));
  std::vector<SessionReply> replies = Environment::of(env).takeReplies(limit);
  Napi::Array array = Napi::Array::New(env, replies.size());
  uint32_t count = 0;
  for (SessionReply &each : replies) {
    const napi_value reply = toJavaScript(env, each.session, std::move(each.reply));
    check(env, napi_set_element(env, array, count++, reply), "napi_set_element");
  }
  return array;
}

// killDriver(session): everything that waits is answered as killed. Safe to call twice.
void killDriver(const Napi::CallbackInfo &info) { sessionArgument(info).session().kill(kKilled, ""); }

// hostBuffer(session, address, bytes) -> an ArrayBuffer over pinned memory of a session in this process, which must be
// detached before that memory is freed. Returns undefined if the host forbids such buffers, and for other sessions. The
// buffer keeps the session alive.
Napi::Value hostBuffer(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  const SessionHandle &handle = sessionArgument(info);
  if (!handle.session().inProcess()) return env.Undefined();
  const double size = numberArgument(info, 2, "bytes", 1, kMaxId);
  bool lossless = false;
  if (!info[1].IsBigInt()) throw Napi::TypeError::New(env, "expected a bigint as address");
  const uint64_t address = info[1].As<Napi::BigInt>().Uint64Value(&lossless);
  if (!lossless || address == 0) throw Napi::TypeError::New(env, "expected an address");
  auto *keep = new std::shared_ptr<OpenSession>(handle.open);
  const napi_value buffer = externalBuffer(
      env, reinterpret_cast<void *>(static_cast<uintptr_t>(address)), static_cast<std::size_t>(size),
      [](napi_env, void *, void *kept) { delete static_cast<std::shared_ptr<OpenSession> *>(kept); }, keep);
  if (buffer != nullptr) return Napi::Value(env, buffer);
  delete keep;
  return env.Undefined();
}

// detachBuffer(buffer): JavaScript can no longer reach its memory.
void detachBuffer(const Napi::CallbackInfo &info) {
  if (!info[0].IsArrayBuffer()) throw Napi::TypeError::New(info.Env(), "expected an ArrayBuffer");
  auto buffer = info[0].As<Napi::ArrayBuffer>();
  if (!buffer.IsDetached()) buffer.Detach();
}

}  // namespace

void addDriverFunctions(Napi::Env env, Napi::Object exports) {
  exports.Set("driverOperations", Napi::Function::New<driverOperations>(env, "driverOperations"));
  exports.Set("openDriver", Napi::Function::New<openDriver>(env, "openDriver"));
  exports.Set("submitDriver", Napi::Function::New<submitDriver>(env, "submitDriver"));
  exports.Set("callDriver", Napi::Function::New<callDriver>(env, "callDriver"));
  exports.Set("drainDriver", Napi::Function::New<drainDriver>(env, "drainDriver"));
  exports.Set("killDriver", Napi::Function::New<killDriver>(env, "killDriver"));
  exports.Set("hostBuffer", Napi::Function::New<hostBuffer>(env, "hostBuffer"));
  exports.Set("detachBuffer", Napi::Function::New<detachBuffer>(env, "detachBuffer"));
}

}  // namespace mmptx
