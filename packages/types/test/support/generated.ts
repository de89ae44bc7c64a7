// A folder outside the sources where generated code is compiled and run, with the packages as an installation
// has them.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { typescript } from "../../../../tests/support/typescript.js";
import { packagesIn, ROOT, readManifest } from "../../../../tests/support/workspace.js";

/** Whether a program is on PATH; tests that need it are skipped only if it is not. */
export function isOnPath(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

const TSC = join(ROOT, "node_modules/typescript-native/bin/tsc");
const OPTIONS = [
  ...["--ignoreConfig", "--pretty", "false", "--noEmitOnError", "--outDir", ".", "--rootDir", "."],
  ...["--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"],
  ...["--lib", "es2023,esnext.disposable,dom", "--types", "", "--skipLibCheck"],
  ...["--strict", "--noUnusedLocals", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"],
  ...["--verbatimModuleSyntax", "--isolatedModules"],
];

export class GeneratedFolder {
  readonly path: string;

  constructor() {
    mkdirSync(join(ROOT, "out"), { recursive: true });
    this.path = mkdtempSync(join(ROOT, "out/generated-"));
    mkdirSync(join(this.path, "node_modules/@mm-ptx"), { recursive: true });
    for (const folder of packagesIn("packages")) {
      symlinkSync(join(ROOT, folder), join(this.path, "node_modules", readManifest(folder).name), "dir");
    }
    writeFileSync(join(this.path, "package.json"), '{ "type": "module", "sideEffects": false }');
  }

  write(name: string, text: string): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Transpiles a TypeScript text and writes the result. */
  writeJavaScript(name: string, text: string): string {
    const compilerOptions = { target: typescript.ScriptTarget.ES2022, module: typescript.ModuleKind.ES2022 };
    return this.write(name, typescript.transpileModule(text, { compilerOptions }).outputText);
  }

  /**
   * What `tsc --strict` reports for files in this folder and what they import, as `file: message`. If that is nothing, it also
   * writes their JavaScript.
   */
  typeErrors(...names: readonly string[]): string[] {
    const { status, stdout, stderr } = spawnSync(process.execPath, [TSC, ...OPTIONS, ...names], {
      cwd: this.path,
      encoding: "utf8",
    });
    const lines = stdout.split(/\n(?! )/).filter((line) => line !== "");
    if (status !== 0 && lines.length === 0) throw new Error(`expected types to be checked, found ${stderr}`);
    return lines.map((line) => line.replace(/^(.*?)\(\d+,\d+\): error TS\d+: /, "$1: "));
  }

  /** What a program prints when it is run in this folder; if it fails, its errors are in the message. */
  run(program: string, ...args: readonly string[]): string {
    return execFileSync(program, args, {
      cwd: this.path,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
