// A session in this process.
#include <utility>
#include <vector>

#include "engine.h"
#include "session.h"

namespace mmptx {
namespace {

class ThreadSession final : public Session {
 public:
  ThreadSession(std::string driverPath, std::function<void()> wake)
      : Session(std::move(wake)), driverPath_(std::move(driverPath)) {}

  bool inProcess() const override { return true; }

 protected:
  void serve() override {
    Engine engine(driverPath_, outbox_);
    std::vector<Batch> batches;
    while (inbox_.take(batches, engine.lookAt()) && runAll(engine, batches)) {
      if (engine.lookAt() <= Clock::now()) engine.look();
    }
    engine.close();
  }

 private:
  // False if there is nothing more to run.
  bool runAll(Engine &engine, std::vector<Batch> &batches) {
    for (Batch &batch : batches) {
      for (std::size_t at = 0; at < batch.words.size();) {
        if (inbox_.closed() || !engine.run(recordAt(batch, at))) return false;
      }
    }
    return true;
  }

  const std::string driverPath_;
};

}  // namespace

std::shared_ptr<Session> threadSession(const std::string &driverPath, std::function<void()> wake) {
  auto session = std::make_shared<ThreadSession>(driverPath, std::move(wake));
  session->start();
  return session;
}

}  // namespace mmptx
