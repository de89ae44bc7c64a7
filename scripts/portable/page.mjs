// docs/gpu-report.md, and the report of a run of the archive: which machine it was, what its tests found, what was measured.

/** Failures that are told in words; the others are counted. */
const TOLD = 40;

/** @typedef {{ file: string, passed: number, failed: number, skipped: number, failures: string[] }} TestFile */

/**
 * @typedef {object} Results
 * @property {{ version: string, commit?: string }} made what of
 * @property {string} date
 * @property {ReturnType<typeof import("./machine.mjs").hostOf>} host
 * @property {import("./machine.mjs").FoundGpu} gpu
 * @property {TestFile[]} files
 * @property {string} [comparison] the page of the comparison with the emulator
 * @property {any} [quickstart] the main job's JSON; null when it printed none
 * @property {any[] | null} [benches] rows of benchmarks; likewise
 */

/**
 * What vitest's JSON report says of each file.
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
    // A file that can't be loaded has no tests.
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
 * @param {Results | undefined} results nothing when it was never run on a GPU
 * @returns {string}
 */
export function gpuPage(results) {
  return [
    "# On a GPU",
    "",
    "`npm run portable` makes `out/mm-ptx-portable.tar`: Node, the packages, tests and benchmarks for a Linux machine on x86-64 with",
    "a GPU, which needs neither Node nor a network. Unpacked there, `mm-ptx-portable/run` runs the tests that need a GPU, compares",
    "the emulator with it, runs the main job on it, measures launches, and writes this page.",
    "",
    ...(results === undefined ? NEVER : report(results)),
    "",
  ].join("\n");
}

const NEVER = [
  "**This was never run on hardware.** No machine with a GPU was at hand so far. What is known of the driver half comes from tests",
  "on a fake driver, a library with the driver's functions that checks how it is called. They show that arguments, handles and the",
  "order of calls are as the driver's documentation asks, and nothing about what a GPU makes of them.",
];

/** @param {Results} results */
function report({ made, date, host, gpu, files, comparison, quickstart, benches }) {
  const commit = made.commit === undefined ? "" : ` (${made.commit})`;
  return [
    ...(gpu.device === undefined ? [`**${gpu.why}.** Tests that need one were skipped for that.`, ""] : []),
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
  const more = failures.length > TOLD ? [`- and ${failures.length - TOLD} more`] : [];
  return ["", "Failed:", "", ...failures.slice(0, TOLD).map((line) => `- ${line}`), ...more];
}

/** What the page of the comparison found, without what it says about itself. */
const tableOf = (/** @type {string} */ page) => {
  const lines = page.trimEnd().split("\n");
  const table = lines.findIndex((line) => line.startsWith("|"));
  return table === -1 ? ["It was not compared."] : lines.slice(table);
};

/** @param {any} job */
function jobLines(job) {
  if (job === null) return ["It ended without a report."];
  const { arch, checks, launchesPerSecond, kernelMicroseconds } = job;
  const { gpu } = checks;
  if ("skipped" in gpu) return [`Not launched: ${gpu.skipped}.`];
  const { on, launched, equal, near, apart, wrong, problems } = gpu;
  return [
    `${launched} cubins for ${arch} were launched on ${on}, and their results held against the emulator's: ${equal} equal bit for bit,`,
    `${near} nearly equal and ${apart} further off, all of these with approximate instructions, ${wrong} wrong.`,
    "",
    `${Math.round(launchesPerSecond)} launches a second; a kernel takes ${kernelMicroseconds?.median ?? "-"} us (median).`,
    ...problems.map((/** @type {string} */ problem) => `- ${problem}`),
  ];
}

/** @param {any[] | null} rows */
function benchLines(rows) {
  if (rows === null) return ["They ended without a report."];
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
