import { resolve } from 'node:path';
import type { SkillsConfig } from '../../../../src-shared/domain/server.ts';
import { splitWords } from '../../../services/servers/commandWords.ts';
import { UsageError } from '../exitCodes.ts';

/** A folder of skills; a relative path is taken from the current folder. */
export const readSkills = (folder: string): SkillsConfig => ({
  transport: 'skills',
  folder: /^(?:~(?:$|[\\/])|\$\{)/.test(folder) ? folder : resolve(folder),
});

/** Parses the transport of an HTTP server. */
export function readTransport(value: string): 'streamable-http' | 'sse' {
  if (value === 'streamable-http' || value === 'sse') return value;
  throw new UsageError(`--transport ${value}: Unknown value. Give streamable-http or sse.`);
}

/** A command line as a program and its arguments. */
export function splitCommand(line: string): { command: string; args: string[] } {
  const words = splitWords(line);
  if (typeof words === 'string')
    throw new UsageError(`The command has an open ${words}. Close it.`);
  const [command, ...args] = words;
  if (command === undefined || command === '')
    throw new UsageError('The command is empty. Give a program and its arguments.');
  return { command, args };
}
