// Reads the answer of the linker's process: a cubin, or a description of the failure.

import { describeLine } from "@mm-ptx/types/core";
import { codeFrameAt } from "@mm-ptx/types/internal";
import { readCubin } from "../cubin/compare.js";
import { type Answer, type Died, textOf } from "../toolkit/helper.js";
import { type LinkDiagnostic, LinkError, type LinkErrorCode } from "./error.js";
import type { LinkResult } from "./linker.js";
import { isLinkError, type LinkFailure, linkFailureOf, parseLinkLog, resultName } from "./log.js";
import type { InputKind, LinkOptions, ResolvedInput } from "./options.js";

/** @throws LinkError if nothing was linked */
export function readAnswer(
  answer: Answer | Died,
  inputs: readonly ResolvedInput[],
  { arch }: LinkOptions,
): Omit<LinkResult, "milliseconds"> {
  if ("died" in answer)
    throw new LinkError(
      answer.outgrown ? "OUT_OF_MEMORY" : "CRASHED",
      `the linker's process ${answer.died}`,
      {
        confined: answer.forbidden ? "SIGSYS" : undefined,
      },
    );
  const [status, operation, about, infoLog, errorLog] = answer.lists[1]!.map(textOf) as [
    string,
    string,
    string,
    string,
    string,
  ];
  // Duplicate symbols are reported only on standard error, and the library reports success.
  const log = [errorLog, answer.stderr, infoLog].filter((text) => text !== "").join("\n");
  const input = inputs[Number(about)];
  const diagnostics = parseLinkLog(log).map((each) => located(each, input));
  const failure = linkFailureOf(diagnostics, Number(status));
  if (failure === undefined) {
    const warnings = diagnostics.filter((each) => !isLinkError(each));
    return { cubin: Uint8Array.from(answer.lists[2]![0]!), warnings, log };
  }
  const details = { diagnostics, log, ...(input === undefined ? {} : { input: input.name }) };
  const misfit = input && misfitOf(failure, input, arch);
  if (misfit !== undefined)
    throw new LinkError(misfit.code, `\`${input!.name}\`: ${misfit.message}`, details);
  const { code, told } = failure;
  const place = input === undefined ? "" : `\`${input.name}\`: `;
  const said =
    told === undefined
      ? `${operation} returned ${resultName(Number(status))}`
      : inWords(told, diagnostics, input);
  throw new LinkError(code, `the inputs do not link for \`${arch}\`: ${place}${said}`, details);
}

function inWords(
  told: LinkDiagnostic,
  diagnostics: readonly LinkDiagnostic[],
  input: ResolvedInput | undefined,
): string {
  const others = diagnostics.filter(isLinkError).length - 1;
  const sentence = `${told.message}${others === 0 ? "" : ` (and ${others} more)`}`;
  if (told.line === undefined) return sentence;
  const place = told.origin === undefined ? `line ${told.line}` : describeLine(told.origin);
  return `${place}: ${sentence}${frameOf(input, told.line)}`;
}

/** A message about a line of rendered PTX, with the place where that line was written. */
function located(diagnostic: LinkDiagnostic, input: ResolvedInput | undefined): LinkDiagnostic {
  const { line } = diagnostic;
  const origin = line === undefined ? undefined : input?.origins?.locate(line);
  return origin === undefined ? diagnostic : { ...diagnostic, origin };
}

/** A line of PTX with a marker under the whole line. */
function frameOf(input: ResolvedInput | undefined, line: number): string {
  if (input?.kind !== "ptx") return "";
  const text = (Buffer.from(input.data).toString().split("\n")[line - 1] ?? "").trimEnd();
  const start = text.length - text.trimStart().length;
  if (start === text.length) return "";
  return `\n${codeFrameAt(text, { start, end: text.length }, { line, column: start + 1 })}`;
}

const NOUNS: Readonly<Record<InputKind, string>> = { cubin: "a cubin", ptx: "PTX", ltoir: "LTO-IR" };

/** Diagnoses an input that the linker only reports as unsuitable. */
function misfitOf(
  { code }: LinkFailure,
  { kind, data }: ResolvedInput,
  arch: string,
): { readonly code: LinkErrorCode; readonly message: string } | undefined {
  if (code !== "INVALID_ARGUMENT" && code !== "ARCH_MISMATCH") return undefined;
  const other = kind === "cubin" ? otherArch(data as Uint8Array, arch) : undefined;
  if (other !== undefined)
    return {
      code: "ARCH_MISMATCH",
      message: `expected a cubin for \`${arch}\`, found one for \`${other}\``,
    };
  if (code === "INVALID_ARGUMENT") return { code, message: `expected ${NOUNS[kind]}, found something else` };
  return {
    code,
    message: `expected ${NOUNS[kind]} that \`${arch}\` can run, found some for another architecture`,
  };
}

/** The architecture of a cubin, if it is for a different one. */
function otherArch(cubin: Uint8Array, arch: string): string | undefined {
  try {
    const found = readCubin(cubin).arch;
    return found === arch ? undefined : found;
  } catch {
    return undefined;
  }
}
