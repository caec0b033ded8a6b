import { resolve } from 'node:path';
import type { SkillsConfig } from '../../../../src-shared/domain/server.ts';
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

/**
 * Splits a command line like a POSIX shell: quotes and backslashes group words, and nothing is
 * expanded.
 */
export function splitCommand(line: string): { command: string; args: string[] } {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (quote) {
      if (character === quote) quote = null;
      else if (character === '\\' && quote === '"' && /["\\$`]/.test(line[index + 1] ?? ''))
        word = (word ?? '') + (line[(index += 1)] ?? '');
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\') {
      word = (word ?? '') + (line[(index += 1)] ?? '');
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  if (quote) throw new UsageError(`The command has an open ${quote}. Close it.`);
  if (word !== null) words.push(word);
  const [command, ...args] = words;
  if (command === undefined || command === '')
    throw new UsageError('The command is empty. Give a program and its arguments.');
  return { command, args };
}
