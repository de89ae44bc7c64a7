// `render`: a PTX file with stubs from files or from the command line in place of its sites.

import { renderText } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { AnnotatedPtx } from "../annotated-ptx.js";
import type { StubWarning } from "../render/warnings.js";
import { deliver } from "./deliver.js";
import { decode, encode, type SourceText } from "./files.js";
import {
  FileError,
  namedFile,
  type Outcome,
  readBytes,
  STANDARD,
  shownName,
  UsageError,
} from "./framework.js";
import { orProblems, type Problem, ProblemsError, problemsAt, problemsOf } from "./problems.js";
import { type PtxOptions, readPtx } from "./ptx-file.js";

export interface RenderOptions extends PtxOptions {
  readonly out?: string;
  /** `name=file`. */
  readonly stub?: readonly string[];
  /** `name=text`. */
  readonly text?: readonly string[];
  readonly missing?: "empty" | "error";
  /** Whether warnings are errors. */
  readonly strict?: boolean;
  /** Writes the filled kernel as JSON instead of its PTX. */
  readonly filled?: boolean;
}

/** The parts of a word such as `func=stub.ptx`. */
interface Named {
  readonly name: string;
  readonly value: string;
}

/** A stub, and the file that messages name. */
interface Stub {
  readonly text: string;
  readonly file: string;
}

/** @throws UsageError, DescriptionError, FileError, ProblemsError */
export async function render(path: string, options: RenderOptions): Promise<Outcome> {
  const { annotated, encoding } = await readPtx(path, options);
  const names = annotated.injections.map(({ name }) => name);
  const files = (options.stub ?? []).map((word) => splitWord(word, "--stub", names));
  const texts = (options.text ?? []).map((word) => splitWord(word, "--text", names));
  const stubs = new Map<string, Stub>();
  const add = (name: string, stub: Stub) => {
    if (stubs.has(name)) throw new UsageError(`expected one stub for ${quoted(name)}, found two`);
    stubs.set(name, stub);
  };
  if ([path, ...files.map(({ value }) => value)].filter((file) => file === STANDARD).length > 1) {
    throw new UsageError("expected standard input in one place, found it in several");
  }
  for (const { name, value } of files) add(name, await readStub(value, encoding));
  for (const { name, value } of texts) add(name, { text: value, file: `--text ${name}` });

  const given = new Map([...stubs].map(([name, { text }]) => [name, text]));
  const problems = [...stubs].flatMap(([name, stub]) => problemsOfStub(annotated, name, stub));
  if (problems.length > 0) throw new ProblemsError(problems);
  const { missing = "error", strict = false } = options;
  const filled = orProblems(path, annotated.text, () => annotated.fill(given, { missing }));
  const remarks = new Map<string, StubWarning[]>();
  for (const warning of annotated.warnings(filled)) {
    const own = remarks.get(warning.injection);
    if (own === undefined) remarks.set(warning.injection, [warning]);
    else own.push(warning);
  }
  const warnings = [...remarks].flatMap(([injection, own]) => {
    const stub = stubs.get(injection);
    return stub === undefined ? [] : problemsAt(strict ? "error" : "warning", own, stub.file, stub.text);
  });
  if (strict && warnings.length > 0) throw new ProblemsError(warnings);
  const read = new Map([path, ...files.map(({ value }) => value)].map((file) => [file, "an input"]));
  const made = options.filled
    ? Buffer.from(`${JSON.stringify(filled)}\n`)
    : encode(renderText(filled), encoding);
  return deliver(made, options.out, read, warnings);
}

/** The problems of one stub; checking stubs one by one lets a single run report the problems of all. */
function problemsOfStub(annotated: AnnotatedPtx, name: string, { text, file }: Stub): Problem[] {
  try {
    annotated.render(new Map([[name, text]]), { missing: "empty" });
    return [];
  } catch (error) {
    return problemsOf(error, file, text);
  }
}

/**
 * Splits a word at the `=` after the name. Names and values may contain `=` themselves, so the longest name
 * of an injection that fits is taken.
 * @throws UsageError
 */
function splitWord(word: string, option: string, names: readonly string[]): Named {
  const [name] = names.filter((each) => word.startsWith(`${each}=`)).sort((a, b) => b.length - a.length);
  const end = name === undefined ? word.indexOf("=") : name.length;
  if (end <= 0) throw new UsageError(`expected \`name=…\` after \`${option}\`, found ${quoted(word)}`);
  return { name: word.slice(0, end), value: word.slice(end + 1) };
}

/** Reads a stub without the line end of its last line, because the site provides it. */
async function readStub(path: string, encoding: SourceText["encoding"]): Promise<Stub> {
  const bytes = await readBytes(path);
  const source = decode(bytes, path);
  if (encoding === "utf8" && source.encoding !== "utf8") {
    throw new FileError(`expected a stub in UTF-8, as the PTX is, found ${namedFile(path)}`);
  }
  const text = encoding === source.encoding ? source.text : Buffer.from(bytes).toString("latin1");
  return { text: text.replace(/\r?\n$/, ""), file: shownName(path) };
}
