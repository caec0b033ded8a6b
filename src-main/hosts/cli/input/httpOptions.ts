import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';
import { readPort } from './optionValues.ts';

/** A shorter token can be guessed. */
const minTokenLength = 16;

/** Flags of a command that serves MCP over standard input and output, or over HTTP. */
export const httpFlags = {
  '--http <port>':
    'serve streamable HTTP on 127.0.0.1, to several clients at once; 0 takes a free port',
  '--token-env <name>':
    'with --http: the variable with the token that clients send as Authorization: Bearer',
} as const;

/**
 * Where a command serves HTTP, and the token that it asks for; null: it serves standard input.
 *
 * @param whyToken why it serves nobody without a token, as a sentence; null: it may
 */
export function readHttpOptions(
  command: string,
  { http, tokenEnv }: { http?: string; tokenEnv?: string },
  { env, secretGuard }: CommandContext['io'],
  whyToken: string | null,
): { port: number; token: string | null } | null {
  if (http === undefined) {
    if (tokenEnv === undefined) return null;
    throw new UsageError(
      `${command}: --token-env is for --http. Give --http PORT too, or leave it out.`,
    );
  }
  const port = readPort(http, '--http');
  if (tokenEnv === undefined) {
    // Every program of this computer can reach the port, those of other users, too.
    if (whyToken !== null)
      throw new UsageError(
        `${command}: ${whyToken} Give --token-env NAME, the variable with a token that clients ` +
          'must send.',
      );
    return { port, token: null };
  }
  const token = env[tokenEnv] ?? '';
  if (token.length < minTokenLength)
    throw new UsageError(
      `--token-env ${tokenEnv}: The variable has no token of at least ${minTokenLength} ` +
        'characters. Set it, for example to the output of `openssl rand -hex 32`.',
    );
  secretGuard.guard(token);
  return { port, token };
}
