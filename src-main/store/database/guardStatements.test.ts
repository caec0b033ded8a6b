import { mkdirSync, openSync, closeSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createServices } from '../../app/createServices.ts';
import { createLocalClient } from '../../rpc/router.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { statements } from './guardStatements.ts';

test('T51: reports a page damaged during the session with the file and the next step', async () => {
  await using folder = await temporaryFolder();
  const workspace = join(folder.path, 'workspace');
  mkdirSync(workspace);
  const file = join(workspace, 'touchstone.sqlite');
  const logged: string[] = [];
  const open = async () => {
    const opened = await createServices({ host: 'cli', folder: workspace });
    const log = { info: () => undefined, error: (message: string) => void logged.push(message) };
    const client = createLocalClient(opened.services, { log, redactValue: (value) => value });
    return { opened, client };
  };
  const before = await open();
  const cases = Array.from({ length: 400 }, (_, index) => ({
    id: `c${index}`,
    name: `c${index}`,
    query: 'q'.repeat(3000),
    expected_calls: [],
  }));
  const { id } = await before.client.suites.import({
    fileName: 'x.json',
    text: JSON.stringify({ version: 1, name: 'large', servers: ['s'], cases }),
    replace: false,
  });
  await before.opened.close();

  const { opened, client } = await open();
  const handle = openSync(file, 'r+');
  const { size } = statSync(file);
  // The last half of the file holds the cases; what is before them was read at the start.
  const half = Math.floor(size / 2 / 4096) * 4096;
  writeSync(handle, Buffer.alloc(size - half, 0xff), 0, size - half, half);
  closeSync(handle);
  const trouble: unknown = await client.suites.cases({ suiteId: id }).then(
    () => null,
    (error: unknown) => error,
  );
  expect(trouble).toMatchObject({
    code: 'TROUBLE',
    data: {
      thing: `The database ${file}`,
      cause: expect.stringContaining('damaged') as unknown,
      nextStep: expect.stringContaining('touchstone salvage') as unknown,
    },
  });
  expect(logged).toEqual([]);
  await opened.close().catch(() => undefined);
});

test('every statement that the store opens with compiles on the newest schema', () => {
  statements.compileAtOnce = true;
  try {
    expect(() => createTestDatabase().close()).not.toThrow();
  } finally {
    statements.compileAtOnce = false;
  }
});
