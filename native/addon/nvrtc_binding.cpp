#include "nvrtc.h"

#include "toolkit.h"

namespace mmptx {
namespace {

const Nvrtc &libraryAt(const Napi::CallbackInfo &info) {
  std::string error;
  const Nvrtc *nvrtc = Nvrtc::open(textAt(info, 0), textsAt(info, 1), error);
  if (nvrtc == nullptr) throw Napi::Error::New(info.Env(), error);
  return *nvrtc;
}

// nvrtcOpen(path, companions) -> [major, minor, ...architectures]
Napi::Value nvrtcOpen(const Napi::CallbackInfo &info) {
  const Nvrtc &nvrtc = libraryAt(info);
  const auto [major, minor] = nvrtc.version();
  Napi::Array array = toArray(info.Env(), {Napi::Number::New(info.Env(), major), Napi::Number::New(info.Env(), minor)});
  for (const int architecture : nvrtc.architectures()) array.Set(array.Length(), architecture);
  return array;
}

class Compile : public Work {
 public:
  Compile(const Nvrtc &nvrtc, NvrtcRequest request) : nvrtc_(nvrtc), request_(std::move(request)) {}

  void run(const std::atomic<bool> &stop) override { reply_ = nvrtc_.compile(request_, stop); }

  // [status, status name, operation, log, output, lowered names]
  Napi::Value result(Napi::Env env) override {
    const bool text = request_.output == NvrtcOutput::ptx;
    Napi::Array names = Napi::Array::New(env);
    for (const std::string &name : reply_.loweredNames) names.Set(names.Length(), name);
    return toArray(env, {
                            Napi::Number::New(env, reply_.status),
                            Napi::String::New(env, reply_.statusName),
                            Napi::String::New(env, reply_.operation),
                            Napi::String::New(env, reply_.log),
                            text ? Napi::Value(Napi::String::New(env, reply_.output)) : toBytes(env, reply_.output),
                            names,
                        });
  }

 private:
  const Nvrtc &nvrtc_;
  NvrtcRequest request_;
  NvrtcReply reply_;
};

// nvrtcCompile(path, companions, source, name, options, headers, nameExpressions, output, done) -> number for stopWork;
// headers are names and texts in turn.
Napi::Value nvrtcCompile(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  const Nvrtc &nvrtc = libraryAt(info);
  NvrtcRequest request;
  request.source = textAt(info, 2);
  request.name = textAt(info, 3);
  request.options = textsAt(info, 4);
  std::vector<std::string> headers = textsAt(info, 5);
  for (std::size_t i = 0; i + 1 < headers.size(); i += 2) {
    request.headers.emplace_back(std::move(headers[i]), std::move(headers[i + 1]));
  }
  request.nameExpressions = textsAt(info, 6);
  const int32_t output = info[7].IsNumber() ? info[7].As<Napi::Number>().Int32Value() : -1;
  if (output < 0 || output > 2) throw Napi::TypeError::New(env, "expected an output from 0 to 2");
  request.output = static_cast<NvrtcOutput>(output);
  auto *background = static_cast<Background *>(info.Data());
  const uint32_t number = background->start(std::make_unique<Compile>(nvrtc, std::move(request)), functionAt(info, 8));
  return Napi::Number::New(env, number);
}

}  // namespace

void registerNvrtc(Napi::Env env, Napi::Object exports, Background *background) {
  exports.Set("nvrtcOpen", Napi::Function::New<nvrtcOpen>(env, "nvrtcOpen"));
  exports.Set("nvrtcCompile", Napi::Function::New<nvrtcCompile>(env, "nvrtcCompile", background));
}

}  // namespace mmptx
