// A TCP proxy that can cut its connections in the middle of whatever they carry.

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Resets the connections that there are. @returns their number */
  cut(): number;
}

/** Passes everything on to a port of this machine. */
export async function startProxy(to: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const server = createServer((inner) => {
    const outer = connect(to, "127.0.0.1");
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  const cut = (): number => {
    const { size } = sockets;
    for (const socket of sockets) socket.resetAndDestroy();
    return size / 2;
  };
  return {
    port,
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}
