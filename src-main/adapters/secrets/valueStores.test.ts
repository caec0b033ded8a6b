import { chmodSync, readFileSync, statSync, writeFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDurably } from '../../store/durability/durableFile.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { defaultKdfCost, newFiles, openFile } from './encryptedFile.ts';
import { createKeychain } from './keychain.ts';
import { SecretFile, type SecretFileParts } from './secretFile.ts';
import { createSecretStore } from './secretStore.ts';
import type { ValueStore } from './valueStore.ts';

const canary = 'sk-canary-file-0123456789';
const passphrase = 'correct horse battery';

let folder: TemporaryFolder;
let count = 0;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const newPath = (): string => join(folder.path, `${(count += 1)}.keys`);
const openSecretFile = (file: string, parts: Partial<SecretFileParts> = {}): SecretFile =>
  new SecretFile({ file, write: writeDurably, ...parts });
async function createdFile(values: Record<string, string> = {}): Promise<string> {
  const path = newPath();
  await openSecretFile(path).create(passphrase, new Map(Object.entries(values)));
  return path;
}

/** A package of the keychain's form that works on a map. */
function keychainPackage() {
  const kept = new Map<string, string>();
  return {
    AsyncEntry: class {
      readonly #account: string;
      constructor(_service: string, account: string) {
        this.#account = account;
      }
      getPassword = async () => kept.get(this.#account) ?? null;
      setPassword = async (value: string) => void kept.set(this.#account, value);
      deletePassword = async () => kept.delete(this.#account);
    },
  };
}

const stores: [string, () => Promise<ValueStore>][] = [
  ['a file', async () => openSecretFile(await createdFile(), { passphrase })],
  ['a keychain', async () => createKeychain({ load: async () => keychainPackage() })],
];

describe.each(stores)('values in %s', (_name, open) => {
  it('are kept by account until they are replaced or removed', async () => {
    const store = await open();
    expect(await store.get('openai')).toBeNull();
    expect(await store.set('openai', canary)).toBe(true);
    expect(await store.set('secret:a/b', 'päss "wörd"')).toBe(true);
    expect(await store.set('openai', `${canary}-2`)).toBe(true);
    expect(await store.get('openai')).toBe(`${canary}-2`);
    expect(await store.get('secret:a/b')).toBe('päss "wörd"');
    expect(await store.remove('openai')).toBe(true);
    expect(await store.remove('never-set')).toBe(true);
    expect(await store.get('openai')).toBeNull();
    expect(await store.get('secret:a/b')).toBe('päss "wörd"');
  });
});

describe('encrypted file', () => {
  it('keeps values for the next start, in no readable form, for its user alone', async () => {
    const path = await createdFile({ openai: canary });
    const first = openSecretFile(path, { passphrase });
    await first.set('anthropic', `${canary}-2`);
    const bytes = readFileSync(path);
    for (const form of [canary, Buffer.from(canary).toString('base64'), 'openai', passphrase])
      expect(bytes.includes(form)).toBe(false);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = openSecretFile(path, { passphrase });
    expect(await second.get('openai')).toBe(canary);
    expect(await second.get('anthropic')).toBe(`${canary}-2`);
  });

  it.skipIf(process.platform === 'win32').each([
    [0o640, 'chmod 600'],
    [0o604, 'chmod 600'],
    [0o600, null],
  ])('is refused with mode %o, because its values count as told', async (mode, nextStep) => {
    const path = await createdFile({ openai: canary });
    chmodSync(path, mode);
    const file = openSecretFile(path, { passphrase });
    expect(await file.get('openai')).toBe(nextStep === null ? canary : null);
    expect(await file.problem()).toEqual(
      nextStep === null
        ? null
        : {
            text: `Other users can read it. Make ${path} a file of yours that nobody else reads (${nextStep}).`,
            locked: false,
          },
    );
  });

  it('stays locked under a wrong passphrase and says where that came from', async () => {
    const path = await createdFile({ openai: canary });
    const before = readFileSync(path);
    const wrong = openSecretFile(path, { passphrase: 'incorrect horse' });
    expect(await wrong.get('openai')).toBeNull();
    expect(await wrong.set('openai', 'sk-other')).toBe(false);
    expect(await wrong.remove('openai')).toBe(false);
    expect(await wrong.problem()).toEqual({
      text: 'The passphrase is wrong. It is from TOUCHSTONE_KEYS_PASSPHRASE.',
      locked: true,
    });
    await expect(wrong.unlock('no')).rejects.toMatchObject({
      code: 'INVALID',
      data: { cause: 'The passphrase is wrong.', field: 'passphrase' },
    });
    expect(readFileSync(path)).toEqual(before);
    await wrong.unlock(passphrase);
    expect(await wrong.get('openai')).toBe(canary);
  });

  it('asks up to three times, and once for several values', async () => {
    const path = await createdFile({ openai: canary });
    const problems: (string | null)[] = [];
    const answers = ['wrong one', passphrase];
    const file = openSecretFile(path, {
      ask: async (problem) => {
        problems.push(problem);
        return answers.shift() ?? null;
      },
    });
    expect(await Promise.all([file.get('openai'), file.get('anthropic')])).toEqual([canary, null]);
    expect(problems).toEqual([null, 'The passphrase is wrong.']);
    const never = openSecretFile(path, { ask: async () => 'always wrong' });
    expect(await never.get('openai')).toBeNull();
    expect(await never.problem()).toEqual({ text: 'The passphrase is wrong.', locked: true });
    expect(await openSecretFile(path).problem()).toEqual({
      text: 'The key file is locked.',
      locked: true,
    });
  });

  it('is unlocked after a damaged file was replaced, for which nobody is asked', async () => {
    const path = await createdFile({ openai: canary });
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.slice(0, 40));
    const questions: (string | null)[] = [];
    const file = openSecretFile(path, {
      ask: async (problem) => {
        questions.push(problem);
        return null;
      },
    });
    expect(await file.problem()).toMatchObject({
      text: expect.stringMatching(/damaged.* Replace it/) as unknown,
      locked: false,
    });
    expect(await file.get('openai')).toBeNull();
    writeFileSync(path, text);
    expect(await file.problem()).toEqual({ text: 'The key file is locked.', locked: true });
    await file.unlock(passphrase);
    expect([await file.get('openai'), await file.problem(), questions]).toEqual([canary, null, []]);
  });

  it('T61: tells a damaged, a changed and a newer file apart, and changes none of them', async () => {
    const path = await createdFile({ openai: canary });
    const text = readFileSync(path, 'utf8');
    const rewritten = async (change: (file: Record<string, unknown>) => void): Promise<string> => {
      const { checksum: _old, ...file } = JSON.parse(text) as Record<string, unknown>;
      change(file);
      const { sha256 } = await import('../../runtime/sha256.ts');
      return JSON.stringify({ ...file, checksum: sha256(JSON.stringify(file)) });
    };
    const halves = Array.from({ length: 9 }, (_, at) =>
      text.slice(0, Math.floor((text.length * at) / 9)),
    );
    const flipped = text.replace(/"data": "(.)/, (all, first: string) =>
      all.replace(/.$/, first === 'A' ? 'B' : 'A'),
    );
    const cases: [string, RegExp][] = [
      ...[...halves, flipped, '[]', '{}'].map((each): [string, RegExp] => [each, /damaged/]),
      [await rewritten((file) => (file['data'] = 'AAAA')), /changed by something other/],
      [
        await rewritten((file) => (file['kdf'] = { ...(file['kdf'] as object), cost: 2 ** 24 })),
        /changed by something other/,
      ],
      [
        await rewritten((file) => (file['kdf'] = { ...(file['kdf'] as object), cost: 4 })),
        /passphrase is wrong/,
      ],
      [await rewritten((file) => (file['touchstone_keys'] = 2)), /newer version/],
    ];
    for (const [content, cause] of cases) {
      await expect(openFile(content, passphrase), content.slice(0, 40)).rejects.toMatchObject({
        data: { cause: expect.stringMatching(cause) as unknown },
      });
      writeFileSync(path, content);
      const file = openSecretFile(path, { passphrase });
      expect(await file.set('openai', 'sk-other')).toBe(false);
      const isPassphrase = cause.source.includes('passphrase');
      expect(await file.problem()).toMatchObject({
        text: expect.stringMatching(cause) as unknown,
        locked: isPassphrase,
      });
      // Without a passphrase, all but a file that was made to look sound is told apart.
      const unopened = await openSecretFile(path).problem();
      if (!/passphrase|changed/.test(cause.source)) expect(unopened).toEqual(await file.problem());
      if (!isPassphrase)
        expect((await file.problem())?.text).toMatch(
          /\. (Replace it with a copy|Open it with that version)/,
        );
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
  });

  it('is damaged if it has gigabytes, which are not read', async () => {
    const path = await createdFile({ openai: canary });
    truncateSync(path, 20e9);
    const file = openSecretFile(path, { passphrase });
    expect(await file.set('openai', 'sk-other')).toBe(false);
    expect(await file.problem()).toMatchObject({
      text: expect.stringMatching(/^It is damaged or incomplete, .* Replace it/) as unknown,
    });
    expect(statSync(path).size).toBe(20e9);
  });

  it('changes its passphrase only for whoever knows the current one', async () => {
    const path = await createdFile({ openai: canary });
    const file = openSecretFile(path);
    await expect(file.changePassphrase('wrong one', 'another horse')).rejects.toMatchObject({
      data: { field: 'passphrase' },
    });
    await file.changePassphrase(passphrase, 'another horse');
    expect(await file.get('openai')).toBe(canary);
    expect(await openSecretFile(path, { passphrase }).get('openai')).toBeNull();
    expect(await openSecretFile(path, { passphrase: 'another horse' }).get('openai')).toBe(canary);
  });

  it('keeps what another process wrote to it meanwhile', async () => {
    const path = await createdFile();
    const [first, second] = [1, 2].map(() => openSecretFile(path, { passphrase }));
    await first?.set('openai', canary);
    await second?.set('anthropic', `${canary}-2`);
    await first?.set('secret:a', 'three');
    expect([...((await second?.values()) ?? [])]).toEqual([
      ['openai', canary],
      ['anthropic', `${canary}-2`],
      ['secret:a', 'three'],
    ]);
    await second?.changePassphrase(passphrase, 'another horse');
    expect(await first?.set('openai', 'sk-other')).toBe(false);
    expect(await first?.problem()).toEqual({ text: 'The key file is locked.', locked: true });
  });

  it('says why it can’t be written and stays as it was', async () => {
    const path = await createdFile({ openai: canary });
    const full = openSecretFile(path, {
      passphrase,
      write: () => {
        throw new Error('no space left on the disk');
      },
    });
    expect(await full.set('openai', 'sk-other')).toBe(false);
    expect(await full.get('openai')).toBe(canary);
    await expect(full.changePassphrase(passphrase, 'another horse')).rejects.toMatchObject({
      code: 'TROUBLE',
      message: expect.stringContaining('no space left') as unknown,
    });
    expect(await openSecretFile(path, { passphrase }).get('openai')).toBe(canary);
  });
});

describe('store of secrets', () => {
  const workingKeychain = () => createKeychain({ load: async () => keychainPackage() });

  it('moves values of the session into a new file, and out of it into the keychain', async () => {
    const path = newPath();
    const first = createSecretStore({ file: openSecretFile(path) });
    expect(await first.set('openai', canary)).toBe('memory');
    expect(await first.state()).toMatchObject({ kind: 'memory' });
    await first.useFile(passphrase);
    expect([await first.place('openai'), await first.state()]).toEqual([
      'file',
      { kind: 'file', locked: false, problem: null },
    ]);
    await expect(first.useFile(passphrase)).rejects.toMatchObject({ code: 'INVALID' });
    const keychain = workingKeychain();
    const second = createSecretStore({ file: openSecretFile(path, { passphrase }), keychain });
    expect(await second.set('anthropic', 'sk-2')).toBe('file');
    await second.leaveFile(false);
    expect([await second.place('openai'), await keychain.get('anthropic')]).toEqual([
      'keychain',
      'sk-2',
    ]);
    expect(await second.state()).toMatchObject({ kind: 'keychain' });
    await expect(second.unlock(passphrase)).rejects.toThrow('There is no key file.');
  });

  it('lists the accounts of session, file and keychain, without those that were removed', async () => {
    const keychain = workingKeychain();
    const first = createSecretStore({ keychain });
    for (const account of ['openai', 'model:b', 'model:a', 'model:b']) {
      expect(await first.set(account, canary)).toBe('keychain');
    }
    await first.remove('openai');
    const path = newPath();
    const second = createSecretStore({
      keychain,
      file: openSecretFile(path, { passphrase }),
      memory: new Map([['model:c', canary]]),
    });
    expect(await second.accounts()).toEqual(['model:a', 'model:b', 'model:c']);
    await second.useFile(passphrase);
    await second.set('model:d', canary);
    const all = ['model:a', 'model:b', 'model:c', 'model:d'];
    expect(await second.accounts()).toEqual(all);
    await second.remove('model:a');
    await second.leaveFile(false);
    const third = createSecretStore({ keychain });
    expect(await third.accounts()).toEqual(all.slice(1));
    // What something else wrote in place of the list ends nothing.
    await keychain.set('touchstone:accounts', '{"odd"');
    expect(await third.accounts()).toEqual([]);
    await third.set('model:e', canary);
    expect(await third.accounts()).toEqual(['model:e']);
  });

  it('keeps values in memory while the file is locked, and writes them when it opens', async () => {
    const path = await createdFile({ openai: canary });
    const store = createSecretStore({ file: openSecretFile(path) });
    expect(await store.set('anthropic', 'sk-2')).toBe('memory');
    expect(await store.state()).toEqual({
      kind: 'file',
      locked: true,
      problem: 'The key file is locked.',
    });
    await expect(store.leaveFile(false)).rejects.toMatchObject({ code: 'INVALID' });
    await store.unlock(passphrase);
    expect([await store.place('openai'), await store.place('anthropic')]).toEqual(['file', 'file']);
    await store.leaveFile(false);
    expect([await store.get('openai'), await store.place('openai')]).toEqual([canary, 'memory']);
  });

  it('removes a file that can’t be opened only if told to drop what it holds', async () => {
    const path = await createdFile({ openai: canary });
    const store = createSecretStore({ file: openSecretFile(path, { passphrase: 'wrong one' }) });
    await expect(store.leaveFile(false)).rejects.toThrow('The passphrase is wrong.');
    await store.leaveFile(true);
    expect(await store.get('openai')).toBeNull();
    await store.useFile('another horse');
    expect(await store.set('openai', 'sk-new')).toBe('file');
  });

  it('reads what the keychain held before the file was created, and removes it everywhere', async () => {
    const keychain = workingKeychain();
    await keychain.set('openai', canary);
    const store = createSecretStore({ keychain, file: openSecretFile(newPath()) });
    await store.useFile(passphrase);
    expect([await store.get('openai'), await store.place('openai')]).toEqual([canary, 'keychain']);
    await store.set('openai', 'sk-new');
    expect([await store.get('openai'), await store.place('openai')]).toEqual(['sk-new', 'file']);
    await store.remove('openai');
    expect(await store.get('openai')).toBeNull();
  });
});

it('costs a new file as much as OWASP recommends, and opens at that cost', async () => {
  const { cost } = newFiles;
  newFiles.cost = defaultKdfCost;
  const file = await createdFile({ openai: canary }).finally(() => (newFiles.cost = cost));
  const { kdf } = JSON.parse(readFileSync(file, 'utf8')) as { kdf: object };
  expect(kdf).toMatchObject({ name: 'scrypt', cost: 131_072, block_size: 8, parallelization: 1 });
  expect(await openSecretFile(file, { passphrase }).get('openai')).toBe(canary);
});
