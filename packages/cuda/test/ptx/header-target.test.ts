// The `.target` of PTX is found wherever the header has it, and the module is compiled for it.

import { readModule } from "@mm-ptx/ptx";
import { expect, test } from "vitest";
import { imageOf } from "../../src/driver/image.js";
import { headerTarget } from "../../src/ptx/header-target.js";

const BODY = "\n.visible .entry k() { ret; }\n";
const LONG = "// a long comment\n".repeat(1000);

const HEADERS: Readonly<Record<string, string>> = {
  "on lines of its own": ".version 8.0\n.target sm_90a\n.address_size 64",
  "on the line of `.version`": ".version 8.0 .target sm_90a .address_size 64",
  "after a comment on its line": ".version 8.0\n/* x */ .target sm_90a",
  "after a block comment with another": "/*\n.target sm_75\n*/\n.version 8.0\n.target sm_90a",
  "after a line comment with another": ".version 8.0\n//\t.target sm_75\n.target sm_90a",
  "before its name on another line": ".version 8.0\n.target\n  sm_90a, debug",
  "after a long comment": `${LONG}.version 8.0\n.target sm_90a`,
};

test.each(Object.entries(HEADERS))("`.target` %s", (_, header) => {
  const ptx = header + BODY;
  expect(headerTarget(ptx)).toBe("sm_90a");
  expect(readModule(ptx, { tolerant: true }).target).toBe("sm_90a");
  expect(imageOf(ptx, {}, "sm_90")).toEqual({ ptx, arch: "sm_90a" });
});

test("`.target` wherever the part of the text that is read ends", () => {
  for (let blanks = 2000; blanks < 2060; blanks++) {
    expect(headerTarget(`${" ".repeat(blanks)}.version 8.0\n.target sm_90a${BODY}`)).toBe("sm_90a");
  }
});

test("a text without a header has no `.target`", () => {
  for (const ptx of [
    "",
    ".version 8.0",
    ".target",
    `.version 8.0${BODY}.target sm_90a`,
    "/* .target sm_75",
  ]) {
    expect(headerTarget(ptx)).toBeUndefined();
  }
});
