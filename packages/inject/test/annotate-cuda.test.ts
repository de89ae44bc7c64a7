// Annotated CUDA and what it becomes: each file of goldens/cuda beside its result, each of goldens/cuda-errors beside the
// message. `UPDATE_GOLDENS=1` writes them anew.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { annotateCuda } from "../src/index.js";
import { errorOf } from "./helpers.js";

const GOLDENS = new URL("./goldens/", import.meta.url);

const read = (path: string): string => readFileSync(new URL(path, GOLDENS), "utf8");

function sources(folder: string): string[] {
  const files = readdirSync(new URL(`${folder}/`, GOLDENS));
  const names = files.filter((file) => file.endsWith(".cu")).map((file) => file.slice(0, -".cu".length));
  const expected = names.flatMap((name) => [`${name}.cu`, `${name}.golden.txt`]);
  if (process.env.UPDATE_GOLDENS !== "1") expect(files.sort()).toEqual(expected.sort());
  return names;
}

function expectGolden(path: string, text: string): void {
  if (process.env.UPDATE_GOLDENS === "1") writeFileSync(new URL(path, GOLDENS), text);
  expect(existsSync(new URL(path, GOLDENS)), `expected a golden ${path}`).toBe(true);
  expect(text).toBe(read(path));
}

const lineEnds = (text: string): string[] => text.match(/\r?\n/g) ?? [];

describe("what annotations become", () => {
  test.each(sources("cuda"))("%s", (name) => {
    const source = read(`cuda/${name}.cu`);
    const { text, warnings } = annotateCuda(source);
    const told = warnings.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}\n`);
    expectGolden(`cuda/${name}.golden.txt`, text + told.join(""));
  });

  test.each(sources("cuda"))("%s keeps its lines and all that is no annotation", (name) => {
    const source = read(`cuda/${name}.cu`);
    for (const mode of ["asm", "macro"] as const) {
      if (mode === "macro" && ["effects", "directives", "conditionals", "literals"].includes(name)) continue;
      const { text, injections } = annotateCuda(source, { mode });
      expect(lineEnds(text)).toEqual(lineEnds(source));
      let [from, at] = [0, 0];
      for (const { span } of injections) {
        const kept = source.slice(from, span.start);
        expect(text.indexOf(kept, at)).toBeGreaterThanOrEqual(at);
        at = text.indexOf(kept, at) + kept.length;
        from = span.end;
      }
      expect(text.endsWith(source.slice(from))).toBe(true);
    }
  });
});

describe("messages", () => {
  test.each(sources("cuda-errors"))("%s", (name) => {
    const source = read(`cuda-errors/${name}.cu`);
    const error = errorOf(() => annotateCuda(source));
    expect(error.code).toBe(error.problems[0]!.code);
    expect(error.span).toEqual(error.problems[0]!.span);
    const codes = error.problems.map(({ code, span, line, column, related }) =>
      [
        code,
        `${line}:${column}`,
        JSON.stringify(source.slice(span.start, span.end)),
        ...(related === undefined ? [] : [`related ${related.start}`]),
      ].join(" "),
    );
    expectGolden(`cuda-errors/${name}.golden.txt`, `${error.message}\n\n${codes.join("\n")}\n`);
  });
});
