// The problems of a text are reported like an assembler would. For each text `NAME.ptx` in the folder, `NAME.txt` has
// the message.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkProgram, EmulatorError } from "../../src/index.js";
import { refuseUnsupported } from "../../src/run/launch-check.js";

const FOLDER = new URL("./problems/", import.meta.url);
const UPDATE = process.env.UPDATE_GOLDENS === "1";
const files = readdirSync(FOLDER);
const read = (file: string) => readFileSync(new URL(file, FOLDER), "utf8");

/** The error of the text, or that of launching its first kernel. */
function errorOf(text: string): EmulatorError {
  try {
    const program = checkProgram(text);
    refuseUnsupported(program, program.functions.find(({ kind }) => kind === "entry")!);
  } catch (error) {
    if (error instanceof EmulatorError) return error;
    throw error;
  }
  throw new Error("expected an error, found none");
}

it.each(files.filter((file) => file.endsWith(".ptx")))("%s", (file) => {
  const text = read(file);
  const error = errorOf(text);
  const golden = file.replace(".ptx", ".txt");
  const found = `${error.problems.map(({ code }) => code).join(" ")}\n\n${error.message}\n`;
  if (UPDATE) writeFileSync(new URL(golden, FOLDER), found);
  expect(found).toBe(read(golden));
  expect(error.code).toBe(error.problems[0]!.code);
  for (const { span, line, column } of error.problems) {
    const before = text.slice(0, span.start).split("\n");
    expect([line, column]).toEqual([before.length, before.at(-1)!.length + 1]);
  }
});

it("has no message without its text", () => {
  const messages = files.filter((file) => file.endsWith(".txt"));
  expect(messages.filter((file) => !existsSync(new URL(file.replace(".txt", ".ptx"), FOLDER)))).toEqual([]);
});

it("refuses values that are not text", () => {
  expect(() => checkProgram(5 as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});
