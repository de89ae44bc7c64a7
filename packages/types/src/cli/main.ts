#!/usr/bin/env node
// The program `mm-ptx-types`: runs a command line and prints what came of it. Exit codes: 0, 1 when files have problems,
// 2 when the command line is wrong.
import { readFileSync } from "node:fs";
import { type Command, CommanderError } from "commander";
import { MmPtxError } from "../core/error.js";
import { errorJson, errorText } from "./problems.js";
import { buildProgram } from "./program.js";
import { type Colors, colorsOf, type Outcome, printable } from "./terminal.js";
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
  const isJson = words.slice(0, words.includes("--") ? words.indexOf("--") : words.length).includes("--json");
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  let outcome: Outcome | undefined;
  const program = buildProgram(version, (done) => {
    outcome = done;
  });
  let told = "";
  const output = {
    writeOut: (text: string) => {
      told += text;
    },
    writeErr: () => {},
    outputError: () => {},
  };
  for (const command of [program, ...program.commands]) command.configureOutput(output);
  try {
    if (words.length === 0) {
      throw new UsageError("expected a command, found nothing; `mm-ptx-types --help` lists them");
    }
    program.parse(words, { from: "user" });
    if (outcome === undefined) return 0;
    if (isJson) printJson(outcome.json());
    else stdout.write(outcome.text(colorsOf(stdout, env)));
    return outcome.ok ? 0 : 1;
  } catch (error) {
    // What commander throws after `--help` and `--version`.
    if (error instanceof CommanderError && error.exitCode === 0) {
      if (isJson) printJson({ ok: true, text: told.trimEnd() });
      else stdout.write(told);
      return 0;
    }
    const { code, json, text } = failureOf(error, program, words);
    if (isJson) printJson({ ok: false, error: json });
    else stderr.write(`${text(colorsOf(stderr, env))}\n`);
    return code;
  }
}

/** How an error is told, and with which exit code. */
function failureOf(error: unknown, program: Command, words: readonly string[]) {
  if (error instanceof MmPtxError) {
    const code = error.code === "INVALID_VALUE" ? 2 : 1;
    return { code, json: errorJson(error), text: (colors: Colors) => errorText(error, colors) };
  }
  const isUsage = error instanceof UsageError || error instanceof CommanderError;
  if (!isUsage) throw error;
  const message = error instanceof CommanderError ? usageMessage(error, program, words) : error.message;
  const text = (colors: Colors) => `${colors.red("error")}: ${printable(message)}`;
  return { code: 2, json: { code: "USAGE", message }, text };
}

function printJson(value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
