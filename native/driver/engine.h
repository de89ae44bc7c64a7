// What a session's thread does: it executes records, which are operations on the driver, one after another. From `open`
// on, the context of one device is current.
#pragma once

#include <memory>
#include <string>

#include "driver.h"
#include "outbox.h"
#include "record.h"
#include "registry.h"
#include "transfer.h"

namespace mmptx {

class Engine {
 public:
  Engine(std::string driverPath, std::shared_ptr<Outbox> outbox);
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  // False if that was the last record: the session is closed.
  bool run(const Record &record);

  // When to poll the streams that something waits for; `max()` if nothing does.
  Clock::time_point lookAt() const { return transfers_.lookAt(); }
  void look();

  // Waits for the work, destroys what is left, youngest first, and releases the context. Safe to call twice.
  void close();

 private:
  friend struct Call;
  int runOperation(const Record &record, Reply &reply, bool &later);

  const std::string driverPath_;
  const std::shared_ptr<Outbox> outbox_;
  Driver *driver_ = nullptr;
  Registry registry_;
  Transfers transfers_;
  int device_ = 0;
  void *context_ = nullptr;
  bool closed_ = false;
};

}  // namespace mmptx
