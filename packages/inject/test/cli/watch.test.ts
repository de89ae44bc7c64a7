// `--watch`: every way in which files change, and how it ends.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { annotateCuda } from "../../src/annotated-cuda.js";
import { BAD, BAD_TEXT, CommandLine, KERNEL } from "../support/command-line.js";

/** A kernel that differs from all others. */
const version = (word: string) => KERNEL.replace("scale", word);
const made = (word: string) => annotateCuda(version(word)).text;
const TYPES = (name: string) => `{ "abi_version": 1, "data_type_infos": [
  { "name": "${name}", "register_type": "f32", "mov_postfix": "f32", "register_char": "f", "register_cast_str": "" }
] }`;

let line: CommandLine;
let watching: Watching | undefined;
beforeEach(() => {
  line = new CommandLine();
});
afterEach(async () => {
  await watching?.end();
  watching = undefined;
  line.remove();
});

/** A running program whose output is awaited piece by piece. */
class Watching {
  readonly child: ChildProcess;
  #out = "";
  #error = "";

  constructor(words: readonly string[]) {
    this.child = line.start(words);
    this.child.stdout?.on("data", (data) => {
      this.#out += data;
    });
    this.child.stderr?.on("data", (data) => {
      this.#error += data;
    });
  }

  /** Waits until a text appears on stdout or stderr; each piece of output matches once. */
  async tells(text: string): Promise<void> {
    for (let i = 0; i < 1000; i++) {
      if (this.#out.includes(text)) {
        this.#out = this.#out.slice(this.#out.indexOf(text) + text.length);
        return;
      }
      if (this.#error.includes(text)) {
        this.#error = this.#error.slice(this.#error.indexOf(text) + text.length);
        return;
      }
      await pause(20);
    }
    expect.fail(`expected ${JSON.stringify(text)}, found ${JSON.stringify([this.#out, this.#error])}`);
  }

  /** Output that was not awaited yet. */
  get rest(): string {
    return this.#out + this.#error;
  }

  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const closed = once(this.child, "close");
    this.child.kill(signal);
    return (await closed)[0];
  }
}

async function start(...words: readonly string[]): Promise<Watching> {
  watching = new Watching([...words, "--watch"]);
  await watching.tells("watching\n");
  return watching;
}

describe("--watch", () => {
  it("follows changes in place and by renaming, deletions and files that reappear", async () => {
    line.write("src/a.cu", version("one"));
    const program = await start("src/a.cu", "-o", "out/");
    expect(line.read("out/a.cu")).toBe(made("one"));

    line.write("src/a.cu", version("two"));
    await program.tells("written out/a.cu\n");
    expect(line.read("out/a.cu")).toBe(made("two"));

    line.write("src/.a.cu.swp", version("three"));
    renameSync(line.path("src/.a.cu.swp"), line.path("src/a.cu"));
    await program.tells("written out/a.cu\n");
    expect(line.read("out/a.cu")).toBe(made("three"));

    rmSync(line.path("src/a.cu"));
    await program.tells("found `src/a.cu`: no such file\n");
    expect(line.read("out/a.cu")).toBe(made("three"));
    line.write("src/a.cu", version("four"));
    await program.tells("written out/a.cu\n");

    rmSync(line.path("src"), { recursive: true });
    await program.tells("found `src/a.cu`: no such file\n");
    line.write("src/a.cu", version("five"));
    await program.tells("written out/a.cu\n");
    expect(line.read("out/a.cu")).toBe(made("five"));
    expect(await program.end("SIGINT")).toBe(130);
  });

  it("survives mistakes and reports each once", async () => {
    line.write("bad.cu", BAD);
    line.write("good.cu", version("one"));
    const program = await start("bad.cu", "good.cu", "-o", "out/");
    await program.tells(BAD_TEXT);
    utimesSync(line.path("bad.cu"), new Date(), new Date());
    await pause(300);
    expect(program.rest).toBe("");
    line.write("good.cu", version("two"));
    await program.tells("written out/good.cu\n");
    line.write("bad.cu", version("mended"));
    await program.tells("written out/bad.cu\n");
    expect(await program.end("SIGTERM")).toBe(143);
  });

  it("notices new files that match a pattern, in new folders too", async () => {
    line.write("src/a.cu", version("a"));
    const program = await start("src/**/*.cu", "-o", "out");
    line.write("src/b.cu", version("b"));
    await program.tells("written out/b.cu\n");
    mkdirSync(line.path("src/deep/er"), { recursive: true });
    line.write("src/deep/er/c.cu", version("c"));
    await program.tells("written out/c.cu\n");
    line.write("src/deep/er/c.cu", version("d"));
    await program.tells("written out/c.cu\n");
    // Two inputs for one output: nothing is written until that is fixed.
    line.write("src/deep/a.cu", version("e"));
    await program.tells("expected an output of its own for each input");
    rmSync(line.path("src/deep/a.cu"));
    line.write("src/a.cu", version("f"));
    await program.tells("written out/a.cu\n");
  });

  it("notices changes of the types and of what they extend", async () => {
    line.write("types/base.json", TYPES("f32"));
    line.write("types.json", '{ "abi_version": 1, "extends": ["./types/base.json"], "data_type_infos": [] }');
    line.write("a.cu", version("a"));
    const program = await start("a.cu", "-o", "out/", "--types", "types.json");
    line.write("types/base.json", TYPES("g32"));
    await program.tells("found `f32`, did you mean `g32`?");
    line.write("types.json", "{");
    await program.tells("types.json:1:2: error: ");
    line.write("types.json", TYPES("f32").replace('"f32", "mov', '"b32", "mov'));
    await program.tells("written out/a.cu\n");
    expect(line.read("out/a.cu")).toContain("_x1 i b32 f32 x");
  });

  it("prints each round as a line of JSON", async () => {
    line.write("a.cu", version("a"));
    watching = new Watching(["a.cu", "-o", "out/", "--watch", "--json"]);
    await watching.tells('{"ok":true,"files":[{"input":"a.cu","output":"out/a.cu",');
    await watching.tells("\n");
    // A file whose time changed but not its content is not reported.
    utimesSync(line.path("a.cu"), new Date(), new Date());
    await pause(300);
    expect(watching.rest).toBe("");
    line.write("a.cu", BAD);
    await watching.tells('{"ok":false,"files":[{"input":"a.cu","output":"out/a.cu","state":"failed"');
  });

  it("exits at once if the command line is wrong", async () => {
    line.write("a.cu", KERNEL);
    expect(await line.run(["a.cu", "-o", ".", "--watch"])).toMatchObject({ code: 2, stdout: "" });
  });
});
