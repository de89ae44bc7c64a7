// The state of the playground in the fragment of its address. An unchanged example is its name alone; otherwise what differs
// from the example follows, as deflated JSON in base64url: `#gelu` or `#gelu/q1YqzkgtSlWyUkpLzClOBQA`.
import { readState, StateError } from "./shape.js";
import type { PlaygroundState } from "./state.js";

/** The most bytes that the JSON of a link may have. */
const MOST_BYTES = 8 << 20;

/** Finds the state that an example begins with. */
export type FindExample = (name: string) => PlaygroundState | undefined;

/** Writes a state as a fragment without `#`. */
export async function writeFragment(state: PlaygroundState, find: FindExample): Promise<string> {
  const start = find(state.example);
  const changed = Object.entries(state).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(start?.[name as keyof PlaygroundState]),
  );
  if (changed.length === 0) return state.example;
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(changed)));
  return `${state.example}/${base64url(await through(json, new CompressionStream("deflate-raw")))}`;
}

/**
 * Reads a fragment, with or without `#`.
 *
 * @throws StateError with a sentence for the reader of the page
 */
export async function readFragment(fragment: string, find: FindExample): Promise<PlaygroundState> {
  const [name = "", data, ...others] = fragment.replace(/^#/, "").split("/");
  const start = find(name);
  if (start === undefined) throw new StateError(`there is no example \`${name.slice(0, 40)}\``);
  if (others.length > 0) throw new StateError("expected one `/` in the address, found more");
  if (data === undefined) return start;
  const state = readState({ ...start, ...(await inflate(data)) });
  if (state.example !== name) throw new StateError("its data names another example");
  return state;
}

/** The object that data holds; other JSON has no properties of a state. */
async function inflate(data: string): Promise<object> {
  if (!/^[\w-]+$/.test(data)) throw new StateError("its data contains characters that no link has");
  try {
    const bytes = Uint8Array.from(atob(data.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
    const json = new TextDecoder("utf-8", { fatal: true }).decode(
      await through(bytes, new DecompressionStream("deflate-raw")),
    );
    return JSON.parse(json) as object;
  } catch (error) {
    if (error instanceof StateError) throw error;
    throw new StateError("its data is cut off or damaged", { cause: error });
  }
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What a stream makes of bytes. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: BlobPart[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_BYTES) {
      await reader.cancel();
      throw new StateError(`its data is longer than ${MOST_BYTES >> 20} MiB`);
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
