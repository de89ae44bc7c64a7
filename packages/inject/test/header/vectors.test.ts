// Sources that include the header of mm-ptx 1.1.1 have the same sites with ours. One file with all sources is compiled for a
// standard, because starting a compiler takes longer than compiling them; each source has a namespace and kernels of its
// own in it, and its macros end with it. The full counts also compile every source alone.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { type Compiled, NVRTC, nvcc, nvrtc } from "../support/header-compilers.js";
import { hasTool } from "../support/helpers.js";

interface Site {
  readonly markers: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface Case {
  readonly id: number;
  readonly about: string;
  readonly options: readonly string[];
  readonly source: string;
  readonly result: "ok" | "error";
  /** The reference fails, but may as well have compiled it. */
  readonly may_accept?: boolean;
  readonly sites?: readonly Site[];
}

const file = new URL("../vectors/header.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: readonly Case[] };

const STANDARDS = ["c++11", "c++14", "c++17", "c++20"];
/** Those that every run compiles for. */
const QUICK = ["c++11"];
const INCLUDE = "#include <ptx_inject.h>\n";
/** This macro counts at the first include only. */
const FIRST = "PTX_INJECT_NO_DEFAULT_TYPES";

const accepted = cases.filter(({ result }) => result === "ok");
const refused = cases.filter(({ result, may_accept }) => result === "error" && may_accept !== true);
const canJoin = ({ source }: Case): boolean => !source.includes(FIRST);

/** The options that define macros, as the beginning of a source. */
const defined = (options: readonly string[]): string =>
  options
    .flatMap((option) => (/^-D(\w+)=(.*)$/.exec(option) ?? []).slice(1, 3).join(" ") || [])
    .map((words) => `#define ${words}\n`)
    .join("");

/** One of the sources in a file with others. */
function joined({ id, options, source }: Case): string {
  const text = defined(options) + source.replaceAll(INCLUDE, "");
  const own = text.replace(/\bk(\d?)(?=\(float\* o\))/g, `case_${id}_k$1`);
  const macros = [...text.matchAll(/^#define (\w+)/gm)].map(([, name]) => `#undef ${name}\n`);
  return `namespace case_${id} {\n${own}}\n${macros.join("")}`;
}

/** The sites of PTX by kernel, in order. */
function sitesOf(ptx: string): Map<string, Site[]> {
  const sites = new Map<string, Site[]>();
  for (const [, kernel, body] of ptx.matchAll(/\.entry (\w+)\(([\s\S]*?)\n\}\n/g)) {
    const blocks = body!.matchAll(/\/\/ begin inline asm\n([\s\S]*?)\/\/ end inline asm/g);
    const own = [...blocks].flatMap(([, block]) => siteOf(block!.split("\n").map((line) => line.trim())));
    sites.set(kernel!, own);
  }
  return sites;
}

function siteOf(lines: readonly string[]): Site[] {
  const start = lines.findIndex((line) => line.startsWith("// PTX_INJECT_START"));
  const end = lines.indexOf("// PTX_INJECT_END");
  if (start === -1) return [];
  const around = (part: readonly string[]): string[] =>
    part.filter((line) => !["", "{", "}"].includes(line)).map(withoutOwn);
  return [
    {
      markers: lines.slice(start, end + 1),
      before: around(lines.slice(0, start)),
      after: around(lines.slice(end + 1)),
    },
  ];
}

/** A move with the compiler's registers and immediates as `*`. */
const withoutOwn = (line: string): string =>
  line.replace(
    /^(mov\.\w+) (\S+), (\S+);$/,
    (_, mov: string, to: string, from: string) => `${mov} ${shown(to)}, ${shown(from)};`,
  );

const shown = (operand: string): string => (operand.startsWith("%_x") ? operand : "*");

const COMPILERS: Record<string, { has: boolean; run(source: string, standard: string): Compiled }> = {
  nvcc: {
    has: hasTool("nvcc"),
    run: (source, standard) => nvcc(source, "-arch=compute_80", `-std=${standard}`),
  },
  NVRTC: {
    has: NVRTC !== undefined && hasTool("python3"),
    run: (source, standard) => nvrtc(source, "--gpu-architecture=compute_80", `--std=${standard}`),
  },
};

test("the file has its 88 cases", () => {
  expect(cases).toHaveLength(88);
  expect([accepted.length, refused.length]).toEqual([76, 6]);
});

describe.each(Object.entries(COMPILERS))("%s", (_, { has, run }) => {
  describe.skipIf(!has)("has the sites of mm-ptx 1.1.1", { timeout: 600_000 }, () => {
    test.each(SOAK ? STANDARDS : QUICK)("in one file, %s", (standard) => {
      const together = accepted.filter(canJoin);
      const { status, log, ptx } = run(INCLUDE + together.map(joined).join(""), standard);
      expect(status, log).toBe(0);
      const found = sitesOf(ptx);
      for (const { id, about, sites } of together) {
        const own = [...found].flatMap(([kernel, list]) => (kernel.startsWith(`case_${id}_`) ? list : []));
        expect(own, `${id} ${about}`).toEqual(sites);
      }
    });

    test.each(accepted.filter((one) => !canJoin(one)))("alone, $id $about", ({ source, sites }) => {
      const { status, log, ptx } = run(source, QUICK[0]!);
      expect(status, log).toBe(0);
      expect([...sitesOf(ptx).values()].flat()).toEqual(sites);
    });

    test("and refuses what it refuses", () => {
      const together = refused.filter(canJoin);
      const source = INCLUDE + together.map(joined).join("");
      const { status, log } = run(source, QUICK[0]!);
      expect(status).not.toBe(0);
      const lines = source.split("\n");
      const failed = [...log.matchAll(/source\.cu[(:](\d+)\S*: error/g)].map(([, line]) => Number(line));
      for (const { id, about } of together) {
        const first = lines.indexOf(`namespace case_${id} {`) + 1;
        const last =
          lines.indexOf(
            "}",
            lines.findIndex((line) => line.includes(`case_${id}_k`)),
          ) + 1;
        expect(
          failed.some((line) => first <= line && line <= last),
          `${id} ${about}\n${log}`,
        ).toBe(true);
      }
    });

    test.skipIf(!SOAK).each(STANDARDS)("each of them alone, %s", (standard) => {
      for (const { id, about, options, source, result, may_accept, sites } of cases) {
        const { status, log, ptx } = run(defined(options) + source, standard);
        const what = `${id} ${about}\n${log}`;
        if (result === "ok" || may_accept !== true) expect(status === 0, what).toBe(result === "ok");
        if (result === "ok") expect([...sitesOf(ptx).values()].flat(), what).toEqual(sites);
      }
    });
  });
});
