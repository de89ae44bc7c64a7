// `ptxinject FILES -o OUT`: which outputs are written, left alone or refused.

import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { annotateCuda } from "../../src/annotated-cuda.js";
import { BAD, BAD_TEXT, CommandLine, KERNEL } from "../support/command-line.js";

const MADE = annotateCuda(KERNEL).text;
const LONG_AGO = new Date(2001, 1, 1);

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine();
});
afterEach(() => line.remove());

describe("outputs", () => {
  it("go into a folder, under the names of their inputs", async () => {
    line.write("kernels/a.cu", KERNEL);
    line.write("kernels/b.cuh", KERNEL.replaceAll("func", "other"));
    const stdout = "written out/a.cu\nwritten out/b.cuh\n";
    expect(await line.run(["kernels/a.cu", "kernels/b.cuh", "-o", "out"])).toEqual({
      code: 0,
      stdout,
      stderr: "",
    });
    expect(line.read("out/a.cu")).toBe(MADE);
    expect(line.read("out/b.cuh")).toBe(MADE.replaceAll("func", "other"));
    expect(readdirSync(line.path("out"))).toEqual(["a.cu", "b.cuh"]);
  });

  it("are files for one input; a new file is recognized by its extension", async () => {
    line.write("a.cu", KERNEL);
    line.write("there/b.txt", "");
    const outputs = {
      "made.cu": "made.cu",
      "made/": "made/a.cu",
      made2: "made2/a.cu",
      there: "there/a.cu",
      "deep/down/x.cpp": "deep/down/x.cpp",
    };
    for (const [out, file] of Object.entries(outputs)) {
      expect(await line.run(["annotate", "a.cu", "--out", out])).toMatchObject({
        code: 0,
        stdout: `written ${file}\n`,
      });
      expect(line.read(file)).toBe(MADE);
    }
  });

  it("go to stdout without `-o`, also from stdin", async () => {
    line.write("a.cu", KERNEL);
    const ended = { code: 0, stdout: MADE, stderr: "" };
    expect(await line.run(["a.cu"])).toEqual(ended);
    expect(await line.run(["-o", "-", "a.cu"])).toEqual(ended);
    expect(await line.run(["-"], {}, { input: KERNEL })).toEqual(ended);
    const file = await line.run(["-", "-o", "x.cu", "-q"], {}, { input: KERNEL });
    expect(file).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(line.read("x.cu")).toBe(MADE);
  });

  it("are left alone when nothing changed", async () => {
    line.write("a.cu", KERNEL);
    await line.run(["a.cu", "-o", "out/"]);
    utimesSync(line.path("out/a.cu"), LONG_AGO, LONG_AGO);
    expect((await line.run(["a.cu", "-o", "out/"])).stdout).toBe("unchanged out/a.cu\n");
    expect(line.modified("out/a.cu")).toEqual(LONG_AGO);
  });

  it("keep the paths below a base", async () => {
    line.write("src/x/k.cu", KERNEL);
    line.write("src/y/k.cu", KERNEL);
    const { stdout } = await line.run(["src/**/*.cu", "--base", "src", "-o", "out"]);
    expect(stdout).toBe("written out/x/k.cu\nwritten out/y/k.cu\n");
    const outside = await line.run(["src/x/k.cu", "--base", "src/y", "-o", "out"]);
    expect(outside.stderr).toBe("error: expected inputs below `src/y`, found `src/x/k.cu`\n");
  });

  it("have the macro's form on request", async () => {
    line.write("a.cu", KERNEL);
    expect((await line.run(["a.cu", "--mode", "macro"])).stdout).toBe(
      annotateCuda(KERNEL, { mode: "macro" }).text,
    );
  });
});

describe("--alternatives", () => {
  it("writes an injection as several", async () => {
    line.write("a.cu", KERNEL);
    const alternatives = { func: { count: 3, select: "blockIdx.x" } };
    const { stdout } = await line.run(["a.cu", "--alternatives", "func=3:blockIdx.x"]);
    expect(stdout).toBe(annotateCuda(KERNEL, { alternatives }).text);
    expect((await line.run(["a.cu", "--alternatives", "fun=3:x"])).stderr).toBe(
      "a.cu: error: expected alternatives of an annotated injection, found `fun`, did you mean `func`?\n",
    );
  });
});

describe("inputs", () => {
  it("are found by patterns that the shell left alone", async () => {
    line.write("k/b.cu", KERNEL);
    line.write("k/a.cu", KERNEL);
    line.write("k/deep/c.cu", KERNEL);
    expect((await line.run(["k/*.cu", "-o", "out"])).stdout).toBe("written out/a.cu\nwritten out/b.cu\n");
    expect((await line.run(["k/**/*.cu", "k/a.cu", "-o", "out"])).stdout).toBe(
      "unchanged out/a.cu\nunchanged out/b.cu\nwritten out/c.cu\n",
    );
    expect((await line.run([`${line.folder}/k/{a,b}.cu`, "-o", "out", "-q"])).code).toBe(0);
    // Outputs are not inputs, although the pattern matches them.
    expect((await line.run(["**/*.cu", "-o", "out"])).stdout).toBe(
      "unchanged out/a.cu\nunchanged out/b.cu\nunchanged out/c.cu\n",
    );
  });

  it("may have names that look like patterns", async () => {
    line.write("k[1].cu", KERNEL);
    line.write("k1.cu", "");
    expect((await line.run(["k[1].cu", "-o", "out"])).stdout).toBe("written out/k[1].cu\n");
  });

  it("that fail leave old outputs intact, and the others are written", async () => {
    line.write("a.cu", KERNEL);
    line.write("bad.cu", BAD);
    line.write("out/bad.cu", "old");
    line.write("folder/x.cu", KERNEL);
    const words = ["bad.cu", "gone.cu", "folder", "folder/*.cuh", "a.cu", "-o", "out"];
    expect(await line.run(words)).toEqual({
      code: 1,
      stdout: "written out/a.cu\n",
      stderr: `folder/*.cuh: error: expected a file, found none that matches \`folder/*.cuh\`
${BAD_TEXT}gone.cu: error: expected a file to read, found \`gone.cu\`: no such file
folder: error: expected a file to read, found \`folder\`: a folder, did you mean \`folder/*.cu\`?
`,
    });
    expect(line.read("out/bad.cu")).toBe("old");
    expect(line.read("out/a.cu")).toBe(MADE);
    expect(readdirSync(line.path("out"))).toEqual(["a.cu", "bad.cu"]);
  });

  it("that do not exist get a suggestion", async () => {
    line.write("kernel.cu", KERNEL);
    expect((await line.run(["kernl.cu"])).stderr).toBe(
      "kernl.cu: error: expected a file to read, found `kernl.cu`: no such file, did you mean `kernel.cu`?\n",
    );
    expect((await line.run(["inspct", "kernel.cu", "-o", "out"])).stderr).toContain(
      "found `inspct`: no such file, did you mean the command `inspect`?\n",
    );
  });

  it("may have warnings, which are printed", async () => {
    line.write("a.cu", KERNEL.replace("/* PTX", "/*PTX"));
    const { code, stdout, stderr } = await line.run(["a.cu", "-o", "out"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "written out/a.cu\n" });
    expect(stderr).toMatch(/^a\.cu:3:\d+: warning: .*\n {4}3 \| {3}\/\*PTX_INJECT func\n.*\^+\n$/);
  });
});

describe("bytes", () => {
  const bytesOf = (name: string) => readFileSync(line.path(name));

  it("outside of annotations are unchanged", async () => {
    const inputs: Record<string, Uint8Array> = {
      "latin1.cu": Buffer.from(`// gr\xfc\xdfe \xff\xfe\n${KERNEL}`, "latin1"),
      "utf8.cu": Buffer.from(`// grüße 🙂 \u2028\n${KERNEL}`),
      "bom.cu": Buffer.from(`\ufeff${KERNEL}`),
      "crlf.cu": Buffer.from(KERNEL.replaceAll("\n", "\r\n")),
      "nul.cu": Buffer.from(`// \0\x1a\n${KERNEL}`),
      "empty.cu": Buffer.from(""),
      "open.cu": Buffer.from("int x;"),
      "cut.cu": Buffer.concat([Buffer.from(KERNEL), Buffer.of(0xc3)]),
    };
    for (const [name, bytes] of Object.entries(inputs)) line.write(name, bytes);
    expect((await line.run(["*.cu", "-o", "out"])).code).toBe(0);
    for (const [name, bytes] of Object.entries(inputs)) {
      const [from, to] = [Buffer.from(bytes), bytesOf(`out/${name}`)];
      const start = from.indexOf("/* PTX_INJECT");
      const end = from.indexOf("*/") + 2;
      if (start === -1) expect(to.equals(from), name).toBe(true);
      else {
        const tail = from.length - end;
        expect(to.subarray(0, start).equals(from.subarray(0, start)), name).toBe(true);
        expect(to.subarray(to.length - tail).equals(from.subarray(end)), name).toBe(true);
        expect(to.toString("latin1").split("\n").length, name).toBe(
          from.toString("latin1").split("\n").length,
        );
      }
    }
    const toStdout = await line.run(["latin1.cu"], {}, { encoding: "latin1" });
    expect(toStdout.stdout).toBe(bytesOf("out/latin1.cu").toString("latin1"));
  });

  it("of names are unchanged in any encoding", async () => {
    for (const encoding of ["utf8", "latin1"] as const) {
      line.write("a.cu", Buffer.from(KERNEL.replace(/\bx\b/g, "gr\xfcn"), encoding));
      await line.run(["a.cu", "-o", "out/"]);
      expect(bytesOf("out/a.cu").includes(Buffer.from("gr\xfcn", encoding)), encoding).toBe(true);
    }
  });
});
