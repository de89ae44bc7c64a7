// A copy of the fake driver in a folder of its own, so that it has its own state.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "check.h"

class DriverCopy {
 public:
  explicit DriverCopy(const std::string &control = "") {
    std::string pattern = (std::filesystem::temp_directory_path() / "mm-ptx-fake-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::filesystem::copy_file(check::setting("MMPTX_TEST_DRIVER", MMPTX_TEST_DRIVER), path());
    order(control);
  }
  DriverCopy(const DriverCopy &) = delete;
  DriverCopy &operator=(const DriverCopy &) = delete;
  ~DriverCopy() { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "libcuda.so.1").string(); }

  // Renamed into place, because the library reads the file again whenever its inode changes.
  void order(const std::string &control) const {
    std::ofstream(folder_ / "control.new") << control;
    std::filesystem::rename(folder_ / "control.new", folder_ / "control");
  }

  std::string log() const {
    std::ifstream file(folder_ / "log");
    std::stringstream whole;
    whole << file.rdbuf();
    return whole.str();
  }
  bool logged(const std::string &text) const { return log().find(text) != std::string::npos; }

 private:
  std::filesystem::path folder_;
};
