/** Tests whether a program could listen on a port now, by listening there for a moment. */
import { createServer } from 'node:net';

/** On all addresses, and on the loopback: some systems allow the one while the other is in use. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['0.0.0.0', '::', '127.0.0.1']) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has no such address, and nothing listens there.
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
