// Real logs of nvPTXCompiler 13.0.88, each with its parsed form beside it. `UPDATE_GOLDENS=1` rewrites the
// parsed forms.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeOf, primaryOf } from "../../src/ptx/causes.js";
import { firstErrors, parseDiagnostics } from "../../src/ptx/diagnostics.js";
import { parseInfoLog } from "../../src/ptx/info.js";

const FOLDER = new URL("logs/", import.meta.url);
const files = readdirSync(FOLDER);
const logs = files.filter((file) => file.endsWith(".log"));
const goldenOf = (log: string) => log.replace(/\.log$/, ".golden.json");

test("every log has its golden, and every golden its log", () => {
  const goldens = files.filter((file) => !file.endsWith(".log"));
  const expected = logs.map(goldenOf).sort();
  if (process.env.UPDATE_GOLDENS !== "1") expect(goldens.sort()).toEqual(expected);
  expect(goldens.filter((file) => !expected.includes(file))).toEqual([]);
});

test.each(logs)("%s has the golden form", (file) => {
  const log = readFileSync(new URL(file, FOLDER), "utf8");
  const diagnostics = parseDiagnostics(log);
  const read = file.startsWith("error")
    ? { code: codeOf(primaryOf(diagnostics)), diagnostics }
    : parseInfoLog(log);
  const golden = new URL(goldenOf(file), FOLDER);
  if (process.env.UPDATE_GOLDENS === "1") writeFileSync(golden, `${JSON.stringify(read, null, 2)}\n`);
  expect(read).toEqual(JSON.parse(readFileSync(golden, "utf8")));
});

test("lines may end in CR LF, and other text is skipped", () => {
  expect(parseDiagnostics("noise\r\nptxas FILE, line 3; error   : bad, line 4; error : x\r\n")).toEqual([
    { severity: "error", line: 3, message: "bad, line 4; error : x" },
  ]);
});

test("of the errors of one line, one of each kind is read at once", () => {
  const error = (text: string) => `ptxas application ptx input, line 4; error   : ${text}\n`;
  const names = Array.from({ length: 5000 }, (_, i) => error(`Unknown symbol 'a${i}'`)).join("");
  const { count, errors } = firstErrors(`${names}${error("Bad")}${names}`);
  expect(count).toBe(10_001);
  expect(errors.map(({ message }) => message)).toEqual(["Unknown symbol 'a0'", "Bad"]);
});
