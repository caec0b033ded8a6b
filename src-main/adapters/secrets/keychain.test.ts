import { describe, expect, it } from 'vitest';
import { createKeychain } from './keychain.ts';
import { createSecrets } from './secrets.ts';

const canary = 'sk-canary-keychain-0123456789';

/** A package of the keychain's form that works on a map. */
function workingPackage(kept = new Map<string, string>()) {
  class AsyncEntry {
    readonly #account: string;
    constructor(_service: string, account: string, options: { linux: { store: string } }) {
      expect(options.linux.store).toBe('secret-service');
      this.#account = account;
    }
    getPassword = async () => kept.get(this.#account) ?? null;
    setPassword = async (value: string) => void kept.set(this.#account, value);
    deletePassword = async () => kept.delete(this.#account);
  }
  return { AsyncEntry };
}

const failing = (name: 'getPassword' | 'setPassword' | 'constructor') => {
  const { AsyncEntry } = workingPackage(new Map([['openai', 'old']]));
  return {
    AsyncEntry: class extends AsyncEntry {
      constructor(service: string, account: string, options: { linux: { store: string } }) {
        super(service, account, options);
        if (name === 'constructor') throw new Error('No D-Bus here\nsecond line');
        else if (name === 'getPassword')
          this.getPassword = () => Promise.reject(new Error("Couldn't access platform storage"));
        else this.setPassword = () => Promise.reject(new Error("Couldn't access platform storage"));
      }
    },
  };
};

describe('keychain', () => {
  it('stores keys in the keychain only and removes them', async () => {
    const kept = new Map<string, string>();
    const secrets = createSecrets({
      environment: {},
      keychain: createKeychain({ load: async () => workingPackage(kept) }),
    });
    expect(await secrets.set('openai', ` ${canary}\n`)).toBe('keychain');
    expect([...kept]).toEqual([['openai', canary]]);
    expect(await secrets.get('openai')).toBe(canary);
    expect(await secrets.status('secret:github')).toBe('not set');
    await secrets.set('secret:github', 'ghp_0123456789');
    expect([...kept.keys()]).toEqual(['openai', 'secret:github']);
    await secrets.remove('openai');
    expect(await secrets.status('openai')).toBe('not set');
    expect(await secrets.store.keychain()).toEqual({ available: true, reason: null });
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'whose package does not load',
      () => Promise.reject(new Error('Cannot find native binding')),
      /not installed for this system/,
    ],
    ['whose package has another form', async () => ({ default: {} }), /unexpected format/],
    ['whose package is nothing', async () => null, /unexpected format/],
    ['whose constructor throws', async () => failing('constructor'), /^none answered/],
    ['that can not be read', async () => failing('getPassword'), /^none answered/],
    ['that can not be written', async () => failing('setPassword'), /^none answered/],
    [
      'that never answers',
      async () => ({
        AsyncEntry: class {
          getPassword = () => new Promise(() => undefined);
        },
      }),
      /didn't answer within 0\.05 s/,
    ],
  ])('T61: keeps keys in memory and says why for a keychain %s', async (_, load, reason) => {
    let loads = 0;
    const secrets = createSecrets({
      environment: {},
      keychain: createKeychain({ load: () => ((loads += 1), load()), timeLimitMs: 50 }),
    });
    expect(await secrets.set('openai', canary)).toBe('memory');
    expect(await secrets.get('openai')).toBe(canary);
    expect(await secrets.status('openai')).toBe('set');
    expect(await secrets.store.keychain()).toEqual({
      available: false,
      reason: expect.stringMatching(reason),
    });
    await secrets.remove('openai');
    expect(await secrets.status('openai')).toBe('not set');
    expect(loads).toBe(1);
  });

  it('T61: keeps the older entry when a write fails', async () => {
    const kept = new Map([['openai', 'the old one']]);
    const { AsyncEntry } = workingPackage(kept);
    const load = async () => ({
      AsyncEntry: class extends AsyncEntry {
        override setPassword = () => Promise.reject(new Error('read only'));
      },
    });
    const secrets = createSecrets({ environment: {}, keychain: createKeychain({ load }) });
    expect(await secrets.set('openai', canary)).toBe('memory');
    expect(kept.get('openai')).toBe('the old one');
  });

  it('prefers a stored key to one of the environment, also without a keychain', async () => {
    const secrets = createSecrets({
      environment: { OPENAI_API_KEY: 'sk-environment-1' },
      keychain: createKeychain({ load: () => Promise.reject(new Error('none')) }),
    });
    expect(await secrets.get('openai')).toBe('sk-environment-1');
    await secrets.set('openai', canary);
    expect(await secrets.get('openai')).toBe(canary);
    await secrets.remove('openai');
    expect(await secrets.get('openai')).toBe('sk-environment-1');
  });

  it('redacts every value that was read, set or guarded', async () => {
    const secrets = createSecrets({ environment: { ANTHROPIC_API_KEY: 'sk-environment-2' } });
    await secrets.set('openai', canary);
    secrets.guard('header-value-1234');
    expect(
      secrets.redact(
        `${canary} header-value-1234 sk-environment-2 ${Buffer.from(canary).toString('base64')}`,
      ),
    ).not.toMatch(/canary|header|environment|c2st/);
    expect(secrets.redact('nothing to hide')).toBe('nothing to hide');
  });
});
