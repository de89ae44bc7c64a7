// The origins of the lines of a rendering, checked against tags in the lines themselves.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkFilledKernel,
  describeLine,
  type FilledKernel,
  locateLine,
  renderText,
  type SourceLine,
} from "@mm-ptx/types/core";
import { RenderedLines } from "@mm-ptx/types/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { type AnnotatedPtx, parsePtx } from "../../src/index.js";
import { hasTool, site } from "../support/helpers.js";

/** A site as mm-ptx 0.x left it. */
const legacySite = (name: string): string => site(name, "%f1 mod f32 x", "%f2 out f32 z", "%f3 in f32 y");

const X = "_x0 m f32 F32 x";

describe("locate", () => {
  const annotated = parsePtx(`one\n${site("f", X)}five\n${site("g", X)}${site("f", X)}twelve`);
  const rendered = annotated.fill({ f: "a\nb", g: "c" });

  test("distinguishes kernel lines from stub lines", () => {
    expect(renderText(rendered)).toBe("one\na\nb\nfive\nc\na\nb\ntwelve");
    expect(Array.from({ length: 8 }, (_, i) => locateLine(rendered, i + 1))).toEqual([
      { kind: "kernel", kernelLine: 1 },
      { kind: "stub", injection: "f", site: 0, stubLine: 1, kernelLine: 2 },
      { kind: "stub", injection: "f", site: 0, stubLine: 2, kernelLine: 2 },
      { kind: "kernel", kernelLine: 5 },
      { kind: "stub", injection: "g", site: 0, stubLine: 1, kernelLine: 6 },
      { kind: "stub", injection: "f", site: 1, stubLine: 1, kernelLine: 9 },
      { kind: "stub", injection: "f", site: 1, stubLine: 2, kernelLine: 9 },
      { kind: "kernel", kernelLine: 12 },
    ]);
  });

  test("describes lines in words", () => {
    expect(describeLine(locateLine(rendered, 7)!)).toBe("injection `f`, site 2, stub line 2");
    expect(describeLine(locateLine(rendered, 8)!)).toBe("kernel line 12");
  });

  test("returns undefined for lines outside the text, or between two", () => {
    for (const line of [-1, 0, 9, 1.5, Number.NaN, "1" as unknown as number]) {
      expect(locateLine(rendered, line)).toBeUndefined();
    }
  });

  test("attributes a shared line to the stub, and a line to an empty stub", () => {
    const shared = parsePtx(`one // PTX_INJECT_START f\n// PTX_INJECT_END\nthree`);
    expect(renderText(shared.fill({ f: "a" }))).toBe("one a\nthree");
    expect(locateLine(shared.fill({ f: "a" }), 1)).toMatchObject({
      injection: "f",
      stubLine: 1,
      kernelLine: 1,
    });
    expect(locateLine(shared.fill({ f: "" }), 1)).toMatchObject({ injection: "f", stubLine: 1 });
    expect(locateLine(shared.fill({ f: "" }), 2)).toEqual({ kind: "kernel", kernelLine: 3 });
    expect(locateLine(shared.fill({ f: "a\r\n" }), 2)).toMatchObject({ injection: "f", stubLine: 2 });
  });

  test("attributes the moves around a site of 0.x to the line of the site", () => {
    const legacy = parsePtx(`one\n${legacySite("f")}seven\n`).fill({ f: "\tstub" });
    const lines = renderText(legacy).split("\n");
    const stub = lines.indexOf("\tstub") + 1;
    expect(locateLine(legacy, stub)).toMatchObject({ kind: "stub", kernelLine: 2 });
    for (let line = 2; line < lines.indexOf("seven") + 1; line++) {
      if (line !== stub) expect(locateLine(legacy, line)).toEqual({ kind: "kernel", kernelLine: 2 });
    }
    expect(locateLine(legacy, lines.indexOf("seven") + 1)).toEqual({ kind: "kernel", kernelLine: 7 });
  });

  test("survives a clone and JSON", () => {
    for (const copy of [structuredClone(rendered), JSON.parse(JSON.stringify(rendered)) as FilledKernel]) {
      expect(copy).toEqual(rendered);
      for (let line = 0; line < 10; line++)
        expect(locateLine(copy, line)).toEqual(locateLine(rendered, line));
    }
  });
});

test("finds each line of a kernel with many sites in a few steps", () => {
  const count = 4_096;
  const parsed = parsePtx(Array.from({ length: count }, (_, i) => `K\n${site(`f${i % 7}`, X)}`).join(""));
  const filled = parsed.fill(Object.fromEntries(parsed.injections.map(({ name }) => [name, "a\nb"])));
  let looks = 0;
  const watched = <T extends object>(list: T): T =>
    new Proxy(list, {
      get(target, key, receiver) {
        looks++;
        return Reflect.get(target, key, receiver);
      },
    });
  const { template } = filled;
  const own = { ...template, holes: watched([...template.holes]), lines: watched([...template.lines]) };
  const located = new RenderedLines(own, Object.values(filled.stubs));
  const lines = renderText(filled).split("\n").length;
  for (let line = 1; line <= lines; line++) expect(located.locate(line)).toEqual(locateLine(filled, line));
  expect(looks / lines).toBeGreaterThan(1);
  expect(looks / lines).toBeLessThan(10);
});

/**
 * The origin of each line of a rendering, read from its tags: `K7` in line 7 of the kernel, `S` in stubs, `Q`
 * before sites.
 */
function tagged(
  annotated: AnnotatedPtx,
  stubs: Readonly<Record<string, string>>,
  text: string,
): SourceLine[] {
  const sites = annotated.injections
    .flatMap(({ name, sites: own }) => own.map(({ line, span }, index) => ({ name, index, line, span })))
    .sort((a, b) => a.span.start - b.span.start);
  let next = 0;
  let stubLine = 0;
  return text.split("\n").map((content): SourceLine => {
    const current = sites[next - 1];
    // Only lines of stubs may be empty, apart from a `Q` of the kernel.
    if (content.includes("S") || /^(Q )?\r?$/.test(content)) {
      const goesOn = current !== undefined && stubLine < stubs[current.name]!.split("\n").length;
      stubLine = goesOn ? stubLine + 1 : 1;
      const { name, index, line } = goesOn ? current : sites[next++]!;
      return { kind: "stub", injection: name, site: index, stubLine, kernelLine: line };
    }
    const kernel = /K(\d+)/.exec(content);
    if (kernel !== null) return { kind: "kernel", kernelLine: Number(kernel[1]) };
    const behind = /^\t(mov\.f32 %f|\})/.test(content);
    return { kind: "kernel", kernelLine: (behind ? current! : sites[next]!).line };
  });
}

test("locates every line of every rendering", () => {
  const names = ["f", "g", "h"];
  const lineEnd = fc.constantFrom("\n", "\r\n");
  const siteText = fc
    .tuple(fc.constantFrom(...names), fc.boolean(), fc.boolean(), lineEnd)
    .map(([name, legacy, shared, end]) => {
      const lines = legacy
        ? legacySite(name)
        : site(name, "_x0 m f32 f32 x", "_x1 o f32 f32 z", "_x2 i f32 f32 y");
      return `${shared ? "Q " : ""}${lines.replaceAll("\n", end)}`;
    });
  const kernelLine = lineEnd.map((end) => `K${end}`);
  const stub = fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom("S", "\tS;", ""), lineEnd), { maxLength: 4 }),
      fc.constantFrom("S", ""),
    )
    .map(([lines, last]) => lines.flat().join("") + last);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(siteText, kernelLine), { maxLength: 12 }),
      fc.tuple(stub, stub, stub),
      (pieces, texts) => {
        const numbered = `${pieces.join("")}K`
          .split("\n")
          .map((line, index) => line.replace("K", `K${index + 1}`))
          .join("\n");
        const annotated = parsePtx(numbered);
        const all = Object.fromEntries(names.map((name, index) => [name, texts[index]!]));
        const stubs = Object.fromEntries(annotated.injections.map(({ name }) => [name, all[name]!]));
        const rendered = annotated.fill(stubs);
        const expected = tagged(annotated, stubs, renderText(rendered));
        expect(expected.map((_, index) => locateLine(rendered, index + 1))).toEqual(expected);
        expect(locateLine(rendered, expected.length + 1)).toBeUndefined();
      },
    ),
    { numRuns: smoke(5_000) },
  );
});

describe.skipIf(!hasTool("ptxas"))("lines that ptxas complains about", () => {
  const file = new URL("../vectors/inject.json", import.meta.url);
  const { cases: vectors } = JSON.parse(readFileSync(file, "utf8")) as {
    cases: { name: string; ptx: string }[];
  };
  const kernels = vectors.filter(({ name }) => /^k\d+_80\.ptx$/.test(name));

  /** The lines of the errors in a text. */
  function complaints(ptx: string): number[] {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-lines-"));
    try {
      writeFileSync(join(folder, "k.ptx"), ptx);
      const args = ["-arch", "sm_80", "-o", "k.cubin", "k.ptx"];
      const { stderr } = spawnSync("ptxas", args, { cwd: folder, encoding: "utf8" });
      return [...stderr.matchAll(/, line (\d+); error/g)].map(([, line]) => Number(line));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("exist", () => expect(kernels.length).toBeGreaterThan(2));

  test.each(kernels)("$name", ({ ptx }) => {
    const annotated = parsePtx(ptx);
    const [{ name, sites }] = annotated.injections as [(typeof annotated.injections)[number]];
    const stub = "\t{\n\t.reg .u32 %good;\n\tmov.u32 %good, 1;\n\tmov.u32 %good, %wrong;\n\t}";
    const rendered = annotated.fill({ [name]: stub }, { missing: "empty" });
    const found = complaints(renderText(rendered)).map((line) => locateLine(rendered, line)!);
    expect(new Set(found.map(({ kind, ...at }) => `${kind} ${"stubLine" in at && at.stubLine}`))).toEqual(
      new Set(["stub 4"]),
    );
    expect(new Set(found.map(({ kernelLine }) => kernelLine))).toEqual(
      new Set(sites.map(({ line }) => line)),
    );

    // The same mistake in the kernel, after its last site.
    const last = ptx.lastIndexOf("\tret;");
    const damaged = parsePtx(`${ptx.slice(0, last)}\tmov.u32 %wrong, 1;\n${ptx.slice(last)}`);
    const empty = damaged.fill({}, { missing: "empty" });
    const wrongLine = ptx.slice(0, last).split("\n").length;
    const lines = new Set(
      complaints(renderText(empty)).map((line) => describeLine(locateLine(empty, line)!)),
    );
    expect(lines).toEqual(new Set([`kernel line ${wrongLine}`]));
  });
});

describe("template", () => {
  test("is frozen, plain, and renders to the same text", () => {
    const annotated = parsePtx(`a\n${site("f", X)}b\n${legacySite("g")}${site("f", X)}c`);
    const template = annotated.template();
    expect(annotated.template()).toBe(template);
    expect(structuredClone(template)).toEqual(template);
    expect(JSON.parse(JSON.stringify(template))).toEqual(template);
    expect(template.names).toEqual(["f", "g"]);
    expect(template.holes).toEqual([0, 1, 0]);
    expect(template.segments).toHaveLength(4);
    expect(template.lines).toHaveLength(4);
    expect([template, ...Object.values(template), ...template.lines].every(Object.isFrozen)).toBe(true);
    const stubs = ["F", "G"];
    const rendered = template.segments.map((text, i) => text + (stubs[template.holes[i]!] ?? "")).join("");
    expect(rendered).toBe(annotated.render({ f: "F", g: "G" }));
    const filled = annotated.fill({ f: "F", g: "G" });
    expect(filled).toEqual({ template, stubs: { f: "F", g: "G" } });
    expect(filled.template).toBe(template);
    expect(checkFilledKernel(filled)).toBe(filled);
    expect(renderText(filled)).toBe(rendered);
  });

  test("is the text if there are no sites", () => {
    expect(parsePtx("a\nb").template()).toEqual({
      names: [],
      segments: ["a\nb"],
      holes: [],
      lines: [{ kernelLine: 1, lines: 1, head: 0, tail: 0 }],
    });
  });
});
