// Compiles CUDA C++ with `@mm-ptx/cuda`, which is loaded only for this and need not be installed.
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { FileError, namedFile, reasonOf, STANDARD } from "./framework.js";

/** The package, or an error that says how to get it. @throws FileError */
async function cuda(file: string) {
  try {
    return await import("@mm-ptx/cuda");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ERR_MODULE_NOT_FOUND"
        ? "install it with `npm install @mm-ptx/cuda`, or compile the file with `nvcc -ptx -lineinfo`"
        : reasonOf(error);
    throw new FileError(
      `expected the package @mm-ptx/cuda to compile ${namedFile(file)}, found none: ${why}`,
    );
  }
}

/**
 * Compiles a source with NVRTC, or with nvcc if that fails.
 * @returns its PTX with source lines
 * @throws FileError if there is no compiler or the source has problems
 */
export async function compileCuda(source: string, file: string): Promise<string> {
  const { CudaCompiler } = await cuda(file);
  const includes = [file === STANDARD ? resolve(".") : dirname(resolve(file))];
  const name = file === STANDARD ? "stdin.cu" : basename(file);
  const compile = async (options: { backend?: "nvcc" }) => {
    await using compiler = new CudaCompiler(options);
    return (await compiler.compile(source, { arch: "sm_90", lineInfo: true, name, includes })).ptx;
  };
  try {
    // NVRTC has no headers of the host, which files with a program include.
    const ptx = await compile({}).catch((error) =>
      compile({ backend: "nvcc" }).catch(() => Promise.reject(error)),
    );
    return file === STANDARD ? ptx : withPath(ptx, resolve(file));
  } catch (error) {
    throw new FileError(`expected CUDA C++ that compiles, found ${namedFile(file)}: ${reasonOf(error)}`);
  }
}

/** The compiler only knows the name of the source file, so its path is added to the source lines here. */
function withPath(ptx: string, path: string): string {
  return ptx.replace(/^(\s*\.file\s+\d+\s+")([^"\n]*)(?=")/gm, (line, head: string, written: string) =>
    basename(written) === basename(path) && !existsSync(written) ? head + path : line,
  );
}

/** The path of nvcc. @throws FileError if there is none */
export async function nvccPath(file: string): Promise<string> {
  const { CudaCompiler } = await cuda(file);
  try {
    using compiler = new CudaCompiler({ backend: "nvcc", cache: false });
    return compiler.path;
  } catch (error) {
    throw new FileError(`expected nvcc to build ${namedFile(file)}, found none: ${reasonOf(error)}`);
  }
}
