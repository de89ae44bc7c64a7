// Runs external programs without a shell, and stops them when the run stops.

import { spawn } from "node:child_process";

/**
 * Runs a program to its end and returns its output, both streams combined.
 *
 * @throws Error with the first line of the output if it fails or takes too long, or the signal's reason.
 */
export function runTool(
  path: string,
  args: readonly string[],
  signal: AbortSignal,
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(path, args, {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const kill = (): void => {
      child.kill("SIGKILL");
    };
    signal.addEventListener("abort", kill, { once: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", (error) => {
      signal.removeEventListener("abort", kill);
      reject(error);
    });
    child.on("close", (code, killedBy) => {
      signal.removeEventListener("abort", kill);
      if (code === 0) return resolve(output);
      if (signal.aborted) return reject(signal.reason);
      const said = output.trim().split("\n")[0];
      reject(
        new Error(said || (killedBy === null ? `exit code ${code}` : `stopped after ${timeoutMs / 1000} s`)),
      );
    });
  });
}
