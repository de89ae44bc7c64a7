// The driver of native/test/fake-driver: a copy in a separate folder with its own state, its instructions and
// its log. It computes nothing, so its results say nothing about a GPU.

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

/** Under a sanitizer it is another one. */
const LIBRARY =
  process.env.MM_PTX_FAKE_DRIVER ??
  fileURLToPath(new URL("../../../../../native/build/libmmptx-fake-driver.so", import.meta.url));

/** Set-up builds it with the addon. If it is missing although it could have been built, tests fail. */
export const HAS_FAKE_DRIVER =
  process.platform === "linux" && (existsSync(LIBRARY) || spawnSync("c++", ["--version"]).status === 0);

/** A call that the driver received. */
export interface FakeCall {
  readonly process: number;
  readonly thread: number;
  /** The name without suffix, such as `cuMemAlloc`. */
  readonly name: string;
  /** Arguments by their names in the log. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The CUresult that the driver returned. */
  readonly result: number;
}

/** Lines of the control file, which native/test/fake-driver/control.h describes. */
export type Orders = readonly string[];

export class FakeDriver {
  readonly folder = mkdtempSync(join(tmpdir(), "mm-ptx-fake-driver-"));
  /** The value for `MM_PTX_DRIVER`. */
  readonly path = join(this.folder, "libcuda.so.1");
  readonly #before = process.env.MM_PTX_DRIVER;
  /** Contexts retained according to the parts of the log that were cleared. */
  #retained = 0;

  /**
   * Becomes the driver of devices that are opened until it is removed. `lacks` are functions that it does not
   * have.
   */
  constructor(orders: Orders = [], lacks: readonly string[] = []) {
    copyFileSync(LIBRARY, this.path);
    if (lacks.length > 0) hideSymbols(this.path, lacks);
    this.order(...orders);
    process.env.MM_PTX_DRIVER = this.path;
  }

  /** Replaces all earlier instructions, and resets the counts of calls and launches. */
  order(...lines: Orders): void {
    const draft = join(this.folder, "control.new");
    writeFileSync(draft, `${lines.join("\n")}\n`);
    renameSync(draft, join(this.folder, "control"));
  }

  /** All calls so far, or those of one function, in order. */
  calls(name?: string): FakeCall[] {
    return this.#lines()
      .filter((line) => !line.includes(" VIOLATION "))
      .map(readCall)
      .filter((call) => name === undefined || call.name === name);
  }

  /** The only call of a function. */
  call(name: string): FakeCall {
    const calls = this.calls(name);
    expect(calls, `calls of ${name}`).toHaveLength(1);
    return calls[0]!;
  }

  /** Violations of the driver's rules, including what was left when a context was released. */
  violations(): string[] {
    return this.#lines().flatMap((line) => /^\d+ \d+ VIOLATION (.*)$/.exec(line)?.[1] ?? []);
  }

  /** Expects that there were no violations and every context was released. */
  expectClean(): void {
    expect(this.violations()).toEqual([]);
    expect(this.#retained + this.#retainedInLog(), "contexts that are not released").toBe(0);
  }

  /** Clears the log. */
  forget(): void {
    this.#retained += this.#retainedInLog();
    writeFileSync(join(this.folder, "log"), "");
  }

  remove(): void {
    if (this.#before === undefined) delete process.env.MM_PTX_DRIVER;
    else process.env.MM_PTX_DRIVER = this.#before;
    rmSync(this.folder, { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    this.remove();
  }

  /** The number of contexts that were retained but not released. */
  #retainedInLog(): number {
    const done = (name: string) => this.calls(name).filter(({ result }) => result === 0).length;
    return done("cuDevicePrimaryCtxRetain") - done("cuDevicePrimaryCtxRelease");
  }

  #lines(): string[] {
    const log = join(this.folder, "log");
    return existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
  }
}

function readCall(line: string): FakeCall {
  const [process = "", thread = "", name = "", ...rest] = line.split(" ");
  const [pairs, result] = [rest.slice(0, -2), rest.at(-1)];
  return {
    process: Number(process),
    thread: Number(thread),
    name,
    arguments: Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    ),
    result: Number(result),
  };
}

/**
 * Renames symbols of a library, so that loaders don't find them: their hashes stay those of the old names.
 */
function hideSymbols(path: string, names: readonly string[]): void {
  const bytes = readFileSync(path);
  for (const name of names) {
    const forms = [name, `${name}_v2`].map((form) => bytes.indexOf(`\0${form}\0`, 0, "latin1"));
    // The table of symbols comes before all other texts.
    const found = forms.filter((at) => at !== -1);
    if (found.length === 0) throw new Error(`expected a function of the fake driver, found ${name}`);
    for (const at of found) bytes[at + 1] = "x".charCodeAt(0);
  }
  writeFileSync(path, bytes);
}
