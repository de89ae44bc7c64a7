#include "engine.h"

#include <new>
#include <utility>

#include "call.h"

namespace mmptx {

Engine::Engine(std::string driverPath, std::shared_ptr<Outbox> outbox)
    : driverPath_(std::move(driverPath)), outbox_(std::move(outbox)), transfers_(outbox_) {}

bool Engine::run(const Record &record) {
  Reply reply;
  reply.ticket = record.header.ticket;
  reply.tag = record.header.tag;
  reply.operation = record.header.operation;
  bool later = false;
  try {
    reply.status = runOperation(record, reply, later);
  } catch (const std::bad_alloc &) {
    reply.status = kMalformed;
    reply.text = "expected less than this process can have in memory";
  }
  const bool closes = record.header.operation == kCloseOperation && reply.status == kDone;
  if (!later && (reply.ticket != 0 || reply.status != kDone)) outbox_->deliver(std::move(reply));
  return !closes;
}

int Engine::runOperation(const Record &record, Reply &reply, bool &later) {
  const Operation *operation = operationOf(record.header.operation);
  Call call{*this, record, reply};
  if (operation == nullptr) return call.malformed("expected an operation that there is");
  if (operation->slots != record.header.slots) return call.malformed("expected as many slots as the operation has");
  if (operation->needsDriver && driver_ == nullptr) driver_ = Driver::open(driverPath_, reply.text);
  if (operation->needsDriver && driver_ == nullptr) return kNoDriver;
  const int status = operation->run(call);
  later = status == kDone && call.later;
  if (status > 0 || status == kMissingFunction) reply.text = driver_->words(status, call.function);
  return status;
}

void Engine::look() {
  if (driver_ != nullptr) transfers_.look(*driver_);
}

void Engine::close() {
  if (closed_) return;
  closed_ = true;
  if (context_ == nullptr) return;
  // The blocks of a broken context may still be written to.
  const bool done = driver_->call(Function::cuCtxSynchronize) == kDone;
  look();
  registry_.destroyAll(*driver_);
  if (done) transfers_.freeBlocks(*driver_);
  driver_->call(Function::cuDevicePrimaryCtxRelease, device_);
}

}  // namespace mmptx
