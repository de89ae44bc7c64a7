// The entry module of a worker, in Node and in browsers.
import { type Caller, serve } from "./serve.js";

interface Threads {
  readonly parentPort: Caller | null;
}

const { process } = globalThis as {
  process?: { getBuiltinModule?: (name: string) => Threads | undefined };
};
const port = process?.getBuiltinModule?.("node:worker_threads")?.parentPort;
const page = "WorkerGlobalScope" in globalThis ? (globalThis as unknown as Caller) : undefined;
const caller = port ?? page;
if (caller !== undefined) serve(caller);
