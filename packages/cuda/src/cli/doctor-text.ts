// The report of `doctor` as text.

import type { BackendReport, Report, ToolReport } from "./doctor.js";
import { type Colors, columns, counted, printable } from "./framework.js";
import { bytesText } from "./text.js";

/** A line of a section, and the lines below it. */
interface Row {
  readonly cells: readonly string[];
  readonly ok: boolean;
  readonly below: readonly string[];
}

export function reportText(report: Report, colors: Colors): string {
  const { version, node, platform, glibc, cores, memoryBytes, backends, tools } = report;
  const words = [
    `mm-ptx-cuda ${version}`,
    `Node ${node}`,
    platform,
    ...(glibc === undefined ? [] : [`glibc ${glibc}`]),
    counted(cores, "core"),
    `${bytesText(memoryBytes)} of memory`,
  ];
  const verdict = report.ok
    ? colors.green("PTX compiles here")
    : colors.red(
        "no backend on this machine can compile PTX; each line above says what is missing, and `npx mm-ptx fetch compiler` downloads NVIDIA's compilers",
      );
  const sections = [
    section("PTX compilers", [...backends.map(backendRow), confinementRow(report)], colors),
    section("Compiler that `auto` uses", compilerRows(report), colors),
    section("Tools of the CUDA toolkit", tools.map(toolRow), colors),
    section("GPU", gpuRows(report), colors),
    section("Cache", [cacheRow(report)], colors),
  ];
  return [`${printable(words.join(", "))}\n`, ...sections, `${verdict}\n`].join("\n");
}

function section(title: string, rows: readonly Row[], colors: Colors): string {
  const lines = columns(rows.map(({ cells }) => cells.map(printable)));
  const texts = rows.map(({ ok, below }, at) => {
    const mark = ok ? colors.green("+") : colors.yellow("-");
    return [`  ${mark} ${lines[at]}\n`, ...below.map((line) => `      ${printable(line)}\n`)].join("");
  });
  return `${colors.bold(title)}\n${texts.join("")}`;
}

function backendRow({ name, version, milliseconds, problems }: BackendReport): Row {
  if (milliseconds === undefined) {
    return {
      cells: [name, version ?? "missing", version === undefined ? "" : "fails"],
      ok: false,
      below: problems,
    };
  }
  const [first, next] = milliseconds.map((each) => `${each.toFixed(1)} ms`);
  return {
    cells: [name, version ?? "", `first cubin after ${first}, the next after ${next}`],
    ok: true,
    below: [],
  };
}

function confinementRow({ confinement: { available, problem } }: Report): Row {
  return {
    cells: [
      "confinement",
      available ? "on" : "off",
      available ? "workers reach no files, network or processes" : "",
    ],
    ok: available,
    below: problem === undefined ? [] : [problem],
  };
}

function compilerRows({ library, architectures, ptxVersions }: Report): Row[] {
  const ok = library !== undefined;
  const rows: [string, string][] = [
    ["file", library ?? "missing"],
    ["architectures", architectures.join(" ")],
    ["PTX versions", versionsText(ptxVersions)],
  ];
  return rows.map((cells) => ({ cells, ok, below: [] }));
}

const versionsText = (versions: readonly string[]): string =>
  versions.length === 0 ? "unknown" : `${versions[0]} to ${versions.at(-1)}`;

function toolRow({ name, path, version = "", tried }: ToolReport): Row {
  return {
    cells: path === undefined ? [name, "missing"] : [name, version, path],
    ok: path !== undefined,
    below: tried,
  };
}

function gpuRows({ driver: { file, version, devices, problem } }: Report): Row[] {
  const found = version === undefined ? "no usable driver" : `CUDA ${version}`;
  const ok = problem === undefined;
  const driver: Row = {
    cells: [file, `${found}${ok ? "" : "; compiling needs no GPU"}`],
    ok,
    below: problem?.split("\n") ?? [],
  };
  const gpus = devices.map(({ ordinal, name, arch, uuid, properties }): Row => {
    const { multiprocessors, totalMemoryBytes } = properties;
    const size = `${counted(multiprocessors, "multiprocessor")}, ${bytesText(totalMemoryBytes)}`;
    return { cells: [`GPU ${ordinal}`, `${name}, ${arch}, ${size}, ${uuid}`], ok: true, below: [] };
  });
  return [driver, ...gpus];
}

function cacheRow({ cache: { folder, entries, bytes, problem } }: Report): Row {
  if (problem !== undefined)
    return { cells: [folder, "no cubins can be stored in it"], ok: false, below: [problem] };
  const count = `${entries} ${entries === 1 ? "entry" : "entries"}`;
  return { cells: [folder, count, bytesText(bytes)], ok: true, below: [] };
}
