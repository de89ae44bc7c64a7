// What a test asks of the fake, in the file `control` beside the library, one line each. It is read again whenever it has
// changed; calls and launches are counted anew then.
//
//   fail FUNCTION N CODE    the Nth call of the function returns CODE and does nothing; 0: each one
//   version 11020           of the driver
//   devices 2               how many there are
//   memory BYTES            of a device
//   attribute NUMBER VALUE  of all devices
//   hold streams            nothing that is queued is done
//   hang N                  the Nth launch never ends
//   sticky CODE N           the Nth launch breaks its context, when its turn comes
//   quiet                   calls that succeed are not written to the log
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
  // Lines that mean nothing.
  std::vector<std::string> unknown;
};

// The folder that this library was loaded from, with a slash.
const std::string &ownFolder();

// Whether the file has changed, and what it says then.
bool readControl(Control &into);

}  // namespace fake
