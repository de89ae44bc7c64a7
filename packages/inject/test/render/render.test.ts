// Rendering to text and to bytes, and looking up injections and operands.
import { renderText } from "@mm-ptx/types/core";
import { describe, expect, test } from "vitest";
import { checkStub, parsePtx } from "../../src/index.js";
import { errorOf, site } from "../support/helpers.js";

const TEXT = `head\n${site("func", "_x0 o f32 F32 z", "_x1 i f32 F32 x")}mid\n${site("other")}${site("func", "_x0 o f32 F32 z", "_x1 i f32 F32 x")}tail`;
const annotated = parsePtx(TEXT);
const STUBS = { func: "\tF;", other: "" };
const RENDERED = "head\n\tF;\nmid\n\n\tF;\ntail";

describe("render", () => {
  test("replaces every site of a name with its stub", () => {
    expect(annotated.render(STUBS)).toBe(RENDERED);
    expect(parsePtx("plain").render({})).toBe("plain");
  });

  test("accepts objects without a prototype and maps", () => {
    expect(annotated.render(Object.assign(Object.create(null), STUBS))).toBe(RENDERED);
    expect(annotated.render(new Map(Object.entries(STUBS)))).toBe(RENDERED);
  });

  test("accepts stubs in any order, and names that are numbers", () => {
    expect(annotated.render({ other: "", func: "\tF;" })).toBe(RENDERED);
    expect(annotated.render(new Map(Object.entries({ other: "", func: "\tF;" })))).toBe(RENDERED);
    const numbers = parsePtx(site("b") + site("10") + site("2"));
    expect(numbers.render({ b: "B", "2": "two", "10": "ten" })).toBe("B\nten\ntwo\n");
  });

  test("has the same rules for thousands of injections", () => {
    const many = parsePtx(Array.from({ length: 2048 }, (_, i) => site(`s${i}`)).join(""));
    const entries = many.injections.map(({ name }, i): [string, string] => [name, `\tstub ${i}`]);
    const rendered = entries.map(([, stub]) => `${stub}\n`).join("");
    const { s7, ...others } = Object.fromEntries(entries);
    for (let i = 0; i < 2; i++) {
      expect(many.render({ s7: s7!, ...others })).toBe(rendered);
      expect(many.render(Object.fromEntries(entries))).toBe(rendered);
      expect(many.render(new Map(entries))).toBe(rendered);
      expect(errorOf(() => many.render(others)).code).toBe("WRONG_NUM_STUBS");
      expect(errorOf(() => many.render({ ...others, s7: s7!, s2048: "" })).code).toBe(
        "INJECTION_NAME_NOT_FOUND",
      );
      expect(errorOf(() => many.render({ ...others, s7: 7 as never })).code).toBe("INVALID_INPUT");
    }
  });

  test("inserts stubs unchanged", () => {
    const stub = "$& $1 $$ $` \\ %% \r\n\n";
    expect(annotated.render({ ...STUBS, func: stub })).toBe(RENDERED.replaceAll("\tF;", () => stub));
  });

  test("drops the NUL that ends a stub of mm-ptx for Python, and no other", () => {
    const [ended, inside] = [
      { ...STUBS, func: "\tF;\0" },
      { ...STUBS, func: "\tF\0;" },
    ];
    expect(annotated.render(ended)).toBe(RENDERED);
    expect(annotated.render(new Map(Object.entries(ended).reverse()))).toBe(RENDERED);
    const bytes = new Uint8Array(RENDERED.length);
    expect(annotated.renderInto(ended, bytes)).toBe(RENDERED.length);
    expect(new TextDecoder().decode(bytes)).toBe(RENDERED);
    expect(annotated.fill(ended).stubs).toEqual(annotated.fill(STUBS).stubs);
    expect(checkStub("\tret;\0", annotated.injection("other"))).toEqual([]);
    expect(annotated.render(inside)).toBe(RENDERED.replaceAll("F;", "F\0;"));
  });

  test("removes only one tab before the marker", () => {
    expect(parsePtx(`\t${site("f")}`).render({ f: "F" })).toBe("\tF\n");
    expect(parsePtx(` ${site("f").slice(1)}`).render({ f: "F" })).toBe(" F\n");
  });

  test("WRONG_NUM_STUBS: an injection without a stub", () => {
    const error = errorOf(() => annotated.render({ func: "" }));
    expect(error.code).toBe("WRONG_NUM_STUBS");
    expect(error.message).toBe("expected stubs for all 2 injections, found none for `other`");
    expect(errorOf(() => annotated.render(Object.create(STUBS))).code).toBe("WRONG_NUM_STUBS");
    expect(errorOf(() => annotated.render(new Map())).code).toBe("WRONG_NUM_STUBS");
  });

  test("INJECTION_NAME_NOT_FOUND: a stub for an unknown name, even when one is missing too", () => {
    for (const stubs of [
      { ...STUBS, fnuc: "" },
      { fnuc: "", other: "" },
    ]) {
      const error = errorOf(() => annotated.render(stubs));
      expect(error.code).toBe("INJECTION_NAME_NOT_FOUND");
      expect(error.message).toBe(
        "expected an injection (`func`, `other`), found `fnuc`, did you mean `func`?",
      );
    }
    expect(errorOf(() => parsePtx("").render({ f: "" })).code).toBe("INJECTION_NAME_NOT_FOUND");
  });

  test("INVALID_INPUT: a stub that is not a string; INVALID_ARGUMENT: stubs that are not an object", () => {
    for (const stub of [undefined, null, 7, {}, new Uint8Array(1)]) {
      const stubs = { ...STUBS, func: stub as unknown as string };
      expect(errorOf(() => annotated.render(stubs)).code).toBe("INVALID_INPUT");
      expect(errorOf(() => annotated.render(new Map(Object.entries(stubs)))).code).toBe("INVALID_INPUT");
    }
    for (const stubs of [undefined, null, "text", ["a", "b"], 7]) {
      expect(errorOf(() => annotated.render(stubs as unknown as Record<string, string>)).code).toBe(
        "INVALID_ARGUMENT",
      );
    }
  });
});

describe("options", () => {
  const bytes = new Uint8Array(100);
  const functions = {
    render: (stubs: object, options: object) => annotated.render({ ...stubs }, options),
    renderInto: (stubs: object, options: object) => {
      const written = annotated.renderInto({ ...stubs }, bytes, 0, options);
      return new TextDecoder().decode(bytes.subarray(0, written));
    },
    fill: (stubs: object, options: object) => renderText(annotated.fill({ ...stubs }, options)),
  };

  describe.each(Object.entries(functions))("of %s", (name, run) => {
    test("missing: empty leaves the sites of injections without a stub empty", () => {
      expect(run({ func: "F" }, { missing: "empty" })).toBe("head\nF\nmid\n\nF\ntail");
      expect(run({}, { missing: "empty" })).toBe("head\n\nmid\n\n\ntail");
      expect(errorOf(() => run({}, { missing: "error" })).code).toBe("WRONG_NUM_STUBS");
      expect(errorOf(() => run({ fucn: "" }, { missing: "empty" })).code).toBe("INJECTION_NAME_NOT_FOUND");
      expect(errorOf(() => run({ func: undefined }, { missing: "empty" })).code).toBe("INVALID_INPUT");
    });

    test("check: false inserts any stubs", () => {
      expect(run({ func: "}", other: "{" }, { check: false })).toBe("head\n}\nmid\n{\n}\ntail");
      expect(errorOf(() => run({ func: "}", other: "{" }, { check: true })).code).toBe("INVALID_STUB");
    });

    test("undefined means the default", () => {
      expect(run(STUBS, { missing: undefined, check: undefined })).toBe(RENDERED);
      expect(errorOf(() => run({ func: "}" }, { missing: "empty", check: undefined })).code).toBe(
        "INVALID_STUB",
      );
    });

    test("INVALID_ARGUMENT: unknown names and values", () => {
      expect(errorOf(() => run(STUBS, { mising: "empty" })).message).toBe(
        `unknown option \`mising\` of ${name}, did you mean \`missing\`?`,
      );
      const values = [{ missing: "emtpy" }, { missing: 0 }, { missing: null }, { check: 1 }, { check: null }];
      for (const options of [...values, null, "check", 7]) {
        expect(errorOf(() => run(STUBS, options as object)).code).toBe("INVALID_ARGUMENT");
      }
    });
  });
});

describe("renderInto", () => {
  test("writes what `render` returns, starting at the offset", () => {
    const bytes = new Uint8Array(RENDERED.length + 5).fill(1);
    expect(annotated.renderInto(STUBS, bytes, 3)).toBe(RENDERED.length);
    expect([...bytes.subarray(0, 3), ...bytes.subarray(-2)]).toEqual([1, 1, 1, 1, 1]);
    expect(new TextDecoder().decode(bytes.subarray(3, -2))).toBe(RENDERED);
  });

  test("writes UTF-8, and long texts in pieces", () => {
    const text = `µ→𝄞 ${"x".repeat(50_000)}\n${site("f")}`.repeat(5);
    const stubs = { f: `é${"y".repeat(40_000)}` };
    const rendered = new TextEncoder().encode(parsePtx(text).render(stubs));
    const bytes = new Uint8Array(rendered.length);
    expect(parsePtx(text).renderInto(stubs, bytes)).toBe(rendered.length);
    expect(Buffer.compare(bytes, rendered)).toBe(0);
  });

  test("INSUFFICIENT_BUFFER: says how many bytes are needed and writes nothing", () => {
    for (let size = 0; size < RENDERED.length; size++) {
      const bytes = new Uint8Array(size);
      const error = errorOf(() => annotated.renderInto(STUBS, bytes));
      expect(bytes.every((byte) => byte === 0)).toBe(true);
      expect(error.code).toBe("INSUFFICIENT_BUFFER");
      expect(error.message).toBe(`expected room for ${RENDERED.length} bytes, found ${size}`);
    }
    expect(errorOf(() => annotated.renderInto(STUBS, new Uint8Array(50), 50)).code).toBe(
      "INSUFFICIENT_BUFFER",
    );
  });

  test("INVALID_ARGUMENT: no bytes, or no such offset", () => {
    const room = new Uint8Array(100);
    for (const bytes of [undefined, [], "text", new ArrayBuffer(100), new Float32Array(100)]) {
      expect(errorOf(() => annotated.renderInto(STUBS, bytes as unknown as Uint8Array)).code).toBe(
        "INVALID_ARGUMENT",
      );
    }
    for (const offset of [-1, 1.5, Number.NaN, 101, "0" as unknown as number]) {
      expect(errorOf(() => annotated.renderInto(STUBS, room, offset)).code).toBe("INVALID_ARGUMENT");
    }
  });
});

describe("looking up", () => {
  test("finds injections and operands by name and by index", () => {
    expect(annotated.injection("other")).toBe(annotated.injections[1]);
    expect(annotated.injection(0).operand("x")).toBe(annotated.injection(0).operand(1));
  });

  test("INJECTION_NAME_NOT_FOUND and INJECTION_ARG_NAME_NOT_FOUND suggest the nearest name", () => {
    const injection = errorOf(() => annotated.injection("Func"));
    expect(injection.code).toBe("INJECTION_NAME_NOT_FOUND");
    expect(injection.message).toContain("did you mean `func`?");
    const operand = errorOf(() => annotated.injection("func").operand("Z"));
    expect(operand.code).toBe("INJECTION_ARG_NAME_NOT_FOUND");
    expect(operand.message).toBe("expected an operand of `func` (`z`, `x`), found `Z`, did you mean `z`?");
    expect(errorOf(() => annotated.injection("y".repeat(1e6))).message.length).toBeLessThan(200);
  });

  test("OUT_OF_BOUNDS_IDX: no such index", () => {
    for (const index of [-1, 2, 0.5, Number.NaN]) {
      expect(errorOf(() => annotated.injection(index)).code).toBe("OUT_OF_BOUNDS_IDX");
      expect(errorOf(() => annotated.injection("func").operand(index)).code).toBe("OUT_OF_BOUNDS_IDX");
    }
    expect(errorOf(() => annotated.injection("other").operand(0)).message).toContain(
      "expected at least one operand, found none at index 0",
    );
  });

  test("INVALID_ARGUMENT: neither name nor index", () => {
    expect(errorOf(() => annotated.injection(undefined as unknown as string)).code).toBe("INVALID_ARGUMENT");
    expect(errorOf(() => annotated.injection("func").operand({} as string)).code).toBe("INVALID_ARGUMENT");
  });
});
