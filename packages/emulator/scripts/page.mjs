// Uses the emulator in a web page, for the check of the packed package: a kernel with barriers, shuffles and a function
// that JavaScript computes in every engine, a launch that fails, and a heat map. Nothing here depends on Node.

import { EmulatedDevice } from "@mm-ptx/emulator";
import { annotatedListing, heatMap } from "@mm-ptx/emulator/view";

const THREADS = 64;
const BLOCKS = 8;
/** Thread t of a block writes 2 to the power of the value that thread t ^ 1 reads from the block's memory. */
const PTX = `.version 8.0
.target sm_75
.address_size 64
.visible .entry powers(.param .u64 out)
{
	.reg .b32 %r<10>;
	.reg .f32 %f<3>;
	.reg .b64 %rd<4>;
	.shared .align 4 .b8 tile[${4 * THREADS}];
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, tile;
	shl.b32 %r4, %r1, 2;
	add.u32 %r5, %r3, %r4;
	st.shared.u32 [%r5], %r1;
	bar.sync 0;
	xor.b32 %r4, %r4, ${4 * (THREADS - 1)};
	add.u32 %r6, %r3, %r4;
	ld.shared.u32 %r7, [%r6];
	shfl.sync.bfly.b32 %r8, %r7, 1, 31, -1;
	and.b32 %r8, %r8, 3;
	cvt.rn.f32.u32 %f1, %r8;
	ex2.approx.f32 %f2, %f1;
	mad.lo.u32 %r9, %r2, ${THREADS}, %r1;
	mul.wide.u32 %rd2, %r9, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.f32 [%rd3], %f2;
	ret;
}
`;

/**
 * @param {boolean} compiles whether the page may compile WebAssembly
 * @returns {Promise<boolean>} whether all results are as expected
 */
export default async function works(compiles) {
  const best = compiles ? "webassembly" : "interpreter";
  for (const [engine, expected] of /** @type {const} */ ([
    ["auto", best],
    ["interpreter", "interpreter"],
    [best, best],
  ])) {
    const device = EmulatedDevice.open({ engine });
    const kernel = device.load(PTX).kernel("powers");
    const out = device.allocateFloat32(BLOCKS * THREADS);
    const report = await device.stream.run(kernel, { grid: BLOCKS, block: THREADS }, [out]);
    const values = await out.read();
    if (report.engine !== expected) return false;
    if (!values.every((value, i) => value === 2 ** ((THREADS - 1 - (i ^ 1)) & 3))) return false;
  }
  return (await fails()) && (await shows());
}

async function fails() {
  const device = EmulatedDevice.open();
  const short = device.allocateFloat32(THREADS);
  device.stream.launch(device.load(PTX).kernel("powers"), { grid: 2, block: THREADS }, [short]);
  const error = await device.synchronize().catch((/** @type {unknown} */ found) => found);
  return String(error).includes("right after buffer 1");
}

async function shows() {
  const device = EmulatedDevice.open();
  const module = device.load(PTX);
  const out = device.allocateFloat32(THREADS);
  const options = { grid: 1, block: THREADS, counts: true };
  const { counts = [] } = await device.stream.run(module.kernel("powers"), options, [out]);
  const listing = annotatedListing(module.program, counts);
  return listing.includes("bar.sync 0") && heatMap(module.program, counts, "powers").startsWith("<svg");
}
