// The commands of other packages: which package has each of them, and what it is called there. A package that gets a command
// line gets a row here, and exports it as `./command`.

/** A package with a command line. */
export interface CommandPackage {
  readonly name: string;
  /** Its own command, which messages of the package name. */
  readonly program: string;
  /** The beginning of the names that it exports from `./command`: `cudaCommand`, `cudaFailure`. */
  readonly exports: string;
}

/** A command of `mm-ptx` that a package has. */
export interface PackageCommand {
  readonly name: string;
  readonly package: CommandPackage;
  /** Its name in the package; `undefined` for the whole program. */
  readonly subcommand?: string;
  readonly summary: string;
}

const INJECT = { name: "@mm-ptx/inject", program: "ptxinject", exports: "inject" };
const TYPES = { name: "@mm-ptx/types", program: "mm-ptx-types", exports: "types" };
const CUDA = { name: "@mm-ptx/cuda", program: "mm-ptx-cuda", exports: "cuda" };
const EMULATOR = { name: "@mm-ptx/emulator", program: "mm-ptx-emulate", exports: "emulator" };
const PIPELINE = { name: "@mm-ptx/pipeline", program: "mm-ptx-pipeline", exports: "pipeline" };
const FARM = { name: "@mm-ptx/farm", program: "mm-ptx-farm", exports: "farm" };
const SEARCH = { name: "@mm-ptx/search", program: "mm-ptx-search", exports: "search" };

export const PACKAGE_COMMANDS: readonly PackageCommand[] = [
  {
    name: "annotate",
    package: INJECT,
    subcommand: "annotate",
    summary: "rewrite the comment annotations of CUDA files as inline assembly",
  },
  {
    name: "inject",
    package: INJECT,
    summary: "fill the sites of compiled PTX: render, pack, expand, inspect, header",
  },
  {
    name: "types",
    package: TYPES,
    summary: "check, list and compare description files, and generate code from them",
  },
  {
    name: "compile",
    package: CUDA,
    subcommand: "compile",
    summary: "compile PTX files to cubins on every core",
  },
  {
    name: "inspect",
    package: CUDA,
    subcommand: "inspect",
    summary: "show the contents of a cubin, a PTX file or a filled kernel",
  },
  {
    name: "doctor",
    package: CUDA,
    subcommand: "doctor",
    summary: "report what this machine supports, and what is missing",
  },
  {
    name: "fetch",
    package: CUDA,
    subcommand: "fetch",
    summary: "download NVIDIA's PTX compilers",
  },
  {
    name: "cache",
    package: CUDA,
    subcommand: "cache",
    summary: "show the size of the cache of cubins, empty it, or check it",
  },
  {
    name: "emulate",
    package: EMULATOR,
    summary: "run a kernel or a CUDA program on the CPU",
  },
  {
    name: "pipeline",
    package: PIPELINE,
    summary: "run many programs in a kernel, and write what each of them computed",
  },
  {
    name: "farm",
    package: FARM,
    summary: "compile on the cores of other machines: server, workers, status",
  },
  {
    name: "search",
    package: SEARCH,
    summary: "search for programs, equations and tunables",
  },
  {
    name: "learn",
    package: SEARCH,
    subcommand: "learn",
    summary: "watch a model learn from the compiler what programs cost",
  },
];

/** What installs a package. */
export const installWords = ({ name }: CommandPackage): string => `npm i ${name}`;
