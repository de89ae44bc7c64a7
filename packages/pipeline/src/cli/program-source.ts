// The programs of a configuration: from files, or any iterable.
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { openProgramFile } from "@mm-ptx/stack";
import { describeError, describeValue, quoted } from "@mm-ptx/types/internal";
import { readKernelFile } from "@mm-ptx/types/kernel-file";
import { bytesOfFile } from "../data/file.js";
import type { FilePath } from "../data/file-path.js";
import type { SiteRecord } from "../sites/site.js";
import { type FileSites, sitesOfKernelFile, type Table } from "./file-sites.js";
import { FileError, FileProblem, ofFile, problemOf, reasonOf, shown } from "./framework.js";
import { begins, isKernelFile, PROGRAM_FILE } from "./kernel-source.js";

/** The programs of a run. */
export type Programs = Iterable<unknown> | AsyncIterable<unknown> | Readonly<Record<string, unknown>>;

/** What files of programs are read with. */
export interface Reading {
  readonly sites: SiteRecord;
  readonly tables: readonly Table[];
  /** What the kernel file has. */
  readonly fromKernel: FileSites | undefined;
  readonly isCross: boolean;
}

const isPath = (value: unknown): value is FilePath => typeof value === "string" || value instanceof URL;

/** @throws FileProblem */
export async function programsOf(given: unknown, config: string, reading: Reading): Promise<Programs> {
  const { sites, fromKernel, isCross } = reading;
  if (given === undefined) {
    if (fromKernel !== undefined && Object.keys(fromKernel.programs).length > 0)
      return combined(config, fromKernel.programs, isCross);
    throw new FileProblem(
      config,
      "INVALID_ARGUMENT",
      "field `programs`: expected a file or an iterable of programs, found none",
    );
  }
  if (isPath(given)) {
    if (isCross)
      throw new FileProblem(
        config,
        "INVALID_ARGUMENT",
        'field `programs`: expected programs for each site with `combine: "cross"`, found one file',
      );
    return fileOf(given, sites, reading);
  }
  if (!isCross) return given as Programs;
  const lists = Object.entries((given ?? {}) as Readonly<Record<string, unknown>>).map(
    async ([name, one]) =>
      [name, isPath(one) ? await whole(await fileOf(one, pick(sites, name), reading)) : one] as const,
  );
  return Object.fromEntries(await Promise.all(lists));
}

const pick = (sites: SiteRecord, name: string): SiteRecord => (name in sites ? { [name]: sites[name]! } : {});

/** A list, because all lists of combinations but the first are needed at once. */
async function whole(programs: Programs): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const program of programs as AsyncIterable<unknown>) list.push(program);
  return list;
}

/** The programs of several sites, in pairs or as lists. */
function combined(path: FilePath, programs: FileSites["programs"], isCross: boolean): Programs {
  const lists = Object.entries(programs);
  if (isCross) return programs;
  if (lists.length === 1) return lists[0]![1];
  const [[first, { length }], ...others] = lists as [(typeof lists)[0], ...typeof lists];
  for (const [name, list] of others)
    if (list.length !== length)
      throw new FileProblem(
        shown(path),
        "INVALID_ARGUMENT",
        `expected as many programs for site ${quoted(name)} as for ${quoted(first)}, ${length}, found ${list.length}`,
      );
  return Array.from({ length }, (_, i) => Object.fromEntries(lists.map(([name, list]) => [name, list[i]])));
}

/** The programs of a file, which is recognized by how it begins. */
async function fileOf(path: FilePath, sites: SiteRecord, { tables, isCross }: Reading): Promise<Programs> {
  return ofFile(path, async () => {
    const head = headOf(path);
    if (isKernelFile(head)) {
      const { programs } = sitesOfKernelFile(readKernelFile(bytesOfFile(path)), tables);
      const names = Object.keys(sites);
      const own = names.length === 1 && isCross ? { [names[0]!]: programs[names[0]!] ?? [] } : programs;
      return isCross ? (Object.values(own)[0] ?? []) : combined(path, own, false);
    }
    if (!begins(head, PROGRAM_FILE)) return textLines(path);
    const [name, ...others] = Object.keys(sites);
    const table = name === undefined ? undefined : sites[name]!.table;
    if (others.length > 0 || table?.kind !== "stack")
      throw new FileProblem(
        shown(path),
        "INVALID_ARGUMENT",
        "expected a kernel with one site of Stack PTX for a program file, found other sites",
      );
    const stream = createReadStream(path);
    return placed(path, await openProgramFile(stream, table));
  });
}

/** The first bytes of a file. @throws FileError */
function headOf(path: FilePath): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const bytes = Buffer.alloc(16);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } catch (error) {
    throw new FileError(`expected a file with programs, found ${quoted(shown(path))}: ${reasonOf(error)}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The same programs; errors are problems of the file. */
async function* placed(
  path: FilePath,
  programs: AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  try {
    yield* programs;
  } catch (error) {
    throw problemOf(path, error);
  }
}

/** A program as JSON on each line: a text, or an object with a text for each site. */
async function* textLines(path: FilePath): AsyncGenerator<unknown, void, undefined> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw new FileProblem(
        shown(path),
        "FILE_FORMAT",
        `expected a program as JSON: ${describeError(error)}`,
        [number],
      );
    }
    const isText =
      typeof value === "string" ||
      (Object.prototype.toString.call(value) === "[object Object]" &&
        Object.values(value as object).every((each) => typeof each === "string"));
    if (!isText)
      throw new FileProblem(
        shown(path),
        "FILE_FORMAT",
        `expected a text, or an object with a text for each site, found ${describeValue(value)}`,
        [number],
      );
    yield value;
  }
}
