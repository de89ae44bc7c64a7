// Instructions from a test to the fake, in the file `control` beside the library, one per line. The file is read again
// whenever it has changed; calls and launches are then counted from zero.
//
//   fail FUNCTION N CODE    the Nth call of the function returns CODE and does nothing; 0: every call
//   version 11020           the driver's version
//   devices 2               the number of devices
//   memory BYTES            the memory of a device
//   attribute NUMBER VALUE  the value of an attribute of all devices
//   hold streams            queued work does not run
//   hang N                  the Nth launch never ends
//   sticky CODE N           the Nth launch breaks its context when its turn comes
//   quiet                   successful calls are not logged
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fake {

struct Control {
  struct Failure {
    unsigned call;
    int code;
  };

  std::multimap<std::string, Failure> failures;
  std::map<int, int> attributes;
  std::map<unsigned, int> sticky;
  std::set<unsigned> hangs;
  int version = 13000;
  int devices = 1;
  uint64_t memory = uint64_t{8} << 30;
  bool hold = false;
  bool quiet = false;
  // Invalid lines.
  std::vector<std::string> unknown;
};

// The folder that this library was loaded from, with a slash.
const std::string &ownFolder();

// Whether the file has changed, and its new contents.
bool readControl(Control &into);

}  // namespace fake
