// Loading: turns the source into an image for the device, compiling PTX, and passes it to the driver, either
// synchronously or without blocking.

import { describeLine, type LineOrigins } from "@mm-ptx/types/core";
import type { ModuleSource } from "@mm-ptx/types/device";
import type { PtxCompiler } from "../ptx/compiler.js";
import { parseDiagnostics } from "../ptx/diagnostics.js";
import type { Reply } from "./addon.js";
import type { Connection } from "./connection.js";
import type { FailureContext } from "./error.js";
import {
  type CudaLoadOptions,
  checkLoadOptions,
  compiledImage,
  type Image,
  imageOf,
  imageWords,
  jitLogOf,
  loadedModule,
  loadSlots,
  type PtxImage,
} from "./image.js";
import type { LoadedModule } from "./module.js";
import { driverVersion } from "./open.js";
import { SUCCESS } from "./results.js";

/** The parts of a device that loading uses. */
export interface Loader {
  /** The architecture that PTX is compiled for. */
  readonly arch: string;
  /** The live connection. @throws CudaError DISPOSED, DEVICE_LOST */
  readonly connection: () => Connection;
  /** @throws PtxCompileError UNAVAILABLE */
  readonly compiler: (arch: string, maxRegisters: number | undefined) => PtxCompiler;
}

/** @throws CudaError, PtxCompileError */
export function loadAtOnce(loader: Loader, module: ModuleSource, options: CudaLoadOptions): LoadedModule {
  const asked = checkedImage(loader, module, options);
  const image =
    "ptx" in asked
      ? compiledImage(loader.compiler(asked.arch, options.maxRegisters).compileSync({ ptx: asked.ptx }))
      : asked;
  const connection = loader.connection();
  const reply = connection.ask("load", loadSlots(image, options), image.bytes);
  if (reply.status === SUCCESS) return loadedModule(connection, image, reply);
  throw connection.failure(reply, refusal(connection, image, reply));
}

/** @throws CudaError, PtxCompileError */
export async function loadLater(
  loader: Loader,
  module: ModuleSource,
  options: CudaLoadOptions,
): Promise<LoadedModule> {
  const asked = checkedImage(loader, module, options);
  const image =
    "ptx" in asked
      ? compiledImage(await loader.compiler(asked.arch, options.maxRegisters).compile({ ptx: asked.ptx }))
      : asked;
  const connection = loader.connection();
  const reply = await connection.request("load", loadSlots(image, options), {
    payload: image.bytes,
    ofReply: (failed) => refusal(connection, image, failed),
  });
  return loadedModule(connection, image, reply);
}

function checkedImage(
  { arch, connection }: Loader,
  module: ModuleSource,
  options: CudaLoadOptions,
): Image | PtxImage {
  connection();
  checkLoadOptions(options);
  return imageOf(module, options, arch);
}

/** Context for a module that the driver rejects, often because the driver is older than the tool that produced it. */
function refusal(connection: Connection, image: Image, reply: Reply): FailureContext {
  const version = driverVersion(connection);
  const driver = version === undefined ? "" : ` on a driver for CUDA ${version}`;
  const log = jitLogOf(image, reply);
  return { asked: `${imageWords(image)}${placeIn(log, image.origins)}${driver}`, log };
}

/** The first place that the driver compiler's log names, if the origins of the PTX lines are known. */
function placeIn(log: string | undefined, origins: LineOrigins | undefined): string {
  if (log === undefined || origins === undefined) return "";
  for (const { line } of parseDiagnostics(log)) {
    const place = line === undefined ? undefined : origins.locate(line);
    if (place !== undefined) return ` (line ${line}: ${describeLine(place)})`;
  }
  return "";
}
