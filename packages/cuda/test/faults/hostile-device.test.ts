// What the process of an isolated device can answer that was taken over, or corrupted by the driver.

import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CudaDevice } from "../../src/index.js";
import { CAN_REPLACE, NativeFolder } from "../support/native-folder.js";

const folder = new NativeFolder();
afterAll(() => folder.remove());
beforeEach(() => vi.stubEnv("MM_PTX_NATIVE_DIR", folder.path));
afterEach(() => vi.unstubAllEnvs());

/** A process that greets and then answers one thing without end, or once. */
const answering = (reply: string, text: number, again: boolean): string => `#include <stdint.h>
#include <unistd.h>
struct { uint64_t payloadBytes, textBytes; uint32_t values, ticket, tag; int32_t status; uint16_t operation, hasPayload; uint32_t unused; } reply = { ${reply} };
int main(void) {
  uint64_t protocol = 0x6d6d707478646501;
  static char text[1 << 20];
  if (read(3, text, sizeof text) < 0 || write(3, &protocol, 8) < 0) return 1;
  do {
    if (write(3, &reply, sizeof reply) < 0 || write(3, text, ${text}) < 0) return 1;
  } while (${again ? 1 : 0});
  pause();
}
`;

describe.runIf(CAN_REPLACE)("the process of an isolated device", () => {
  it.each([
    ["failures that nobody could have", ".status = 1, .textBytes = 1 << 20", 1 << 20, true],
    ["a payload larger than any", ".payloadBytes = 2ull << 40, .ticket = 1, .hasPayload = 1", 0, false],
    ["more values than any", ".values = 1 << 21, .ticket = 1", 0, false],
  ] as const)("is ended if it answers with %s", (_, reply, text, again) => {
    folder.worker(answering(reply, text, again));
    const before = process.memoryUsage.rss();
    expect(() => CudaDevice.open(0, { isolate: true, timeoutMs: 1000 })).toThrow(
      expect.objectContaining({ message: expect.stringContaining("answered what nobody could have asked") }),
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(512 << 20);
  });
});
