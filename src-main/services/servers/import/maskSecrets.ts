import type { ServerConfig } from '../../../../src-shared/domain/server.ts';

export const mask = '••••••';

const secretName = /key|token|secret|passw|pwd|credential|auth|cookie|bearer|private|session|dsn|connection_?string|signature/i;
const secretValue = /\b(?:sk-[\w-]{8,}|gh[pousr]_\w{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}|xox[abeprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]+)|-----BEGIN |:\/\/[^/\s:@]+:[^@/\s]+@/;

/** By its name, or by the form that well-known credentials have. A value that only refers to a variable hides nothing. */
export function looksSecret(name: string, value: string): boolean {
  const literal = value.replace(/\$\{[^}]*\}/g, '').replace(/^\s*(?:bearer|basic|token)\b/i, '').trim();
  return literal !== '' && (secretName.test(name) || secretValue.test(value));
}

/** The configuration as a preview may show it. */
export function maskSecrets(config: ServerConfig): ServerConfig {
  const masked = (pairs: Record<string, string>): Record<string, string> => Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, looksSecret(name, value) ? mask : value]));
  return config.transport === 'stdio' ? { ...config, env: masked(config.env) } : { ...config, headers: masked(config.headers) };
}
