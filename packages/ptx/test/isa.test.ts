// The table of architectures and what is computed from it. packages/cuda compares it with the compiler.
import { describe, expect, test } from "vitest";
import {
  ARCHITECTURES,
  architecture,
  architectureFor,
  architectureName,
  comparePtxVersions,
  compilesFor,
  family,
  hasFeaturesOf,
  leastPtxVersion,
  PTX_VERSIONS,
  ptxTarget,
  runsOn,
  TARGETS,
} from "../src/index.js";

const names = ARCHITECTURES.map(({ name }) => name);

test("names, oldest first", () => {
  expect(names.join(" ")).toBe(
    "sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103 sm_103a sm_103f " +
      "sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f",
  );
  expect(
    TARGETS.map(({ name }) => name)
      .filter((name) => !names.includes(name))
      .join(" "),
  ).toBe(
    "sm_10 sm_11 sm_12 sm_13 sm_20 sm_21 sm_30 sm_32 sm_35 sm_37 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62 sm_70 sm_72 " +
      "sm_82 sm_101 sm_101a sm_101f",
  );
  const numbers = TARGETS.map(({ number }) => number);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
});

test("the row of an architecture as callers see it", () => {
  expect(architecture("sm_103f")).toEqual({
    name: "sm_103f",
    base: "sm_103",
    suffix: "f",
    number: 103,
    family: "sm_100",
    leastPtxVersion: "8.8",
  });
  expect(architecture("sm_70")).toBeUndefined();
  expect(ptxTarget("sm_70")?.number).toBe(70);
  expect(ptxTarget("sm_990")).toBeUndefined();
  expect(architectureName(90)).toBe("sm_90");
});

test("the families and versions of all rows are in the table", () => {
  for (const each of TARGETS) {
    expect(ptxTarget(each.family)?.family).toBe(each.family);
    expect(PTX_VERSIONS).toContain(each.leastPtxVersion);
  }
});

describe("families", () => {
  test.each([
    ["sm_75", "sm_70"],
    ["sm_89", "sm_80"],
    ["sm_87", "sm_87"],
    ["sm_90a", "sm_90"],
    ["sm_103f", "sm_100"],
    ["sm_101", "sm_110"],
    ["sm_121", "sm_120"],
    ["sm_73", "sm_70"],
    ["sm_104a", "sm_100"],
    ["sm_990", "sm_990"],
    ["sm_991", "sm_990"],
  ])("%s is in the family of %s", (name, first) => expect(family(name)).toBe(first));

  test.each(["", "90", "sm90", "sm_", "sm_9", "sm_90b", "compute_90"])(
    "%o is not an architecture",
    (name) => {
      expect(family(name)).toBeUndefined();
      expect(runsOn(name, name)).toBe(false);
      expect(compilesFor(name, "sm_90")).toBe(false);
      expect(compilesFor("sm_75", name)).toBe(false);
      expect(hasFeaturesOf(name, "sm_75")).toBe(false);
    },
  );
});

const DEVICES = names.filter((name) => architecture(name)!.suffix === "");

test.each([
  ["sm_75", "sm_75"],
  ["sm_80", "sm_80 sm_86 sm_88 sm_89"],
  ["sm_86", "sm_86 sm_88 sm_89"],
  ["sm_87", "sm_87"],
  ["sm_90", "sm_90"],
  ["sm_90a", "sm_90"],
  ["sm_100", "sm_100 sm_103"],
  ["sm_100a", "sm_100"],
  ["sm_100f", "sm_100 sm_103"],
  ["sm_103f", "sm_103"],
  ["sm_120", "sm_120 sm_121"],
  ["sm_70", "sm_75"],
])("machine code for %s runs on %s", (code, devices) => {
  expect(DEVICES.filter((device) => runsOn(code, device)).join(" ")).toBe(devices);
});

test.each([
  ["sm_90", names.slice(names.indexOf("sm_90")).join(" ")],
  ["sm_90a", "sm_90a"],
  ["sm_100f", "sm_100 sm_100a sm_100f sm_103 sm_103a sm_103f"],
  ["sm_101a", "sm_110a"],
  ["sm_101f", "sm_110 sm_110a sm_110f"],
  ["sm_52", names.join(" ")],
  ["sm_990", ""],
])("PTX for %s compiles for %s", (target, archs) => {
  expect(names.filter((name) => compilesFor(target, name)).join(" ")).toBe(archs);
});

test.each([
  ["sm_90", "sm_100", true],
  ["sm_100", "sm_90", false],
  ["sm_90a", "sm_90", false],
  ["sm_90", "sm_90a", true],
  ["sm_90a", "sm_100a", false],
  ["sm_100f", "sm_103", false],
  ["sm_100f", "sm_103a", true],
  ["sm_100f", "sm_103f", true],
  ["sm_100f", "sm_120f", false],
  ["sm_90", "sm_990", true],
])("what %s has is available to PTX for %s: %o", (least, target, has) => {
  expect(hasFeaturesOf(target, least)).toBe(has);
});

test.each([
  ["sm_90", undefined, "sm_90"],
  ["sm_90", "sm_75", "sm_90"],
  ["sm_90", "sm_90a", "sm_90a"],
  ["sm_91", "sm_90a", "sm_90"],
  ["sm_103", "sm_100f", "sm_103f"],
  ["sm_103", "sm_100a", "sm_103"],
  ["sm_104", "sm_100f", "sm_103f"],
  ["sm_104", "sm_104a", "sm_103"],
  ["sm_120", "sm_100f", "sm_120"],
  ["sm_110", "sm_101a", "sm_110a"],
  ["sm_87", undefined, "sm_87"],
  ["sm_990", "sm_75", undefined],
  ["sm_70", "sm_70", undefined],
])("for device %s, PTX for %s compiles as %s", (device, target, name) => {
  expect(architectureFor(device, target)?.name).toBe(name);
});

test("versions of the PTX ISA, their order, and the least one of a target", () => {
  expect(PTX_VERSIONS.join(" ")).toBe(
    "1.0 1.1 1.2 1.3 1.4 1.5 2.0 2.1 2.2 2.3 3.0 3.1 3.2 4.0 4.1 4.2 4.3 5.0 5.1 6.0 6.1 6.2 6.3 6.4 6.5 " +
      "7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 9.0",
  );
  expect([...PTX_VERSIONS].reverse().sort(comparePtxVersions)).toEqual(PTX_VERSIONS);
  expect(comparePtxVersions("7.10", "7.8")).toBeGreaterThan(0);
  expect(comparePtxVersions("8.0", "8.0")).toBe(0);
  expect(leastPtxVersion("sm_100f")).toBe("8.8");
  expect(leastPtxVersion("sm_990")).toBeUndefined();
});
