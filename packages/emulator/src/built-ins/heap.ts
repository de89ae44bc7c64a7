// `malloc` and `free`.
import type { BuiltIn } from "./built-in.js";

export const HEAP: Readonly<Record<string, BuiltIn>> = {
  malloc: (host, [bytes = 0n]) => host.launch.hooks.heap?.allocate(bytes, host.place()) ?? 0n,
  free(host, [address = 0n]) {
    const problem = host.launch.hooks.heap?.free(address);
    if (problem !== undefined) throw host.trap(problem);
    return 0;
  },
};
