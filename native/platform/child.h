// A process of ours, at most one at a time, and what is said to it. Its owner sleeps in `wait`; `wake` alone may be called on
// other threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "process.h"

namespace mmptx {

class Child {
 public:
  Child();
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;
  ~Child();

  // Starts `executable` with one word. Empty, or why it could not be started.
  std::string start(const std::string &executable, const std::string &word);
  bool running() const;

  struct Ready {
    bool toRead = false;
    bool toWrite = false;
    bool timedOut = false;
    // Nothing can be waited for.
    bool failed = false;
  };
  // Until there is something to read, or room to write where that is asked for, or `wake` was called; -1: without end.
  Ready wait(bool forRoom, int milliseconds);
  void wake();

  // How many bytes were taken or came: 0 when none at the moment, -1 when the process is gone.
  long send(const Piece *pieces, int count);
  long receive(void *into, std::size_t size);
  // On the other channel, where only short messages go.
  void tell(const void *message, std::size_t size);

  uint64_t residentBytes() const;

  struct Ended {
    // Of POSIX; 0 when it ended by itself, and `code` says how.
    int signal = 0;
    int code = 0;
    // By somebody else, as far as the system tells.
    bool killed = false;
    // For example `died of Aborted`, with `where` behind the verb.
    std::string words(const std::string &where = "") const;
  };
  // Kills what still runs.
  Ended end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mmptx
