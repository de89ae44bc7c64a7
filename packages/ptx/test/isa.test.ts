// The architectures that there are.
import { expect, test } from "vitest";
import { ARCHITECTURES, architecture } from "../src/index.js";

test("names are data, with the number that a cubin's header has", () => {
  expect(ARCHITECTURES.map((each) => each.name).join(" ")).toBe(
    "sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103 sm_103a sm_103f " +
      "sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f",
  );
  expect(architecture("sm_100f")).toEqual({ name: "sm_100f", base: "sm_100", suffix: "f", elfNumber: 100 });
  expect(architecture("sm_70")).toBeUndefined();
});
