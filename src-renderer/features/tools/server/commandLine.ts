import type { ServerConfig } from '../../../../src-shared/domain/server.ts';

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * The complete command as a shell would take it, the address or the folder: exactly what will be
 * started, called or read.
 */
export function commandLine(config: ServerConfig): string {
  if (config.transport === 'skills') return config.folder;
  if (config.transport !== 'stdio') return config.url;
  return [config.command, ...config.args].map(quote).join(' ');
}
