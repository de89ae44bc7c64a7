// The table of architectures in @mm-ptx/ptx agrees with the compiler.

import { ARCHITECTURES, comparePtxVersions, compilesFor, PTX_VERSIONS, TARGETS } from "@mm-ptx/ptx";
import { expect, test } from "vitest";
import { capabilities, PtxCompiler } from "../../src/index.js";
import { IN_PROCESS } from "../support/backends.js";

const NEWEST = PTX_VERSIONS.at(-1)!;
const names = ARCHITECTURES.map(({ name }) => name);
const emptyKernel = (target: string, version = NEWEST): string =>
  `.version ${version}\n.target ${target}\n.visible .entry k() { ret; }\n`;

/** An architecture that PTX for the target compiles for, so that only the version can be wrong. */
const archOf = (target: string): string => names.find((name) => compilesFor(target, name))!;

async function compiled(
  jobs: readonly { readonly ptx: string; readonly arch: string }[],
): Promise<boolean[]> {
  using compiler = new PtxCompiler({ arch: "sm_121", backend: "in-process", cache: false });
  return (await compiler.compileAll(jobs)).map(({ ok }) => ok);
}

test.runIf(IN_PROCESS)("the compiler accepts the versions of the table", () => {
  expect(capabilities().ptxVersions).toEqual(PTX_VERSIONS);
});

test.runIf(IN_PROCESS)("the compiler accepts the targets of the table and no others", async () => {
  const last = TARGETS.at(-1)!.number;
  const numbers = Array.from({ length: last + 20 }, (_, i) => i + 1);
  const candidates = numbers.map((number) => `sm_${number}`);
  const found = await compiled(candidates.map((target) => ({ ptx: emptyKernel(target), arch: "sm_121" })));
  expect(candidates.filter((_, i) => found[i])).toEqual(
    TARGETS.filter(({ suffix }) => suffix === "").map(({ name }) => name),
  );
});

test.runIf(IN_PROCESS)("a target needs the version of its row", async () => {
  const before = (version: string): string | undefined => PTX_VERSIONS[PTX_VERSIONS.indexOf(version) - 1];
  const jobs = TARGETS.flatMap(({ name, leastPtxVersion }) =>
    [leastPtxVersion, before(leastPtxVersion)].flatMap((version) =>
      version === undefined ? [] : [{ name, version, ptx: emptyKernel(name, version), arch: archOf(name) }],
    ),
  );
  const found = await compiled(jobs);
  for (const [i, { name, version }] of jobs.entries()) {
    const isEnough =
      comparePtxVersions(version, TARGETS.find((each) => each.name === name)!.leastPtxVersion) >= 0;
    expect([name, version, found[i]]).toEqual([name, version, isEnough]);
  }
});

test.runIf(IN_PROCESS)("a target compiles for the architectures that the table says", async () => {
  const jobs = TARGETS.flatMap((target) =>
    ARCHITECTURES.filter((arch) => isNear(target.number, arch.number)).map(({ name }) => ({
      target: target.name,
      ptx: emptyKernel(target.name),
      arch: name,
    })),
  );
  const found = await compiled(jobs);
  const wrong = jobs.filter(({ target, arch }, i) => compilesFor(target, arch) !== found[i]);
  expect(wrong.map(({ target, arch }) => `${target} for ${arch}`)).toEqual([]);
});

const ROWS = [...new Set(TARGETS.map(({ number }) => number))];

/** Whether rows are at most two apart: the answers change there, and trying all pairs takes long. */
const isNear = (target: number, arch: number): boolean =>
  Math.abs(ROWS.indexOf(target) - ROWS.indexOf(arch)) <= 2;
