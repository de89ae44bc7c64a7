// What is put into a results store is found again, bit for bit, now and by the next process.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finishLine } from "@mm-ptx/types/internal/node";
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { openResultsStore, PipelineError } from "../../src/index.js";
import { lineText } from "../../src/store/line.js";
import { anyResult, comparable, FINGERPRINT, signatureOf, withFolder } from "../support/results.js";

const other = "f".repeat(32);

const fails = (code: string, text: RegExp | string) =>
  expect.objectContaining({
    name: "PipelineError",
    code,
    message: typeof text === "string" ? text : expect.stringMatching(text),
  });

it("finds every result again, before it is written, after it and when the folder is opened again", () => {
  fc.assert(
    fc.property(fc.array(anyResult, { minLength: 1, maxLength: 8 }), (results) =>
      withFolder((folder) => {
        const expected = results.map(comparable);
        const found = (store: { get(signature: string): unknown }) =>
          results.map((_, index) => comparable(store.get(signatureOf(index)) as never));
        {
          using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
          for (const [index, result] of results.entries()) store.put(signatureOf(index), result);
          expect(found(store)).toEqual(expected);
          store.flush();
          expect(found(store)).toEqual(expected);
        }
        using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
        expect(found(store)).toEqual(expected);
        expect(store.size).toBe(results.length);
        expect(store.problems).toEqual({ count: 0, lines: [] });
      }),
    ),
    { numRuns: smoke(500) },
  );
});

it("keeps fingerprints apart, in one file", () => {
  withFolder((folder) => {
    using first = openResultsStore(folder, { fingerprint: FINGERPRINT });
    using second = openResultsStore(folder, { fingerprint: other });
    first.put(signatureOf(1), { status: "ok", score: 1 });
    second.put(signatureOf(1), { status: "ok", score: 2 });
    expect(first.get(signatureOf(1))).toEqual({ status: "ok", score: 1 });
    expect(second.get(signatureOf(1))).toEqual({ status: "ok", score: 2 });
    expect(first.get(signatureOf(2))).toBeUndefined();
    expect(first.size).toBe(2);
  });
});

it("gives the latest result of a program", () => {
  withFolder((folder) => {
    {
      using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
      store.put(signatureOf(1), { status: "ok", effort: "draft" });
      store.put(signatureOf(1), { status: "ok", effort: "final" });
      expect(store.get(signatureOf(1))?.effort).toBe("final");
    }
    using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
    expect(store.get(signatureOf(1))?.effort).toBe("final");
    expect(store.size).toBe(1);
  });
});

it("finds results whose lines are longer than what is written at once", () => {
  withFolder((folder) => {
    const long = new Float32Array(50_000).map((_, index) => index / 7);
    const put = [long, long.subarray(0, 3), long.subarray(5), long.subarray(0, 20_000)];
    for (const _ of [1, 2]) {
      using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
      if (store.size === 0)
        for (const [index, data] of put.entries())
          store.put(signatureOf(index), { status: "ok", outputs: [data] });
      for (const [index, data] of put.entries())
        expect(comparable(store.get(signatureOf(index)))).toEqual(
          comparable({ status: "ok", outputs: [data] }),
        );
    }
  });
});

it("finds all of many results in a table that has grown", () => {
  withFolder((folder) => {
    const count = 5000;
    for (const _ of [1, 2]) {
      using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
      if (store.size === 0)
        for (let index = 0; index < count; index++)
          store.put(signatureOf(index), { status: "ok", score: index });
      expect(store.size).toBe(count);
      for (let index = 0; index < count; index++) expect(store.get(signatureOf(index))?.score).toBe(index);
      expect(store.get(signatureOf(count))).toBeUndefined();
    }
  });
});

it("writes lines that any JSON reader can read", () => {
  withFolder((folder) => {
    {
      using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
      store.put(signatureOf(1), {
        status: "ok",
        effort: "draft",
        score: Number.NaN,
        registers: 12,
        outputs: [Float32Array.of(1, 2)],
      });
    }
    const lines = readFileSync(join(folder, "results.jsonl"), "utf8").split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0]!)).toEqual({
      key: signatureOf(1) + FINGERPRINT,
      status: "ok",
      effort: "draft",
      score: { number: "NaN" },
      registers: 12,
      outputs: [{ type: "Float32Array", data: "AACAPwAAAEA=" }],
      check: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
  });
});

it("cuts off a line that was not finished", () => {
  withFolder((folder) => {
    const path = join(folder, "results.jsonl");
    {
      using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
      for (const index of [0, 1]) store.put(signatureOf(index), { status: "ok", score: index });
    }
    const whole = readFileSync(path);
    const first = whole.indexOf(10) + 1;
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
      expect(statSync(path).size).toBe(length < first ? 0 : first);
      expect(store.size).toBe(length < first ? 0 : 1);
      expect(store.problems.count).toBe(0);
    }
  });
});

it("leaves files alone that are not its own", () => {
  withFolder((folder) => {
    const path = join(folder, "results.jsonl");
    for (const contents of ['{"a":1}\n{"a":2}\n{"a"', "text", "\n"]) {
      writeFileSync(path, contents);
      const open = () => openResultsStore(folder, { fingerprint: FINGERPRINT });
      expect(open).toThrow(fails("STORE", /found a file of another kind$/));
      expect(readFileSync(path, "utf8")).toBe(contents);
      expect(readdirSync(folder)).toEqual(["results.jsonl"]);
    }
  });
});

it("refuses wrong arguments", () => {
  withFolder((folder) => {
    const open =
      (...args: unknown[]) =>
      () =>
        (openResultsStore as (...args: unknown[]) => unknown)(...args);
    const digits = "as 32 lower-case hexadecimal digits, found";
    expect(open(7)).toThrow(fails("INVALID_ARGUMENT", "expected a folder for results, found 7"));
    expect(open("")).toThrow(fails("INVALID_ARGUMENT", "expected a folder for results, found ``"));
    expect(open(folder)).toThrow(fails("INVALID_ARGUMENT", /^expected options of `openResultsStore`/));
    expect(open(folder, {})).toThrow(fails("INVALID_ARGUMENT", /`fingerprint`/));
    expect(open(folder, { fingerprnt: other })).toThrow(fails("INVALID_ARGUMENT", /fingerprint/));
    expect(open(folder, { fingerprint: "abc" })).toThrow(
      fails("INVALID_ARGUMENT", `expected a fingerprint ${digits} \`abc\``),
    );
    using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
    for (const wrong of [
      other.toUpperCase(),
      `${other}f`,
      other.slice(1),
      `ö${other.slice(1)}`,
      7 as never,
    ]) {
      expect(() => store.get(wrong)).toThrow(fails("INVALID_ARGUMENT", /^expected a signature/));
      expect(() => store.put(wrong, { status: "ok" })).toThrow(
        fails("INVALID_ARGUMENT", /^expected a signature/),
      );
    }
    const place: unknown[] = [];
    place.push(place);
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{}, /^expected `status` of a result as a string, found undefined$/],
      [
        { status: "ok", effort: "most" },
        /^expected `effort` of a result as `draft`, `balanced` or `final`, found `most`$/,
      ],
      [{ status: "ok", score: 7n }, /^expected `score` of a result as a number, found a bigint$/],
      [{ status: "ok", spills: "7" }, /^expected `spills` of a result as a number, found `7`$/],
      [{ status: "no", error: { code: "X", message: "", place } }, /^expected `error` of a result as JSON/],
      [
        { status: "ok", outputs: [new DataView(new ArrayBuffer(8))] },
        /Float64Array, found an object of DataView$/,
      ],
      [{ status: "ok", outputs: [[1, 2]] }, /Float64Array, found an array$/],
    ];
    for (const [result, text] of wrong)
      expect(() => store.put(other, result as never)).toThrow(fails("INVALID_ARGUMENT", text));
    expect(store.size).toBe(0);
  });
});

it("refuses folders that cannot be used", () => {
  withFolder((folder) => {
    const file = join(folder, "file");
    appendFileSync(file, "");
    for (const name of ["results.jsonl", "lock"]) mkdirSync(join(folder, name, name), { recursive: true });
    for (const wrong of [file, join(file, "below"), join(folder, "results.jsonl"), join(folder, "lock")])
      expect(() => openResultsStore(wrong, { fingerprint: FINGERPRINT })).toThrow(
        fails("STORE", /^can't open the results store/),
      );
  });
});

it("is closed after `dispose`, which may be called twice", () => {
  withFolder((folder) => {
    const store = openResultsStore(folder, { fingerprint: FINGERPRINT });
    const second = openResultsStore(folder, { fingerprint: FINGERPRINT });
    store.dispose();
    store.dispose();
    for (const use of [() => store.get(other), () => store.put(other, { status: "ok" }), () => store.flush()])
      expect(use).toThrow(fails("DISPOSED", "expected an open results store, found a disposed one"));
    second.put(other, { status: "ok" });
    expect(second.get(other)).toEqual({ status: "ok" });
    second.dispose();
    expect(() => second.get(other)).toThrow(PipelineError);
  });
});

it.skipIf(process.platform === "win32")("does not wait for named pipes in place of its files", () => {
  for (const name of ["results.jsonl", "lock", "index"])
    withFolder((folder) => {
      execFileSync("mkfifo", [join(folder, name)]);
      const open = () => openResultsStore(folder, { fingerprint: FINGERPRINT });
      if (name === "index") open().dispose();
      else expect(open).toThrow(fails("STORE", /expected a regular file, found another kind/));
    });
});

it("does not find whole lines that are of another version", () => {
  withFolder((folder) => {
    const path = join(folder, "results.jsonl");
    const texts = [
      '"status":7',
      '"status":"ok","outputs":[{"type":"Float16Array","data":""}]',
      '"status":"ok",,',
    ];
    const lines = texts.map((text, index) => lineText(signatureOf(index), FINGERPRINT, text));
    for (const line of lines) {
      const bytes = Buffer.alloc(300);
      appendFileSync(path, bytes.subarray(0, finishLine(bytes, 0, bytes.write(line))));
    }
    using store = openResultsStore(folder, { fingerprint: FINGERPRINT });
    expect(store.size).toBe(texts.length);
    for (const index of texts.keys()) expect(store.get(signatureOf(index))).toBeUndefined();
    expect([store.size, store.problems.count]).toEqual([0, texts.length]);
  });
});

it.runIf(process.platform === "linux")("a folder in a file system without room for it is refused", () => {
  expect(() => openResultsStore("/proc/nope/results", { fingerprint: "0".repeat(32) })).toThrow(
    expect.objectContaining({ code: "STORE" }),
  );
});
