// The sites of a kernel and the values that it moves in and out there; all of it survives a structured clone.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AnnotatedPtx, parsePtx } from "../src/index.js";
import { site } from "./support/helpers.js";

const kinds = readFileSync(new URL("./fixtures/kinds.golden.ptx", import.meta.url), "utf8");

/** Operand names with the values that are moved in and out at a site. */
function moved(annotated: AnnotatedPtx, name: string, index = 0): Record<string, readonly unknown[]> {
  const { operands, sites } = annotated.injection(name);
  const { values } = sites[index]!;
  expect(values).toHaveLength(operands.length);
  return Object.fromEntries(
    operands.map(({ name: own }, i) => [own, [values[i]!.movedIn, values[i]!.movedOut]]),
  );
}

describe("values at a site of 1.1", () => {
  test("are read from the moves of nvcc", () => {
    const annotated = parsePtx(kinds);
    expect(moved(annotated, "named")).toEqual({
      v_x: ["%f1", "%f1"],
      v_z: [undefined, "%f2"],
      v_y: ["%f3", undefined],
    });
    expect(moved(annotated, "twice", 0)).toEqual({ z: [undefined, "%f5"], x: ["%f2", undefined] });
    expect(moved(annotated, "twice", 1)).toEqual({ z: [undefined, "%f7"], x: ["%f1", undefined] });
    for (const { sites } of annotated.injections)
      for (const { functionName } of sites) expect(functionName).toBe("kinds");
  });

  test("are those of its own scope, with constants as written", () => {
    const text = `.visible .entry k()
{
	mov.f32 %_x0, %outside;
	{ .reg .f32 %_x0; /* mov.f32 %_x0, %comment; */ mov.f32 %_x0, 0f3F800000; // mov.f32 %_x0, %line;
${site("f", "_x0 i f32 F32 x", "_x1 m f32 F32 y", "_x2 o f32 F32 z")}	mov.f32
	%f7, %_x2; }
	mov.f32 %outside, %_x1;
}`;
    expect(moved(parsePtx(text), "f")).toEqual({
      x: ["0f3F800000", undefined],
      y: [undefined, undefined],
      z: [undefined, "%f7"],
    });
  });

  test("are the adjacent ones if two sites share a scope", () => {
    const first = site("f", "_x0 m f32 F32 x");
    const text = `.entry k(){\nmov.f32 %_x0, %f1;\n${first}mov.f32 %f1, %_x0;\nmov.f32 %_x0, %f2;\n${first}mov.f32 %f3, %_x0;\n}`;
    expect(moved(parsePtx(text), "f", 0)).toEqual({ x: ["%f1", "%f1"] });
    expect(moved(parsePtx(text), "f", 1)).toEqual({ x: ["%f2", "%f3"] });
  });

  test("are those of the last move before the site and the first one after it", () => {
    const text = `.entry k(){\nmov.f32 %_x0, %old;\nmov.f32 %_x0, %new;\n${site("f", "_x0 m f32 F32 x")}mov.f32 %first, %_x0;\nmov.f32 %second, %_x0;\n}`;
    expect(moved(parsePtx(text), "f")).toEqual({ x: ["%new", "%first"] });
  });

  test("do not come from moves before the previous site", () => {
    const sites = `mov.f32 %_x0, %f1;\n${site("f", "_x0 m f32 F32 x")}${site("f", "_x0 m f32 F32 x")}mov.f32 %f2, %_x0;\n`;
    const annotated = parsePtx(`.entry k(){\n${sites}}`);
    expect(moved(annotated, "f", 0)).toEqual({ x: ["%f1", undefined] });
    expect(moved(annotated, "f", 1)).toEqual({ x: [undefined, "%f2"] });
  });

  test("do not come from other instructions or guarded moves", () => {
    const text = `.entry k() {\nmov.f32 %_x0, %f1;\nadd.f32 %f1, %f1, %f2;\n${site("f", "_x0 m f32 F32 x")}@%p1 mov.f32 %f1, %_x0;\n}`;
    expect(moved(parsePtx(text), "f")).toEqual({ x: [undefined, undefined] });
  });
});

test("values at a site of 0.x are read from its lines", () => {
  const annotated = parsePtx(site("f", "%f1 mod f32 y", "%f2 out f32 z", "3 in s32 k"));
  expect(moved(annotated, "f")).toEqual({
    y: ["%f1", "%f1"],
    z: [undefined, "%f2"],
    k: ["3", undefined],
  });
});

describe("the function around a site", () => {
  test("is a kernel or a device function", () => {
    const text = `.version 9.0
${site("outside")}.func (.reg .f32 %r) helper(.reg .f32 %x) {
${site("inside")}}
.func other();
.visible .entry kernel() { .reg .b32 %r<2>; {
${site("inside")}} }
${site("outside")}`;
    const names = (name: string) =>
      parsePtx(text)
        .injection(name)
        .sites.map(({ functionName }) => functionName);
    expect(names("inside")).toEqual(["helper", "kernel"]);
    expect(names("outside")).toEqual([undefined, undefined]);
  });
});

describe("a structured clone", () => {
  const annotated = parsePtx(kinds);
  const plain = JSON.parse(JSON.stringify(annotated)) as unknown;

  test("of the injections has names, operands and complete sites", () => {
    const cloned = structuredClone(annotated.injections) as unknown as typeof annotated.injections;
    const [{ name, index, operands, sites }] = cloned as unknown as [(typeof cloned)[number]];
    expect({ name, index, operands }).toEqual({
      name: "named",
      index: 0,
      operands: annotated.injections[0]!.operands,
    });
    expect(sites[0]).toEqual({
      line: annotated.injections[0]!.sites[0]!.line,
      span: annotated.injections[0]!.sites[0]!.span,
      functionName: "kinds",
      values: annotated.injections[0]!.sites[0]!.values,
    });
    expect(JSON.parse(JSON.stringify({ text: kinds, injections: cloned }))).toEqual(plain);
  });

  test("of the annotated PTX has text and injections", () => {
    const cloned = structuredClone(annotated);
    expect(cloned.text).toBe(kinds);
    expect(JSON.parse(JSON.stringify(cloned))).toEqual(plain);
  });
});
