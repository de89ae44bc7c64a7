#include "nvrtc.h"

#include "shared_library.h"

namespace mmptx {

using Program = void *;

struct NvrtcFunctions {
  int (*version)(int *, int *);
  const char *(*errorString)(int);
  int (*create)(Program *, const char *, const char *, int, const char *const *, const char *const *);
  int (*destroy)(Program *);
  int (*addName)(Program, const char *);
  int (*compile)(Program, int, const char *const *);
  int (*loweredName)(Program, const char *, const char **);
  int (*logSize)(Program, std::size_t *);
  int (*log)(Program, char *);
  // Indexed by NvrtcOutput.
  int (*outputSize[3])(Program, std::size_t *);
  int (*output[3])(Program, char *);
  // Older libraries lack these.
  int (*architectureCount)(int *);
  int (*architectureList)(int *);
};

namespace {

constexpr const char *kOutputs[] = {"nvrtcGetPTX", "nvrtcGetCUBIN", "nvrtcGetLTOIR"};

bool resolveAll(const SharedLibrary &library, NvrtcFunctions &f, std::string &error) {
  std::string absent;
  library.resolve("nvrtcGetNumSupportedArchs", f.architectureCount, absent);
  library.resolve("nvrtcGetSupportedArchs", f.architectureList, absent);
  for (int i = 0; i < 3; i++) {
    const std::string name = kOutputs[i];
    if (!library.resolve(name.c_str(), f.output[i], error)) return false;
    if (!library.resolve((name + "Size").c_str(), f.outputSize[i], error)) return false;
  }
  return library.resolve("nvrtcVersion", f.version, error) &&
         library.resolve("nvrtcGetErrorString", f.errorString, error) &&
         library.resolve("nvrtcCreateProgram", f.create, error) &&
         library.resolve("nvrtcDestroyProgram", f.destroy, error) &&
         library.resolve("nvrtcAddNameExpression", f.addName, error) &&
         library.resolve("nvrtcCompileProgram", f.compile, error) &&
         library.resolve("nvrtcGetLoweredName", f.loweredName, error) &&
         library.resolve("nvrtcGetProgramLogSize", f.logSize, error) &&
         library.resolve("nvrtcGetProgramLog", f.log, error);
}

// A program with the results of its calls: after the first failure nothing more is called.
class CompileSession {
 public:
  CompileSession(const NvrtcFunctions &functions, NvrtcReply &reply) : f_(functions), reply_(reply) {}
  ~CompileSession() {
    if (program_ != nullptr) f_.destroy(&program_);
  }

  bool create(const NvrtcRequest &request) {
    std::vector<const char *> texts;
    std::vector<const char *> names;
    for (const auto &[name, text] : request.headers) {
      names.push_back(name.c_str());
      texts.push_back(text.c_str());
    }
    return check("nvrtcCreateProgram", f_.create(&program_, request.source.c_str(), request.name.c_str(),
                                                 static_cast<int>(names.size()), texts.data(), names.data()));
  }

  bool addNames(const NvrtcRequest &request) {
    for (const std::string &name : request.nameExpressions) {
      if (!check("nvrtcAddNameExpression", f_.addName(program_, name.c_str()))) return false;
    }
    return true;
  }

  bool compile(const NvrtcRequest &request) {
    std::vector<const char *> options;
    for (const std::string &option : request.options) options.push_back(option.c_str());
    const int status = f_.compile(program_, static_cast<int>(options.size()), options.data());
    // There is a log whether it compiled or not.
    std::size_t size = 0;
    if (f_.logSize(program_, &size) == 0 && size > 1) {
      reply_.log.resize(size);
      if (f_.log(program_, reply_.log.data()) != 0) reply_.log.clear();
      // The size includes the terminating NUL, twice if the assembler appended to the log.
      while (!reply_.log.empty() && reply_.log.back() == '\0') reply_.log.pop_back();
    }
    return check("nvrtcCompileProgram", status);
  }

  bool take(const NvrtcRequest &request) {
    for (const std::string &name : request.nameExpressions) {
      const char *lowered = nullptr;
      if (!check("nvrtcGetLoweredName", f_.loweredName(program_, name.c_str(), &lowered))) return false;
      reply_.loweredNames.emplace_back(lowered);
    }
    const int which = static_cast<int>(request.output);
    std::size_t size = 0;
    if (!check(kOutputs[which], f_.outputSize[which](program_, &size))) return false;
    reply_.output.resize(size);
    if (!check(kOutputs[which], f_.output[which](program_, reply_.output.data()))) return false;
    // PTX is text, and its size includes the terminating NUL.
    if (request.output == NvrtcOutput::ptx && size > 0) reply_.output.resize(size - 1);
    return true;
  }

 private:
  bool check(const char *operation, int status) {
    if (status == 0) return true;
    reply_.status = status;
    reply_.operation = operation;
    reply_.statusName = f_.errorString(status);
    return false;
  }

  const NvrtcFunctions &f_;
  NvrtcReply &reply_;
  Program program_ = nullptr;
};

}  // namespace

Nvrtc::Nvrtc(std::unique_ptr<NvrtcFunctions> functions) : functions_(std::move(functions)) {}

Nvrtc::~Nvrtc() = default;

std::unique_ptr<Nvrtc> Nvrtc::open(const std::string &path, const std::vector<std::string> &companions,
                                   std::string &error) {
  const SharedLibrary library(path, companions, error);
  auto functions = std::make_unique<NvrtcFunctions>();
  if (!error.empty() || !resolveAll(library, *functions, error)) return nullptr;
  return std::unique_ptr<Nvrtc>(new Nvrtc(std::move(functions)));
}

std::pair<int, int> Nvrtc::version() const {
  std::pair<int, int> version{0, 0};
  functions_->version(&version.first, &version.second);
  return version;
}

std::vector<int> Nvrtc::architectures() const {
  int count = 0;
  if (functions_->architectureCount == nullptr || functions_->architectureList == nullptr ||
      functions_->architectureCount(&count) != 0 || count <= 0) {
    return {};
  }
  std::vector<int> list(static_cast<std::size_t>(count));
  if (functions_->architectureList(list.data()) != 0) return {};
  return list;
}

NvrtcReply Nvrtc::compile(const NvrtcRequest &request) const {
  NvrtcReply reply;
  CompileSession session(*functions_, reply);
  session.create(request) && session.addNames(request) && session.compile(request) && session.take(request);
  return reply;
}

}  // namespace mmptx
