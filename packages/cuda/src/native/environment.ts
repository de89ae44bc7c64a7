// What our processes inherit of this process's environment: what their libraries read, and no secrets.

/** What loaders, allocators and sanitizers read. */
const OF_EVERY_PROCESS =
  /^(?:LD_LIBRARY_PATH|LD_PRELOAD|GLIBC_TUNABLES|MALLOC_\w+|(?:A|L|T|UB)SAN_OPTIONS|QEMU_\w+|SystemRoot|TEMP|TMP|PATH)$/i;

/** What NVIDIA's driver reads: its settings, and where it keeps its caches. */
const OF_THE_DRIVER = /^(?:CUDA_\w+|NVIDIA_\w+|__NV_\w+|HOME|TMPDIR|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/** The environment of workers that compile, as `NAME=value`. */
export const compilerEnvironment = (): string[] => listed(kept(OF_EVERY_PROCESS));

/** The environment of processes that call the driver, as `NAME=value`. */
export const driverEnvironment = (): string[] => listed(kept(OF_EVERY_PROCESS, OF_THE_DRIVER));

/** The environment of the processes of NVRTC and nvJitLink. */
export const libraryEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(kept(OF_EVERY_PROCESS));

const kept = (...lists: readonly RegExp[]): [name: string, value: string | undefined][] =>
  Object.entries(process.env).filter(([name]) => lists.some((list) => list.test(name)));

const listed = (variables: [name: string, value: string | undefined][]): string[] =>
  variables.map(([name, value]) => `${name}=${value}`);
