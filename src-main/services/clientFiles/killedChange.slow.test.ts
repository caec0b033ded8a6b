import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { McpClient } from '../../../src-shared/domain/clientConfig.ts';
import { clientFilesIn } from '../../testing/clientFilesIn.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testProgram } from '../../testing/testPrograms.ts';

const child = testProgram('src-main/testing/clientFileChild.ts');

/** How the change ended that kills itself before a step: null if it has fewer steps. */
async function change(
  home: string,
  client: McpClient,
  what: 'add' | 'undo',
  step: number,
): Promise<string | null> {
  const program = spawn(process.execPath, [child, home, client, what, `${step}`], {
    stdio: 'inherit',
  });
  const [code, signal] = (await once(program, 'exit')) as [number | null, string | null];
  if (signal === null) expect(code).toBe(0);
  return signal;
}

const config =
  '{\n  // mine\n  "mcpServers": {\n    "todo": { "url": "http://127.0.0.1:1" },\n  }\n}\n';

const yaml =
  '# mine\nextensions:\n  todo: { type: stdio, name: todo, enabled: false, cmd: npx, args: [] }\n';

describe.each<[string, McpClient, string | null]>([
  ['a file of Cursor', 'cursor', config],
  ['no file of Cursor', 'cursor', null],
  ['a file of goose', 'goose', yaml],
  ['no file of goose', 'goose', null],
])('a program that is killed while it changes %s', (_name, client, before) => {
  it.each(['add', 'undo'] as const)(
    '%s: leaves the file as it was before or after, and it can be restored',
    async (what) => {
      const ends: (string | null)[] = [];
      const found = new Set<string>();
      for (let step = 1; ends.at(-1) !== null; step += 1) {
        await using folder = await temporaryFolder();
        const files = clientFilesIn(folder.path);
        const { file } = await files.read(client);
        const read = () => readFile(file, 'utf8').catch(() => null);
        await mkdir(dirname(file), { recursive: true });
        if (before !== null) await writeFile(file, before);
        const { revision } = await files.read(client);
        await files.add(client, revision);
        const after = await read();
        if (what === 'add') await files.undo(client);
        ends.push(await change(folder.path, client, what, step));
        const left = await read();
        expect([before, after]).toContain(left);
        found.add(left === before ? 'before' : 'after');
        const now = await files.read(client);
        expect(now.undo === null).toBe(left === before);
        if (now.undo === null) await files.add(client, now.revision);
        await files.undo(client);
        expect(await read()).toBe(before);
        await rm(file, { force: true });
      }
      // Kills on both sides of the change, or the steps are none of it.
      expect(found).toEqual(new Set(['before', 'after']));
      expect(ends.filter((signal) => signal === 'SIGKILL').length).toBeGreaterThanOrEqual(1);
    },
  );
});
