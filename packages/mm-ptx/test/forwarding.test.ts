// The commands of packages: what is printed names them as they are typed, and packages that are missing or too old are named.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorHelp } from "@mm-ptx/types/internal";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOnPath } from "../../../scripts/lib/tools.mjs";
import { ProgramFolder } from "../../../tests/support/command-line.js";
import { ROOT, readManifest } from "../../../tests/support/workspace.js";
import { commandHelp, fullName, prepare } from "../src/cli/framework.js";
import { type LoadedPackage, loadPackage } from "../src/cli/load.js";
import { PACKAGE_COMMANDS, type PackageCommand } from "../src/cli/packages.js";
import { buildProgram } from "../src/cli/program.js";
import { reworded } from "../src/cli/rewording.js";
import { Installation, linkPackages, MAIN } from "./support/installation.js";

const KERNEL = join(ROOT, "packages/mm-ptx/templates/common/kernel.ptx");

let program: ProgramFolder;
beforeAll(() => {
  program = new ProgramFolder(MAIN);
});
afterAll(() => program.remove());

describe("the table", () => {
  it.each(PACKAGE_COMMANDS)("names what a package has: $name", async (command) => {
    const { build, failureOf } = await loadPackage(command);
    expect(build(() => {}).name()).toBe(command.package.program);
    expect(failureOf(new Error("a bug"))).toBeUndefined();
  });

  it("names optional packages, and those that this one depends on", () => {
    const { dependencies, peerDependencies } = readManifest("packages/mm-ptx");
    const names = [...new Set(PACKAGE_COMMANDS.map((command) => command.package.name))];
    const known = [...Object.keys(peerDependencies ?? {}), "@mm-ptx/types"];
    expect(names.sort()).toEqual(known.sort());
    expect(Object.keys(dependencies ?? {})).toContain("@mm-ptx/types");
  });

  it("is what the README lists", () => {
    const readme = readFileSync(join(ROOT, "packages/mm-ptx/README.md"), "utf8");
    const rows = [...readme.matchAll(/^\| `([a-z]+)` \|.*\| (?:`(.*)` )?\|$/gm)].map(
      ([, name, from = ""]) => [name, from],
    );
    const own = ["init", "completion", "help", "man"].map((name) => [name, ""]);
    const others = PACKAGE_COMMANDS.map(({ name, package: from }) => [
      name,
      from.name.replace("@mm-ptx/types", ""),
    ]);
    expect(rows.sort()).toEqual([...own, ...others].sort());
  });
});

describe("help, usage errors and versions", () => {
  it.each([
    [["compile"], "Usage: mm-ptx compile [options] <inputs...>"],
    [["annotate"], "Usage: mm-ptx annotate [options] <inputs...>"],
    [["types", "check"], "Usage: mm-ptx types check [options] <files...>"],
    [["emulate"], "Usage: mm-ptx emulate [options] [command] <file> [words...]"],
    [["emulate", "run"], "Usage: mm-ptx emulate run [options] [program] [words...]"],
    [["inject", "render"], "Usage: mm-ptx inject render [options] <file>"],
  ])("%j names the command as it is typed", async (words, usage) => {
    const { code, stdout, stderr } = await program.run([...words, "--help"]);
    expect({ code, stderr, usage: stdout.split("\n")[0] }).toEqual({ code: 0, stderr: "", usage });
    expect(stdout).not.toMatch(/`(ptxinject|mm-ptx-)/);
  });

  it("the examples of a package are reworded", async () => {
    const { stdout } = await program.run(["emulate", "--help"]);
    expect(stdout).toContain("`mm-ptx emulate scale.ptx --grid 4");
    expect(stdout).toContain("`mm-ptx emulate run ./program` runs a CUDA program");
  });

  it.each([
    [[], "expected a command, found nothing; `mm-ptx --help` lists them"],
    [["types"], "expected a command, found nothing; `mm-ptx types --help` lists them"],
    [["search", "--json-"], "expected a known option, found `--json-`, did you mean `--json`?"],
    [["types", "chek"], /^expected a command \(check, .*\), found `chek`, did you mean `check`\?$/],
    [["cmpile"], /^expected a command \(init, .*\), found `cmpile`, did you mean `compile`\?$/],
    [
      ["compile", "a.ptx"],
      "expected `--arch`, such as `--arch sm_90`, found nothing; `--arch native` compiles for this machine's GPU, and `mm-ptx doctor` shows its architecture and lists the others",
    ],
    [["init", "--ts"], "expected the argument `folder`, found nothing"],
    [["completion", "tcsh"], "expected a shell (bash, zsh, fish), found `tcsh`"],
  ])("%j is a wrong command line", async (words, message) => {
    const { code, stdout, stderr } = await program.run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const [, found] = /^error: (.*)\n$/.exec(stderr) ?? [];
    if (message instanceof RegExp) expect(found).toMatch(message);
    else expect(found).toBe(message);
    const json = JSON.parse((await program.run([...words, "--json"])).stdout);
    const help = commandHelp("USAGE");
    expect(json).toEqual({ ok: false, error: { code: "USAGE", message: found, help } });
  });

  it("an error about the value of an option begins with its flag, in every command", async () => {
    const loaded = new Map<PackageCommand, LoadedPackage>();
    for (const command of PACKAGE_COMMANDS) loaded.set(command, await loadPackage(command));
    const all = buildProgram(() => {}, loaded);
    prepare(all, "1.0.0", () => {});
    const messages: Record<string, string> = {};
    const visit = (command: Command): void => {
      for (const { long, parseArg } of command.options) {
        try {
          parseArg?.("\0", undefined);
        } catch (error) {
          messages[`${fullName(command)} ${long}`] = (error as Error).message;
        }
      }
      command.commands.forEach(visit);
    };
    visit(all);
    expect(messages["mm-ptx farm worker --workers"]).toBe(
      "option `--workers`: expected a whole number from 1 to 1024, found `\\u0000`",
    );
    const others = Object.entries(messages).filter(
      ([name, message]) => !message.startsWith(`option \`${name.split(" ").at(-1)}\`: expected `),
    );
    expect(others).toEqual([]);
    expect(Object.keys(messages).length).toBeGreaterThan(60);
  });

  it.each([
    [["help"], "Usage: mm-ptx [options] <command>"],
    [["help", "compile"], "Usage: mm-ptx compile [options] <inputs...>"],
    [["help", "types", "check"], "Usage: mm-ptx types check [options] <files...>"],
    [["types", "help", "check"], "Usage: mm-ptx types check [options] <files...>"],
    [["emulate", "help", "run"], "Usage: mm-ptx emulate run [options] [program] [words...]"],
    [["help", "help"], "Usage: mm-ptx help [options] [command...]"],
  ])("%j describes a command, as --help does", async (words, usage) => {
    const { code, stdout, stderr } = await program.run(words);
    expect({ code, stderr, usage: stdout.split("\n")[0] }).toEqual({ code: 0, stderr: "", usage });
  });

  it.each([
    [["help", "cmpile"], ", found `cmpile`, did you mean `compile`?"],
    [["cmpile", "--help"], ", found `cmpile`, did you mean `compile`?"],
    [["help", "types", "chek"], "expected a command (check, "],
    [["types", "chek", "--help"], ", found `chek`, did you mean `check`?"],
    [["help", "compile", "fast"], "expected no command after `compile`, found `fast`"],
  ])("%j is help about nothing", async (words, message) => {
    const { code, stdout, stderr } = await program.run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.each([[["--version"]], [["compile", "-V"]], [["types", "check", "--version"]]])(
    "%j prints the version",
    async (words) => {
      const { version } = readManifest("packages/mm-ptx");
      expect(await program.run(words)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    },
  );
});

describe("commands", () => {
  it("of a package do what they do by themselves, with --json in any place", async () => {
    const own = new ProgramFolder("packages/inject/dist/cli/main.js");
    try {
      const words = ["inspect", KERNEL];
      expect(await program.run(["inject", ...words])).toEqual(await own.run(words));
      const json = await own.run([...words, "--json"]);
      expect(await program.run(["--json", "inject", ...words])).toEqual(json);
      expect(await program.run(["inject", ...words, "--json"])).toEqual(json);
    } finally {
      own.remove();
    }
  });

  it("print nothing but JSON where --json precedes them", async () => {
    const text = "func=mov.f32 %_x0, %_x1;";
    await program.run(["inject", "render", KERNEL, "--text", text, "-o", "same.ptx"]);
    const words = [
      "emulate",
      "same.ptx",
      "--arg",
      "zeros=4",
      "--arg",
      "zeros=4",
      "--arg",
      "u32=1",
      "--trace",
      "0",
    ];
    const { stdout } = await program.run(["--json", ...words]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, kernel: "apply" });
  });

  it("report the errors of their package", async () => {
    const { code, stderr } = await program.run(["inject", "render", KERNEL]);
    expect(code).toBe(1);
    expect(stderr).toContain("kernel.ptx: error: expected a stub for the injection, found none for `func`");
  });

  it("report what the operating system refuses", async () => {
    program.write("file", "");
    const { code, stdout, stderr } = await program.run(["farm", "keys", "worker", "--folder", "file"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: expected .*, found `file\/keys`: a part of its path is not a folder\n$/);
    const json = JSON.parse(
      (await program.run(["farm", "keys", "worker", "--folder", "file", "--json"])).stdout,
    );
    expect(json.error).toMatchObject({ code: "FILE", help: commandHelp("FILE") });
  });

  it("are named as they are typed, whoever writes it", async () => {
    const { stdout } = await program.run(["doctor"]);
    expect(stdout).toMatch(/^@mm-ptx\/cuda \d/);
    const { stderr } = await program.run(["emulate", "run", "a kernel.cu"]);
    expect(stderr).toContain("`mm-ptx emulate 'a kernel.cu'` builds it and runs it");
  });

  it("do not take the options of a program that they start", async () => {
    const { code, stderr } = await program.run(["emulate", "run", "./missing", "--json", "--version"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("missing");
  });
});

describe("an installation", () => {
  let installed: Installation;
  beforeAll(() => {
    installed = new Installation();
  });
  afterAll(() => installed.remove());

  it("without packages lists all commands", async () => {
    const { code, stdout } = await installed.run("--help");
    expect(code).toBe(0);
    for (const { name } of PACKAGE_COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
  });

  it.each(["annotate", "compile", "emulate", "pipeline", "search"])(
    "says how to install the package of %s",
    async (name) => {
      const wanted = PACKAGE_COMMANDS.find((command) => command.name === name)!.package.name;
      const message = `expected the package \`${wanted}\`, found none: \`npm i ${wanted}\` installs it`;
      const failed = { code: 2, stdout: "", stderr: `error: ${message}\n` };
      expect(await installed.run(name, "--help")).toEqual(failed);
      const { stdout } = await installed.run("--json", name);
      expect(JSON.parse(stdout)).toEqual({
        ok: false,
        error: { code: "UNAVAILABLE", message, help: commandHelp("UNAVAILABLE") },
      });
    },
  );

  it("starts a project", async () => {
    const { code, stderr } = await installed.run("init", "demo", "--ts");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(existsSync(join(installed.work, "demo/src/kernel.ts"))).toBe(true);
  });

  it("says that a package is too old for the command", async () => {
    const manifest = (exports: object) => JSON.stringify({ name: "@mm-ptx/cuda", type: "module", exports });
    const expected = (what: string) =>
      `error: expected a version of \`@mm-ptx/cuda\` with ${what}, found an older one: \`npm i @mm-ptx/cuda@latest\` installs another\n`;
    const folder = "node_modules/@mm-ptx/cuda";
    installed.write(`${folder}/package.json`, manifest({ ".": "./index.js" }));
    const without = { code: 2, stdout: "", stderr: expected("`./command`") };
    expect(await installed.run("compile", "a.ptx")).toEqual(without);
    installed.write(`${folder}/package.json`, manifest({ "./command": "./command.js" }));
    installed.write(
      `${folder}/command.js`,
      'export const cudaCommand = () => ({ commands: [{ name: () => "compile" }] });\nexport const cudaFailure = () => {};\n',
    );
    const lacking = { code: 2, stdout: "", stderr: expected("the command `fetch`") };
    expect(await installed.run("fetch")).toEqual(lacking);
  });

  it("says that a package is incomplete", async () => {
    const folder = "node_modules/@mm-ptx/pipeline";
    const manifest = { name: "@mm-ptx/pipeline", type: "module", exports: { "./command": "./command.js" } };
    installed.write(`${folder}/package.json`, JSON.stringify(manifest));
    installed.write(`${folder}/command.js`, 'import "missing-package";\n');
    const { code, stderr } = await installed.run("pipeline");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: expected `@mm-ptx\/pipeline` with all that it needs, found .*missing-package.*: `npm i @mm-ptx\/pipeline` repairs it\n$/,
    );
  });

  it("runs the commands of packages that are installed with it", async () => {
    linkPackages(join(installed.folder, "lib"), ["@mm-ptx/inject"]);
    const { code, stdout } = await installed.run("inject", "inspect", KERNEL);
    expect({ code, head: stdout.split("\n")[0] }).toEqual({
      code: 0,
      head: `${KERNEL}: 1 injection, 1 site`,
    });
  });

  it("prefers those of the project in the current folder", async () => {
    const folder = "node_modules/@mm-ptx/inject";
    const manifest = { name: "@mm-ptx/inject", type: "module", exports: { "./command": "./command.js" } };
    installed.write(`${folder}/package.json`, JSON.stringify(manifest));
    installed.write(`${folder}/command.js`, 'import "missing-package";\n');
    const { code, stderr } = await installed.run("inject");
    expect(code).toBe(2);
    expect(stderr).toContain("`npm i @mm-ptx/inject` repairs it");
  });
});

it.skipIf(findOnPath(["script"], process.env) === undefined)(
  "on a terminal, a failure ends with the address of what helps",
  () => {
    program.write("bad.ptx", ".version 8.0");
    const shown = (words: string) =>
      spawnSync("script", ["-qec", `'${process.execPath}' '${program.main}' ${words}`, "/dev/null"], {
        cwd: program.folder,
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1" },
      })
        .stdout.trimEnd()
        .split("\r\n")
        .at(-1);
    expect(shown("doctor me")).toBe(`help: ${commandHelp("USAGE")}`);
    // It is about the first problem of several.
    expect(shown("types check missing.json also.json")).toBe(
      `help: ${errorHelp("DescriptionError", "FILE")}`,
    );
    expect(shown("emulate bad.ptx")).toMatch(/^help: .*#emulatorerror-\w+$/);
    expect(shown("doctor me --json")).toBe("}");
  },
);

it.each([
  ["`mm-ptx-cuda doctor` shows it", "`mm-ptx doctor` shows it"],
  ["`ptxinject annotate`", "`mm-ptx annotate`"],
  ["`ptxinject kernels/*.cu -o out/`", "`mm-ptx inject kernels/*.cu -o out/`"],
  ["`ptxinject render` and `mm-ptx-emulate`", "`mm-ptx inject render` and `mm-ptx emulate`"],
  ["`mm-ptx-search resume run` goes on", "`mm-ptx search resume run` goes on"],
  ["`mm-ptx-cuda` 0.1.0, mm-ptx-cuda doctor", "`mm-ptx-cuda` 0.1.0, mm-ptx-cuda doctor"],
  ["mm-ptx-cuda 0.1.0, Node 20.19.0", "@mm-ptx/cuda 0.1.0, Node 20.19.0"],
  ["workers:    mm-ptx-farm worker --servers x", "workers:    mm-ptx farm worker --servers x"],
  ["line\nmm-ptx-emulate: expected a kernel", "line\nmm-ptx emulate: expected a kernel"],
  ["folder for its keys (default: mm-ptx-farm)", "folder for its keys (default: mm-ptx-farm)"],
  ["/tmp/mm-ptx-cuda doctor", "/tmp/mm-ptx-cuda doctor"],
  ["`mm-ptx-cuda-linux-x64`", "`mm-ptx-cuda-linux-x64`"],
])("%s is reworded", (text, expected) => {
  expect(reworded(text)).toBe(expected);
});
