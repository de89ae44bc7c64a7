// `completion`: the scripts complete commands, options, their values and files in the real shells. A shell that is not
// installed is left out.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOnPath } from "../../../scripts/lib/tools.mjs";
import { ProgramFolder } from "../../../tests/support/command-line.js";
import { describeAll, withSubcommands } from "../src/cli/described.js";
import { PACKAGE_COMMANDS } from "../src/cli/packages.js";
import { buildProgram } from "../src/cli/program.js";
import { SHELLS } from "../src/cli/shells/names.js";
import { Installation, MAIN } from "./support/installation.js";

const execute = promisify(execFile);

let program: ProgramFolder;
beforeAll(async () => {
  program = new ProgramFolder(MAIN);
  program.write("a b.ptx", "");
  program.write("kernel.ptx", "");
  program.write("notes.txt", "");
  for (const shell of SHELLS)
    program.write(`${shell}.script`, (await program.run(["completion", shell])).stdout);
});
afterAll(() => program.remove());

const FILES = ["a b.ptx", "bash.script", "fish.script", "kernel.ptx", "notes.txt", "zsh.script"];
const COMMANDS = ["init", "completion", "help", "man", ...PACKAGE_COMMANDS.map(({ name }) => name)];

/** A line without its last word, the beginning of that word, and its completions. */
const CASES: readonly (readonly [line: string, word: string, completions: readonly string[]])[] = [
  ["mm-ptx", "", COMMANDS],
  ["mm-ptx", "comp", ["compile", "completion"]],
  ["mm-ptx --json", "doc", ["doctor"]],
  ["mm-ptx types", "", ["check", "diff", "generate", "list", "python-exporter", "schema"]],
  ["mm-ptx types schema", "", ["ast", "inject", "stack"]],
  ["mm-ptx types generate --lang", "", ["c", "js", "python", "typescript"]],
  ["mm-ptx compile", "--ef", ["--effort"]],
  ["mm-ptx compile --effort", "", ["balanced", "draft", "final"]],
  ["mm-ptx compile --arch", "sm_8", ["sm_80", "sm_86", "sm_87", "sm_88", "sm_89"]],
  ["mm-ptx compile --workers", "", []],
  ["mm-ptx compile", "k", ["kernel.ptx"]],
  ["mm-ptx compile --effort draft --out", "n", ["notes.txt"]],
  ["mm-ptx inspect", "", FILES],
  ["mm-ptx cache", "", ["clear", "stats", "verify"]],
  ["mm-ptx emulate --engine", "", ["auto", "interpreter", "webassembly"]],
  ["mm-ptx emulate", "k", ["kernel.ptx"]],
  ["mm-ptx emulate run --check", "le", ["leaks"]],
  ["mm-ptx inject render --missing", "", ["empty", "error"]],
  ["mm-ptx pipeline run --pack", "", ["auto", "none"]],
  ["mm-ptx search demo", "g", ["gelu"]],
  ["mm-ptx search bench", "ng", ["nguyen", "nguyen-constants"]],
  ["mm-ptx completion", "", ["bash", "fish", "zsh"]],
  ["mm-ptx completion bash", "", []],
  ["mm-ptx help", "comp", ["compile", "completion"]],
  // Words are for one argument, and files for the next one.
  ["mm-ptx fetch", "comp", ["compiler"]],
  ["mm-ptx fetch", "z", []],
  ["mm-ptx fetch compiler", "k", ["kernel.ptx"]],
  ["mm-ptx cache --folder a clear", "", []],
  ["mm-ptx emulate", "r", ["run"]],
  ["mm-ptx emulate kernel.ptx", "ru", []],
  // Lists of words with commas between them.
  ["mm-ptx compile --arch", "sm_75,sm_8", ["80", "86", "87", "88", "89"].map((name) => `sm_75,sm_${name}`)],
  [
    "mm-ptx compile a.ptx --arch",
    "sm_75,native,sm_12",
    ["0", "0a", "0f", "1", "1a", "1f"].map((name) => `sm_75,native,sm_12${name}`),
  ],
  ["mm-ptx emulate --check", "races,le", ["races,leaks"]],
  ["mm-ptx emulate --check", "leaks,lea", []],
];

const shellTest = (...programs: readonly string[]) =>
  it.skipIf(programs.some((each) => findOnPath([each], process.env) === undefined));

describe("bash", () => {
  /** What bash gets for the words of a line, of which the last one is completed. */
  function completed(...words: readonly string[]): string[] {
    const script = `source bash.script
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_mm_ptx
printf '%s\\n' "\${COMPREPLY[@]}"`;
    // Outside of a completion, bash complains that it has no options to set.
    const { stdout } = spawnSync("bash", ["-c", script, "bash", ...words], {
      cwd: program.folder,
      encoding: "utf8",
    });
    return stdout.split("\n").filter((word) => word !== "");
  }

  shellTest("bash").each(CASES)("completes `%s %s`", (line, word, completions) => {
    expect(completed(...line.split(" "), word).sort()).toEqual(completions.toSorted());
  });

  shellTest("bash")("completes a value after `=`, which bash makes a word of", () => {
    expect(completed("mm-ptx", "compile", "--effort", "=", "d")).toEqual(["draft"]);
    expect(completed("mm-ptx", "compile", "--effort", "=")).toEqual(["final", "balanced", "draft"]);
    expect(completed("mm-ptx", "compile", "--out", "=", "n")).toEqual(["notes.txt"]);
    expect(completed("mm-ptx", "emulate", "--check", "=", "races,le")).toEqual(["races,leaks"]);
    expect(completed("mm-ptx", "cache", "--folder", "=", "a", "cl")).toEqual(["clear"]);
  });

  shellTest("bash")("completes files only after `--`", () => {
    expect(completed("mm-ptx", "emulate", "--", "k")).toEqual(["kernel.ptx"]);
    expect(completed("mm-ptx", "compile", "--", "").sort()).toEqual(FILES);
  });
});

describe("fish", () => {
  const fish = async (line: string): Promise<string[]> => {
    const script = `source fish.script; complete -C '${line}'`;
    const { stdout } = await execute("fish", ["--no-config", "-c", script], { cwd: program.folder });
    return stdout.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t", 1)[0]!]));
  };

  shellTest("fish").each(CASES)("completes `%s %s`", async (line, word, completions) => {
    expect((await fish(`${line} ${word}`)).sort()).toEqual(completions.toSorted());
  });

  shellTest("fish")("completes a list after `=`", async () => {
    expect(await fish("mm-ptx emulate --check=races,le")).toEqual(["--check=races,leaks"]);
  });
});

describe("a shell at a terminal", () => {
  const KEYS = [
    "mm-ptx annot\t--out=no\t k\t",
    "mm-ptx compile a\t--eff\tdra\t",
    "mm-ptx types sch\tas\t",
    "mm-ptx emulate run --eng\tweb\t",
    "mm-ptx --js\tcach\tver\t",
    "mm-ptx emulate --check races,le\t",
    "mm-ptx fetch comp\tnot\t",
  ];
  const TYPED = [
    "<annotate><--out=notes.txt><kernel.ptx>",
    "<compile><a b.ptx><--effort><draft>",
    "<types><schema><ast>",
    "<emulate><run><--engine><webassembly>",
    "<--json><cache><verify>",
    "<emulate><--check><races,leaks>",
    "<fetch><compiler><notes.txt>",
  ];

  /** Types the lines at a terminal, where the command prints its words. */
  function type(shell: string, setUp: readonly string[]): string[] {
    const lines = [`mm-ptx() { printf '<%s>' "$@"; echo; }`, ...setUp, ...KEYS, "exit"];
    const text = execFileSync("script", ["-qec", shell, "/dev/null"], {
      cwd: program.folder,
      input: lines.map((line) => `${line}\n`).join(""),
      encoding: "utf8",
      env: { ...process.env, TERM: "dumb", HOME: program.folder, HISTFILE: "/dev/null" },
      timeout: 50_000,
    });
    return text.split(/\r?\n/).flatMap((line) => /(?:<[^<>]*>)+$/.exec(line)?.[0] ?? []);
  }

  shellTest("bash", "script")("of bash completes what is typed", () => {
    expect(type("bash --norc --noprofile -i", ["source bash.script"])).toEqual(TYPED);
  });

  shellTest("zsh", "script").each([
    ["sourced", ["autoload -U compinit", "compinit -u -D", "source ./zsh.script"]],
    ["in fpath", ["fpath=($PWD/.functions $fpath)", "autoload -U compinit", "compinit -u -D"]],
  ])("of zsh completes what is typed, with the script %s", (_, setUp) => {
    program.write(".functions/_mm-ptx", program.read("zsh.script"));
    // Where options and values are one word, zsh completes both as one.
    const words = type("zsh -f -i", setUp).map((line) => line.replace(/(<--\w+)=/g, "$1><"));
    expect(words).toEqual(TYPED.map((line) => line.replace(/(<--\w+)=/g, "$1><")));
  });
});

it("every command, option and word of the tables is in each script", async () => {
  const { program: described } = await describeAll(buildProgram);
  const scripts = SHELLS.map((shell) => program.read(`${shell}.script`));
  for (const { name, options } of withSubcommands(described)) {
    const last = name.split(" ").at(-1)!;
    for (const script of scripts) expect(script).toContain(last);
    for (const { flags, values = [] } of options) {
      const words = values === "files" ? [] : values;
      for (const word of [...flags.map((flag) => flag.replace(/^-+/, "")), ...words])
        for (const script of scripts) expect(script).toContain(word);
    }
  }
});

it("scripts name the packages that they were made without", async () => {
  const installed = new Installation();
  try {
    const { code, stdout, stderr } = await installed.run("completion", "bash");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("# Without the options of `compile`: `npm i @mm-ptx/cuda` installs it.\n");
    expect(stdout).toContain("'mm-ptx types check')");
    expect(stdout).not.toContain("--effort");
  } finally {
    installed.remove();
  }
});
