// Launches that fail: the message and data of the error, and the state of the device afterwards.
import { type FilledKernel, filledKernel } from "@mm-ptx/types/core";
import { bytes, f32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import type { EmulatorError } from "../../src/error.js";
import type { Fault } from "../../src/run/fault.js";
import { ADDRESS_BASE } from "../../src/run/memory.js";
import { fakeDevice, TEXT } from "./fake.js";

const PLACE = { block: [1, 0, 0], thread: [5, 0, 0], function: 0, instruction: 0 } as const;
/** The address of the first buffer of a device whose module has one variable of 16 bytes. */
const BUFFER = 2 ** 25 + 512;
const SHAPE = { grid: 2, block: 32 };

/** @param fault creates the fault from the address of a buffer of 1024 bytes */
async function failed(
  fault: (address: bigint) => Fault,
  ptx: string | FilledKernel = "",
  freed = false,
): Promise<EmulatorError> {
  using device = fakeDevice(({ params }) => fault(new DataView(params.buffer).getBigUint64(0, true)), {
    limits: { instructions: 500 },
  });
  const kernel = device.load(ptx).kernel("scale");
  const buffer = device.allocate(1024);
  const launch = kernel.prepare({ ...SHAPE, sharedBytes: 16 }, [buffer, f32(1), bytes(new Uint8Array(8))]);
  if (freed) buffer.dispose();
  device.stream.launch(launch);
  return device.synchronize().then(
    () => expect.fail("expected a launch that fails"),
    (error: EmulatorError) => error,
  );
}

const access = (address: bigint, more: object = {}): Fault =>
  ({
    kind: "OUT_OF_BOUNDS",
    address,
    bytes: 4,
    space: "global",
    access: "store",
    ...PLACE,
    ...more,
  }) as Fault;

const FRAME = "    7 | \tst.global.f32 [%rd1+0], %f1;\n      | \t^^^^^^^^^^^^^^^^^^^^^^^^^^^";
const WHO = "thread (5, 0, 0) of block (1, 0, 0) of kernel `scale`";
const HERE = (BUFFER + ADDRESS_BASE).toString(16);

describe("a wrong access", () => {
  it.each<[string, (address: bigint) => Fault, string]>([
    [
      "after a buffer",
      (a) => access(a + 1040n),
      `expected an address in an allocation, found a store of 4 bytes at 0x7f0002000610, 16 bytes after buffer 1 (1024 bytes at 0x${HERE})`,
    ],
    [
      "before a buffer",
      (a) => access(a - 4n),
      `expected an address in an allocation, found a store of 4 bytes at 0x7f00020001fc, 4 bytes before buffer 1 (1024 bytes at 0x${HERE})`,
    ],
    [
      "across its end",
      (a) => access(a + 1022n),
      `expected an address in an allocation, found a store of 4 bytes at 0x7f00020005fe, byte 1022 of buffer 1 (1024 bytes at 0x${HERE})`,
    ],
    [
      "after a variable",
      (a) => access(a - 490n),
      `expected an address in an allocation, found a store of 4 bytes at 0x7f0002000016, 6 bytes after variable \`table\` (16 bytes at 0x7f0002000000)`,
    ],
    [
      "of no memory",
      () => access(0n, { access: "load", bytes: 8 }),
      "expected an address in an allocation, found a load of 8 bytes at 0x0",
    ],
    [
      "of shared memory",
      () => access(1040n, { space: "shared", access: "atomic" }),
      "expected an address in the 1040 bytes of the block's shared memory, found an atomic operation of 4 bytes at 0x410",
    ],
    [
      "of local memory",
      () => access(8n, { space: "local" }),
      "expected an address in the thread's local memory, found a store of 4 bytes at 0x8",
    ],
    [
      "of parameters",
      () => access(20n, { space: "param", access: "load" }),
      "expected an address in the 20 bytes of the kernel's parameters, found a load of 4 bytes at 0x14",
    ],
  ])("%s says where it is", async (_, fault, message) => {
    const error = await failed(fault);
    expect([error.code, error.message]).toEqual([
      "OUT_OF_BOUNDS",
      `line 7, column 2: ${message}; ${WHO}\n${FRAME}`,
    ]);
  });

  it("that is misaligned is MISALIGNED", async () => {
    const error = await failed((a) => access(a + 2n, { kind: "MISALIGNED" }));
    expect(error.code).toBe("MISALIGNED");
    expect(error.message).toContain(
      "expected an address that is a multiple of 4, found a store of 4 bytes at 0x7f0002000202, byte 2 of buffer 1",
    );
  });

  it("of freed memory is USE_AFTER_FREE", async () => {
    // The buffer's memory is freed at once, because nothing is queued when it is disposed.
    const error = await failed((a) => access(a + 8n), "", true);
    expect(error.code).toBe("USE_AFTER_FREE");
    expect(error.message).toContain(
      `expected allocated memory, found a store of 4 bytes at 0x7f0002000208, byte 8 of buffer 1 (1024 bytes at 0x${HERE}), which was freed`,
    );
  });

  it("names the site and the line of the stub if the PTX was rendered", async () => {
    const head = TEXT.split("\n").slice(0, 6).length;
    const template = {
      names: ["func"],
      holes: [0],
      segments: ["\n".repeat(head), "\n".repeat(5)],
      lines: [
        { kernelLine: 1, lines: head, head: 0, tail: 0 },
        { kernelLine: head + 1, lines: 5, head: 0, tail: 0 },
      ],
    };
    const error = await failed((a) => access(a + 1024n), filledKernel(template, { func: "st" }));
    expect(error.message).toMatch(/^line 7, column 2 \(injection `func`, site 1, stub line 1\): expected/);
    expect(error.fault?.place?.source).toMatchObject({ kind: "stub", injection: "func" });
  });

  it("is available as data", async () => {
    const { fault } = await failed((a) => access(a + 1040n));
    expect(fault).toEqual({
      code: "OUT_OF_BOUNDS",
      kernel: "scale",
      place: {
        function: "scale",
        instruction: "st.global.f32 [%rd1+0], %f1",
        span: { start: TEXT.indexOf("st.global"), end: TEXT.indexOf("st.global") + 27 },
        line: 7,
        column: 2,
        source: undefined,
        frames: [],
        block: [1, 0, 0],
        thread: [5, 0, 0],
      },
      address: BigInt(ADDRESS_BASE + BUFFER + 1040),
      bytes: 4,
      space: "global",
      access: "store",
      near: {
        label: "buffer 1",
        address: BigInt(ADDRESS_BASE + BUFFER),
        byteLength: 1024,
        distance: 1040,
        freed: false,
      },
    });
  });
});

describe("other faults", () => {
  const loop = { function: 0, first: 0, last: 2 };
  const words =
    "; it was running the loop from line 7, column 2 (`st.global.f32 [%rd1+0], %f1`) to line 9, column 2 (`bra $L`)";
  it.each<[string, Fault, string]>([
    [
      "TRAP",
      { kind: "TRAP", detail: "`trap`", ...PLACE },
      `line 7, column 2: expected a kernel that runs to its end, found \`trap\`; ${WHO}\n${FRAME}`,
    ],
    [
      "UNSUPPORTED",
      { kind: "UNSUPPORTED", detail: "`malloc`", ...PLACE },
      `line 7, column 2: expected an instruction that the emulator supports, found \`malloc\`; ${WHO}\n${FRAME}`,
    ],
    [
      "BUDGET",
      { kind: "BUDGET", loop },
      `kernel \`scale\`: expected at most 500 instructions, found more${words}`,
    ],
    [
      "TIMEOUT",
      { kind: "TIMEOUT", loop: undefined },
      "kernel `scale`: expected the launch to end within `timeoutMs`, found it still running",
    ],
    [
      "ABORTED",
      { kind: "ABORTED", loop },
      `kernel \`scale\`: expected the launch to end before its signal aborted it, found it still running${words}`,
    ],
  ])("%s", async (code, fault, message) => {
    const error = await failed(() => fault);
    expect([error.code, error.message]).toEqual([code, message]);
  });

  it("a deadlock names the places, each with a thread", async () => {
    const waiting = [
      ...[0, 1, 2].map((x) => ({
        ...PLACE,
        instruction: 1,
        thread: [x, 0, 0] as const,
        detail: "3 of 32 threads are there",
      })),
      { ...PLACE, thread: [3, 0, 0] as const, detail: "waits for lane 4" },
    ];
    const error = await failed(() => ({ kind: "DEADLOCK", waiting }));
    expect(error.code).toBe("DEADLOCK");
    expect(error.message).toBe(
      [
        "kernel `scale`: expected every thread to reach the point where others wait, found a deadlock:",
        "  line 8, column 2: `bar.sync 0`, 3 of 32 threads are there: thread (0, 0, 0) of block (1, 0, 0) and 2 more",
        "  line 7, column 2: `st.global.f32 [%rd1+0], %f1`, waits for lane 4: thread (3, 0, 0) of block (1, 0, 0)",
      ].join("\n"),
    );
    expect(error.fault?.waiting).toHaveLength(4);
  });
});

describe("a device whose launch failed", () => {
  it("runs nothing more, throws the same error for every call, and continues after `recover`", async () => {
    let runs = 0;
    using device = fakeDevice(() =>
      ++runs === 1 ? { kind: "TRAP", detail: "`trap`", ...PLACE } : undefined,
    );
    const kernel = device.load("").kernel("scale");
    const buffer = device.allocate(4);
    const args = [buffer, f32(1), bytes(new Uint8Array(8))];
    device.stream.launch(kernel, SHAPE, args);
    device.createStream().launch(kernel, SHAPE, args);
    const event = device.createEvent();
    device.stream.record(event);
    const trap = expect.objectContaining({ code: "TRAP" });
    await expect(event.synchronize()).rejects.toEqual(trap);
    await expect(device.synchronize()).rejects.toEqual(trap);
    await expect(buffer.read()).rejects.toEqual(trap);
    expect(() => device.stream.launch(kernel, SHAPE, args)).toThrowError(trap);
    expect([runs, device.failure]).toEqual([1, trap]);
    device.recover();
    device.stream.launch(kernel, SHAPE, args);
    await device.synchronize();
    expect([runs, device.failure, (await buffer.read()).length]).toEqual([2, undefined, 4]);
  });

  it("does not start a launch that was aborted before", async () => {
    using device = fakeDevice(() => expect.fail("expected no run"), {
      limits: { signal: AbortSignal.abort() },
    });
    const kernel = device.load("").kernel("scale");
    const args = [device.allocate(4), f32(1), bytes(new Uint8Array(8))];
    await expect(device.stream.run(kernel, SHAPE, args)).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("also fails if its engine throws", async () => {
    using device = fakeDevice(() => {
      throw new RangeError("too deep");
    });
    const kernel = device.load("").kernel("scale");
    device.stream.launch(kernel, SHAPE, [device.allocate(4), f32(1), bytes(new Uint8Array(8))]);
    await expect(device.synchronize()).rejects.toThrow("too deep");
  });
});
