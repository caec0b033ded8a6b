import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let file: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'offer.json');
  await writeFile(
    file,
    JSON.stringify({
      tools: [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } }],
      prompts: [{ name: 'summary', description: 'Summarizes a file.' }],
      resources: [{ uri: 'file:///a.md', name: 'a.md', mimeType: 'text/markdown' }],
    }),
  );
});
afterAll(() => folder.remove());

const commandOf = (mode: string, ...more: string[]): string => {
  const { command, args } = fakeStdioServer(mode);
  return [command, ...args, ...more].join(' ');
};
const run = (...args: string[]) => runCommand(args, { workspace: join(folder.path, 'workspace') });

describe('tools', () => {
  it('prints prompts and resources below the tools', async () => {
    const { code, stdout } = await run('tools', '--stdio', commandOf('normal', '--tools', file));
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())).toEqual(
      expect.arrayContaining([
        'prompts and resources kind tokens description',
        expect.stringMatching(/^stdio:summary prompt \d+ Summarizes a file\.$/) as string,
        expect.stringMatching(/^stdio:file:\/\/\/a\.md resource \d+$/) as string,
      ]),
    );
  });

  it('has them in JSON, apart from the tools', async () => {
    const { stdout } = await run(
      'tools',
      '--stdio',
      commandOf('normal', '--tools', file),
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [
        {
          item_lists: [
            { kind: 'prompt', status: 'listed' },
            { kind: 'resource', status: 'listed' },
            { kind: 'template', status: 'not offered' },
          ],
        },
      ],
      tools: [{ name: 'echo' }],
      items: [
        { server: 'stdio', kind: 'prompt', name: 'summary', uri: null, arguments: [] },
        { kind: 'resource', uri: 'file:///a.md', mime_type: 'text/markdown' },
      ],
    });
  });

  it('names the cause of a list that fails and ends with 0, since the tools are listed', async () => {
    const { code, stdout } = await run('tools', '--stdio', commandOf('prompts-error'));
    expect(code).toBe(0);
    expect(stdout).toContain('stdio: The prompts could not be listed. prompts/list: ');
    expect(stdout).toContain('The prompts are locked');
  });
});
