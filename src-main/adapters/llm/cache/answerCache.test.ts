import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { sealOf } from '../../../runtime/seal.ts';
import type { ChatReply } from '../chatModel.ts';
import { openAnswerCache } from './answerCache.ts';

let folder: TemporaryFolder;
let warnings: string[];
beforeEach(async () => {
  folder = await temporaryFolder();
  warnings = [];
});
afterEach(() => folder.remove());

const key = 'ab'.repeat(32);
const reply: ChatReply = {
  observation: {
    ...{ calls: [], text: 'It is done.', reasoning: null, stopReason: 'answered' },
    ...{ confidence: null, usage: null },
  },
  ...{ request: {}, response: {}, elapsedMs: 1 },
};
const cache = (sealKey: string | null = null) =>
  openAnswerCache(
    at(),
    (text) => void warnings.push(text),
    (value) => value,
    sealKey,
  );
const at = (...names: string[]): string => join(folder.path, 'cache', ...names);
const entry = (): string => at('ab', `${key}.json`);
const get = async (sealKey?: string | null) =>
  (await cache(sealKey).get(key))?.observation.text ?? null;

describe.skipIf(process.platform === 'win32')('an entry', () => {
  beforeEach(() => cache().put(key, reply));

  it('is answered from while it is a file of this user alone', async () => {
    expect([await get(), warnings]).toEqual(['It is done.', []]);
  });

  it.each([
    ['writable by a group', 'Other users can change it.', () => chmodSync(entry(), 0o660)],
    ['writable by all', 'Other users can change it.', () => chmodSync(entry(), 0o606)],
    [
      'changed',
      'It was changed after it was written.',
      () => writeFileSync(entry(), `${readFileSync(entry(), 'utf8')} `),
    ],
    ['a pipe', 'It is a named pipe.', () => replace(() => execFileSync('mkfifo', [entry()]))],
    ['a device', 'It is a device.', () => replace(() => symlinkSync('/dev/zero', entry()))],
    ['a folder', "It's a folder.", () => replace(() => mkdirSync(entry()))],
    [
      'a link to a file',
      'It is a symbolic link.',
      () => {
        renameSync(entry(), at('own'));
        symlinkSync(at('own'), entry());
      },
    ],
    [
      'too large',
      'bytes that are read at once',
      () => writeFileSync(entry(), Buffer.alloc(65 * 1024 * 1024)),
    ],
  ])(
    'is not used if it is %s, with the reason, and asked for again',
    async (_name, reason, spoil) => {
      spoil();
      expect(await get()).toBe(null);
      expect(warnings).toEqual([expect.stringContaining(reason)]);
    },
  );

  it.runIf(process.getuid?.() === 0)('is not used if it belongs to another user', async () => {
    chownSync(entry(), 12_345, 12_345);
    expect([await get(), warnings]).toEqual([
      null,
      [expect.stringContaining('belongs to another user (12345)')],
    ]);
  });
});

it('an entry is not used under the name of another request', async () => {
  await cache().put(key, reply);
  const other = `ab${'0'.repeat(62)}`;
  writeFileSync(at('ab', `${other}.json`), readFileSync(entry()), { mode: 0o600 });
  expect(await cache().get(other)).toBe(null);
  expect(warnings).toEqual([expect.stringContaining('It answers another request.')]);
});

const replace = (make: () => void): void => {
  rmSync(entry());
  make();
};

describe('a shared cache', () => {
  it.skipIf(process.platform === 'win32')(
    'is refused if others can write there, unless a key signs its entries',
    async () => {
      await cache('k').put(key, reply);
      chmodSync(at(), 0o777);
      expect(() => cache()).toThrow(
        expect.objectContaining({
          message: expect.stringContaining('TOUCHSTONE_SEAL_KEY') as string,
        }),
      );
      chmodSync(entry(), 0o666);
      expect([await get('k'), warnings]).toEqual(['It is done.', []]);
    },
  );

  it.skipIf(process.platform === 'win32').each([
    ['that others can write to', 'Other users can change it.', () => chmodSync(at('ab'), 0o777)],
    [
      'that is a link',
      "It isn't a folder.",
      () => {
        renameSync(at('ab'), join(folder.path, 'elsewhere'));
        symlinkSync(join(folder.path, 'elsewhere'), at('ab'));
      },
    ],
  ])('neither reads nor writes in a folder of it %s', async (_name, reason, spoil) => {
    await cache().put(key, reply);
    spoil();
    const written = readFileSync(entry());
    const opened = cache();
    expect(await opened.get(key)).toBe(null);
    await opened.put(key, { ...reply, elapsedMs: 2 });
    expect(readFileSync(entry()).equals(written)).toBe(true);
    expect(warnings).toEqual([
      expect.stringContaining(`Its folder ${at('ab')} is not used: ${reason}`),
      expect.stringContaining(`can't be kept in this cache: Its folder ${at('ab')}`),
    ]);
  });

  it.skipIf(process.platform === 'win32').each([
    ['a link to nothing', () => symlinkSync(join(folder.path, 'nothing'), at())],
    ['a pipe', () => void execFileSync('mkfifo', [at()])],
    ['a file', () => writeFileSync(at(), '')],
  ])('is refused in words if its folder is %s', (_name, make) => {
    make();
    expect(() => cache()).toThrow(
      expect.objectContaining({
        data: expect.objectContaining({ cause: "It exists, but it isn't a folder." }) as unknown,
      }),
    );
  });

  it.runIf(process.getuid?.() === 0)(
    'is refused if its folder, or what a link leads to, belongs to another user',
    async () => {
      await cache().put(key, reply);
      chownSync(at(), 12_345, 12_345);
      expect(() => cache()).toThrow(/belongs to another user \(12345\)/);
      renameSync(at(), join(folder.path, 'elsewhere'));
      symlinkSync(join(folder.path, 'elsewhere'), at());
      expect(() => cache()).toThrow(/belongs to another user \(12345\)/);
    },
  );

  it('is swept of what killed processes left, and not of what others are writing', async () => {
    await cache().put(key, reply);
    const [left, young] = [1, 2].map(
      (at) => `${entry()}.${`${at}`.repeat(8)}-${'0'.repeat(27)}.new`,
    );
    for (const path of [left, young]) writeFileSync(path ?? '', '{');
    utimesSync(left ?? '', 0, 0);
    await cache().put(key, reply);
    expect(readdirSync(at('ab')).filter((name) => name.endsWith('.new'))).toHaveLength(1);
    expect(await get()).toBe('It is done.');
  });

  it('is filled again by two users at once whose key was changed, with six warnings each', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `${index + 10}`.padEnd(64, '0'));
    const old = cache('old');
    await Promise.all(keys.map((each) => old.put(each, reply)));
    const users = [cache('new'), cache('new')];
    const ask = (each: string) =>
      Promise.all(
        users.map(async (user) => {
          if ((await user.get(each)) === null) await user.put(each, reply);
        }),
      );
    for (const each of keys) await ask(each);
    expect(warnings.filter((text) => text.includes('another key'))).toHaveLength(12);
    expect(warnings).toHaveLength(12);
    for (const user of [...users, cache('new')])
      for (const each of keys) expect(await user.get(each)).toMatchObject({ elapsedMs: 1 });
    expect(warnings).toHaveLength(12);
    const names = readdirSync(at(), { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('answers only from entries that were signed with its key', async () => {
    await cache('k').put(key, reply);
    expect(await get('k')).toBe('It is done.');
    expect(await get('other')).toBe(null);
    expect(await get(null)).toBe(null);
    const [, text = ''] = readFileSync(entry(), 'utf8').split('\n');
    // Anybody can make this seal.
    writeFileSync(entry(), `${sealOf(text, null)}\n${text}`);
    expect([await get('k'), await get(null)]).toEqual([null, 'It is done.']);
    expect(warnings.map((text) => text.split('again. ')[1])).toEqual([
      'It was changed after it was written, or signed with another key than that of TOUCHSTONE_SEAL_KEY.',
      'It is signed with a key, and TOUCHSTONE_SEAL_KEY isn’t set here.',
      'It isn’t signed with the key of TOUCHSTONE_SEAL_KEY.',
    ]);
  });
});
