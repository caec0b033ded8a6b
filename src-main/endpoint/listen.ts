import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '../../src-shared/contract/errors.ts';
import { loopbackAddress } from './bindHost.ts';

const defaultPort = 8430;
const maxPortsTried = 20;

/**
 * Listens on the requested port, or else on the first free one from the default on. Resolves with
 * the port.
 */
export async function listen(server: Server, asked: number | undefined): Promise<number> {
  const candidates =
    asked === undefined
      ? [...Array.from({ length: maxPortsTried }, (_, index) => defaultPort + index), 0]
      : [asked];
  for (const port of candidates) {
    const failure = await tryPort(server, port);
    if (failure === null) return (server.address() as AddressInfo).port;
    if (asked === undefined && failure.code === 'EADDRINUSE') continue;
    throw cannotListen(port, failure);
  }
  throw new Error('Port 0 is always free.');
}

function tryPort(server: Server, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening);
      resolve(error);
    };
    const listening = () => {
      server.off('error', failed);
      resolve(null);
    };
    server.once('error', failed).once('listening', listening).listen(port, loopbackAddress);
  });
}

function cannotListen(port: number, failure: NodeJS.ErrnoException): ServiceError {
  const causes: Record<string, string> = {
    EADDRINUSE: 'is taken by another program.',
    EACCES: 'may not be used by this user.',
  };
  return new ServiceError(
    'CONFLICT',
    {
      thing: `Port ${port}`,
      cause: causes[failure.code ?? ''] ?? `cannot be listened on (${failure.message}).`,
      nextStep: 'Choose another with --port, or leave it out and a free one is taken.',
      field: 'port',
    },
    { cause: failure },
  );
}
