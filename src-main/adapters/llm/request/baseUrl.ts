import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { isSecretByName } from '../../../../src-shared/domain/credentialNames.ts';

export interface BaseUrlParts {
  /** A key is sent to the address. */
  withKey: boolean;
  warn: (message: string) => void;
}

/** Whether the host of a URL, or an address, is this computer. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '[::1]' ||
  host === '::1' ||
  /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * The address of an endpoint without trailing slashes, with its query (`?api-version=…`). Throws ServiceError INVALID for one that is
 * not http(s), that has credentials or a fragment, that is the address of one call, or
 * that would send a key unencrypted over a network. The message repeats no part that may be secret.
 */
export function readBaseUrl(text: string, { withKey, warn }: BaseUrlParts): URL {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalid(
      'Base URL',
      "It isn't an HTTP or HTTPS address.",
      'Enter the full address, such as http://localhost:11434/v1.',
    );
  const shown = `Base URL ${url.origin}`;
  if (url.username !== '' || url.password !== '')
    throw invalid(
      shown,
      'It contains credentials, and base URLs are stored and shown.',
      'Remove them and set the API key instead.',
    );
  if (url.hash !== '')
    throw invalid(shown, 'It contains a fragment.', 'Remove the "#" and everything after it.');
  const credential = [...url.searchParams].find(([name, value]) => isSecretByName(name, value));
  if (credential)
    throw invalid(
      shown,
      `Its parameter ${credential[0]} is a credential, and base URLs are stored and shown.`,
      `Remove it, and add the query parameter ${credential[0]} to the model's settings, where it is ` +
        'kept with the keys.',
      {
        onCommandLine: 'Its value is ${secret:NAME}, set with `touchstone keys set model:NAME`.',
      },
    );
  const call = /\/(chat\/completions|responses|messages|completions|models)\/*$/.exec(url.pathname);
  if (call)
    throw invalid(
      shown,
      `It is the address of a single endpoint (${call[1] ?? ''}).`,
      'Remove that part. A base URL usually ends in /v1.',
    );
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    if (withKey)
      throw invalid(
        shown,
        "It isn't encrypted, so the key would be sent in clear text.",
        'Use https, or an endpoint on this computer.',
      );
    warn(`${shown} isn't encrypted: queries and tools are sent in clear text.`);
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function invalid(
  thing: string,
  cause: string,
  nextStep: string,
  also: { onCommandLine?: string } = {},
): ServiceError {
  return new ServiceError('INVALID', { thing, cause, nextStep, ...also, field: 'baseUrl' });
}
