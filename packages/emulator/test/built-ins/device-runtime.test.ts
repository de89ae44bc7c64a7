// Kernels that launch kernels: the order in which these run, errors of launches, and what reports say.
import { readFileSync } from "node:fs";
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { ATTRIBUTES } from "../../src/built-ins/device-attributes.js";
import { BUILT_INS } from "../../src/built-ins/index.js";
import { checkProgram, EmulatedDevice, type EmulatedDeviceOptions } from "../../src/index.js";
import {
  APPEND,
  append,
  appending,
  call,
  DECLARED,
  entry,
  FIRST,
  HEAD,
  immediate,
  type Launched,
  launch,
  type Size,
} from "../support/device-launches.js";

describe.each(["interpreter", "webassembly"] as const)("in %s", (engine) => {
  const opened = (kernels: string, options: EmulatedDeviceOptions = {}) => {
    const device = EmulatedDevice.open({ engine, ...options });
    const module = device.load(HEAD + DECLARED + APPEND + kernels);
    const list = device.allocateUint32(256);
    const run = (name: string, shape = {}) =>
      device.stream.run(module.kernel(name), { grid: 1, block: 1, ...shape }, [list]);
    const values = async () => {
      const [length = 0, ...found] = await list.read();
      return found.slice(0, length);
    };
    const words = async (count: number) => [...(await list.read())].slice(0, count);
    return { device, module, list, run, values, words };
  };
  const parent = (name: string, body: string) => entry(name, body, ".param .u64 list");

  it("children run after their parent in the order of their launches, each with what it launches", async () => {
    const { run, values } = opened(
      entry("nested", `${appending(20)} ${append("%r1")} ${appending(29, { stream: 3 })} ${appending(22)}`) +
        parent(
          "first",
          `${appending(9, { stream: 3 })}
          ${immediate(21)} ${launch("nested", {
            params: [
              [0, "u64", "%rd1"],
              [8, "u32", "%r3"],
            ],
          })}
          ${appending(3, { stream: 4 })}
          mov.u32 %r4, 1; st.global.u32 [%rd1+4], %r4; st.global.u32 [%rd1], %r4;`,
        ),
    );
    const report = await run("first");
    expect(await values()).toEqual([1, 20, 21, 22, 29, 3, 9]);
    expect(report.children.map(({ kernel }) => kernel)).toEqual([
      "nested",
      ...["append", "append", "append", "append", "append", "append"],
    ]);
    expect(new Set(report.children.map(({ engine: one }) => one))).toEqual(new Set([engine]));
  });

  it("what follows in the stream sees what children have done, and every thread may launch", async () => {
    const { device, module, list, run, values } = opened(
      parent("each", `mov.u32 %r3, %tid.x; ${append("%r3")}`),
    );
    await run("each", { block: 70 });
    expect(await values()).toEqual(Array.from({ length: 70 }, (_, i) => i));
    await device.stream.run(module.kernel("append"), { grid: 1, block: 1 }, [list, u32(7)]);
    expect((await values()).at(-1)).toBe(7);
    expect(device.heapBlocks).toEqual([]);
  });

  it("the memory of parameters is freed", async () => {
    const { device, run } = opened(parent("each", `mov.u32 %r3, %tid.x; ${append("%r3")}`));
    await run("each", { block: 32 });
    const { free } = device.memoryInfo();
    await run("each", { block: 32 });
    expect(device.memoryInfo().free).toBe(free);
  });

  it("a kernel may go on with tail launches for as long as it likes", async () => {
    const { run, words } = opened(
      entry(
        "count",
        `st.global.u32 [%rd1], %r1; add.u32 %r1, %r1, 1; setp.gt.u32 %p0, %r1, 100; @%p0 bra $end_count;
        ${launch("count", {
          stream: 3,
          params: [
            [0, "u64", "%rd1"],
            [8, "u32", "%r1"],
          ],
        })}`,
      ) + parent("start", launch("count", { params: [[0, "u64", "%rd1"]] })),
    );
    const { children } = await run("start");
    expect(await words(1)).toEqual([100]);
    expect(children).toHaveLength(101);
  });

  it("launches are nested at most 24 deep", async () => {
    const { run, words } = opened(
      entry(
        "deeper",
        `st.global.u32 [%rd1], %r1; add.u32 %r1, %r1, 1;
        ${launch("deeper", {
          params: [
            [0, "u64", "%rd1"],
            [8, "u32", "%r1"],
          ],
        })}
        st.global.u32 [%rd1+4], %r8;`,
      ) +
        parent(
          "start",
          `mov.u32 %r1, 1; ${launch("deeper", {
            params: [
              [0, "u64", "%rd1"],
              [8, "u32", "%r1"],
            ],
          })}`,
        ),
    );
    await run("start");
    expect(await words(2)).toEqual([24, 65]);
  });

  it("errors of launches are returned, and kept until they are asked for", async () => {
    const wrong: readonly (readonly [Partial<Launched>, number])[] = [
      [{ grid: [0, 1, 1] }, 9],
      [{ grid: [1, 65536, 1] }, 9],
      [{ block: [1025, 1, 1] }, 9],
      [{ block: [1, 1, 65] }, 9],
      [{ shared: 1 << 20 }, 1],
      [{ stream: 99 }, 1],
    ];
    const store = (at: number, register: string) => `st.global.u32 [%rd1+${4 * at}], ${register};`;
    const { run, words } = opened(
      parent(
        "wrong",
        wrong
          .map(
            ([one], i) => `mov.u32 %r3, 1; ${append("%r3", one)} ${store(3 * i, "%r8")}
            ${call("__cudaCDP2PeekAtLastError", [])} ${store(3 * i + 1, "%r9")}
            ${call("__cudaCDP2GetLastError", [])}
            ${call("__cudaCDP2GetLastError", [], "%r11")} add.u32 %r9, %r9, %r11; ${store(3 * i + 2, "%r9")}`,
          )
          .join("\n"),
      ),
    );
    const { children } = await run("wrong");
    expect(children).toEqual([]);
    expect(await words(3 * wrong.length)).toEqual(wrong.flatMap(([, error]) => [error, error, error]));
  });

  it("each thread has a last error of its own", async () => {
    const { run, words } = opened(
      parent(
        "two",
        `${FIRST} mov.u32 %r3, 1; @%p1 bra $skip; ${append("%r3", { grid: [0, 1, 1] })}
        $skip: ${call("__cudaCDP2GetLastError", [])}
        mad.wide.u32 %rd2, %r10, 4, %rd1; st.global.u32 [%rd2], %r9;`,
      ),
    );
    await run("two", { block: 2 });
    expect(await words(2)).toEqual([9, 0]);
  });

  it("streams and events have handles, which end with `destroy`", async () => {
    const here: Size = ["b64", "%rd3"];
    const { run, words, values } = opened(
      parent(
        "streams",
        `mov.u64 %rd3, place; cvta.local.u64 %rd3, %rd3;
        ${call("__cudaCDP2StreamCreateWithFlags", [here, ["b32", 1]])} ld.u64 %rd4, [%rd3];
        ${call("__cudaCDP2EventCreateWithFlags", [here, ["b32", 2]], "%r4")} ld.u64 %rd5, [%rd3];
        ${appending(5, { stream: "%rd4" })}
        ${call(
          "__cudaCDP2EventRecord",
          [
            ["b64", "%rd5"],
            ["b64", "%rd4"],
          ],
          "%r5",
        )}
        ${call(
          "__cudaCDP2StreamWaitEvent",
          [
            ["b64", 0],
            ["b64", "%rd5"],
            ["b32", 0],
          ],
          "%r6",
        )}
        or.b32 %r9, %r9, %r4; or.b32 %r9, %r9, %r5; or.b32 %r9, %r9, %r6; or.b32 %r9, %r9, %r8;
        st.global.u32 [%rd1+8], %r9;
        ${call("__cudaCDP2StreamWaitEvent", [
          ["b64", 0],
          ["b64", "%rd4"],
          ["b32", 0],
        ])} st.global.u32 [%rd1+12], %r9;
        ${call("__cudaCDP2EventDestroy", [["b64", "%rd5"]])} st.global.u32 [%rd1+16], %r9;
        ${call("__cudaCDP2StreamDestroy", [["b64", "%rd4"]])} st.global.u32 [%rd1+20], %r9;
        ${call("__cudaCDP2StreamDestroy", [["b64", "%rd4"]])} st.global.u32 [%rd1+24], %r9;`,
      ),
    );
    await run("streams");
    expect(await values()).toEqual([5]);
    expect((await words(7)).slice(2)).toEqual([0, 1, 0, 0, 1]);
  });

  it("kernels ask for properties of the device, and allocate", async () => {
    const here: Size = ["b64", "%rd1"];
    const { device, run, words } = opened(
      parent(
        "ask",
        `mov.u64 %rd6, append; mov.u32 %r4, 77;  st.global.u32 [%rd1], %r4;
        ${call("__cudaCDP2GetDevice", [here])} add.u64 %rd1, %rd1, 4;
        ${call("__cudaCDP2DeviceGetAttribute", [here, ["b32", 10], ["b32", 0]])} add.u64 %rd1, %rd1, 4;
        ${call("__cudaCDP2DeviceGetAttribute", [here, ["b32", 10], ["b32", 1]])} st.global.u32 [%rd1], %r9; add.u64 %rd1, %rd1, 4;
        ${call("__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor", [here, ["b64", "%rd6"], ["b32", 128], ["b64", 0]])} add.u64 %rd1, %rd1, 4;
        ${call("__cudaCDP2DeviceGetLimit", [here, ["b32", 4]])} add.u64 %rd1, %rd1, 8;
        ${call("__cudaCDP2Malloc", [here, ["b64", 5_000_000]])} ld.global.u64 %rd5, [%rd1];
        ${call("__cudaCDP2Free", [["b64", "%rd5"]])} st.global.u32 [%rd1], %r9;
        ${call("__cudaCDP2Free", [["b64", "%rd5"]])} st.global.u32 [%rd1+4], %r9;`,
      ),
    );
    await run("ask");
    expect(await words(8)).toEqual([0, 32, 101, 16, 2048, 0, 0, 1]);
    expect(device.heapBlocks).toEqual([]);
  });

  it("a fault of a child stops the device and names the child", async () => {
    const { device, run } = opened(
      parent("start", `${launch("broken", { params: [[0, "u64", 64]] })} ${appending(1)}`) +
        parent("broken", "mov.u32 %r3, 1; st.global.u32 [%rd1], %r3;"),
    );
    await expect(run("start")).rejects.toMatchObject({ code: "OUT_OF_BOUNDS", fault: { kernel: "broken" } });
    expect(device.failure).toBeDefined();
  });

  it("findings name the child, and are in the report of the launch", async () => {
    const { device, run, words } = opened(
      parent("start", launch("race", { block: [64, 1, 1], params: [[0, "u64", "%rd1"]] })) +
        parent("race", "mov.u32 %r3, %tid.x; st.global.u32 [%rd1], %r3;"),
      { check: { races: true, memory: true, uninitialized: true } },
    );
    const { findings } = await run("start");
    expect(findings).toMatchObject([{ kind: "RACE", kernel: "race" }]);
    expect(device.findings).toEqual(findings);
    expect(await words(1)).toEqual([63]);
  });

  it("a child that is not supported is refused by its name", async () => {
    const { run } = opened(
      parent("start", launch("copy", { params: [[0, "u64", "%rd1"]] })) +
        parent(
          "copy",
          call("__cudaCDP2MemcpyAsync", [
            ["b64", "%rd1"],
            ["b64", "%rd1"],
            ["b64", 4],
            ["b32", 3],
            ["b64", 0],
          ]),
        ),
    );
    await expect(run("start")).rejects.toThrow(/`copy`.*`__cudaCDP2MemcpyAsync` of dynamic parallelism/s);
  });

  it("the module may be disposed while its kernels wait", async () => {
    const { module, run, values } = opened(parent("start", appending(4)));
    const done = run("start");
    module.dispose();
    await done;
    expect(await values()).toEqual([4]);
  });

  it("texts are linked, and limits and shapes apply to children", async () => {
    const device = EmulatedDevice.open({ engine });
    const list = device.allocateUint32(4);
    const declared = ".extern .entry spin(.param .u64 list);";
    const spin = parent(
      "spin",
      "$again: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p0, %r3, 0; @%p0 bra $again;",
    );
    const module = device.load([
      HEAD + DECLARED + declared + parent("start", launch("spin", { params: [[0, "u64", "%rd1"]] })),
      HEAD + spin,
    ]);
    const shape = { grid: 1, block: 1, limits: { instructions: 10_000 } };
    await expect(device.stream.run(module.kernel("start"), shape, [list])).rejects.toMatchObject({
      code: "BUDGET",
    });
  });
});

it("instructions of children are counted", async () => {
  const device = EmulatedDevice.open();
  const module = device.load(
    HEAD + DECLARED + APPEND + entry("start", `${appending(1)} ${appending(2)}`, ".param .u64 list"),
  );
  const list = device.allocateUint32(4);
  const shape = { grid: 1, block: 1, counts: true };
  const { counts } = await device.stream.run(module.kernel("start"), shape, [list]);
  const index = module.program.functions.findIndex(({ name }) => name === "append");
  expect([...counts![index]!].every((count) => count === 2)).toBe(true);
});

it("the front end knows the built-in functions", () => {
  for (const name of BUILT_INS.keys()) {
    const { notes } = checkProgram(
      `${HEAD}.extern .func ${name}();\n.visible .entry k() { call ${name}; ret; }`,
    );
    expect({ name, notes }).toEqual({ name, notes: [] });
  }
  for (const name of ["__cudaCDP2Memset2DAsync", "__cuda_syscall_cnpv2LaunchDevice", "cudaLaunchDeviceV2"]) {
    const { notes } = checkProgram(
      `${HEAD}.extern .func ${name}();\n.visible .entry k() { call ${name}; ret; }`,
    );
    expect(notes.map(({ message }) => message)).toEqual([
      `expected a function with a body, found \`${name}\` of dynamic parallelism, which this emulator does not provide`,
    ]);
  }
});

it("attributes of the device are those that the host sees", () => {
  const table = readFileSync(
    new URL("../../../../native/cudart/attribute_table.inc", import.meta.url),
    "utf8",
  );
  const host = new Map(
    [...table.matchAll(/\{(\d+), (\d+)\}/g)].map(([, name, value]) => [Number(name), Number(value)]),
  );
  for (const [name, value] of ATTRIBUTES) {
    if (name !== 75 && name !== 76) expect({ name, value }).toEqual({ name, value: host.get(name) });
  }
});
