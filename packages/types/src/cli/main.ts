#!/usr/bin/env node
// The program `mm-ptx-types`: runs a command line and prints what came of it. Exit codes: 0, 1 when files have problems,
// 2 when the command line is wrong.
import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { MmPtxError } from "../core/error.js";
import { errorJson, errorText } from "./problems.js";
import { buildProgram } from "./program.js";
import { colorsOf, type Outcome } from "./terminal.js";
import { UsageError, usageMessage } from "./usage.js";

const { stdout, stderr, argv, env } = process;
// A reader that has seen enough, such as `head`, is no error.
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
process.exitCode = main(argv.slice(2));

function main(words: readonly string[]): number {
  const isJson = words.includes("--json");
  const printJson = (value: unknown) => stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  let outcome: Outcome | undefined;
  const program = buildProgram(version, (done) => {
    outcome = done;
  });
  const silent = {
    writeOut: (text: string) => void stdout.write(text),
    writeErr: () => {},
    outputError: () => {},
  };
  for (const command of [program, ...program.commands]) command.configureOutput(silent);
  const fail = (code: number, error: object, text: string): number => {
    if (isJson) printJson({ ok: false, error });
    else stderr.write(`${text}\n`);
    return code;
  };
  try {
    if (words.length === 0)
      throw new UsageError("expected a command, found nothing; `mm-ptx-types --help` lists them");
    program.parse(words, { from: "user" });
    if (outcome === undefined) return 0;
    if (isJson) printJson(outcome.json());
    else stdout.write(outcome.text(colorsOf(stdout, env)));
    return outcome.ok ? 0 : 1;
  } catch (error) {
    const colors = colorsOf(stderr, env);
    if (error instanceof MmPtxError) {
      const code = error.code === "INVALID_VALUE" ? 2 : 1;
      return fail(code, errorJson(error), errorText(error, colors));
    }
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const isUsage = error instanceof UsageError || error instanceof CommanderError;
    if (!isUsage) throw error;
    const message = error instanceof CommanderError ? usageMessage(error, program, words) : error.message;
    return fail(2, { code: "USAGE", message }, `${colors.red("error")}: ${message}`);
  }
}
