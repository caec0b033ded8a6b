import type { ServerConfig } from '../../../src-shared/domain/server.ts';

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * The complete command as a shell would take it, or the address: exactly what will be started or
 * called.
 */
export function commandLine(config: ServerConfig): string {
  if (config.transport !== 'stdio') return config.url;
  return [config.command, ...config.args].map(quote).join(' ');
}
