import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { McpClient } from '../../../src-shared/domain/clientConfig.ts';
import { clientFilesIn } from '../../testing/clientFilesIn.ts';
import { sampled } from '../../testing/nightly.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testProgram } from '../../testing/testPrograms.ts';

const child = testProgram('src-main/testing/clientFileChild.ts');

/** How the change ended that kills itself before a step: null if it has fewer steps. */
async function killAt(
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

const toml = '# mine\n[mcp_servers.todo]\nurl = "u" # local\n';

/** What a client writes into its file while it runs. */
const theirs: Partial<Record<McpClient, (text: string) => string>> = {
  cursor: (text) => text.replace('{', '{\n  "theme": "dark", // theirs'),
  goose: (text) => `# theirs\ntheme: dark\n${text}`,
  codex: (text) => `${text}\n[projects."/work"] # theirs\ntrust_level = "trusted"\n`,
};

const changes = ['add', 'undo', 'undo after a change'] as const;

const files: readonly [string, McpClient, string | null][] = [
  ['a file of Cursor', 'cursor', config],
  ['no file of Cursor', 'cursor', null],
  ['a file of goose', 'goose', yaml],
  ['no file of goose', 'goose', null],
  ['a file of Codex', 'codex', toml],
];

describe.each(sampled(files, ([, client, first]) => client === 'cursor' || first !== null))(
  'a program that is killed while it changes %s',
  (_name, client, first) => {
    const possible = changes.filter((what) => first !== null || what !== 'undo after a change');
    // Each change of one client, and of each other format the one that reads the most of it.
    const isInSample = (what: string): boolean =>
      client === 'cursor' || what === 'undo after a change';
    it.each(sampled(possible, isInSample))(
      '%s: leaves the file as it was before or after, and it can be restored',
      async (what) => {
        const change = theirs[client] ?? ((text: string) => text);
        const isChanged = what === 'undo after a change';
        const before = isChanged ? change(first ?? '') : first;
        const ends: (string | null)[] = [];
        const found = new Set<string>();
        for (let step = 1; ends.at(-1) !== null; step += 1) {
          await using folder = await temporaryFolder();
          const files = clientFilesIn(folder.path);
          const { file } = await files.read(client);
          const read = () => readFile(file, 'utf8').catch(() => null);
          await mkdir(dirname(file), { recursive: true });
          if (first !== null) await writeFile(file, first);
          const { revision } = await files.read(client);
          await files.add(client, revision);
          if (isChanged) await writeFile(file, change((await read()) ?? ''));
          const after = await read();
          if (what === 'add') await files.undo(client);
          ends.push(await killAt(folder.path, client, what === 'add' ? what : 'undo', step));
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
  },
);
