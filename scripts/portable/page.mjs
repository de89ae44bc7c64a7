// Writes docs/gpu-report.md, which is also the report of a run of the archive: the machine, its test results and measurements.

/** The most failures that are listed; the others are only counted. */
const LISTED = 40;

/** @typedef {{ file: string, passed: number, failed: number, skipped: number, failures: string[] }} TestFile */

/**
 * @typedef {object} Results
 * @property {{ version: string, commit?: string }} made the version that ran
 * @property {string} date
 * @property {ReturnType<typeof import("./machine.mjs").hostOf>} host
 * @property {import("./machine.mjs").FoundGpu} gpu
 * @property {TestFile[]} files
 * @property {string} [comparison] the page of the comparison of GPU and emulator
 * @property {any} [quickstart] the main job's JSON output; null if it printed none
 * @property {any[] | null} [benches] the rows of the benchmarks; null if they printed none
 */

/**
 * The results of each test file in vitest's JSON report.
 *
 * @param {any} report
 * @param {string} root
 * @returns {TestFile[]}
 */
export function testFiles(report, root) {
  return report.testResults.map((/** @type {any} */ { name, assertionResults, message }) => {
    const count = (/** @type {string[]} */ ...statuses) =>
      assertionResults.filter((/** @type {any} */ { status }) => statuses.includes(status)).length;
    const failures = assertionResults
      .filter((/** @type {any} */ { status }) => status === "failed")
      .map((/** @type {any} */ one) => `${one.fullName}: ${firstLine(one.failureMessages[0])}`);
    // A file that cannot be loaded has no tests.
    if (assertionResults.length === 0) failures.push(firstLine(message));
    return {
      file: name.replace(root, ""),
      passed: count("passed"),
      failed: failures.length,
      skipped: count("skipped", "pending", "todo"),
      failures,
    };
  });
}

const firstLine = (/** @type {string | undefined} */ text) => String(text ?? "").split("\n")[0] ?? "";

/**
 * @param {Results | undefined} results undefined if there was no run on a GPU
 * @returns {string}
 */
export function gpuPage(results) {
  return [
    "# On a GPU",
    "",
    "`npm run portable` makes `out/mm-ptx-portable.tar`, which contains Node, the packages, tests and benchmarks for an x86-64 Linux",
    "machine with a GPU. The machine needs neither Node nor a network connection. Unpack the archive there and run",
    "`mm-ptx-portable/run`: it runs the tests that need a GPU, compares the emulator with the GPU, runs the main job, measures launches",
    "and writes this page.",
    "",
    ...(results === undefined ? NEVER : report(results)),
    "",
  ].join("\n");
}

const NEVER = [
  "**This has not run on hardware yet**, because no machine with a GPU has been available. The driver half is only tested against a",
  "fake driver, a library that has the driver's functions and checks how they are called. These tests show that arguments, handles",
  "and the order of calls follow the driver's documentation. They show nothing about how a GPU responds.",
];

/** @param {Results} results */
function report({ made, date, host, gpu, files, comparison, quickstart, benches }) {
  const commit = made.commit === undefined ? "" : ` (${made.commit})`;
  return [
    ...(gpu.device === undefined ? [`**${gpu.why}.** Tests that need one were skipped.`, ""] : []),
    "| | |",
    "|---|---|",
    `| mm-ptx | ${made.version}${commit} |`,
    `| date | ${date} |`,
    ...(gpu.device === undefined ? [] : gpuRows(gpu)),
    `| processor | ${host.processor}, ${host.threads} threads, ${gibibytes(host.memoryBytes)} |`,
    `| system | ${host.system}, Node ${host.node} |`,
    "",
    "## Tests",
    "",
    "| file | passed | failed | skipped |",
    "|---|---|---|---|",
    ...files.map(({ file, passed, failed, skipped }) => `| ${file} | ${passed} | ${failed} | ${skipped} |`),
    ...failureLines(files.flatMap(({ failures }) => failures)),
    ...(comparison === undefined ? [] : ["", "## The emulator", "", ...tableOf(comparison)]),
    ...(quickstart === undefined ? [] : ["", "## The main job", "", ...jobLines(quickstart)]),
    ...(benches === undefined ? [] : ["", "## Benchmarks", "", ...benchLines(benches)]),
  ];
}

/** @param {import("./machine.mjs").FoundGpu} gpu */
function gpuRows({ device, driver }) {
  if (device === undefined) return [];
  const { name, arch, memoryBytes, multiprocessors } = device;
  return [
    `| GPU | ${name} (${arch}), ${multiprocessors} multiprocessors, ${gibibytes(memoryBytes)} |`,
    `| driver | CUDA ${driver} |`,
  ];
}

const gibibytes = (/** @type {number} */ bytes) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

/** @param {string[]} failures */
function failureLines(failures) {
  if (failures.length === 0) return [];
  const more = failures.length > LISTED ? [`- and ${failures.length - LISTED} more`] : [];
  return ["", "Failed:", "", ...failures.slice(0, LISTED).map((line) => `- ${line}`), ...more];
}

/** The table of the comparison page, without its introduction. */
const tableOf = (/** @type {string} */ page) => {
  const lines = page.trimEnd().split("\n");
  const table = lines.findIndex((line) => line.startsWith("|"));
  return table === -1 ? ["The comparison did not run."] : lines.slice(table);
};

/** @param {any} job */
function jobLines(job) {
  if (job === null) return ["The main job ended without a report."];
  const { arch, checks, launchesPerSecond, kernelMicroseconds } = job;
  const { gpu } = checks;
  if ("skipped" in gpu) return [`Not launched: ${gpu.skipped}.`];
  const { on, launched, equal, near, apart, wrong, problems } = gpu;
  return [
    `${launched} cubins for ${arch} were launched on ${on}, and their results compared with the emulator's: ${equal} are equal bit for bit,`,
    `${near} nearly equal and ${apart} further off, all of these with approximate instructions, and ${wrong} wrong.`,
    "",
    `${Math.round(launchesPerSecond)} launches per second; a kernel takes ${kernelMicroseconds?.median ?? "-"} us (median).`,
    ...problems.map((/** @type {string} */ problem) => `- ${problem}`),
  ];
}

/** @param {any[] | null} rows */
function benchLines(rows) {
  if (rows === null) return ["The benchmarks ended without a report."];
  const figure = (/** @type {unknown} */ value) =>
    typeof value === "number" ? String(Number(value.toPrecision(3))) : "-";
  return [
    "| | ours | yardstick | ratio | budget |",
    "|---|---|---|---|---|",
    ...rows.map(
      ({ name, ours, yardstick, ratio, budget, unit = "" }) =>
        `| ${name} | ${figure(ours)} ${unit} | ${figure(yardstick)} | ${figure(ratio)} | ${figure(budget)} |`,
    ),
  ];
}
