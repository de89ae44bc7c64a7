// A reduction that fails ends the run: its programs did nothing wrong.
import { EmulatedDevice } from "@mm-ptx/emulator";
import { expect, it } from "vitest";
import { type ReductionOptions, reduction } from "../../src/index.js";
import { collect, times, withPipeline } from "../support/kernel.js";

const ptxWith = (body: string): string => `.version 6.4
.target sm_75
.address_size 64
.visible .entry mine(.param .u64 scores)
{
	${body}
	ret;
}
`;
const OPTIONS: ReductionOptions = {
  ptx: ptxWith(""),
  kernel: "mine",
  grid: () => 1,
  block: 1,
  args: ({ scores }) => [scores],
  scores: Float32Array,
};
const noArguments = () => {
  throw new Error("no arguments");
};

it.each<[string, Partial<ReductionOptions>, string]>([
  ["has mistakes in its PTX", { ptx: ptxWith("rat;") }, "expected an instruction, found `rat`"],
  [
    "has no such kernel",
    { kernel: "yours" },
    "expected kernel `yours` in the PTX of `reduction`, found none",
  ],
  ["traps", { ptx: ptxWith("trap;") }, "found the kernel executed `trap`"],
  ["has no arguments", { args: noArguments }, "`args` of `reduction` threw: no arguments"],
  ["has too many threads", { block: 4096 }, "4096"],
])("a reduction that %s ends the run", async (_, options, message) => {
  const device = EmulatedDevice.open({ memoryBytes: 2 ** 24 });
  await withPipeline({ device, read: reduction({ ...OPTIONS, ...options }) }, async (pipeline) => {
    await expect(collect(pipeline.run([times(1), times(2)]))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining(message),
    });
  });
});
