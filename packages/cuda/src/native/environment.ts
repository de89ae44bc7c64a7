// What our processes inherit of this process's environment: what their libraries read, and no secrets.

/** What loaders, allocators and sanitizers read. */
const OF_EVERY_PROCESS =
  /^(?:LD_LIBRARY_PATH|LD_PRELOAD|GLIBC_TUNABLES|MALLOC_\w+|(?:A|L|T|UB)SAN_OPTIONS|QEMU_\w+|SystemRoot|TEMP|TMP|PATH)$/i;

/** What NVIDIA's driver reads: its settings, and where it keeps its caches. */
const OF_THE_DRIVER = /^(?:CUDA_\w+|NVIDIA_\w+|__NV_\w+|HOME|TMPDIR|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/** The environment of workers that compile, as `NAME=value`. */
export const compilerEnvironment = (): string[] => kept(OF_EVERY_PROCESS);

/** The environment of processes that call the driver, as `NAME=value`. */
export const driverEnvironment = (): string[] => kept(OF_EVERY_PROCESS, OF_THE_DRIVER);

function kept(...lists: readonly RegExp[]): string[] {
  return Object.entries(process.env)
    .filter(([name]) => lists.some((list) => list.test(name)))
    .map(([name, value]) => `${name}=${value}`);
}
