// An open file descriptor that its owner closes.
#pragma once

#include <unistd.h>

#include <utility>

namespace mmptx {

class File {
 public:
  File() = default;
  explicit File(int number) : number_(number) {}
  File(File &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File &operator=(File &&other) noexcept {
    if (this != &other) {
      if (number_ >= 0) close(number_);
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~File() {
    if (number_ >= 0) close(number_);
  }

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_ = -1;
};

}  // namespace mmptx
