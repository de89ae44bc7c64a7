// A process of ours, at most one at a time, and what is said to it. Its owner sleeps in `wait`; `wake` alone may be called on
// other threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "process.h"

namespace mmptx {

class Child {
 public:
  Child();
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;
  ~Child();

  // What a process is started with. Its environment is a copy, because other threads may change that of this process.
  struct Command {
    std::string executable;
    std::string word;
    // As `NAME=value`.
    std::vector<std::string> environment;
  };
  // Empty, or why it could not be started; `transient` says that it may work a moment later.
  std::string start(const Command &command, bool &transient);
  bool running() const;
  // Whether it is there and has said nothing.
  bool quiet();

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
    // By somebody else: of what no program does to itself by mistake.
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
