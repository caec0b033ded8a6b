import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { readSkills, startTimeoutFlag, startTimeoutOf, transports } from './targets.ts';

export const notSecretFlag = {
  '--not-secret <texts...>': 'values that look like credentials and stay readable',
};

export const newServerFlags = {
  '--url <url>': 'address of an HTTP server',
  '--transport <transport>': {
    about: 'streamable-http or sse',
    default: 'streamable-http',
    of: transports,
  },
  '--cwd <folder>': 'working folder of a stdio server',
  '--env <pair...>': 'NAME=VALUE for a stdio server',
  '--header <pair...>': 'NAME=VALUE for an HTTP server',
  '--isolated': 'the server keeps no data from one session to the next; runs of tasks may share it',
  ...startTimeoutFlag,
  ...notSecretFlag,
} as const;

interface NewServerOptions extends OptionsOf<typeof newServerFlags> {
  stdio?: { command: string; args: string[] };
  skills?: string;
}

/**
 * The configuration that options give.
 *
 * @param needs what is said where none or several of the ways to reach it are given
 * @param command what is named by other messages: `servers add`
 */
export function readConfig(
  options: NewServerOptions,
  needs: string,
  command: string,
): ServerConfig {
  const { stdio, url, skills } = options;
  if ([stdio, url, skills].filter((given) => given !== undefined).length !== 1)
    throw new UsageError(needs);
  refuseMisplaced(stdio ? 'stdio' : url === undefined ? 'skills' : 'http', options, command);
  if (skills !== undefined) return readSkills(skills);
  const common = { ...startTimeoutOf(options.startTimeout), ...marks(options) };
  if (stdio === undefined)
    return {
      transport: options.transport,
      url: url ?? '',
      headers: pairs(options.header, '--header'),
      ...(options.isolated === true && { isolated: true as const }),
      ...common,
    };
  return {
    transport: 'stdio',
    ...stdio,
    cwd: options.cwd ?? null,
    env: pairs(options.env, '--env'),
    ...(options.isolated === true && { isolated: true as const }),
    ...common,
  };
}

export function pairs(
  values: readonly string[] | undefined,
  option: string,
): Record<string, string> {
  return Object.fromEntries(
    (values ?? []).map((value) => {
      const at = value.indexOf('=');
      if (at < 1) throw new UsageError(`${option} ${value}: It needs the form NAME=VALUE.`);
      return [value.slice(0, at), value.slice(at + 1)];
    }),
  );
}

/** What was marked as not secret before, and what is now. */
export function marks(
  { notSecret = [] }: { notSecret?: string[] },
  before?: ServerConfig,
): { notSecret?: string[] } {
  const earlier = before !== undefined && 'notSecret' in before ? (before.notSecret ?? []) : [];
  const all = [...new Set([...earlier, ...notSecret])];
  return all.length === 0 ? {} : { notSecret: all };
}

export type ServerKind = 'stdio' | 'http' | 'skills';

const placed: Readonly<Record<string, ServerKind>> = {
  cwd: 'stdio',
  env: 'stdio',
  header: 'http',
};

/** Refuses options of another kind of server, which would have no effect. */
export function refuseMisplaced(kind: ServerKind, options: object, command: string): void {
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  const misplaced = given.find((name) => placed[name] !== undefined && placed[name] !== kind);
  if (misplaced !== undefined)
    throw new UsageError(
      `${command}: --${misplaced} is for ${placed[misplaced] === 'http' ? 'an HTTP' : 'a stdio'} server.`,
    );
  const [unfit] = given.flatMap((name) =>
    name === 'startTimeout' ? '--start-timeout' : name === 'isolated' ? '--isolated' : [],
  );
  if (kind === 'skills' && unfit !== undefined)
    throw new UsageError(`${command}: ${unfit} is not for a folder of skills.`);
}
