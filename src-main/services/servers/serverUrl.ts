import { sha256 } from '../../runtime/sha256.ts';
import { namedValues, type ServerConfig } from '../../../src-shared/domain/server.ts';

/**
 * Quotes words for a POSIX shell, so that a user can paste the command. The program itself never
 * uses a shell.
 */
export function shellQuote(words: readonly string[]): string {
  return words
    .map((word) =>
      /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
    )
    .join(' ');
}

/** What a server is reached by: its command, its address or its folder. */
export function address(config: ServerConfig): string {
  if (config.transport === 'stdio') return shellQuote([config.command, ...config.args]);
  return config.transport === 'skills' ? config.folder : config.url;
}

const secretReference = /\$\{secret:[^}]*\}/g;

/**
 * The unique `url` of a server: its address, `stdio:` and the shell-quoted command, or `skills:` and
 * the folder. If the entry has a cwd, environment names, secret references or header names, `#` and 8 hex digits of their
 * SHA-256 follow, so that entries that differ only in these stay distinct. Values are left out
 * because they may be secrets. See docs/rules.md §1.
 */
export function serverUrl(config: ServerConfig): string {
  const stdio = config.transport === 'stdio';
  const base =
    stdio || config.transport === 'skills'
      ? `${config.transport}:${address(config)}`
      : address(config);
  const pairs = namedValues(config);
  const distinguishing = {
    cwd: stdio ? config.cwd : null,
    names: Object.keys(pairs).sort(),
    secrets: Object.values(pairs)
      .flatMap((value) => value.match(secretReference) ?? [])
      .sort(),
  };
  if (distinguishing.cwd === null && distinguishing.names.length === 0) return base;
  return `${base}#${sha256(JSON.stringify(distinguishing)).slice(0, 8)}`;
}
