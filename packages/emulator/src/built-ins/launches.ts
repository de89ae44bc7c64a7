// Launches by kernels: a thread gets memory for the parameters of a kernel, writes them there, and launches it. The
// launches of a grid run after it.
import type { Dimensions } from "../run/dimensions.js";
import type { ChildLaunches } from "../run/launch.js";
import { ADDRESS_BASE } from "../run/memory.js";
import type { BuiltInHost } from "./built-in.js";
import { MOST_BLOCKS, MOST_THREADS } from "./device-attributes.js";
import { CUDA, type DeviceFunction, kernelAt } from "./device-function.js";
import { Grid, type Request } from "./grid.js";

/** The values of `cudaStreamTailLaunch` and `cudaStreamFireAndForget`. */
const TAIL_LAUNCH = 3n;

/** The deepest nesting of launches. */
const DEEPEST = 24;
/** The most launches of a grid. On a GPU, `cudaLimitDevRuntimePendingLaunchCount` is 2048 by default. */
const MOST_PENDING = 65536;

/** The address of memory for the parameters of a kernel, or a `cudaError_t`. */
export function parameterBuffer(
  host: BuiltInHost,
  [address = 0n, grid = 0n, block = 0n, sharedBytes = 0n]: readonly bigint[],
): bigint | number {
  const { launches } = host.launch.hooks;
  if (launches === undefined) return CUDA.NOT_SUPPORTED;
  const kernel = kernelAt(host, address);
  if (kernel === undefined) return CUDA.INVALID_FUNCTION;
  const offset = launches.take(Math.max(1, kernel.parameterBytes), `the parameters of \`${kernel.name}\``);
  if (offset === undefined) return CUDA.OUT_OF_MEMORY;
  const buffer = BigInt(ADDRESS_BASE + offset);
  const shape = { grid: dimensionsOf(grid), block: dimensionsOf(block), sharedBytes: Number(sharedBytes) };
  Grid.of(launches).requests.set(buffer, { kernel, shape, offset });
  return buffer;
}

export const launchDevice: DeviceFunction = (host, [buffer = 0n, stream = 0n]) => {
  const { loaded, hooks } = host.launch;
  const { launches } = hooks;
  if (launches === undefined) return CUDA.NOT_SUPPORTED;
  const grid = Grid.of(launches);
  const request = grid.requests.get(buffer);
  if (request === undefined || !grid.has("stream", stream)) return CUDA.INVALID_VALUE;
  grid.requests.delete(buffer);
  const isTail = stream === TAIL_LAUNCH;
  // A tail launch takes the place of its parent.
  const depth = launches.depth + (isTail ? 0 : 1);
  if (depth > DEEPEST) return CUDA.TOO_DEEP;
  if (launches.pending.length >= MOST_PENDING) return CUDA.TOO_MANY_PENDING;
  const error = shapeError(request, launches);
  if (error !== CUDA.SUCCESS) return error;
  const { kernel, shape, offset } = request;
  const params = new Uint8Array(loaded.memory.memory.buffer, offset, kernel.parameterBytes).slice();
  launches.pending.push({ kernel, shape, params, isTail, depth });
  return CUDA.SUCCESS;
};

/** What is wrong with the shape of a launch, as the host's launches report it. */
function shapeError({ kernel, shape }: Request, launches: ChildLaunches): number {
  const { grid, block, sharedBytes } = shape;
  const { attributes, mostDynamic } = launches.limitsOf(kernel);
  const isWithin = (sizes: Dimensions, most: readonly number[]) =>
    sizes.every((size, axis) => size >= 1 && size <= most[axis]!);
  const threads = block[0] * block[1] * block[2];
  const required = kernel.directives.find(({ name }) => name === ".reqntid")?.values;
  const isAllowed = required === undefined || block.every((size, axis) => size === (required[axis] ?? 1));
  if (
    !isWithin(grid, MOST_BLOCKS) ||
    !isWithin(block, MOST_THREADS) ||
    threads > MOST_THREADS[0] ||
    !isAllowed
  )
    return CUDA.INVALID_CONFIGURATION;
  if (threads > attributes.maxThreadsPerBlock) return CUDA.OUT_OF_RESOURCES;
  return sharedBytes > mostDynamic ? CUDA.INVALID_VALUE : CUDA.SUCCESS;
}

/** The elements of a `dim3`. */
function dimensionsOf(bits: bigint): Dimensions {
  const word = (index: number) => Number((bits >> BigInt(32 * index)) & 0xffffffffn);
  return [word(0), word(1), word(2)];
}
