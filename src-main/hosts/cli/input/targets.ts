import { resolve } from 'node:path';
import { z } from 'zod';
import {
  readStartTimeout,
  startTimeoutNeeds,
  type ServerConfig,
  type SkillsConfig,
} from '../../../../src-shared/domain/server.ts';
import { splitWords } from '../../../services/servers/commandWords.ts';
import { UsageError } from '../exitCodes.ts';

/** A folder of skills; a relative path is taken from the current folder. */
export const readSkills = (folder: string): SkillsConfig => ({
  transport: 'skills',
  folder: /^(?:~(?:$|[\\/])|\$\{)/.test(folder) ? folder : resolve(folder),
});

/** A flag that several commands take. */
export const startTimeoutFlag = {
  '--start-timeout <seconds>':
    'time for the server to start and answer, or default (60 for stdio, 10 for HTTP)',
} as const;

export const transports = z.enum(['streamable-http', 'sse']);

/** The start timeout of a configuration; nothing where none is given. */
export function startTimeoutOf(seconds: string | undefined): { startTimeoutMs?: number | null } {
  if (seconds === undefined) return {};
  if (seconds === 'default') return { startTimeoutMs: null };
  const startTimeoutMs = readStartTimeout(seconds);
  if (startTimeoutMs === null)
    throw new UsageError(`--start-timeout ${seconds}: It needs ${startTimeoutNeeds}.`);
  return { startTimeoutMs };
}

/** A server that is given by its command or its address instead of by name. */
export interface UnregisteredOptions {
  stdio?: string;
  url?: string;
  transport: z.infer<typeof transports>;
  startTimeout?: string;
}

/** The server that `--stdio` or `--url` gives. */
export function readUnregistered(options: UnregisteredOptions): {
  name: string;
  config: ServerConfig;
} {
  const started = startTimeoutOf(options.startTimeout);
  return options.stdio !== undefined
    ? {
        name: 'stdio',
        config: {
          transport: 'stdio',
          ...splitCommand(options.stdio),
          cwd: null,
          env: {},
          ...started,
        },
      }
    : {
        name: 'url',
        config: {
          transport: options.transport,
          url: options.url ?? '',
          headers: {},
          ...started,
        },
      };
}

export function splitCommand(line: string): { command: string; args: string[] } {
  const words = splitWords(line);
  if (typeof words === 'string')
    throw new UsageError(`The command has an open ${words}. Close it.`);
  const [command, ...args] = words;
  if (command === undefined || command === '')
    throw new UsageError('The command is empty. Give a program and its arguments.');
  return { command, args };
}
