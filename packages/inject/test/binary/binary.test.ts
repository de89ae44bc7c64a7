// Annotated PTX as bytes: everything is restored, here and in a worker, and every altered byte is detected.
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { checksumOf } from "../../src/binary/checksum.js";
import { checksumOfTables, Header } from "../../src/binary/layout.js";
import { AnnotatedPtx, PtxInjectError, parsePtx } from "../../src/index.js";
import { errorOf, site } from "../support/helpers.js";

const kinds = readFileSync(new URL("../fixtures/kinds.golden.ptx", import.meta.url), "utf8");
const old = site("old", "%f1 mod f32 y", "%rs2 out f16 z", "3 in s32 k");
const both = site("f", "_x0 m f32 f32 y") + site("f", "%f1 mod f32 y");
const TEXTS = {
  "no sites": "ret;\n",
  "nothing at all": "",
  "1.1": kinds,
  "0.x": old,
  "both, CRLF, and more than ASCII": `\uFEFF// é 😀\n${both}${old.replaceAll("\n", "\r\n")}${kinds}${site("empty")}`,
};

const stubsOf = ({ injections }: AnnotatedPtx) =>
  Object.fromEntries(injections.map(({ name }) => [name, `\t// ${name}`]));

/** Everything that callers can read from it. */
const contentOf = (annotated: AnnotatedPtx) => ({
  ...(JSON.parse(JSON.stringify(annotated)) as object),
  rendered: annotated.render(stubsOf(annotated)),
  fingerprint: annotated.fingerprint,
});

describe.each(Object.entries(TEXTS))("%s", (_, text) => {
  const annotated = parsePtx(text);
  const bytes = annotated.toBytes();

  test("is restored completely", () => {
    const loaded = AnnotatedPtx.fromBytes(bytes);
    expect(contentOf(loaded)).toEqual(contentOf(annotated));
    expect(loaded.toBytes()).toEqual(bytes);
  });

  test("is restored from bytes anywhere in a buffer", () => {
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(contentOf(AnnotatedPtx.fromBytes(shifted.subarray(3)))).toEqual(contentOf(annotated));
  });

  test("is refused if bytes are missing or left over", () => {
    for (let length = 0; length < bytes.length; length += length < 300 ? 1 : 97)
      expect(errorOf(() => AnnotatedPtx.fromBytes(bytes.subarray(0, length))).code).toBe("FILE_TRUNCATED");
    const longer = new Uint8Array([...bytes, 0]);
    expect(errorOf(() => AnnotatedPtx.fromBytes(longer)).code).toBe("FILE_FORMAT");
  });
});

describe("altered bytes", () => {
  const bytes = parsePtx(TEXTS["both, CRLF, and more than ASCII"]).toBytes();
  const text = bytes.length - new TextEncoder().encode(TEXTS["both, CRLF, and more than ASCII"]).length;
  const altered = (at: number, change: number) => {
    const copy = bytes.slice();
    copy[at]! ^= change;
    return copy;
  };

  test("in the tables are detected on loading", () => {
    for (let at = 0; at < text; at++) {
      const error = errorOf(() => AnnotatedPtx.fromBytes(altered(at, 1 << (at % 8))));
      expect(error.offset).toBeTypeOf("number");
      expect(["FILE_FORMAT", "FILE_TRUNCATED", "FILE_CHECKSUM"]).toContain(error.code);
      if (at < 12) expect(error.code).toBe("FILE_FORMAT");
      if (at >= 84) expect(error.code).toBe("FILE_CHECKSUM");
    }
  });

  test("in the text are detected whenever it is read for the first time", () => {
    for (let at = text; at < bytes.length; at++) {
      const loaded = AnnotatedPtx.fromBytes(altered(at, 1 << (at % 8)));
      expect(loaded.injections.length).toBeGreaterThan(3);
      for (const ask of [
        () => loaded.text,
        () => loaded.text,
        () => loaded.injections[0]!.sites,
        () => loaded.render(stubsOf(loaded)),
        () => loaded.template(),
        () => loaded.toBytes(),
      ]) {
        expect(errorOf(ask).code).toBe("FILE_CHECKSUM");
      }
    }
  });

  test("are detected in any number", () => {
    const edits = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(edits, (list) => {
        const copy = bytes.slice();
        for (const [at, value] of list) copy[at] = value;
        const same = copy.every((byte, at) => byte === bytes[at]);
        try {
          expect(AnnotatedPtx.fromBytes(copy).text).toBe(
            same ? TEXTS["both, CRLF, and more than ASCII"] : "",
          );
        } catch (error) {
          if (!(error instanceof PtxInjectError)) throw error;
          expect(same).toBe(false);
          expect(error.code).toMatch(/^FILE_/);
        }
      }),
      { numRuns: rare(10_000) },
    );
  });
});

describe("forged tables", () => {
  const bytes = parsePtx(old + site("new", "_x0 i f32 F32 x")).toBytes();

  /** The bytes with one word changed and a matching checksum. */
  const forged = (word: number, value: number) => {
    const copy = bytes.slice();
    const words = new Uint32Array(copy.buffer.slice(0, copy.length - kept));
    words[word] = value;
    words[Header.checksum] = checksumOfTables(words, words.length);
    copy.set(new Uint8Array(words.buffer));
    return copy;
  };
  const kept = new TextEncoder().encode(old + site("new", "_x0 i f32 F32 x")).length;

  test("are refused or harmless", () => {
    let refused = 0;
    for (let word = Header.textUnits; word < (bytes.length - kept) >>> 2; word++) {
      for (const value of [0, 1, 2, 7, 1_000, 2 ** 31, 2 ** 32 - 1]) {
        try {
          contentOf(AnnotatedPtx.fromBytes(forged(word, value)));
        } catch (error) {
          if (!(error instanceof PtxInjectError)) throw error;
          refused++;
        }
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

test("values that are not bytes are refused", () => {
  for (const value of [undefined, "text", new ArrayBuffer(8), [1, 2]])
    expect(errorOf(() => AnnotatedPtx.fromBytes(value as never)).code).toBe("INVALID_ARGUMENT");
});

test("a text that UTF-8 cannot encode is refused with the place", () => {
  const error = errorOf(() => parsePtx(`ret; // \uD800 é\n`).toBytes());
  expect([error.code, error.span]).toEqual(["INVALID_ARGUMENT", { start: 8, end: 9 }]);
});

test("the fingerprint depends on text and types", () => {
  const types = { kind: "inject", types: [], fingerprint: "0".repeat(64), bases: [] } as const;
  const prints = [parsePtx("a"), parsePtx("b"), parsePtx("a", { types })].map(
    ({ fingerprint }) => fingerprint,
  );
  expect(new Set(prints).size).toBe(3);
  expect(prints[0]).toBe(parsePtx("a").fingerprint);
  expect(prints[0]).toMatch(/^[0-9a-f]{64}$/);
});

test("a worker restores everything from the bytes", async () => {
  const annotated = parsePtx(kinds);
  const entry = new URL("../../dist/index.js", import.meta.url).href;
  const program = `
    const { parentPort } = require("node:worker_threads");
    parentPort.once("message", async ({ bytes, stubs }) => {
      const { AnnotatedPtx } = await import(${JSON.stringify(entry)});
      const annotated = AnnotatedPtx.fromBytes(bytes);
      parentPort.postMessage({ annotated, rendered: annotated.render(stubs) });
    });`;
  const worker = new Worker(program, { eval: true });
  try {
    const answer = new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    const bytes = annotated.toBytes();
    worker.postMessage({ bytes, stubs: stubsOf(annotated) }, [bytes.buffer as ArrayBuffer]);
    expect(await answer).toEqual({
      annotated: structuredClone(annotated),
      rendered: annotated.render(stubsOf(annotated)),
    });
  } finally {
    await worker.terminate();
  }
});

test("the checksum is xxHash32", () => {
  const of = (text: string) => checksumOf(new TextEncoder().encode(text));
  expect(["", "a", "abc", "Nobody inspects the spammish repetition"].map(of)).toEqual([
    0x02cc5d05, 0x550d7456, 0x32d153ff, 0xe2293b2f,
  ]);
});
