// Four threads at once behave like single threads: rows of all lengths, addresses that end with an allocation, cross
// pages or wrap around, divergent threads, and faults, which name the thread that caused them. Both engines report the
// same.
import { bytes, s32, u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { EmulatedDevice, EmulatorError } from "../../../src/index.js";

type Dimensions = [number, number?, number?];

interface Try {
  readonly body: string;
  readonly block: Dimensions;
  /** Size of the buffer in bytes. */
  readonly bytes?: number;
  /** The offset in the buffer to which the kernel's pointer points, in bytes. */
  readonly from?: number;
  readonly n?: number;
  readonly sharedBytes?: number;
}

const HEAD = `.version 8.8
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 shared[];
.visible .entry k(.param .u64 data, .param .u32 n, .param .s32 m) {
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %rd<8>;
ld.param.u64 %rd1, [data];
ld.param.u32 %r1, [n];
ld.param.s32 %r9, [m];
mov.u32 %r2, %tid.x;
mov.u32 %r3, %tid.y;
mov.u32 %r4, %ntid.x;
mad.lo.u32 %r5, %r3, %r4, %r2;
mad.wide.u32 %rd2, %r5, 4, %rd1;
`;

/** The contents of the buffer afterwards, or a description of what went wrong. */
async function outcome(
  engine: "webassembly" | "interpreter",
  { body, block, bytes = 1024, from = 0, n = 0, sharedBytes = 0 }: Try,
) {
  using device = EmulatedDevice.open({ engine, memoryBytes: 2 ** 20, limits: { instructions: 1_000_000 } });
  const kernel = device.load(`${HEAD}${body}\nret;\n}`).kernel("k");
  const buffer = device.allocate(bytes);
  await buffer.copyFrom(Uint8Array.from({ length: bytes }, (_, i) => (i * 7 + (i >> 5)) & 0x3f));
  try {
    device.stream.launch(kernel, { grid: 2, block, sharedBytes }, [buffer.part(from), u32(n), s32(n | 0)]);
    await device.synchronize();
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error;
    return error.message;
  }
  return [...(await buffer.read())].join(" ");
}

async function agree(given: Try): Promise<string> {
  const expected = await outcome("interpreter", given);
  expect(await outcome("webassembly", given)).toBe(expected);
  return expected;
}

const ADD = "ld.global.f32 %f1, [%rd2];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%rd2], %f2;";

describe("rows of every length", () => {
  const blocks: Dimensions[] = [[1], [3], [4], [5], [8], [31], [33], [6, 5], [4, 7], [7, 3, 2], [16, 4]];
  it.each(blocks.map((block) => [block.join(" x "), block] as const))("%s", async (_, block) => {
    await agree({ body: ADD, block });
    await agree({ body: ADD, block, from: 4 });
    await agree({ body: ADD, block, from: 252 });
    await agree({
      body: `setp.lt.u32 %p1, %r5, %r1;\n@!%p1 bra END;\n${ADD}\nEND:`,
      block,
      n: 6,
    });
  });
});

describe("addresses of four threads", () => {
  const strided = (bytes: number) => `mad.wide.u32 %rd3, %r2, ${bytes}, %rd1;
ld.global.b32 %r6, [%rd3];\nld.global.b32 %r7, [%rd3+4];\nadd.s32 %r8, %r6, %r7;\nst.global.b32 [%rd3+4], %r8;`;
  it.each([8, 12, 16, 60, 64, 100])("apart by %i bytes", async (stride) => {
    await agree({ body: strided(stride), block: [16], bytes: 4096 });
  });

  it("that run backward", async () => {
    await agree({ body: `sub.s32 %r6, 15, %r2;\nmad.wide.s32 %rd2, %r6, 4, %rd1;\n${ADD}`, block: [16] });
  });

  it("that are small negative numbers before their offset is added", async () => {
    const body = `mul.lo.s32 %r6, %r2, -4;\nst.shared.b32 [%r6+124], %r2;\nmov.u32 %r7, %r2;\nbar.sync 0;
shl.b32 %r8, %r2, 2;\nld.shared.b32 %r7, [%r8];\nst.global.b32 [%rd2], %r7;`;
    expect(await agree({ body, block: [32], sharedBytes: 128 })).toMatch(/^31 0 0 0 30 0 0 0 29 /);
  });

  it("of vectors of items", async () => {
    const body = `mad.wide.u32 %rd3, %r2, 16, %rd1;\nld.global.v4.b32 {%r6, %r7, %r8, %r10}, [%rd3];
st.global.v2.b32 [%rd3], {%r10, %r6};\nst.global.v2.b32 [%rd3+8], {%r8, %r7};`;
    await agree({ body, block: [8] });
  });

  it("that are looked up", async () => {
    const body = `ld.global.b32 %r6, [%rd2];\nand.b32 %r6, %r6, 31;\nmad.wide.u32 %rd3, %r6, 4, %rd1;
ld.global.b32 %r7, [%rd3+128];\nst.global.b32 [%rd2+512], %r7;`;
    await agree({ body, block: [32] });
  });

  it.each([0x7ffffffe, 0x80000000, 0xfffffffe])("through an index that wraps around at 0x%x", async (n) => {
    const body =
      `add.s32 %r6, %r2, %r1;\ncvt.s64.s32 %rd3, %r6;\nand.b64 %rd3, %rd3, 31;\nshl.b64 %rd3, %rd3, 2;
add.s64 %rd4, %rd1, %rd3;\nld.global.b32 %r7, [%rd4];\nst.global.b32 [%rd2+512], %r7;
mul.wide.u32 %rd5, %r6, 4;\nshr.u64 %rd5, %rd5, 32;\nst.global.b32 [%rd2+640], %rd5;`
        .replace("[%rd2+640], %rd5", "[%rd2+640], %r8")
        .replace("shr.u64 %rd5, %rd5, 32;", "shr.u64 %rd5, %rd5, 32;\ncvt.u32.u64 %r8, %rd5;");
    await agree({ body, block: [16], n });
  });
});

it("bits of NaNs are those of the interpreter for what lanes do together, also if they were saved at an earlier wait", async () => {
  const body = `ld.global.b32 %r6, [%rd2];\nor.b32 %r6, %r6, 0x7fc00000;\nmov.b32 %f1, %r6;\nadd.f32 %f2, %f1, %f1;
mul.f32 %f3, %f2, %f2;\nbar.sync 0;\nshfl.sync.bfly.b32 %r7, %f2, 1, 31, -1;\nmatch.any.sync.b32 %r8, %f3, -1;
xor.b32 %r7, %r7, %r8;\nst.global.b32 [%rd2], %r7;`;
  await agree({ body, block: [32] });
  await agree({
    body: `${body}\nsetp.eq.u32 %p1, %r2, %r1;\n@%p1 st.global.b32 [%rd1], %r2;`,
    block: [32],
    n: 3,
  });
});

it("bits of NaNs are those of the interpreter for integer instructions", async () => {
  const body = `ld.global.b32 %r6, [%rd2];\nor.b32 %r6, %r6, 0x7fc00000;\nmov.b32 %f1, %r6;\nadd.f32 %r7, %f1, %f1;
fma.rn.f32 %r8, %r7, %f1, %r7;\nmul.f32 %r13, %r8, %r8;\nmul.lo.s32 %r10, %r7, 3;\nsetp.lt.s32 %p1, %r7, 0x7fe00000;
mad.lo.s32 %r10, %r8, 5, %r10;\ncvt.rn.f32.s32 %f4, %r7;\nmul.hi.u32 %r11, %r8, 77;\nmul.wide.u32 %rd3, %r8, 9;
selp.b32 %r11, 1, %r11, %p1;\nadd.f32 %f4, %f4, 0f3f800000;\nst.global.b32 [%rd2], %r10;\nst.global.f32 [%rd2+256], %f4;
st.global.b32 [%rd2+512], %r11;\ncvt.u32.u64 %r12, %rd3;\nadd.f32 %r13, %r13, %r7;\nst.global.b32 [%rd2+640], %r12;
st.global.b32 [%rd2+768], %r13;`;
  await agree({ body, block: [32] });
});

it("predicates may be constants", async () => {
  const body = `ld.global.b32 %r6, [%rd2];\nxor.b32 %r7, %r6, %r2;\nselp.b32 %r8, %r6, %r7, 1;\nselp.b32 %r10, %r6, %r7, 0;
setp.gt.and.u32 %p1, %r6, %r7, 1;\nand.pred %p2, %p1, 1;\nor.pred %p3, %p1, 0;\nxor.pred %p3, %p3, 1;
selp.b32 %r11, 5, 9, %p2;\n@%p3 add.s32 %r11, %r11, %r8;\nadd.s32 %r11, %r11, %r10;\nst.global.b32 [%rd2], %r8;
st.global.b32 [%rd2+256], %r11;`;
  await agree({ body, block: [32] });
});

it("threads diverge at a number that a vector of parameters contains", async () => {
  const ptx = `.version 8.8
.target sm_90
.address_size 64
.visible .entry k(.param .align 8 .b8 pair[8], .param .u64 data) {
.reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<3>;
ld.param.v2.u32 {%r1, %r2}, [pair];
ld.param.u64 %rd1, [data];
mov.u32 %r3, %tid.x;
mad.wide.u32 %rd2, %r3, 4, %rd1;
st.global.u32 [%rd2], %r3;
setp.ge.u32 %p, %r3, %r2;
@%p bra $done;
st.global.u32 [%rd2], %r2;
$done:
ret;
}`;
  const device = EmulatedDevice.open({ engine: "webassembly" });
  const data = device.allocateUint32(8);
  const pair = bytes(Uint8Array.of(9, 0, 0, 0, 5, 0, 0, 0));
  await device.stream.run(device.load(ptx).kernel("k"), { grid: 1, block: 8 }, [pair, data]);
  expect([...(await data.read())]).toEqual([5, 5, 5, 5, 5, 5, 6, 7]);
});

describe("threads that diverge", () => {
  it("before anything is written", async () => {
    const body = `and.b32 %r6, %r2, 5;\nsetp.eq.u32 %p1, %r6, 1;\n@%p1 bra ODD;\n${ADD}\nbra END;\nODD:\nst.global.b32 [%rd2], %r2;\nEND:`;
    await agree({ body, block: [32] });
  });

  it("afterwards", async () => {
    const body = `st.global.b32 [%rd2+512], %r2;\nand.b32 %r6, %r2, 5;\nsetp.eq.u32 %p1, %r6, 1;\n@%p1 bra END;\n${ADD}\nEND:`;
    await agree({ body, block: [32] });
  });

  it("at the end of a loop over an array", async () => {
    const body = `mov.u32 %r6, %r2;\nLOOP:\nsetp.ge.u32 %p1, %r6, %r1;\n@%p1 bra END;\nmad.wide.u32 %rd3, %r6, 4, %rd1;
ld.global.b32 %r7, [%rd3];\nadd.s32 %r7, %r7, %r6;\nst.global.b32 [%rd3], %r7;\nadd.s32 %r6, %r6, %r4;\nbra LOOP;\nEND:
st.global.b32 [%rd2+768], %r6;`;
    for (const n of [0, 1, 62, 63, 64, 65, 127, 190]) await agree({ body, block: [32], n, bytes: 2048 });
  });

  it("after a different number of iterations in each thread, with live values of all widths", async () => {
    const body = `and.b32 %r6, %r2, 5;\ncvt.u64.u32 %rd3, %r2;\ncvt.rn.f32.u32 %f1, %r2;\nsetp.gt.u32 %p3, %r2, 9;
mov.u32 %r7, 0;\nLOOP:\nadd.s32 %r7, %r7, 1;\nmad.lo.u64 %rd3, %rd3, 3, 1;\nfma.rn.f32 %f1, %f1, 0f3f000000, 0f3f800000;
@%p3 add.s32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, %r6;\n@%p1 bra LOOP;\nmov.b32 %r8, %f1;\ncvt.u32.u64 %r10, %rd3;
xor.b32 %r8, %r8, %r10;\nselp.b32 %r11, %r7, %r8, %p3;\nst.global.b32 [%rd2], %r8;\nst.global.b32 [%rd2+512], %r11;`;
    await agree({ body, block: [32] });
    await agree({ body, block: [13, 2] });
  });

  it("in a nested loop, and then wait for each other", async () => {
    const body = `mov.u32 %r6, 0;\nmov.u32 %r10, 0;\nmov.u32 %r12, shared;\nshl.b32 %r11, %r2, 2;\nadd.s32 %r11, %r11, %r12;
OUTER:\nand.b32 %r7, %r2, 3;\nINNER:\nadd.s32 %r10, %r10, %r7;\nsub.s32 %r7, %r7, 1;\nsetp.ge.s32 %p1, %r7, 0;\n@%p1 bra INNER;
add.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 3;\n@%p2 bra OUTER;\nst.shared.b32 [%r11], %r10;\nbar.sync 0;
xor.b32 %r13, %r2, 1;\nshl.b32 %r13, %r13, 2;\nadd.s32 %r13, %r13, %r12;\nld.shared.b32 %r14, [%r13];
add.s32 %r14, %r14, %r6;\nst.global.b32 [%rd2], %r14;`;
    await agree({ body, block: [32], sharedBytes: 128 });
  });

  it("before waits that they reach after different numbers of iterations", async () => {
    const body = `mov.u32 %r6, 9;\nmov.u32 %r7, %r2;\nLOOP:\nsub.s32 %r6, %r6, 1;\nsetp.lt.s32 %p1, %r6, 0;\n@%p1 bra END;
and.b32 %r8, %r7, 1;\nsetp.eq.u32 %p2, %r8, 1;\n@%p2 bra ODD;\nactivemask.b32 %r10;\nxor.b32 %r7, %r7, %r10;\nODD:
mad.lo.u32 %r7, %r7, 3, %r2;\nbra LOOP;\nEND:\nst.global.b32 [%rd2], %r7;`;
    await agree({ body, block: [32] });
  });

  it("between barriers, where the threads of a row are counted differently", async () => {
    const body = `mov.u32 %r6, 0;\nLOOP:\nand.b32 %r7, %r2, 3;\nsetp.le.u32 %p1, %r7, %r6;\n@%p1 add.s32 %r1, %r1, 3;
shl.b32 %r10, %r2, 2;\nmov.u32 %r11, shared;\nadd.s32 %r10, %r10, %r11;\nst.shared.b32 [%r10], %r1;\nbar.sync 0;
xor.b32 %r12, %r2, 1;\nshl.b32 %r12, %r12, 2;\nadd.s32 %r12, %r12, %r11;\nld.shared.b32 %r13, [%r12];\nbar.sync 0;
add.s32 %r1, %r1, %r13;\nadd.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 5;\n@%p2 bra LOOP;\nst.global.b32 [%rd2], %r1;`;
    await agree({ body, block: [32], sharedBytes: 128 });
  });
});

describe("results that are flushed to zero", () => {
  // The threads' numbers times the least normal number.
  const small = "cvt.rn.f32.u32 %f1, %r2;\nmul.f32 %f1, %f1, 0f00800000;";
  const chain = `mul.ftz.f32 %f2, %f1, 0f3e800000;\nadd.ftz.f32 %f3, %f2, 0f00800000;\nsub.ftz.f32 %f4, %f3, 0f00800000;
fma.rn.ftz.f32 %f5, %f4, 0f40800000, %f1;\nmul.ftz.f32 %f5, %f5, 0f3f000000;`;
  const kernels = {
    "before a store": `${small}\n${chain}\nst.global.f32 [%rd2], %f5;`,
    "before and after a store": `${small}\n${chain}\nst.global.f32 [%rd2], %f5;\nmul.ftz.f32 %f6, %f5, 0f3e000000;
add.ftz.f32 %f6, %f6, %f4;\nst.global.f32 [%rd2+512], %f6;`,
    "on one of two paths": `${small}\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra OTHER;\nst.global.b32 [%rd2+512], %r2;\nbra BOTH;
OTHER:\n${chain}\nBOTH:\nst.global.f32 [%rd2], %f5;`,
    "before a barrier": `${small}\n${chain}\nbar.sync 0;\nst.global.f32 [%rd2], %f5;\nst.global.f32 [%rd2+512], %f4;`,
    "in a loop that each thread leaves when it is 0": `${small}\n${chain}\nmov.u32 %r6, 0;\nmul.ftz.f32 %f6, %f1, 0f3f800000;\nLOOP:
mul.ftz.f32 %f6, %f6, 0f3f400000;\nadd.s32 %r6, %r6, 1;\nsetp.gt.f32 %p1, %f6, 0f00000000;\n@%p1 bra LOOP;\nst.global.f32 [%rd2], %f5;
st.global.b32 [%rd2+512], %r6;`,
  };
  it.each(Object.entries(kernels))("%s", async (_, body) => {
    for (const n of [3, 9]) await agree({ body, block: [32], n });
  });
});

describe("atomic operations", () => {
  it("find what the earlier threads' operations left", async () => {
    const body = `atom.global.add.u32 %r6, [%rd1], 3;\nshl.b32 %r7, %r6, 1;\nadd.s32 %r7, %r7, %r2;
st.global.b32 [%rd2+256], %r7;`;
    await agree({ body, block: [32] });
    await agree({ body, block: [13, 2] });
  });

  it("keep their order when there are several", async () => {
    const body = `atom.global.add.u32 %r6, [%rd1], 3;\natom.global.exch.b32 %r7, [%rd1], %r2;\nadd.s32 %r7, %r7, %r6;
st.global.b32 [%rd2+256], %r7;`;
    await agree({ body, block: [32] });
  });

  it("of one kind run in any order in loops with divergence", async () => {
    const body = `mov.u32 %r6, %r2;\nLOOP:\nsetp.ge.u32 %p1, %r6, %r1;\n@%p1 bra END;\nmad.wide.u32 %rd3, %r6, 4, %rd1;
ld.global.b32 %r7, [%rd3];\nand.b32 %r7, %r7, 7;\nmad.wide.u32 %rd4, %r7, 4, %rd1;\nred.global.add.u32 [%rd4+1024], %r6;
atom.global.add.u32 %r8, [%rd1+1088], 1;\nadd.s32 %r6, %r6, %r4;\nbra LOOP;\nEND:`;
    await agree({ body, block: [32], n: 201, bytes: 2048 });
  });

  it("where only some threads take part", async () => {
    const body = `and.b32 %r6, %r2, 5;\nsetp.eq.u32 %p1, %r6, 1;\nmov.u32 %r7, 77;
@%p1 atom.global.add.f32 %f1, [%rd1+512], 0f3f800000;\n@%p1 mov.b32 %r7, %f1;\nst.global.b32 [%rd2], %r7;`;
    await agree({ body, block: [32] });
  });
});

describe("faults name their thread", () => {
  const cases: Record<string, Try> = {
    "a load beyond the buffer": { body: ADD, block: [32], bytes: 100 },
    "a store beyond the buffer": { body: "st.global.b32 [%rd2], %r2;", block: [16], bytes: 56 },
    "a store beyond the buffer, after others": {
      body: "st.global.b32 [%rd2], %r2;\nst.global.b32 [%rd2+64], %r2;",
      block: [16],
      bytes: 108,
    },
    "a misaligned load": { body: "ld.global.f32 %f1, [%rd2+2];\nst.global.f32 [%rd2], %f1;", block: [8] },
    "a cut pointer": {
      body: "cvt.u32.u64 %r6, %rd2;\ncvt.u64.u32 %rd3, %r6;\nld.global.b32 %r7, [%rd3];\nst.global.b32 [%rd2], %r7;",
      block: [8],
    },
    "shared memory that ends": {
      body: "shl.b32 %r6, %r2, 2;\nmov.u32 %r7, shared;\nadd.s32 %r6, %r6, %r7;\nst.shared.b32 [%r6], %r2;",
      block: [16],
      sharedBytes: 40,
    },
    "a trap of one thread": { body: "setp.eq.u32 %p1, %r2, 6;\n@%p1 trap;", block: [16] },
    "a barrier that one thread does not reach": {
      body: "setp.eq.u32 %p1, %r2, 6;\n@%p1 bra OTHER;\nbar.sync 0;\nbra END;\nOTHER:\nbar.sync 1;\nEND:",
      block: [8],
    },
  };
  it.each(Object.entries(cases))("%s", async (_, given) => {
    expect(await agree(given)).not.toMatch(/^[\d ]+$/);
  });
});

describe("infinite loops", () => {
  it("are named", async () => {
    const body = "LOOP:\nadd.s32 %r6, %r6, 1;\nsetp.ne.s32 %p1, %r6, %r6;\n@!%p1 bra LOOP;";
    const [translated, interpreted] = await Promise.all([
      outcome("webassembly", { body, block: [8] }),
      outcome("interpreter", { body, block: [8] }),
    ]);
    expect(translated).toBe(interpreted);
    expect(translated).toMatch(/line/);
  });
});
