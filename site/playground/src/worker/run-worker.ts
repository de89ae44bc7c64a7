// The worker that runs kernels, so that the page stays responsive and can end a kernel that does not end.
import { type RunRequest, run } from "../model/run.js";

/** A launch of it loads the parts of the emulator that most launches need. */
const EMPTY = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry empty()\n{\n\tret;\n}\n";

self.addEventListener("message", ({ data }: MessageEvent<RunRequest>) => {
  void run(data).then((outcome) => self.postMessage(outcome));
});

// The page compiles its programs meanwhile.
void run({
  kernel: EMPTY,
  launch: {
    entry: "empty",
    grid: [1, 1, 1],
    block: [1, 1, 1],
    sharedBytes: 0,
    lockstep: false,
    cooperative: false,
  },
  arguments: [],
  checks: ["memory"],
  counts: false,
});
