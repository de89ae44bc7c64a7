// The lines of a program that allocate memory: addr2line of binutils finds them for the addresses of the program's calls.
import { execFile } from "node:child_process";
import { basename, extname } from "node:path";
import { promisify } from "node:util";
import { demangled } from "@mm-ptx/ptx";
import type { Finding, HostFrame } from "../run/finding.js";
import { isOfCuda } from "../view/findings/places.js";

/** Large programs have much to read. */
const MOST_MILLISECONDS = 60_000;
const MOST_BYTES = 2 ** 26;
/** The most calls that a finding names. */
const MOST_CALLS = 6;

/** Findings with lines, and a hint if some have none. */
export interface WithLines {
  readonly findings: readonly Finding[];
  readonly hint: string | undefined;
}

/** The calls at an address, the innermost inlined one first. */
type Calls = readonly HostFrame[];

/** Gives the calls of the host their lines and leaves out those of CUDA's headers. */
export async function withHostLines(found: readonly Finding[]): Promise<WithLines> {
  const all = found.flatMap(framesOf).filter(isAddress).filter(isOfProgram);
  if (all.length === 0) return { findings: found, hint: undefined };
  const files = new Map<string, Map<number, Calls>>();
  let hint: string | undefined;
  for (const file of new Set(all.map((frame) => frame.file))) {
    const offsets = new Set(all.flatMap((frame) => (frame.file === file ? [frame.offset] : [])));
    try {
      files.set(file, await callsAt(file, [...offsets]));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") hint = WITHOUT_TOOL;
    }
  }
  const places = [...files.values()].flatMap((calls) => [...calls.values()].flat());
  const linesOf = (frames: readonly HostFrame[]) =>
    ownCalls(
      frames
        .filter(isOfProgram)
        .flatMap(
          (frame) => (isAddress(frame) ? files.get(frame.file)?.get(frame.offset) : undefined) ?? [frame],
        )
        .map((frame) => withSource(frame, places)),
    );
  const findings = found.map((finding) => {
    const { allocation, calledAt } = finding;
    return {
      ...finding,
      allocation: allocation && { ...allocation, madeAt: linesOf(allocation.madeAt) },
      calledAt: calledAt && linesOf(calledAt),
    };
  });
  const lacksLine = findings.some((finding) => framesOf(finding)[0]?.offset !== undefined);
  return { findings, hint: lacksLine ? (hint ?? WITHOUT_LINES) : undefined };
}

/** The calls of the host that a finding is about. */
const framesOf = ({ allocation, calledAt }: Finding): readonly HostFrame[] =>
  calledAt ?? allocation?.madeAt ?? [];

const WITHOUT_TOOL = "no addr2line on PATH: install binutils to see the lines of the host";
const WITHOUT_LINES =
  "the program has no lines of the host: compile with `nvcc -g` to see those of its calls";

/** The C library, which starts a program and its threads, and that of C++. */
const OF_SYSTEM = /\/(?:ld-|lib(?:c|pthread|stdc\+\+)[.-])[^/]*$/;
const isOfProgram = ({ file }: HostFrame): boolean => !OF_SYSTEM.test(file);

const isAddress = (frame: HostFrame): frame is HostFrame & { readonly offset: number } =>
  frame.offset !== undefined;

/** @throws Error if addr2line fails or is not installed */
async function callsAt(file: string, offsets: readonly number[]): Promise<Map<number, Calls>> {
  const words = offsets.map((offset) => `0x${offset.toString(16)}`);
  const { stdout } = await promisify(execFile)("addr2line", ["-i", "-f", "-C", "-a", "-e", file, ...words], {
    timeout: MOST_MILLISECONDS,
    maxBuffer: MOST_BYTES,
  });
  // An address, and then two lines for each call: the function and the place.
  const parts = stdout.split(/^(?=0x[0-9a-f]+$)/m).map((part) => part.trimEnd().split("\n"));
  return new Map(
    parts.map(([address, ...lines]) => {
      const offset = Number(address);
      return [
        offset,
        lines.flatMap((name, i) => (i % 2 === 1 ? [] : [callOf(name, lines[i + 1] ?? "", { file, offset })])),
      ];
    }),
  );
}

/** `kernel.cu:12 (discriminator 3)`, or `??:0` */
function callOf(name: string, place: string, address: HostFrame): HostFrame {
  const [, file, line] = /^(.*):(\d+)(?: \(discriminator \d+\))?$/.exec(place) ?? [];
  const known = name === "??" ? {} : { function: name };
  return file === undefined || file === "??" || line === "0"
    ? { ...address, ...known }
    : { file, line: Number(line), ...known };
}

/** The file that nvcc makes of a source. */
const MADE_BY_NVCC = /tmpxft_[0-9a-f]+_[0-9a-f]+-\d+_(.+)\.cudafe1\.cpp$/;

/** binutils before 2.42 name that file in place of the source, for functions that begin in the first file of a table. */
function withSource(frame: HostFrame, places: readonly HostFrame[]): HostFrame {
  const name = MADE_BY_NVCC.exec(frame.file)?.[1];
  if (name === undefined) return frame;
  const source = places.find(({ file }) => basename(file, extname(file)) === name)?.file;
  return { ...frame, file: source ?? `${name}.cu` };
}

/** Wrappers of CUDA's headers and functions of libraries that allocate memory, by their names. */
const WRAPPER = /^(?:[\w:]+ )?(?:cuda[A-Z]\w*[<(]|(?:thrust|cub|cuda|std|__gnu_cxx)::)/;

/** The function that nvcc makes for launches of a kernel; the kernel's own function on the host calls it. */
const STUB = /^__device_stub_(_Z\w+)/;

/** The calls without those of nvcc's functions that launch a kernel. */
function withoutLaunch(frames: Calls): Calls {
  const at = frames.findLastIndex((frame) => STUB.test(frame.function ?? ""));
  if (at < 0) return frames;
  const [, symbol = ""] = STUB.exec(frames[at]?.function ?? "") ?? [];
  const { path } = demangled(symbol);
  const next = ` ${frames[at + 1]?.function}`;
  return frames.slice(at + (["(", "<"].some((after) => next.includes(` ${path}${after}`)) ? 2 : 1));
}

/** The calls from the innermost one of the program's own to `main`. */
function ownCalls(all: Calls): Calls {
  const isOwn = (frame: HostFrame) =>
    isAddress(frame) ? !WRAPPER.test(frame.function ?? "") : !isOfCuda(frame.file);
  // addr2line may give functions that are inlined into `main` its name.
  const main = all.findLastIndex((frame) => frame.function === "main");
  const frames = withoutLaunch(main < 0 ? all : all.slice(0, main + 1));
  const own = frames.filter(isOwn);
  const withLines = own.filter((frame) => !isAddress(frame));
  const shown = withLines.length > 0 ? withLines : own;
  return (shown.length > 0 ? shown : frames).slice(0, MOST_CALLS);
}
