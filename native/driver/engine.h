// What a session's thread does: records are operations on the driver, one after the other, with the context of one device
// current from `open` on.
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

  // False when that was the last: the session is closed.
  bool run(const Record &record);

  // When streams have to be looked at that something is waited for on; `max()` when nothing is.
  Clock::time_point lookAt() const { return transfers_.lookAt(); }
  void look();

  // Waits for the work, destroys what is left, youngest first, and releases the context. Twice without harm.
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
