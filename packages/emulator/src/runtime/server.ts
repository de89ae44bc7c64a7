// Listens for the programs that a command has started. Each connection is a program with a device of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session, type SessionOptions } from "./session.js";
import { encodeAnswer, MESSAGE_HEADER_BYTES, WANTS_ANSWER } from "./wire.js";

export class ProgramServer {
  readonly path: string;
  readonly #folder: string;
  readonly #server: Server;
  readonly #connections = new Set<Promise<void>>();

  private constructor(folder: string, options: SessionOptions) {
    this.#folder = folder;
    this.path = join(folder, "cudart");
    this.#server = createServer((socket) => {
      const done = serve(socket, options);
      this.#connections.add(done);
      void done.finally(() => this.#connections.delete(done));
    });
  }

  static async listen(options: SessionOptions): Promise<ProgramServer> {
    const server = new ProgramServer(mkdtempSync(join(tmpdir(), "mm-ptx-")), options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", reject).listen(server.path, resolve);
    });
    return server;
  }

  /** Waits for the programs that are still connected. */
  async close(): Promise<void> {
    await Promise.all(this.#connections);
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function serve(socket: Socket, options: SessionOptions): Promise<void> {
  const session = new Session(options);
  try {
    for await (const { operation, body } of messagesOf(socket)) {
      if (operation < WANTS_ANSWER) await session.handle(operation, body);
      else socket.write(encodeAnswer(await session.answer(operation - WANTS_ANSWER, body)));
    }
  } catch (error) {
    // A program that was killed may leave a message unfinished.
    if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") options.complain(String(error));
  } finally {
    socket.destroy();
    await session.close();
  }
}

interface Message {
  readonly operation: number;
  readonly body: Buffer;
}

async function* messagesOf(socket: Socket): AsyncGenerator<Message> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    while (waiting.length >= MESSAGE_HEADER_BYTES) {
      const end = MESSAGE_HEADER_BYTES + waiting.readUInt32LE(4);
      if (waiting.length < end) break;
      yield { operation: waiting.readUInt32LE(0), body: waiting.subarray(MESSAGE_HEADER_BYTES, end) };
      waiting = waiting.subarray(end);
    }
  }
}
