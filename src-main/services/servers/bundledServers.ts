import type { ServerConfig, StdioConfig } from '../../../src-shared/domain/server.ts';

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

/**
 * Whether a configuration starts a bundled server with its usual files. In a task run it keeps them
 * in the folder of the run.
 */
export const isBundled = ({ command, args }: StdioConfig): boolean =>
  command === bundledConfig('todo').command &&
  (args[0] === 'serve-sample' || (args[0] === 'serve-todo' && !args.includes('--db')));
