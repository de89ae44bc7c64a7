// A child process of ours, at most one at a time, and the communication with it. Its owner sleeps in `wait`; other
// threads may call only `wake`.
#pragma once

#include <chrono>
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

  // What a process is started with. The environment is a copy, because other threads may change that of this process.
  struct Command {
    std::string executable;
    std::string word;
    // A list of `NAME=value`.
    std::vector<std::string> environment;
  };
  // Empty, or the reason why it could not be started; `transient` says that a later attempt may succeed.
  std::string start(const Command &command, bool &transient);
  bool running() const;
  // Whether it is running and has sent nothing.
  bool quiet();

  struct Ready {
    bool toRead = false;
    bool toWrite = false;
    bool timedOut = false;
    // Nothing can be waited for.
    bool failed = false;
  };
  // Waits until there is something to read, or room to write if `forRoom` asks for that, or `wake` is called; -1 waits
  // indefinitely.
  Ready wait(bool forRoom, int milliseconds);
  void wake();

  // The number of bytes sent or received: 0 if none at the moment, -1 if the process is gone.
  long send(const Piece *pieces, int count);
  long receive(void *into, std::size_t size);
  // Uses the other channel, which carries only short messages.
  void tell(const void *message, std::size_t size);

  uint64_t residentBytes() const;
  // The processor time that it has used, also if it has died but `end` has not been called; zero if that is unknown.
  std::chrono::nanoseconds cpuTime() const;

  struct Ended {
    // The POSIX signal; 0 if it exited by itself, and then `code` is its exit code.
    int signal = 0;
    int code = 0;
    // Whether somebody else ended it: with a signal that no program raises by mistake.
    bool killed = false;
    // For example `died of Aborted`, with `where` after the verb.
    std::string words(const std::string &where = "") const;
  };
  // Kills it if it is still running.
  Ended end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mmptx
