// The worker that runs kernels, so that the page stays responsive and can end a kernel that does not end.
import { type RunRequest, run } from "../model/run.js";

self.addEventListener("message", ({ data }: MessageEvent<RunRequest>) => {
  void run(data).then((outcome) => self.postMessage(outcome));
});
