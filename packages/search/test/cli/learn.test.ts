// `mm-ptx-search learn` on a wrong command line.
import { capabilities } from "@mm-ptx/cuda";
import { afterAll, expect, it } from "vitest";
import { SearchFolder } from "./folder.js";

const folder = new SearchFolder();
afterAll(() => folder.remove());

it.skipIf(!capabilities().backends.some(({ available }) => available))(
  "names wrong options as flags, and ends with 2",
  async () => {
    const { code, stdout, stderr } = await folder.run(["learn", "--arch", "sm_91"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: option `--arch`: expected one of sm_75, .*, found `sm_91`/);
  },
);
