// The memory of a device: ranges that never overlap, a table of pages that describes each byte, and freed
// memory.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { PAGE_BYTES } from "../../src/run/memory.js";
import { PagedMemory } from "../../src/run/paged-memory.js";

const MEBIBYTE = 2 ** 20;

/** Checks an access of one byte as engines do. */
function isInside(memory: PagedMemory, offset: number): boolean {
  const table = new Uint16Array(memory.memory.buffer, memory.pageTable);
  return (offset % PAGE_BYTES) + 1 <= table[Math.floor(offset / PAGE_BYTES)]!;
}

describe("memory", () => {
  it("is allocated page by page, with a free page after each allocation", () => {
    const memory = new PagedMemory(MEBIBYTE);
    const [a, b] = [memory.take(300), memory.take(0)];
    const c = memory.take(256);
    expect([b - a, c - b]).toEqual([768, 256]);
    expect(
      [a - 1, a, a + 299, a + 300, a + 511, b, c, c + 255, c + 256].map((o) => isInside(memory, o)),
    ).toEqual([false, true, true, false, false, false, true, true, false]);
  });

  it("has no entry for memory that kernels must not access", () => {
    const memory = new PagedMemory(MEBIBYTE);
    const hidden = memory.take(1000, { visible: false });
    expect(isInside(memory, hidden)).toBe(false);
    expect(memory.nearest(hidden)).toBeUndefined();
  });

  it("is zeroed on request, even if it was used before", () => {
    const memory = new PagedMemory(4096);
    const first = memory.take(3000);
    memory.bytes(first, 3000).fill(7);
    memory.give(first);
    const second = memory.take(3000, { zero: true });
    expect(second).toBe(first);
    expect(memory.bytes(second, 3000).every((byte) => byte === 0)).toBe(true);
  });

  it("is remembered after it was freed, until it is reused", () => {
    const memory = new PagedMemory(4096);
    const first = memory.take(3000, { label: "old" });
    memory.give(first);
    expect(memory.freedAt(first + 2999)?.label).toBe("old");
    expect(memory.freedAt(first + 3000)).toBeUndefined();
    memory.take(3000);
    expect(memory.freedAt(first)).toBeUndefined();
  });

  it("is not reused while there is other memory", () => {
    const memory = new PagedMemory(MEBIBYTE);
    const first = memory.take(1000);
    memory.give(first);
    memory.give(first);
    expect(memory.take(1000)).not.toBe(first);
  });

  it("finds the nearest allocation", () => {
    const memory = new PagedMemory(MEBIBYTE);
    const a = memory.take(256, { label: "a" });
    const b = memory.take(256, { label: "b" });
    expect([a - 9, a + 300, b - 20, b, b + 10_000].map((o) => memory.nearest(o)?.label)).toEqual([
      "a",
      "a",
      "b",
      "b",
      "b",
    ]);
  });

  it("runs out at its capacity, and reports the sizes", () => {
    const memory = new PagedMemory(MEBIBYTE);
    memory.take(MEBIBYTE / 2);
    expect(() => memory.take(MEBIBYTE, { label: "shared memory" })).toThrowError(
      expect.objectContaining({
        code: "OUT_OF_MEMORY",
        message:
          "expected room for 1048576 bytes (shared memory) and 256 after them, found 1048576 bytes of memory, 524032 of them free",
      }),
    );
  });

  it("reaches up to 4 GiB minus its table", () => {
    const memory = new PagedMemory(2 ** 32 - 2 ** 25);
    const last = memory.take(2 ** 32 - 2 ** 25 - 256);
    expect(isInside(memory, last + 2 ** 32 - 2 ** 25 - 257)).toBe(true);
  });
});

it("keeps its ranges apart and its table correct for any allocations and frees", () => {
  const size = fc.oneof(
    fc.integer({ min: 0, max: 3000 }),
    fc.constantFrom(0, 1, 255, 256, 257, 511, 512, 513),
  );
  const step = fc.oneof(fc.record({ take: size, zero: fc.boolean() }), fc.record({ give: fc.nat(20) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const memory = new PagedMemory(32 * 1024);
      const live = new Map<number, number>();
      for (const one of steps) {
        if ("give" in one) {
          const offset = [...live.keys()][one.give];
          if (offset === undefined) continue;
          memory.give(offset);
          live.delete(offset);
          continue;
        }
        const room = memory.free;
        let offset: number;
        try {
          offset = memory.take(one.take, { zero: one.zero });
        } catch {
          // This happens only if the memory is full or fragmented.
          expect(live.size > 0 || one.take > room - 2 * PAGE_BYTES).toBe(true);
          continue;
        }
        if (one.zero) expect(memory.bytes(offset, one.take).every((byte) => byte === 0)).toBe(true);
        memory.bytes(offset, one.take).fill(0xff);
        for (const [other, bytes] of live) {
          expect(offset >= other + bytes + PAGE_BYTES || offset + one.take + PAGE_BYTES <= other).toBe(true);
        }
        live.set(offset, one.take);
      }
      const first = 2 ** 25;
      const inside = new Set(
        [...live].flatMap(([at, bytes]) => Array.from({ length: bytes }, (_, i) => at + i)),
      );
      for (let offset = first; offset < first + 32 * 1024; offset++) {
        if (isInside(memory, offset) !== inside.has(offset))
          expect.fail(`byte ${offset - first} is marked wrong`);
      }
      for (const offset of live.keys()) memory.give(offset);
      expect(memory.free).toBe(32 * 1024);
    }),
    { numRuns: smoke(500) },
  );
});

describe("the memory of a closed device", () => {
  /** What a device of some capacity ran in before it was closed. */
  const closedAfter = (capacity: number, work: (memory: PagedMemory) => void) => {
    const memory = new PagedMemory(capacity);
    const { memory: bytes } = memory;
    work(memory);
    memory.close();
    return bytes;
  };

  it("is zero in the next device, and belongs to it alone", () => {
    const before = closedAfter(3 * MEBIBYTE, (memory) => {
      for (const size of [1, 3000, MEBIBYTE]) memory.bytes(memory.take(size), size).fill(7);
      memory.bytes(memory.take(256, { visible: false }), 256).fill(7);
      memory.give(memory.take(512));
    });
    const next = new PagedMemory(3 * MEBIBYTE);
    expect(next.memory).toBe(before);
    expect(new BigUint64Array(before.buffer).every((word) => word === 0n)).toBe(true);
    const offset = next.take(300);
    expect([isInside(next, offset + 299), isInside(next, offset + 300)]).toEqual([true, false]);
    expect(new PagedMemory(3 * MEBIBYTE).memory).not.toBe(before);
  });

  it("cannot be reached through the closed one", () => {
    const memory = new PagedMemory(3 * MEBIBYTE);
    const offset = memory.take(300);
    memory.close();
    const next = new PagedMemory(3 * MEBIBYTE);
    expect(next.take(300)).toBe(offset);
    memory.give(offset);
    expect(isInside(next, offset)).toBe(true);
    expect(() => memory.bytes(offset, 300)).toThrow(RangeError);
    expect(() => memory.take(300)).toThrow(RangeError);
  });

  it.each([
    ["of another size", 2 * MEBIBYTE, false, 300],
    ["of a device that used much of it", 8 * MEBIBYTE, false, 5 * MEBIBYTE],
    ["that threads share", 3 * MEBIBYTE, true, 300],
  ])("is not used again: %s", (_, capacity, shared, used) => {
    const memory = new PagedMemory(capacity, shared);
    const { memory: before } = memory;
    memory.take(used);
    memory.close();
    const again = capacity === 2 * MEBIBYTE ? 3 * MEBIBYTE : capacity;
    expect(new PagedMemory(again, shared).memory).not.toBe(before);
  });
});
