// Sessions whose work fails, never ends or kills their process: everyone who waits gets an answer, and nobody waits
// forever.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "session_client.h"

namespace {

using namespace session_test;

// A module with one kernel, which the fake accepts.
constexpr const char *kModule = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";

struct Kernel {
  uint64_t function;
  Slots launch() const { return {function, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0, 0, 0}; }
};

Kernel load(Client &client) {
  client.get("open", {0});
  const uint64_t module = client.get("load", {1, 0, 0xff, 0}, kModule);
  return {client.get("cuModuleGetFunction", {module}, "k")};
}

TEST("session: a broken context fails everything that waits for its streams") {
  for (const Where where : kBoth) {
    Client client(where, "sticky 700 1\n");
    const Kernel kernel = load(client);
    const uint64_t memory = client.get("cuMemAlloc", {100});
    client.submitWithoutTicket("launch", kernel.launch());
    const uint32_t told = client.submit("notify", {0});
    const uint32_t copied = client.submit("copyOut", {memory, 100, 0});
    EXPECT_EQUAL(client.answer(told).status, 700);
    EXPECT_EQUAL(client.answer(copied).status, 700);
    EXPECT_EQUAL(client.call("cuMemAlloc", {1}).status, 700);
    EXPECT_EQUAL(client.call("close").status, 0);
  }
}

TEST("session: captured work is not waited for") {
  for (const Where where : kBoth) {
    Client client(where);
    client.get("open", {0});
    const uint64_t memory = client.get("cuMemAlloc", {64});
    const uint64_t stream = client.get("cuStreamCreateWithPriority", {1, 0});
    const uint32_t before = client.submit("notify", {stream});
    client.get("cuStreamBeginCapture", {stream, 2});
    for (const uint32_t ticket : {client.submit("notify", {stream}), client.submit("copyIn", {memory, stream}, "12345678"),
                                  client.submit("copyOut", {memory, 8, stream})}) {
      EXPECT_EQUAL(client.answer(ticket).status, 900);
    }
    EXPECT_EQUAL(client.answer(before).status, 0);
    client.get("cuStreamEndCapture", {stream});
    EXPECT_EQUAL(client.answer(client.submit("notify", {stream})).status, 0);
  }
}

TEST("session: a killed session answers all pending and all later records") {
  for (const Where where : kBoth) {
    Client client(where, "hold streams\n");
    client.get("open", {0});
    const uint32_t told = client.submit("notify", {0});
    client.session->kill(mmptx::kKilled, "");
    EXPECT_EQUAL(client.answer(told).status, static_cast<int>(mmptx::kKilled));
    EXPECT_EQUAL(client.call("cuInit").status, static_cast<int>(mmptx::kKilled));
    EXPECT_EQUAL(client.answer(client.submit("notify", {0})).status, static_cast<int>(mmptx::kKilled));
    client.driver.order("");
  }
}

TEST("session: a call that takes too long ends the process") {
  Client client(Where::process, "hold streams\n");
  client.get("open", {0});
  client.submit("notify", {0});
  const std::vector<uint8_t> bytes = record("cuStreamSynchronize", {0}, 5000);
  Reply reply;
  EXPECT_EQUAL(client.session->call(bytes.data(), bytes.size(), Clock::now() + milliseconds(50), reply), std::string());
  EXPECT_EQUAL(reply.status, static_cast<int>(mmptx::kKilled));
}

TEST("session: the cause of a process's death is reported") {
  for (const auto &[executable, words] : {std::pair<std::string, std::string>{"/nowhere/worker", "could not be started"},
                                          {"/bin/true", "ended with code 0"},
                                          {"/bin/false", "ended with code 1"}}) {
    Client client(executable);
    const Reply reply = client.call("cuInit");
    EXPECT_EQUAL(reply.status, static_cast<int>(mmptx::kDied));
    EXPECT(reply.text.find(words) != std::string::npos);
  }
}

TEST("session: large replies and large records cross without a deadlock") {
  Client client(Where::process);
  client.get("open", {0});
  constexpr std::size_t kSize = 8 << 20;
  const uint64_t memory = client.get("cuMemAlloc", {kSize});
  const std::string bytes = randomBytes(kSize);
  std::vector<uint32_t> outs;
  for (int i = 0; i < 6; i++) {
    client.submitApart("copyIn", {memory, 0}, bytes);
    outs.push_back(client.submit("copyOut", {memory, kSize, 0}));
  }
  for (const uint32_t out : outs) EXPECT(textOf(client.answer(out).payload) == bytes);
}

}  // namespace
