import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  addSuite,
  correctQueries,
  createModelWorkspace,
  secretKeys,
  titleSchema,
} from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();

it('T60: writes no key or server secret to a file, event or log when they are echoed', async () => {
  const services = await workspace.open('canary', [
    {
      name: 'add',
      description: `Uses ${secretKeys.env} and ${Buffer.from(secretKeys.env).toString('base64')}.`,
      inputSchema: { ...titleSchema, description: `The key is ${secretKeys.env}` },
    },
  ]);
  await services.keys.set({ provider: 'openai', key: secretKeys.openai });
  const suiteId = await addSuite(services, [...correctQueries(3), ['fail', 'add']]);
  workspace.rule = (request) =>
    request.query === 'fail'
      ? {
          does: 'error',
          status: 400,
          type: 'invalid_request_error',
          message: `Bad ${secretKeys.openai} and ${encodeURIComponent(secretKeys.openai)} and ${secretKeys.env}`,
        }
      : {
          does: 'answer',
          text: `${secretKeys.openai} ${secretKeys.env} ${Buffer.from(secretKeys.openai).toString('base64')}`,
          calls: [{ name: 's__add', arguments: { title: secretKeys.openai } }],
        };
  const recordFile = join(workspace.folder, 'canary', 'recording.jsonl');
  const { id, rows, detail, events } = await workspace.run(services, suiteId, { recordFile });
  const shown = JSON.stringify([
    events,
    await Promise.all(rows.map(({ runId }) => detail(runId))),
    await services.evaluations.snapshot({ id }),
    await services.keys.list(),
    await services.settings.info(),
  ]);
  expect(shown).toContain('[redacted]');
  await workspace.reset();
  const planted = 'planted-canary-0123456789';
  const bytes = Buffer.concat([
    await readFilesOf(join(workspace.folder, 'canary')),
    Buffer.from(shown),
    Buffer.from(workspace.logged.join('\n')),
  ]);
  // The server's own configuration is kept as it was typed: its secret may be there and nowhere
  // else.
  const found = (secret: string) => spellings(secret).filter((form) => bytes.includes(form)).length;
  expect(found(secretKeys.openai)).toBe(0);
  expect(bytes.toString('latin1').split(secretKeys.env).length - 1).toBeLessThanOrEqual(
    2 * bytes.toString('latin1').split('API_TOKEN').length,
  );
  expect(shown.includes(secretKeys.env)).toBe(false);
  expect(spellings(planted).every((form) => Buffer.concat([bytes, form]).includes(form))).toBe(
    true,
  );
});

/** The encodings in which a secret could be found on a disk. */
function spellings(secret: string): Buffer[] {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.from('.'.repeat(offset) + secret)
      .toString('base64')
      .slice(4, -4),
  );
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    ...base64,
    secret.slice(0, Math.ceil(secret.length * 0.7)),
  ]
    .map((form) => Buffer.from(form))
    .concat(Buffer.from(secret, 'utf16le'));
}

/** Every byte under a folder: the database, its log of changes, recordings. */
async function readFilesOf(path: string): Promise<Buffer> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return Buffer.concat(
    await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name))),
    ),
  );
}
