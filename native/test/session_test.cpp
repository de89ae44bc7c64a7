// Sessions with the fake driver, on a thread and in a separate process: requests are made and answered, and what is
// created is destroyed.
#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

#include "session_client.h"

namespace {

using namespace session_test;

TEST("session: bytes go in and come out, whatever their number") {
  constexpr std::size_t kBlock = 4 << 20;
  for (const Where where : kBoth) {
    Client client(where);
    client.get("open", {0});
    const uint64_t memory = client.get("cuMemAlloc", {3 * kBlock});
    const uint64_t stream = client.get("cuStreamCreateWithPriority", {1, 0});
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100}, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock - 7}) {
      const std::string bytes = randomBytes(size);
      const uint32_t in = size > 1000 ? client.submitApart("copyIn", {memory + 5, stream}, bytes)
                                      : client.submit("copyIn", {memory + 5, stream}, bytes);
      const uint32_t out = client.submit("copyOut", {memory + 5, size, stream});
      const Reply back = client.answer(out);
      EXPECT_EQUAL(back.status, 0);
      EXPECT(textOf(back.payload) == bytes);
      EXPECT_EQUAL(client.answer(in).status, 0);
    }
  }
}

TEST("session: copies that are queued together share pinned memory") {
  Client client(Where::thread);
  client.get("open", {0});
  const uint64_t memory = client.get("cuMemAlloc", {1 << 20});
  const uint64_t stream = client.get("cuStreamCreateWithPriority", {1, 0});
  std::vector<uint32_t> outs;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < 50; i++) {
    all.push_back(randomBytes(1 + check::below(20000)));
    client.submit("copyIn", {memory, stream}, all.back());
    outs.push_back(client.submit("copyOut", {memory, all.back().size(), stream}));
  }
  for (std::size_t i = 0; i < outs.size(); i++) EXPECT(textOf(client.answer(outs[i]).payload) == all[i]);
}

TEST("session: results come back in the order of the function's parameters") {
  for (const Where where : kBoth) {
    Client client(where, "devices 2\nversion 12040\nattribute 16 -5\n");
    EXPECT_EQUAL(client.get("cuInit"), 0u);
    EXPECT_EQUAL(client.get("cuDriverGetVersion"), 12040u);
    EXPECT_EQUAL(client.get("cuDeviceGetCount"), 2u);
    // Numbers keep their sign.
    EXPECT_EQUAL(static_cast<int64_t>(client.get("cuDeviceGetAttribute", {16, 1})), -5);
    EXPECT(!client.call("cuDeviceGetName", {1}).text.empty());
    EXPECT_EQUAL(client.call("cuDeviceGetUuid", {1}).payload.size(), std::size_t{16});
    const Reply opened = client.call("open", {1});
    EXPECT_EQUAL(opened.values.size(), std::size_t{2});
    EXPECT_EQUAL(opened.values[0], 1u);
    const Reply memory = client.call("cuMemGetInfo");
    EXPECT_EQUAL(memory.values.size(), std::size_t{2});
    EXPECT_EQUAL(memory.values[1], uint64_t{8} << 30);
  }
}

TEST("session: failures have the driver's names") {
  for (const Where where : kBoth) {
    Client client(where, "fail cuMemAlloc 1 2\nfail cuEventRecord 1 700\n");
    EXPECT_EQUAL(client.call("open", {7}).status, 101);
    client.get("open", {0});
    const Reply failed = client.call("cuMemAlloc", {100});
    EXPECT_EQUAL(failed.status, 2);
    EXPECT(failed.text.find(std::string("CUDA_ERROR_OUT_OF_MEMORY") + '\0') == 0);
    // Without a ticket the failure is reported all the same.
    client.submitWithoutTicket("cuEventRecord", {client.get("cuEventCreate", {0}), 0});
    const Reply told = client.answer(0);
    EXPECT_EQUAL(told.status, 700);
    EXPECT_EQUAL(told.operation, numberOf("cuEventRecord"));
    client.submitWithoutTicket("cuMemsetD8Async", {client.get("cuMemAlloc", {16}), 1, 16, 0});
    EXPECT_EQUAL(client.answer(client.submit("notify", {0})).status, 0);
    EXPECT(!client.anyReply());
  }
}

TEST("session: records that keep nothing alive are answered like others") {
  for (const Where where : kBoth) {
    Client client(where);
    std::vector<uint8_t> idle = record("cuDriverGetVersion", {}, 7000);
    const uint32_t flag = mmptx::kIdle;
    std::memcpy(idle.data() + offsetof(RecordHeader, flags), &flag, sizeof flag);
    uint32_t tickets = 1;
    EXPECT_EQUAL(client.session->submit(idle.data(), idle.size(), Bytes(), tickets), std::string());
    EXPECT_EQUAL(tickets, 0u);
    const Reply reply = client.answer(7000);
    EXPECT_EQUAL(reply.status, 0);
    EXPECT(reply.idle);
    EXPECT(!client.answer(client.submit("cuInit")).idle);
  }
}

TEST("session: a file that is not a library, and a missing one") {
  for (const std::string &path : {std::string("/nowhere/libcuda.so.1"), check::setting("MMPTX_TEST_WORKER", MMPTX_TEST_WORKER)}) {
    const auto session = mmptx::threadSession(path, [] {});
    Reply reply;
    std::vector<uint8_t> bytes = record("cuInit", {}, 1);
    EXPECT_EQUAL(session->call(bytes.data(), bytes.size(), kNever, reply), std::string());
    EXPECT_EQUAL(reply.status, static_cast<int>(mmptx::kNoDriver));
    EXPECT(reply.text.find(path) != std::string::npos);
    bytes = record("close", {}, 2);
    EXPECT_EQUAL(session->call(bytes.data(), bytes.size(), kNever, reply), std::string());
    EXPECT_EQUAL(reply.status, 0);
  }
}

TEST("session: invalid records are rejected, and none of them is executed") {
  Client client(Where::thread);
  const std::vector<uint8_t> good = record("cuDeviceGetAttribute", {75, 0}, 900, "payload");
  uint32_t tickets = 0;
  const auto refused = [&](const std::vector<uint8_t> &bytes, Bytes payload = Bytes()) {
    return !client.session->submit(bytes.data(), bytes.size(), std::move(payload), tickets).empty();
  };
  for (std::size_t size = 0; size < good.size(); size++) {
    EXPECT(refused(std::vector<uint8_t>(good.begin(), good.begin() + static_cast<long>(size))));
  }
  // Wrong sizes, slots and payloads; payloads of 1 to 8 bytes fill the same word.
  for (const std::size_t at : {0, 1, 7, 10, 11, 24, 25, 31}) {
    for (unsigned value = at == 24 ? 9 : 0; value < 256; value++) {
      std::vector<uint8_t> bad = good;
      bad[at] = static_cast<uint8_t>(value);
      if (bad != good) EXPECT(refused(bad));
    }
  }
  EXPECT(refused(good, Bytes(std::size_t{8})));
  EXPECT(refused(record("copyIn", {0, 0}, 900, "", 24), Bytes(std::size_t{23})));
  EXPECT(refused(record("copyIn", {0, 0}, 900, "", 24)));
  std::vector<uint8_t> twice = good;
  twice.insert(twice.end(), good.begin(), good.end());
  EXPECT(refused(twice));
  // The other side knows which operations exist.
  EXPECT_EQUAL(client.call("cuDeviceGetAttribute", {75}).status, static_cast<int>(mmptx::kMalformed));
  std::vector<uint8_t> unknown = record("cuInit", {}, 901);
  unknown[8] = 0xff;
  unknown[9] = 0xff;
  Reply reply;
  EXPECT_EQUAL(client.session->call(unknown.data(), unknown.size(), kNever, reply), std::string());
  EXPECT_EQUAL(reply.status, static_cast<int>(mmptx::kMalformed));
  EXPECT(!client.anyReply());
}

TEST("session: closing destroys what is left, youngest first") {
  for (const Where where : kBoth) {
    Client client(where);
    client.get("open", {0});
    const uint64_t stream = client.get("cuStreamCreateWithPriority", {1, 0});
    client.get("cuMemAlloc", {100});
    const uint64_t freed = client.get("cuMemAlloc", {200});
    client.get("cuMemHostAlloc", {4096, 0});
    const uint64_t pool = client.get("cuMemPoolCreate", {0});
    client.get("cuMemAllocFromPoolAsync", {64, pool, stream});
    client.get("cuEventCreate", {0});
    client.get("cuMemFree", {freed});
    EXPECT_EQUAL(client.call("cuMemFree", {freed}).status, static_cast<int>(mmptx::kMalformed));
    EXPECT(client.call("allocations").values == (std::vector<uint64_t>{2, 1, 1, 0, 1, 1, 0, 0}));
    client.get("cuMemcpyDtoDAsync", {client.get("cuMemAlloc", {8}), client.get("cuMemAlloc", {8}), 8, stream});
    client.answer(client.submit("copyIn", {client.get("cuMemAlloc", {8}), stream}, "12345678"));
    client.get("close");
    const std::string log = client.driver.log();
    const char *order[] = {"cuEventDestroy", "cuMemPoolDestroy", "cuMemFreeHost", "cuStreamDestroy", "cuDevicePrimaryCtxRelease"};
    for (std::size_t i = 1; i < std::size(order); i++) EXPECT(log.find(order[i - 1]) < log.find(order[i]));
    EXPECT_EQUAL(client.call("cuInit").status, static_cast<int>(mmptx::kClosed));
  }
}

TEST("session: a dropped session frees everything") {
  Client client(Where::thread);
  client.get("open", {0});
  client.get("cuMemAlloc", {100});
  client.submit("copyOut", {client.get("cuMemAlloc", {100}), 100, 0});
  EXPECT(client.session->close(Clock::now() + std::chrono::seconds(20)));
  EXPECT(client.driver.logged("cuDevicePrimaryCtxRelease"));
}

TEST("session: many at once share a device") {
  const DriverCopy driver;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; i++) {
    threads.emplace_back([&driver] {
      const auto session = mmptx::threadSession(driver.path(), [] {});
      uint32_t ticket = 0;
      const auto call = [&](const std::string &name, const Slots &slots) {
        Reply reply;
        const std::vector<uint8_t> bytes = record(name, slots, ++ticket);
        EXPECT_EQUAL(session->call(bytes.data(), bytes.size(), kNever, reply), std::string());
        EXPECT_EQUAL(reply.status, 0);
        return reply.values.empty() ? 0 : reply.values[0];
      };
      call("open", {0});
      for (std::size_t each = check::cases(200); each > 0; each--) {
        const uint64_t memory = call("cuMemAlloc", {64});
        call("copyOut", {memory, 64, 0});
        call("cuMemFree", {memory});
      }
      EXPECT(session->close(Clock::now() + std::chrono::seconds(20)));
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT(!driver.logged("VIOLATION"));
}

// What can be created, and what destroys it.
struct Pair {
  const char *create;
  Slots slots;
  const char *destroy;
};

TEST("session: whatever is created and destroyed in any order, nothing is left") {
  const std::vector<Pair> pairs = {{"cuMemAlloc", {256}, "cuMemFree"},
                                   {"cuMemHostAlloc", {256, 0}, "cuMemFreeHost"},
                                   {"cuMemPoolCreate", {0}, "cuMemPoolDestroy"},
                                   {"cuStreamCreateWithPriority", {1, 0}, "cuStreamDestroy"},
                                   {"cuEventCreate", {0}, "cuEventDestroy"}};
  for (std::size_t round = check::cases(200); round > 0; round--) {
    Client client(check::below(10) == 0 ? Where::process : Where::thread);
    client.get("open", {0});
    std::vector<std::pair<std::string, uint64_t>> alive;
    for (std::size_t step = check::below(40); step > 0; step--) {
      if (alive.empty() || check::below(2) == 0) {
        const Pair &pair = pairs[check::below(pairs.size())];
        alive.emplace_back(pair.destroy, client.get(pair.create, pair.slots));
      } else {
        const auto chosen = alive.begin() + static_cast<long>(check::below(alive.size()));
        client.get(chosen->first, {chosen->second});
        EXPECT_EQUAL(client.call(chosen->first, {chosen->second}).status, static_cast<int>(mmptx::kMalformed));
        alive.erase(chosen);
      }
    }
    uint64_t left = 0;
    for (const uint64_t count : client.call("allocations").values) left += count;
    EXPECT_EQUAL(left, alive.size());
    if (check::below(2) == 0) client.get("close");
  }
}

}  // namespace
