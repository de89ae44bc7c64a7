// Races between reads of textures and accesses of surfaces of the same array: the engines find the same ones.
import { u64 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { EmulatedDevice } from "../../src/index.js";

/** Thread i accesses element i or its neighbour, in a way that the replaced words state. */
const kernel = (first: string, between: string, second: string) => `
.version 8.5
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 t, .param .u64 s) {
  .reg .b32 %x, %n, %b, %r<5>; .reg .f32 %f<6>; .reg .b64 %t, %s; .reg .b16 %h;
  ld.param.u64 %t, [t]; ld.param.u64 %s, [s];
  mov.u32 %x, %tid.x; add.u32 %n, %x, 1; mov.b16 %h, 5; mov.b32 %r1, %x;
  cvt.rn.f32.u32 %f0, %x; add.f32 %f0, %f0, 0f3F400000;
  ${first} ${between} ${second}
  ret;
}`;

const SIZES = { u8: 1, u32: 4 } as const;

const ACCESSES = (bytes: 1 | 4) => {
  const at = (register: string) => `shl.b32 %b, ${register}, ${Math.log2(bytes)};`;
  const [type, value] = bytes === 1 ? ["b8", "%h"] : ["b32", "%r1"];
  return {
    fetch: "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%t, {%n}];",
    filter: "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%t, {%f0}];",
    read: `${at("%n")} suld.b.1d.${type}.zero ${value}, [%s, {%b}];`,
    write: `${at("%x")} sust.b.1d.${type}.zero [%s, {%b}], ${value};`,
    writeNext: `${at("%n")} sust.b.1d.${type}.zero [%s, {%b}], ${value};`,
  };
};

async function findings(engine: "interpreter" | "webassembly", ptx: string, format: keyof typeof SIZES) {
  using device = EmulatedDevice.open({ engine, check: { races: true }, allocatedAt: () => [] });
  const array = device.createArray({ format, width: 64 });
  const read = device.createTexture({
    source: array,
    ...(format === "u8" && { readMode: "normalized-float", filter: "linear" }),
  });
  const written = device.createSurface(array);
  const result = await device.stream.run(device.load(ptx).kernel("kernel"), { grid: 1, block: 70 }, [
    u64(read.handle),
    u64(written.handle),
  ]);
  expect(result.engine).toBe(engine);
  return device.findings;
}

const CASES = (["u8", "u32"] as const).flatMap((format) => {
  const accesses = ACCESSES(SIZES[format]);
  const pairs = [
    ["write", "fetch"],
    ["fetch", "write"],
    ["write", "filter"],
    ["write", "read"],
    ["write", "writeNext"],
    ["fetch", "read"],
  ] as const;
  return pairs.flatMap(([first, second]) =>
    ["", "bar.sync 0;"].map((between) => ({
      ...{ format, first, between, second },
      text: kernel(accesses[first], between, accesses[second]),
    })),
  );
});

it.each(CASES)("$format: $first $between $second", async ({ format, text, first, between }) => {
  const expected = await findings("interpreter", text, format);
  expect(await findings("webassembly", text, format)).toEqual(expected);
  expect(expected.length > 0).toBe(between === "" && !(first === "fetch" && text.includes("suld")));
});
