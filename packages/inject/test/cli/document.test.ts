// The sessions of documents print what they show. docs/ptxinject.md: its CMake project builds and rebuilds what it
// should, and its tables list all options.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codeBlocks } from "../../../../scripts/lib/markdown.mjs";
import { findOnPath } from "../../../../scripts/lib/tools.mjs";
import { SOAK } from "../../../../tests/support/counts.js";
import { runSessions } from "../../../../tests/support/sessions.js";
import { ROOT } from "../../../../tests/support/workspace.js";
import { buildProgram } from "../../src/cli/program.js";
import { CommandLine } from "../support/command-line.js";

const DOCUMENT = readFileSync(join(ROOT, "docs/ptxinject.md"), "utf8");

const BLOCKS = codeBlocks(DOCUMENT);

const has = (tool: string) => findOnPath([tool], process.env) !== undefined;

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine();
});
afterEach(() => line.remove());

function environment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...env } = process.env;
  return { ...env, PATH: `${line.path("node_modules/.bin")}:${env.PATH}` };
}

it.each(["ptxinject", "porting-a-program"])("the sessions of docs/%s.md print what they show", (name) => {
  const compiles = has("nvcc");
  // Commands that compile need nvcc.
  const runs = (command: string) => compiles || !command.includes(".ptx");
  line.install("bin/ptxinject");
  const { printed, shown } = runSessions(`docs/${name}.md`, line, runs);
  expect(printed).toBe(shown);
});

it("its tables have every option", () => {
  const options = buildProgram(() => {}).commands.flatMap((command) =>
    command.options.map(({ long }) => [command.name(), long]),
  );
  expect(options.length).toBeGreaterThan(10);
  const sections = DOCUMENT.split(/^(?=\| (?:option|`\w+))/m);
  const missing = options.filter(([command, long]) => {
    const table = sections.find((section) =>
      section.startsWith(command === "annotate" ? "| option" : `| \`${command}`),
    );
    return !table?.includes(`\`${long}`);
  });
  expect(missing).toEqual([]);
});

describe.each(SOAK ? ["Ninja", "Unix Makefiles"] : ["Unix Makefiles"])(
  "its CMake project, with %s",
  (generator) => {
    const TYPES = readFileSync(join(ROOT, "type_descriptions/inject_types.json"), "utf8");
    const KERNEL = BLOCKS.find(({ note }) => note === "kernels/scale.cu")!.code;

    /** The steps that a build reports. */
    function build(): string[] {
      const output = execFileSync("cmake", ["--build", "build"], {
        cwd: line.folder,
        env: environment(),
        encoding: "utf8",
      });
      return [...output.matchAll(/(?:Annotating|Compiling) \S+/g)].map(([what]) => what).sort();
    }

    it("builds what changed, and nothing else", ({ skip }) => {
      skip(
        !has("cmake") || !has(generator === "Ninja" ? "ninja" : "make"),
        "no CMake, Ninja or Make on PATH",
      );
      const compiled = (...names: readonly string[]) =>
        has("nvcc") ? names.map((name) => `Compiling ${name}.ptx`) : [];
      line.install("node_modules/.bin/ptxinject");
      line.write("CMakeLists.txt", BLOCKS.find(({ language }) => language === "cmake")!.code);
      line.write("kernels/scale.cu", KERNEL);
      line.write("kernels/sum.cu", KERNEL.replace("scale", "sum"));
      line.write("base.json", TYPES);
      line.write("types.json", '{ "abi_version": 1, "extends": ["./base.json"], "data_type_infos": [] }');
      execFileSync("cmake", ["-G", generator, "-B", "build"], {
        cwd: line.folder,
        env: environment(),
        stdio: "pipe",
      });

      const all = ["Annotating scale.cu", "Annotating sum.cu"];
      expect(build()).toEqual([...all, ...compiled("scale", "sum")]);
      expect(build()).toEqual([]);

      line.write("kernels/scale.cu", KERNEL.replace("threadIdx.x]", "threadIdx.y]"));
      expect(build()).toEqual(["Annotating scale.cu", ...compiled("scale")]);
      expect(build()).toEqual([]);

      // The register type is in the text of both outputs.
      line.write(
        "base.json",
        TYPES.replace('"name": "f32", "register_type": "f32"', '"name": "f32", "register_type": "b32"'),
      );
      expect(build()).toEqual([...all, ...compiled("scale", "sum")]);
      expect(build()).toEqual([]);

      // A type that no kernel uses changes no output.
      line.write(
        "base.json",
        TYPES.replace('"name": "b32"', '"name": "word"').replace(
          '"name": "f32", "register_type": "f32"',
          '"name": "f32", "register_type": "b32"',
        ),
      );
      expect(build()).toEqual(all);
    });
  },
);
