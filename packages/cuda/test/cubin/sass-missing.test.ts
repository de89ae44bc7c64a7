// A machine without a disassembler: the error has every place that was searched, and a remedy.

import { expect, test, vi } from "vitest";
import { disassembleSass } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { compiled, ptxFile } from "../support/cubins.js";

vi.mock("../../src/toolkit/find.js", async (original) => ({
  ...(await original<object>()),
  findTool: (name: string) => ({
    found: undefined,
    tried: [{ place: `/opt/${name}`, outcome: "not there" }],
  }),
}));

test.runIf(BACKENDS.length > 0)("disassembly is UNAVAILABLE", async () => {
  const { cubin } = await compiled(ptxFile("rich"), "sm_90");
  await expect(disassembleSass(cubin)).rejects.toMatchObject({
    name: "CubinError",
    code: "UNAVAILABLE",
    what: "tool",
    message: `expected nvdisasm or cuobjdump, found none:
  - /opt/nvdisasm: nvdisasm: not there
  - /opt/cuobjdump: cuobjdump: not there
put nvdisasm of a CUDA toolkit on PATH, or name it in MM_PTX_NVDISASM (in a clone: \`npm run setup -- --with nvdisasm\`)`,
  });
});
