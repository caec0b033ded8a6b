import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';

/** Throws NOT_FOUND for a server that isn't registered, INVALID for one that no client connects to. */
export function checkRelayed(name: string, server: { config: ServerConfig } | null): void {
  if (server === null)
    throw new ServiceError('NOT_FOUND', {
      thing: `Server ${name}`,
      cause: "It isn't registered.",
      nextStep: 'Add it under Tools, or choose another one.',
      onCommandLine: 'See `touchstone servers list`, or add it with `touchstone servers add`.',
    });
  if (server.config.transport === 'skills')
    throw new ServiceError('INVALID', {
      thing: `Server ${name}`,
      cause: 'It is a folder of skills, which no client connects to.',
      nextStep: 'Choose a server that is started by a command or has an address.',
    });
}
