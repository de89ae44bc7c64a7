// Hints for mistakes in generated PTX. Each file of `hints/` is PTX that the compiler refuses, named by its
// cause and architecture; the whole message is beside it. `UPDATE_GOLDENS=1` rewrites the messages.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { ARCHITECTURES, PTX_VERSIONS } from "@mm-ptx/ptx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { hintsDocument } from "../../scripts/hints-document.mjs";
import { PtxCompileError, PtxCompiler } from "../../src/index.js";
import { causeOf, hintOf, primaryOf } from "../../src/ptx/causes.js";
import { parseDiagnostics } from "../../src/ptx/diagnostics.js";
import { type FailedPlace, FailedText } from "../../src/ptx/failed-text.js";
import { CAUSES } from "../../src/ptx/hints.js";
import { ARCHITECTURE_FEATURES } from "../../src/ptx/hints-targets.js";
import { BACKENDS } from "../support/backends.js";

const FOLDER = new URL("hints/", import.meta.url);
const files = readdirSync(FOLDER);
const texts = files.filter((file) => file.endsWith(".ptx"));
const goldenOf = (file: string): string => file.replace(/\.ptx$/, ".txt");

const NOWHERE: FailedPlace = {
  line: undefined,
  column: undefined,
  stubLine: undefined,
  describe: undefined,
  stubs: () => [],
};

/** Causes that no backend here can produce, with the compiler's message. */
const UNREACHED: Readonly<Record<string, string>> = {
  "too-much": "ptxas error   : Entry function 'k' uses too much local data (0x90000 bytes, 0x80000 max)",
  memory: "ptxas fatal   : Memory allocation failure",
  option: "ptxas fatal   : Value 'sm_999' is not defined for option 'gpu-name'",
  "not-ascii": "ptxas fatal   : Unexpected non-ASCII character encountered on line 28",
  // The library only warns; ptxas refuses it.
  "addresses-of-32-bits": "ptxas fatal   :  32-Bit compilation is no longer supported ",
};

/** Mistakes that the linker finds itself: it does not know the line, or what sort of symbol it misses. */
const LINKED_OTHERWISE = new Set(["no-version", "extern-function"]);

test("every cause has its PTX, and every PTX its message", () => {
  const causes = new Set(texts.map((file) => file.split(".", 1)[0]!));
  expect([...causes, ...Object.keys(UNREACHED)].sort()).toEqual(CAUSES.map(({ name }) => name).sort());
  const goldens = files.filter((file) => !file.endsWith(".ptx")).sort();
  if (process.env.UPDATE_GOLDENS !== "1") expect(goldens).toEqual(texts.map(goldenOf).sort());
});

describe.each(BACKENDS)("backend %s", (backend) => {
  let compiler: PtxCompiler;
  beforeAll(() => {
    compiler = new PtxCompiler({ arch: "sm_80", backend, cache: false, workers: 1 });
  });
  afterAll(() => compiler.dispose());

  test.each(texts)("%s", async (file) => {
    const [cause, , arch] = file.split(".") as [string, string, string];
    const ptx = readFileSync(new URL(file, FOLDER), "utf8");
    const error: unknown = await compiler.compile({ ptx, arch }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PtxCompileError);
    const { code, message, hint, diagnostics } = error as PtxCompileError;
    expect(causeOf(primaryOf(diagnostics)!)?.name).toBe(cause);
    expect(hint).toBeDefined();
    expect(message.split("\n").at(-1)).toBe(`hint: ${hint}`);
    const said = `${code}\n${message}\n`;
    const golden = new URL(goldenOf(file), FOLDER);
    if (backend === "nvjitlink" && LINKED_OTHERWISE.has(cause)) {
      expect(readFileSync(golden, "utf8")).toContain(`\nhint: ${hint}\n`);
      return;
    }
    if (process.env.UPDATE_GOLDENS === "1") writeFileSync(golden, said);
    expect(said).toBe(readFileSync(golden, "utf8"));
  });

  // Every compiler that there is says so in a soak.
  test.runIf(SOAK || backend === BACKENDS[0])(
    "versions and targets are those that the compiler accepts",
    async () => {
      const codesOf = async (jobs: readonly (readonly [version: string, arch: string, body: string])[]) => {
        const results = await compiler.compileAll(
          jobs.map(([version, arch, body]) => ({
            ptx: `.version ${version}\n.target ${arch}\n.address_size 64\n.entry k() { ${body} ret; }\n`,
            arch,
          })),
        );
        return results.map((result) => (result.ok ? "ok" : result.error.code));
      };
      const least = ARCHITECTURES.map(({ name, leastPtxVersion }) => [name, leastPtxVersion] as const);
      const enough = await codesOf(least.map(([arch, version]) => [version, arch, ""]));
      expect(enough).toEqual(enough.map(() => "ok"));
      const before = await codesOf(
        least.map(([arch, version]) => [PTX_VERSIONS[PTX_VERSIONS.indexOf(version) - 1]!, arch, ""]),
      );
      expect(before).toEqual(before.map(() => "VERSION_TOO_LOW"));
      const examples: Readonly<Record<keyof typeof ARCHITECTURE_FEATURES, string>> = {
        wgmma: "wgmma.fence.sync.aligned;",
        setmaxnreg: "setmaxnreg.inc.sync.aligned.u32 40;",
        tcgen05: "tcgen05.fence::before_thread_sync;",
        "redux.f32": ".reg .f32 %f; mov.f32 %f, 1.0; redux.sync.min.f32 %f, %f, -1;",
      };
      for (const [feature, targets] of Object.entries(ARCHITECTURE_FEATURES)) {
        const all = least.map(([arch]) => arch);
        const found = await codesOf(all.map((arch) => ["9.0", arch, examples[feature]!]));
        expect(all.filter((_, i) => found[i] === "ok")).toEqual(targets);
      }
    },
  );
});

test("docs/hints.md is generated from the table", () => {
  const document = new URL("../../../../docs/hints.md", import.meta.url);
  expect(readFileSync(document, "utf8")).toBe(hintsDocument(CAUSES));
});

test.each(Object.entries(UNREACHED))("%s", (name, log) => {
  const [diagnostic] = parseDiagnostics(log);
  const text = new FailedText("", "sm_80", NOWHERE);
  expect(causeOf(diagnostic!)?.name).toBe(name);
  expect(hintOf(diagnostic!, text)).toBe(CAUSES.find((cause) => cause.name === name)?.hint);
});

test("names of the maximum length change neither code nor hint", () => {
  const name = "a".repeat(60_000);
  const text = new FailedText("", "sm_80", NOWHERE);
  for (const [cause, message] of [
    ["unresolved", `Unresolved extern function '${name}'`],
    ["shared", `Entry function '${name}' uses too much shared data (0x493e0 bytes, 0xc000 max)`],
  ] as const) {
    const diagnostic = { severity: "error", message } as const;
    const short = { severity: "error", message: message.replace(name, "a") } as const;
    expect(causeOf(short), cause).toBeDefined();
    expect(causeOf(diagnostic)).toBe(causeOf(short));
    expect(hintOf(diagnostic, text)).toBe(hintOf(short, text)!.replace("`a`", `\`${name.slice(0, 400)}…\``));
  }
});
