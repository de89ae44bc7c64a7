// What a PTX module says about itself, and the architectures that there are.

import { describe, expect, test } from "vitest";
import { ARCHITECTURES, architecture, readDirectives } from "../src/index.js";

describe("readDirectives", () => {
  test("reads version, target and entries", () => {
    const ptx =
      ".version 9.0\n.target sm_90a, debug\n.address_size 64\n.visible .entry first(\n)\n{ ret; }\n.entry $second() { ret; }";
    const module = readDirectives(ptx);
    expect(module).toMatchObject({ version: "9.0", target: "sm_90a", targetOptions: ["debug"] });
    expect(module.entries.map((entry) => entry.name)).toEqual(["first", "$second"]);
    for (const { name, span } of module.entries) expect(ptx.slice(span.start, span.end)).toBe(name);
  });

  test("comments and strings are no directives, and may stand between the words of one", () => {
    const ptx =
      '// .version 1.0\n/* .entry a() */ .version /* x */ 7.5\n.target // y\n sm_75\n.pragma ".entry b()";\n.entry\n// .entry c\n real() {}';
    expect(readDirectives(ptx)).toMatchObject({ version: "7.5", target: "sm_75" });
    expect(readDirectives(ptx).entries.map((entry) => entry.name)).toEqual(["real"]);
  });

  test("a text that is no PTX has nothing", () => {
    for (const text of ["", "hello", ".version", ".entry /*", '"']) {
      expect(readDirectives(text)).toEqual({ targetOptions: [], entries: [] });
    }
  });

  test("longer directives of the same beginning are others", () => {
    expect(readDirectives(".entry_point x .versions 2 .target.y z").entries).toEqual([]);
  });
});

describe("ARCHITECTURES", () => {
  test("names are data, with the number that a cubin's header has", () => {
    expect(ARCHITECTURES.map((each) => each.name).join(" ")).toBe(
      "sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103 sm_103a sm_103f " +
        "sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f",
    );
    expect(architecture("sm_100f")).toEqual({ name: "sm_100f", base: "sm_100", suffix: "f", elfNumber: 100 });
    expect(architecture("sm_70")).toBeUndefined();
  });
});
