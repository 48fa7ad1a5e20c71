import { createServer, connect, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A proxy between a browser and a server that can disconnect them during an answer and reconnect them. */
export interface NetworkProxy {
  /** Address of the proxy. */
  readonly url: string;
  /** Number of connections so far. */
  readonly connections: number;
  /** Closes all connections and refuses new ones. */
  disconnect(): void;
  /** Disconnects when the browser has sent a number of bytes from now on. */
  disconnectAfter(bytes: number): void;
  /** Accepts connections again. */
  reconnect(): void;
  close(): Promise<void>;
}

/** Starts a proxy to a local server. */
export async function startNetworkProxy(target: string): Promise<NetworkProxy> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let isConnected = true;
  let connections = 0;
  let remainingBytes = Infinity;
  const disconnect = (): void => {
    isConnected = false;
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((near) => {
    if (!isConnected) {
      near.resetAndDestroy();
      return;
    }
    connections += 1;
    near.on('data', ({ length }) => {
      remainingBytes -= length;
      if (remainingBytes < 0 && isConnected) disconnect();
    });
    join(near, connect(Number(port), '127.0.0.1'), sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String(portOf(server))}`,
    get connections() {
      return connections;
    },
    disconnect,
    disconnectAfter: (bytes) => {
      remainingBytes = bytes;
    },
    reconnect: () => {
      remainingBytes = Infinity;
      isConnected = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return address.port;
}

function join(near: Socket, far: Socket, sockets: Set<Socket>): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(one);
    one.pipe(other);
    // An error of one socket closes the other one. Errors are expected, because tests disconnect them.
    one.on('error', () => other.destroy());
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
  }
}
