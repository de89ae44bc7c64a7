// Every translated form of instructions on edge values and random values: the translated kernel, four threads at once
// and one by one, leaves the same bytes as the interpreter. A form is written with the types of its sources and result.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { smoke } from "../../../../../tests/support/counts.js";
import { type EmulatedBuffer, EmulatedDevice, type EmulatedModule } from "../../../src/index.js";

const FORMS = `
add.{u32,s32,u64,s64} # # = #; add.sat.s32 s32 s32 = s32; sub.sat.s32 s32 s32 = s32; sub.{u32,s32,u64,s64} # # = #
add.{u16,s16} # # = #; sub.{u16,s16} # # = #; mul.lo.{u16,s16,u32,s32,u64,s64} # # = #
mul.hi.{u16,s16,u32,s32,u64,s64} # # = #; mul.wide.u16 u16 u16 = u32; mul.wide.s16 s16 s16 = s32
mul.wide.u32 u32 u32 = u64; mul.wide.s32 s32 s32 = s64; mad.lo.{u16,s16,u32,s32,u64,s64} # # # = #
mad.hi.{u32,s32,u64,s64} # # # = #; mad.wide.u32 u32 u32 u64 = u64; mad.wide.s32 s32 s32 s64 = s64
mul24.lo.{u32,s32} # # = #; mul24.hi.{u32,s32} # # = #; mad24.lo.{u32,s32} # # # = #; sad.{u32,s32,u64,s64} # # # = #
div.{u16,s16,u32,s32,u64,s64} # # = #; rem.{u16,s16,u32,s32,u64,s64} # # = #; min.{u16,s16,u32,s32,u64,s64} # # = #
max.{u16,s16,u32,s32,u64,s64} # # = #; abs.{s16,s32,s64} # = #; neg.{s16,s32,s64} # = #
popc.{b32,b64} # = u32; clz.{b32,b64} # = u32; brev.{b32,b64} # = #; bfind.{u32,s32,u64,s64} # = u32
bfind.shiftamt.{u32,s32,u64,s64} # = u32; bfe.{u32,s32,u64,s64} # u32 u32 = #; bfi.{b32,b64} # # u32 u32 = #
prmt.b32 b32 b32 b32 = b32; dp4a.{u32,s32}.u32 b32 b32 u32 = s32; dp4a.{u32,s32}.s32 b32 b32 s32 = s32
and.{b16,b32,b64} # # = #; or.{b16,b32,b64} # # = #; xor.{b16,b32,b64} # # = #; not.{b16,b32,b64} # = #; cnot.{b32,b64} # = #
shl.{b16,b32,b64} # u32 = #; shr.{u16,s16,u32,s32,u64,s64} # u32 = #; shf.l.clamp.b32 b32 b32 u32 = b32
shf.r.clamp.b32 b32 b32 u32 = b32; shf.l.wrap.b32 b32 b32 u32 = b32; shf.r.wrap.b32 b32 b32 u32 = b32
add.{f32,f64} # # = #; sub.{f32,f64} # # = #; mul.{f32,f64} # # = #; fma.rn.{f32,f64} # # # = #; div.rn.{f32,f64} # # = #
add.ftz.f32 f32 f32 = f32; mul.sat.f32 f32 f32 = f32; fma.rn.ftz.sat.f32 f32 f32 f32 = f32; div.full.f32 f32 f32 = f32
add.rz.f32 f32 f32 = f32; min.{f32,f64} # # = #; max.{f32,f64} # # = #; min.ftz.f32 f32 f32 = f32; max.NaN.f32 f32 f32 = f32
abs.{f32,f64} # = #; neg.{f32,f64} # = #; neg.ftz.f32 f32 = f32; sqrt.rn.{f32,f64} # = #; rcp.rn.{f32,f64} # = #
rsqrt.approx.f32 f32 = f32; sqrt.approx.ftz.f32 f32 = f32; copysign.{f32,f64} # # = #
{sin,cos,lg2,ex2,tanh}.approx.f32 f32 = f32; {sin,cos,lg2,ex2,rsqrt,rcp}.approx.ftz.f32 f32 = f32
div.approx.f32 f32 f32 = f32; div.approx.ftz.f32 f32 f32 = f32
cvt.u64.u32 u32 = u64; cvt.s64.s32 s32 = s64; cvt.u32.u64 u64 = u32; cvt.s32.s16 s16 = s32; cvt.u16.u32 u32 = u16
cvt.s16.s32 s32 = s16; cvt.sat.s16.s32 s32 = s16; cvt.sat.u32.s32 s32 = u32; cvt.rn.f32.{s32,u32,s64,u64} # = f32
cvt.rn.f64.{s32,u32,s64,u64} # = f64; cvt.rzi.{s32,u32,s64,u64}.f32 f32 = #; cvt.rni.{s32,u32,s64,u64}.f64 f64 = #
cvt.rmi.s32.f32 f32 = s32; cvt.rpi.ftz.s32.f32 f32 = s32; cvt.rzi.s16.f32 f32 = s16; cvt.f64.f32 f32 = f64
cvt.sat.f32.f32 f32 = f32; cvt.rni.ftz.f32.f32 f32 = f32; cvt.rpi.sat.f32.f32 f32 = f32; cvt.rn.sat.f32.f64 f64 = f32
cvt.rn.f32.f64 f64 = f32; cvt.rz.f32.f64 f64 = f32; cvt.rmi.f32.f32 f32 = f32; cvt.rn.f16.f32 f32 = b16; cvt.f32.f16 b16 = f32
{add,sub,mul}.f16 b16 b16 = b16; {add,sub,mul}.f16x2 b32 b32 = b32; fma.rn.f16 b16 b16 b16 = b16
fma.rn.f16x2 b32 b32 b32 = b32; cvt.rn.f16x2.f32 f32 f32 = b32; fma.rn.sat.f16 b16 b16 b16 = b16; slct.f32.s32 f32 f32 s32 = f32; slct.b32.f32 b32 b32 f32 = b32
set.lt.u32.f32 f32 f32 = u32; set.ge.f32.s32 s32 s32 = f32; set.neu.s32.f64 f64 f64 = s32
set.lt.f16.f32 f32 f32 = b16; set.hi.f16.u64 u64 u64 = b16; set.le.bf16.{s32,f64} # # = b16
`;

/** A form: opcode, types of sources, type of the result. */
const READ = FORMS.trim()
  .split(/;\s*|\n/)
  .flatMap((form) => {
    const options = /\{([^}]*)\}/.exec(form)?.[1]?.split(",") ?? [""];
    return options.map((option) => {
      const [opcode, ...rest] = form
        .replace(/\{[^}]*\}/, option)
        .replaceAll("#", option)
        .split(" ");
      const equals = rest.indexOf("=");
      return { opcode: opcode!, sources: rest.slice(0, equals), result: rest[equals + 1]! };
    });
  });

const bits = (type: string): number => Number(/\d+/.exec(type)![0]);
const THREADS = 32;

interface Form {
  readonly opcode: string;
  readonly sources: readonly string[];
  readonly result: string;
}

/** Comparisons have a predicate as their result, which the kernel stores as 0 or 1. */
const COMPARISONS = ["u32", "s32", "u64", "s64", "f32", "f64", "s16", "u16"].flatMap((type) => {
  const names = type.startsWith("f")
    ? ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
    : ["eq", "ne", "lt", "le", "gt", "ge"];
  return names.map(
    (name): Form => ({ opcode: `setp.${name}.${type}`, sources: [type, type], result: "pred" }),
  );
});

function kernelOf({ opcode, sources, result }: Form, name: string): string {
  const comparing = result === "pred";
  const loads = sources.map(
    (type, i) => `.reg .${type} %s${i};\nadd.s64 %rd2, %rd1, ${i * 8};\nld.global.${type} %s${i}, [%rd2];\n`,
  );
  const operands = sources.map((_, i) => `%s${i}`).join(", ");
  return `.visible .entry ${name}(.param .u64 in, .param .u64 out) {
.reg .b64 %rd<5>; .reg .b32 %r<3>; .reg .${result} %d;
mov.u32 %r1, %tid.x;
ld.param.u64 %rd1, [in];
mad.wide.u32 %rd1, %r1, 32, %rd1;
ld.param.u64 %rd3, [out];
mad.wide.u32 %rd3, %r1, 8, %rd3;
${loads.join("")}${opcode} %d, ${operands};
${comparing ? "selp.b32 %r2, 1, 0, %d;\nst.global.b32 [%rd3], %r2;" : `st.global.${result} [%rd3], %d;`}
ret;
}`;
}

const FORMS_AND_COMPARISONS: readonly Form[] = [...READ, ...COMPARISONS];
const TEXT = [
  ".version 8.8\n.target sm_100\n.address_size 64",
  ...FORMS_AND_COMPARISONS.map((form, index) => kernelOf(form, `k${index}`)),
].join("\n");

/** A device with the kernels of all forms. */
class Loaded {
  readonly #device: EmulatedDevice;
  readonly #module: EmulatedModule;
  readonly #input: EmulatedBuffer;
  readonly #output: EmulatedBuffer;

  constructor(engine: "webassembly" | "interpreter") {
    this.#device = EmulatedDevice.open({ engine, memoryBytes: 2 ** 20 });
    this.#module = this.#device.load(TEXT);
    this.#input = this.#device.allocate(8 * 4 * THREADS);
    this.#output = this.#device.allocate(8 * THREADS);
  }

  /** The output of the threads, in hexadecimal digits. */
  async run(kernel: string, threads: number, input: BigUint64Array<ArrayBuffer>): Promise<string[]> {
    await this.#input.copyFrom(input);
    // Otherwise a thread that stores nothing would leave the output of an earlier run.
    await this.#output.copyFrom(new BigUint64Array(THREADS));
    const shape = { grid: 1, block: threads };
    this.#device.stream.launch(this.#module.kernel(kernel), shape, [this.#input, this.#output]);
    await this.#device.synchronize();
    return [...new BigUint64Array((await this.#output.read()).slice().buffer as ArrayBuffer)]
      .slice(0, threads)
      .map((word) => word.toString(16));
  }

  dispose(): void {
    this.#device.dispose();
  }
}

let interpreted: Loaded;
let translated: Loaded;
beforeAll(() => {
  interpreted = new Loaded("interpreter");
  translated = new Loaded("webassembly");
});
afterAll(() => {
  interpreted.dispose();
  translated.dispose();
});

const EDGES = [
  ...[
    0n,
    1n,
    2n,
    31n,
    32n,
    33n,
    63n,
    64n,
    0x7fn,
    0x80n,
    0xffn,
    0x7fffn,
    0x8000n,
    0xffffn,
    0x7fffffffn,
    0x80000000n,
  ],
  ...[
    0xffffffffn,
    0x7f800000n,
    0xff800000n,
    0x7fc00001n,
    0x7f800001n,
    0xffc00000n,
    0x00400000n,
    0x3f800000n,
    0xbf800000n,
  ],
  ...[
    0x7fffffffffffffffn,
    0x8000000000000000n,
    0xffffffffffffffffn,
    0x7ff0000000000000n,
    0x7ff8000000000001n,
  ],
  ...[
    0xfff0000000000001n,
    0x3ff0000000000000n,
    0xbff0000000000000n,
    0x0008000000000000n,
    0x4330000000000001n,
  ],
];

/** Words for four sources of each thread. */
const INPUT = fc.array(
  fc.oneof(
    fc.constantFrom(...EDGES),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.double().map(doubleBits),
    fc.float().map(floatBits),
  ),
  { minLength: 4 * THREADS, maxLength: 4 * THREADS },
);

const CONVERTED = new DataView(new ArrayBuffer(8));

function doubleBits(value: number): bigint {
  CONVERTED.setFloat64(0, value);
  return CONVERTED.getBigUint64(0);
}

function floatBits(value: number): bigint {
  CONVERTED.setFloat32(0, value);
  return BigInt(CONVERTED.getUint32(0));
}

const RUNS = smoke(100);

describe("the translator agrees with the interpreter", () => {
  it.each(
    FORMS_AND_COMPARISONS.map(
      (form, index) => [`${form.opcode} ${form.sources.join(", ")}`, `k${index}`] as const,
    ),
  )("%s", (_, kernel) =>
    fc.assert(
      fc.asyncProperty(INPUT, async (words) => {
        const input = BigUint64Array.from(words);
        const expected = await interpreted.run(kernel, THREADS, input);
        expect(await translated.run(kernel, THREADS, input)).toEqual(expected);
        // There are too few threads for a group, so they run one by one.
        expect(await translated.run(kernel, 3, input)).toEqual(expected.slice(0, 3));
      }),
      { numRuns: RUNS },
    ),
  );
});

describe("forms", () => {
  it("are written with widths that loads have", () => {
    for (const { sources, result } of READ)
      for (const type of [...sources, result]) expect([16, 32, 64]).toContain(bits(type));
  });
});
