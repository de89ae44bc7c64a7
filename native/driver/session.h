// A thread that calls the driver for one device, or that talks to a process which does. Records go in, replies come out; the
// thread keeps a session alive until it has ended.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "at_exit.h"
#include "inbox.h"
#include "outbox.h"

namespace mmptx {

class Session : public EndsWithProcess, public std::enable_shared_from_this<Session> {
 public:
  explicit Session(std::function<void()> wake) : outbox_(std::make_shared<Outbox>(std::move(wake))) {}
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  // Starts the thread; once.
  void start();

  // Queues records whose tickets are waited for from then on; `tickets` is the number of those that are not idle. The payload
  // of the last one may come apart. When they can't be taken nothing is, and what is wrong with them is returned.
  std::string submit(const uint8_t *records, std::size_t size, Bytes &&payload, uint32_t &tickets);

  // Queues one record with a ticket and waits for its reply; a session that takes longer than until `until` is killed, and so
  // is one whose caller `leaves`, which is asked now and then.
  std::string call(const uint8_t *record, std::size_t size, Clock::time_point until, Reply &reply,
                   const std::function<bool()> &leaves = [] { return false; });

  // At most `limit` replies that wait.
  void take(std::vector<Reply> &into, std::size_t limit) { outbox_->take(into, limit); }

  // Whoever waits for something gets `status` for an answer. A process ends; a thread does as soon as the driver lets it.
  void kill(int32_t status, const std::string &text);

  // Whether addresses that it answers are of this process.
  virtual bool inProcess() const = 0;

  // Nobody takes replies any more; what the session has stays.
  void forget() { outbox_->shut(); }

  // Drops what waits, frees what is left, and waits for the end until `deadline`; nobody is told of anything any more.
  bool close(Clock::time_point deadline) override;

 protected:
  // Runs on the thread, until the session is over.
  virtual void serve() = 0;
  // Called where the thread sleeps elsewhere than in the inbox.
  virtual void rouse() {}

  Inbox inbox_;
  // Shared with what the driver calls, which may come after the session's end.
  const std::shared_ptr<Outbox> outbox_;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = true;
  // Somebody waited for the thread until a deadline and went on without it.
  bool abandoned_ = false;
};

// In this process. `driverPath` is what `Driver::open` takes. Both throw std::system_error where no thread can be had.
std::shared_ptr<Session> threadSession(const std::string &driverPath, std::function<void()> wake);

// In a process of its own: what kills it kills nothing else, and it can be killed at any time.
struct DeviceWorker {
  std::string executable;
  // As `NAME=value`.
  std::vector<std::string> environment;
};
std::shared_ptr<Session> workerSession(const std::string &driverPath, DeviceWorker worker, std::function<void()> wake);

}  // namespace mmptx
