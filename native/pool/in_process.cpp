#include "in_process.h"

#include "logs.h"

namespace mmptx {
namespace {

class InProcess final : public Executor {
 public:
  explicit InProcess(const Library &library) : library_(library) {}

  void run(const Job &job, const std::string &ptx, Finished &result) override {
    const int32_t status =
        library_.compile(ptx.data(), ptx.size(), job.arguments->c_str(), &job.cancel, &result.result);
    cutLogs(result.result, ptx.size());
    result.outcome = status == MMPTXC_OK ? Outcome::compiled : Outcome::failed;
  }

 private:
  const Library &library_;
};

}  // namespace

std::unique_ptr<Executor> inProcessExecutor(const Library &library) { return std::make_unique<InProcess>(library); }

}  // namespace mmptx
