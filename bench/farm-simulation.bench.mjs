// How the throughput of a farm grows with its machines, by simulation with measured costs: machines that are not there can't be
// measured. The yardstick is what the cores would do if nothing else took time.

import { ideal, jobsPerSecond } from "./lib/farm-model.mjs";

const LINEAR = 0.95;
/** Of machines with eight cores. */
const MACHINES = [1, 2, 4, 8, 16];
const JOB_MS = [3.5, 20];
/** The number of machines up to which one submitter has to keep up. */
const EXPECTED = { 3.5: 8, 20: 16 };

export async function run() {
  return JOB_MS.flatMap((jobMs) =>
    MACHINES.map((machines) => {
      const setting = { machines, jobMs };
      const [ours, yardstick] = [jobsPerSecond(setting), ideal(setting)];
      const isExpected = machines <= EXPECTED[jobMs];
      return {
        name: `simulated: ${8 * machines} cores, jobs of ${jobMs} ms, one submitter`,
        ours,
        yardstick,
        ratio: ours / yardstick,
        budget: isExpected ? LINEAR : undefined,
        unit: "jobs/s",
        pass: isExpected ? ours / yardstick >= LINEAR : undefined,
      };
    }),
  );
}
