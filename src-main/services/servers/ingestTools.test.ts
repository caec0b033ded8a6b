import { expect, test } from 'vitest';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { ingestTools } from './ingestTools.ts';

test('an aborted listing is over only when the last server has ended', async () => {
  const controller = new AbortController();
  const slowEnd = Promise.withResolvers<void>();
  const ended: string[] = [];
  const connect: ConnectMcp = async ({ name }, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    if (name === 'slow') await slowEnd.promise;
    ended.push(name);
    throw signal.reason;
  };
  const config = { transport: 'stdio' as const, command: 'none', args: [], cwd: null, env: {} };
  const servers = ['quick', 'slow'].map((name) => ({ id: name, name, config }));
  const listing = ingestTools(servers, connect, controller.signal).finally(() => {
    ended.push('listing');
  });
  controller.abort(new Error('enough'));
  // Everything that an abort settles at once is settled before the slow server is.
  setImmediate(() => slowEnd.resolve());
  await expect(listing).rejects.toThrow('enough');
  expect(ended).toEqual(['quick', 'slow', 'listing']);
});
