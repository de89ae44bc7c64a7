// Loading: what was given becomes an image for the device, compiled where it is PTX, and the driver takes it; at once, or
// without blocking.

import { describeLine, locateLine, type SourceMap } from "@mm-ptx/types/core";
import { PtxCompileError } from "../error.js";
import type { PtxCompiler } from "../ptx/compiler.js";
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

/** What a device gives for it. */
export interface Loader {
  /** That PTX is compiled for. */
  readonly arch: string;
  /** The live connection. @throws CudaError DISPOSED, DEVICE_LOST */
  readonly connection: () => Connection;
  /** @throws PtxCompileError BACKEND_MISSING */
  readonly compiler: (arch: string, maxRegisters: number | undefined) => PtxCompiler;
}

/** @throws CudaError, PtxCompileError */
export function loadAtOnce(
  loader: Loader,
  module: string | Uint8Array,
  options: CudaLoadOptions,
): LoadedModule {
  const asked = checkedImage(loader, module, options);
  let image: Image;
  try {
    image =
      "ptx" in asked
        ? compiledImage(loader.compiler(asked.arch, options.maxRegisters).compileSync(asked.ptx))
        : asked;
  } catch (error) {
    throw traced(error, options.sourceMap);
  }
  const connection = loader.connection();
  const reply = connection.ask("load", loadSlots(image, options), image.bytes);
  if (reply.status === SUCCESS) return loadedModule(connection, image, reply);
  throw connection.failure(reply, refusal(connection, image, reply));
}

/** @throws CudaError, PtxCompileError */
export async function loadLater(
  loader: Loader,
  module: string | Uint8Array,
  options: CudaLoadOptions,
): Promise<LoadedModule> {
  const asked = checkedImage(loader, module, options);
  let image: Image;
  try {
    image =
      "ptx" in asked
        ? compiledImage(await loader.compiler(asked.arch, options.maxRegisters).compile(asked.ptx))
        : asked;
  } catch (error) {
    throw traced(error, options.sourceMap);
  }
  const connection = loader.connection();
  const reply = await connection.request("load", loadSlots(image, options), {
    payload: image.bytes,
    ofReply: (failed) => refusal(connection, image, failed),
  });
  return loadedModule(connection, image, reply);
}

function checkedImage(
  { arch, connection }: Loader,
  module: string | Uint8Array,
  options: CudaLoadOptions,
): Image | PtxImage {
  connection();
  checkLoadOptions(options);
  return imageOf(module, options, arch);
}

/** The error of a compile, with the places that lines of rendered PTX have in kernel and stubs. */
function traced(error: unknown, map: SourceMap | undefined): unknown {
  if (!(error instanceof PtxCompileError) || map === undefined) return error;
  const { code, log, hint, options, ptx, cause } = error;
  const message = error.message.replace(/(?<=: )line (\d+)\b/, (place, line) => {
    const source = locateLine(map, Number(line));
    return source === undefined ? place : `${place} (${describeLine(source)})`;
  });
  const diagnostics = error.diagnostics.map((diagnostic) => {
    const origin = diagnostic.line === undefined ? undefined : locateLine(map, diagnostic.line);
    return origin === undefined ? diagnostic : { ...diagnostic, origin };
  });
  const details = { log, hint, diagnostics, cause };
  return new PtxCompileError(code, message, {
    ...details,
    ...(options === undefined ? {} : { options }),
    ...(ptx === undefined ? {} : { ptx }),
  });
}

/** What is known of a module that the driver refuses: it is often older than what made that. */
function refusal(connection: Connection, image: Image, reply: Reply): FailureContext {
  const version = driverVersion(connection);
  const driver = version === undefined ? "" : ` on a driver of CUDA ${version}`;
  return { asked: `${imageWords(image)}${driver}`, log: jitLogOf(image, reply) };
}
