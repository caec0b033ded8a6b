import { expect, it } from 'vitest';
import { emptyServerForm } from './serverForm.ts';
import { suggestedName } from './suggestedName.ts';

it.each([
  [{}, ''],
  [{ command: 'npx -y @modelcontextprotocol/server-filesystem .' }, 'filesystem'],
  [{ command: 'npx', args: '-y\n@modelcontextprotocol/server-filesystem\n.' }, 'filesystem'],
  [{ command: '/opt/My Tools/run', args: '--stdio' }, 'run'],
  [{ transport: 'streamable-http' as const, url: 'https://mcp.linear.app/mcp' }, 'linear'],
  [{ transport: 'streamable-http' as const, url: 'https' }, ''],
  [{ transport: 'skills' as const, folder: '/home/me/office' }, 'office'],
])('names the server of %j %s', (change, name) => {
  expect(suggestedName({ ...emptyServerForm, ...change })).toBe(name);
});
