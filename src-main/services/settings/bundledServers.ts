import type { ServerConfig } from '../../../src-shared/domain/server.ts';

/** The configuration of a server that ships with Touchstone. */
export const bundledConfig = (name: string) => ({
  transport: 'stdio' as const,
  command: 'touchstone',
  args: name === 'todo' ? ['serve-todo', '--stdio'] : ['serve-sample', name, '--stdio'],
  cwd: null,
  env: {},
});

/** The Todo server, which workshop tools can call without registering it; null for other names. */
export function bundledServer(name: string): { name: string; config: ServerConfig } | null {
  return name === 'todo' ? { name, config: bundledConfig(name) } : null;
}
