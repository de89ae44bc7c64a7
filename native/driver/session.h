// A thread that calls the driver for one device, or that talks to a process that does. Records go in and replies come
// out. The thread keeps its session alive until it has ended.
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

  // Starts the thread. Called once.
  void start();

  // Queues records and starts waiting for their tickets; `tickets` is set to the number of those that are not idle. The
  // payload of the last record may be separate. If the records are invalid, nothing is queued and the reason is
  // returned.
  std::string submit(const uint8_t *records, std::size_t size, Bytes &&payload, uint32_t &tickets);

  // Queues one record with a ticket and waits for its reply. A session that takes longer than `until` is killed, and so
  // is one whose caller `leaves`, which is asked now and then.
  std::string call(const uint8_t *record, std::size_t size, Clock::time_point until, Reply &reply,
                   const std::function<bool()> &leaves = [] { return false; });

  // At most `limit` replies that have arrived.
  void take(std::vector<Reply> &into, std::size_t limit) { outbox_->take(into, limit); }

  // Answers everything that waits with `status`. A process is killed; a thread ends as soon as the driver lets it.
  void kill(int32_t status, const std::string &text);

  // Whether the addresses that it returns belong to this process.
  virtual bool inProcess() const = 0;

  // Nobody takes replies any more; what the session has created stays.
  void forget() { outbox_->shut(); }

  // Drops what waits, frees what is left, and waits for the end until `deadline`; nobody is notified any more.
  bool close(Clock::time_point deadline) override;

 protected:
  // Runs on the thread until the session is over.
  virtual void serve() = 0;
  // Wakes the thread if it sleeps elsewhere than in the inbox.
  virtual void rouse() {}

  Inbox inbox_;
  // Shared with the driver's callbacks, which may come after the end of the session.
  const std::shared_ptr<Outbox> outbox_;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = true;
  // Somebody waited for the thread until a deadline and continued without it.
  bool abandoned_ = false;
};

// A session in this process. `driverPath` is the argument of `Driver::open`. Both throw std::system_error if no thread
// can be started.
std::shared_ptr<Session> threadSession(const std::string &driverPath, std::function<void()> wake);

// A session in a separate process, which can crash or be killed at any time without harming this one.
struct DeviceWorker {
  std::string executable;
  // A list of `NAME=value`.
  std::vector<std::string> environment;
};
std::shared_ptr<Session> workerSession(const std::string &driverPath, DeviceWorker worker, std::function<void()> wake);

}  // namespace mmptx
