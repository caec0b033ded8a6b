import { ServiceError } from '../../src-shared/contract/errors.ts';

/** The only address that this host listens on. */
export const loopbackAddress = '127.0.0.1';

/**
 * Rejects every other address. The list names what is allowed, so that no spelling of "all
 * addresses" (0.0.0.0, 0, ::, 0x0, …) has to be known.
 */
export function checkBindHost(host: string | undefined): void {
  if (host === undefined || host === '' || host === loopbackAddress || host === 'localhost') return;
  throw new ServiceError('INVALID', {
    thing: `The address ${JSON.stringify(host.slice(0, 100))}`,
    cause:
      `is not ${loopbackAddress}: whoever reaches the window can start programs on this ` +
      'machine, so it is served to this machine alone.',
    nextStep:
      `Leave HOST out, or set it to ${loopbackAddress}; from another machine, use an SSH ` +
      'tunnel to the port.',
    field: 'host',
  });
}

/**
 * HOST from the environment, if it is an address. Some shells export the machine's name as HOST.
 */
export function addressIn(host: string | undefined): string | undefined {
  return host !== undefined &&
    (/^[\d.]+$/.test(host) || /^0x/i.test(host) || host.includes(':') || host === '*')
    ? host
    : undefined;
}
