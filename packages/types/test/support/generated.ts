// A folder outside the sources where generated code is compiled and run, with the packages as an installation
// has them.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { packagesIn, ROOT, readManifest } from "../../../../tests/support/workspace.js";

/** Whether a program is on PATH; tests that need it are skipped only if it is not. */
export function isOnPath(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** The declarations that every folder has, TypeScript's own and those of the packages, read once. */
const declarations = new Map<string, ts.SourceFile | undefined>();

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
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
    return this.write(name, ts.transpileModule(text, { compilerOptions }).outputText);
  }

  /** What `tsc --strict` reports for files in this folder and what they import, as `file: message`. */
  typeErrors(...names: readonly string[]): string[] {
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
      strict: true,
      noUnusedLocals: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      skipLibCheck: true,
      types: [],
      outDir: this.path,
      rootDir: this.path,
    };
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile;
    host.getSourceFile = (path, ...rest) => {
      if (!path.endsWith(".d.ts") || path.startsWith(this.path)) return read(path, ...rest);
      if (!declarations.has(path)) declarations.set(path, read(path, ...rest));
      return declarations.get(path);
    };
    const program = ts.createProgram(
      names.map((name) => join(this.path, name)),
      options,
      host,
    );
    const diagnostics = ts.getPreEmitDiagnostics(program);
    if (diagnostics.length === 0) program.emit();
    return diagnostics.map(
      ({ file, messageText }) =>
        `${file?.fileName.slice(this.path.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
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
