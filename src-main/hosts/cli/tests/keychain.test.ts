import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';

// The keychain of Linux is asked over a socket, which here takes every word and never answers. This
// is the one test that waits for its limit in real time.
it.runIf(process.platform === 'linux')(
  'T61: a command ends with its answer although the keychain never responds',
  async () => {
    const folder = await temporaryFolder();
    const held: Socket[] = [];
    const silent = createServer((socket) => held.push(socket.on('error', () => undefined)));
    const path = join(folder.path, 'bus');
    silent.listen(path);
    await once(silent, 'listening');
    try {
      const env = {
        TOUCHSTONE_KEYCHAIN: '',
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`,
        OPENAI_API_KEY: 'sk-canary-0123456789',
      };
      const { code, stdout, stderr } = await spawnCommand(['keys', 'list', '--json'], {
        workspace: join(folder.path, 'workspace'),
        env,
      });
      expect(held.length).toBeGreaterThan(0);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        keychain: {
          available: false,
          reason: expect.stringContaining("didn't answer within 10 s") as unknown,
        },
      });
      expect(stdout + stderr).not.toContain('sk-canary');
    } finally {
      for (const socket of held) socket.destroy();
      silent.close();
      await folder.remove();
    }
  },
);
