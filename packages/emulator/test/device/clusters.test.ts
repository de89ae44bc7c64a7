// Clusters of blocks (PTX ISA, Cluster of Cooperative Thread Arrays): their barrier, special registers, and accesses to the
// shared memory of other blocks.
import { describe, expect, it } from "vitest";
import { EmulatedDevice, type EmulatedDeviceOptions } from "../../src/index.js";

const SYNC = "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;";

const module = (body: string, directives = "") => `.version 8.4
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) ${directives}
{
	.reg .pred %p<4>;
	.reg .b32 %r<20>;
	.reg .b64 %rd<20>;
	.shared .align 8 .b32 cells[8];
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %cluster_ctarank;
	mov.u32 %r3, %cluster_nctarank;
	${body}
	ret;
}
`;

interface Shape {
  readonly grid: number | readonly [number, number?, number?];
  readonly block: number;
  readonly cluster?: number | readonly [number, number?, number?];
}

async function run(ptx: string, shape: Shape, words: number, options: EmulatedDeviceOptions = {}) {
  using device = EmulatedDevice.open(options);
  const out = device.allocateUint32(words);
  const report = await device.stream.run(device.load(ptx).kernel("k"), shape as never, [out]);
  return { values: [...(await out.read())], findings: report.findings };
}

/** Stores a register for each block, in order of the block's index in the grid. */
const STORE = (register: string) => `
	mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ctaid.y; mov.u32 %r12, %nctaid.x; mad.lo.u32 %r10, %r11, %r12, %r10;
	mad.wide.u32 %rd2, %r10, 4, %rd1; setp.eq.u32 %p3, %r1, 0; @%p3 st.global.u32 [%rd2], ${register};`;

describe("special registers", () => {
  const digits = `
	mov.u32 %r4, %clusterid.x; mov.u32 %r5, %clusterid.y; mov.u32 %r6, %cluster_ctaid.x; mov.u32 %r7, %cluster_ctaid.y;
	mov.u32 %r8, %nclusterid.x; mov.u32 %r9, %cluster_nctaid.y;
	mad.lo.u32 %r4, %r4, 10, %r5; mad.lo.u32 %r4, %r4, 10, %r6; mad.lo.u32 %r4, %r4, 10, %r7;
	mad.lo.u32 %r4, %r4, 10, %r2; mad.lo.u32 %r4, %r4, 10, %r3; mad.lo.u32 %r4, %r4, 10, %r8; mad.lo.u32 %r4, %r4, 10, %r9;
	mov.pred %p1, %is_explicit_cluster; selp.u32 %r5, 1, 0, %p1; mad.lo.u32 %r4, %r4, 10, %r5;${STORE("%r4")}`;

  it("say where the block is, in two dimensions", async () => {
    const { values } = await run(module(digits), { grid: [4, 2], block: 1, cluster: [2, 2] }, 8);
    const expected = [0, 1].flatMap((y) =>
      [0, 1, 2, 3].map((x) => {
        const at = [x >> 1, 0, x & 1, y, 2 * y + (x & 1), 4, 2, 2, 1];
        return Number(at.join(""));
      }),
    );
    expect(values).toEqual(expected);
  });

  it("say that each block is a cluster without clusters, in both engines", async () => {
    for (const engine of ["interpreter", "webassembly"] as const) {
      const { values } = await run(module(digits), { grid: [2, 2], block: 1 }, 4, { engine });
      expect(values).toEqual(
        [1210, 1001210, 100001210, 101001210].map((_, i) => 10 ** 8 * (i & 1) + 10 ** 7 * (i >> 1) + 1210),
      );
    }
  });
});

/** Threads of a block get the word at their number from the block with the next rank. */
const ring = (access: string) => `
	mul.lo.u32 %r4, %r2, 100; add.u32 %r4, %r4, %r1; mad.wide.u32 %rd3, %r1, 4, 0; mov.u64 %rd4, cells; add.u64 %rd4, %rd4, %rd3;
	st.shared.u32 [%rd4], %r4; ${SYNC}
	add.u32 %r5, %r2, 1; rem.u32 %r5, %r5, %r3; ${access} ${SYNC}
	mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ntid.x; mad.lo.u32 %r10, %r10, %r11, %r1; mad.wide.u32 %rd2, %r10, 4, %rd1;
	st.global.u32 [%rd2], %r6;`;
const ringOf = (blocks: number, size: number, threads: number) =>
  Array.from(
    { length: blocks * threads },
    (_, i) => 100 * (((Math.floor(i / threads) % size) + 1) % size) + (i % threads),
  );

describe("the shared memory of other blocks", () => {
  it.each([
    ["generic addresses", "cvta.shared.u64 %rd5, %rd4; mapa.u64 %rd6, %rd5, %r5; ld.u32 %r6, [%rd6];"],
    [
      "addresses of shared::cluster",
      "mapa.shared::cluster.u64 %rd6, %rd4, %r5; ld.shared::cluster.u32 %r6, [%rd6];",
    ],
    [
      "32-bit addresses",
      "cvt.u32.u64 %r7, %rd4; mapa.shared::cluster.u32 %r8, %r7, %r5; ld.shared::cluster.u32 %r6, [%r8];",
    ],
    [
      "addresses that were converted",
      "mapa.shared::cluster.u64 %rd6, %rd4, %r5; cvta.shared::cluster.u64 %rd7, %rd6; ld.u32 %r9, [%rd7]; cvta.to.shared::cluster.u64 %rd8, %rd7; ld.shared::cluster.u32 %r6, [%rd8]; setp.ne.u32 %p1, %r6, %r9; @%p1 trap;",
    ],
    [
      "atomic operations",
      "mapa.shared::cluster.u64 %rd6, %rd4, %r5; atom.shared::cluster.add.u32 %r6, [%rd6], 5;",
    ],
  ])("is read through %s", async (_, access) => {
    for (const size of [1, 3]) {
      const { values, findings } = await run(module(ring(access)), { grid: 6, block: 4, cluster: size }, 24, {
        check: { memory: true, races: true, uninitialized: true, sync: true },
      });
      expect(values).toEqual(ringOf(6, size, 4));
      expect(findings).toEqual([]);
    }
  });

  it("is told by its rank", async () => {
    const access =
      "mapa.shared::cluster.u64 %rd6, %rd4, %r5; getctarank.shared::cluster.u64 %r6, %rd6; cvta.shared.u64 %rd5, %rd4; mapa.u64 %rd7, %rd5, %r5; getctarank.u64 %r7, %rd7; mad.lo.u32 %r6, %r6, 10, %r7; getctarank.u64 %r7, %rd5; mad.lo.u32 %r6, %r6, 10, %r7;";
    const { values } = await run(module(ring(access)), { grid: 2, block: 1, cluster: 2 }, 2);
    expect(values).toEqual([110, 1]);
  });

  it("is written for more blocks than run at the same time", async () => {
    const body = `mov.u64 %rd4, cells; setp.ne.u32 %p1, %r1, 0; @!%p1 st.shared.u32 [%rd4], 0; ${SYNC}
	mapa.shared::cluster.u64 %rd6, %rd4, 0; mov.u32 %r4, %ctaid.x; red.shared::cluster.add.u32 [%rd6], %r4; ${SYNC}
	ld.shared.u32 %r5, [%rd4];${STORE("%r5")}`;
    const { values } = await run(module(body, ".reqnctapercluster 3"), { grid: 600, block: 2 }, 600);
    const first = (block: number) => (block % 3 === 0 ? 2 * (3 * block + 3) : 0);
    expect(values).toEqual(Array.from({ length: 600 }, (_, block) => first(block)));
  });

  it("counts arrivals from other blocks at its barrier objects", async () => {
    const body = `mov.u64 %rd4, cells; setp.eq.u32 %p1, %r2, 0; @%p1 mbarrier.init.shared.b64 [%rd4], %r3; ${SYNC}
	mapa.shared::cluster.u64 %rd6, %rd4, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%rd6];
	mov.u32 %r6, 7; @!%p1 bra $L;
$W: mbarrier.try_wait.parity.shared.b64 %p2, [%rd4], 0; @!%p2 bra $W; mov.u32 %r6, 9;
$L: ${SYNC}${STORE("%r6")}`;
    const { values } = await run(module(body), { grid: 4, block: 1, cluster: 4 }, 4);
    expect(values).toEqual([9, 7, 7, 7]);
  });
});

describe("mistakes", () => {
  const fails = (body: string, shape: Shape = { grid: 2, block: 2, cluster: 2 }, directives = "") =>
    run(module(body, directives), shape, 16).then(
      () => "none",
      ({ code, message }: { code: string; message: string }) => `${code} ${message.replaceAll("\n", " ")}`,
    );

  it.each<[string, string, RegExp]>([
    [
      "a wait without an arrival",
      "barrier.cluster.wait;",
      /^TRAP .*`barrier.cluster.wait` without `barrier.cluster.arrive`/,
    ],
    [
      "two arrivals",
      "barrier.cluster.arrive; barrier.cluster.arrive;",
      /^TRAP .*`barrier.cluster.arrive` again without/,
    ],
    [
      "a rank that no block has",
      "mov.u64 %rd4, cells; mapa.shared::cluster.u64 %rd5, %rd4, 2;",
      /^TRAP .*the rank of a block of 2, found 2/,
    ],
    ["an address elsewhere", "mapa.u64 %rd5, %rd1, 0;", /^TRAP .*an address in shared memory, found 0x7f00/],
    [
      "an access beyond the memory",
      `mov.u64 %rd4, cells; ${SYNC} mapa.shared::cluster.u64 %rd5, %rd4, 1; ld.shared::cluster.u32 %r4, [%rd5+32];`,
      /^OUT_OF_BOUNDS .*found a load of 4 bytes at 0x2000020/,
    ],
    [
      "an access before the block has begun",
      "mov.u64 %rd4, cells; mapa.shared::cluster.u64 %rd5, %rd4, 1; ld.shared::cluster.u32 %r4, [%rd5];",
      /^TRAP .*block 1 of its cluster, which has not begun or has ended: synchronize the cluster/,
    ],
    [
      "threads that wait for each other",
      `setp.eq.u32 %p1, %r1, %r2; @%p1 bra $B; ${SYNC} bra $E;\n$B: bar.sync 0; ${SYNC}\n$E:`,
      /^DEADLOCK .*the barrier of its cluster/,
    ],
  ])("%s", async (_, body, message) => {
    expect(await fails(body)).toMatch(message);
  });

  it("threads that have exited are not waited for", async () => {
    const body = `setp.eq.u32 %p1, %r2, 1; @%p1 bra $E; ${SYNC} ${SYNC}\n$E: mov.u32 %r4, 1;${STORE("%r4")}`;
    expect((await run(module(body), { grid: 4, block: 3, cluster: 2 }, 4)).values).toEqual([1, 1, 1, 1]);
    const arrived = `barrier.cluster.arrive; setp.eq.u32 %p1, %r2, 1; @%p1 bra $E; barrier.cluster.wait; ${SYNC}\n$E: mov.u32 %r4, 1;${STORE("%r4")}`;
    expect((await run(module(arrived), { grid: 4, block: 3, cluster: 2 }, 4)).values).toEqual([1, 1, 1, 1]);
  });

  it.each<[Shape, string, string]>([
    [
      { grid: 3, block: 1, cluster: 2 },
      "",
      "expected a grid of clusters of 2 x 1 x 1 blocks, found 3 x 1 x 1",
    ],
    [
      { grid: 4, block: 1, cluster: 4 },
      ".reqnctapercluster 2",
      "expected clusters of 2 blocks, found 4 x 1 x 1",
    ],
    [{ grid: 32, block: 1, cluster: 32 }, "", "expected a whole number from 1 to 16 as cluster.x, found 32"],
    [
      { grid: 8, block: 1, cluster: 8 },
      ".maxclusterrank 4",
      "expected at most 4 blocks in a cluster, found 8",
    ],
    [{ grid: 8, block: 1 }, ".explicitcluster", "expected `cluster` for a kernel with `.explicitcluster`"],
    [{ grid: 8, block: 1, cluster: 0 }, "", "expected a whole number from 1 to 16 as cluster.x, found 0"],
    [
      { grid: 8, block: 1, cluster: [1, 1, 1, 1] as never },
      "",
      "expected `cluster` as a number, or as 1 to 3 of them, found 4",
    ],
  ])("%j %s", async (shape, directives, message) => {
    expect(await fails("", shape, directives)).toContain(`INVALID_ARGUMENT ${message}`);
  });

  it("WebAssembly leaves launches with clusters to the interpreter", async () => {
    await expect(
      run(module(""), { grid: 2, block: 1, cluster: 2 }, 1, { engine: "webassembly" }),
    ).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringContaining("found one that is launched with clusters"),
    });
  });
});
