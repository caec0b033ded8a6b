import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpConfig, StdioConfig } from '../../../src-shared/domain/server.ts';
import { serverUrl, shellQuote } from './serverUrl.ts';

const stdio = (change: Partial<StdioConfig> = {}): StdioConfig => ({
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'server'],
  cwd: null,
  env: {},
  ...change,
});
const http = (change: Partial<HttpConfig> = {}): HttpConfig => ({
  transport: 'streamable-http',
  url: 'https://example.org/mcp?a=1',
  headers: {},
  ...change,
});

/**
 * Reads quoted words back as a POSIX shell does: single quotes hold everything, a backslash outside
 * holds one character.
 */
function readWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === ' ') {
      if (word !== null) words.push(word);
      word = null;
    } else if (character === "'") {
      const end = text.indexOf("'", at + 1);
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (character === '\\') {
      at += 1;
      word = (word ?? '') + (text[at] ?? '');
    } else word = (word ?? '') + (character ?? '');
  }
  if (word !== null) words.push(word);
  return words;
}

describe('serverUrl', () => {
  it('stays what a user typed where nothing else tells entries apart', () => {
    expect(serverUrl(stdio())).toBe('stdio:npx -y server');
    expect(serverUrl(http())).toBe('https://example.org/mcp?a=1');
  });

  it('T32: an argument with blanks, quotes or shell signs would read as several words, or as another command', () => {
    expect(
      serverUrl(
        stdio({
          command: '/opt/my server',
          args: ["it's", '$(touch x)', '; rm -rf /', '', 'a=b', '#1'],
        }),
      ),
    ).toBe(`stdio:'/opt/my server' 'it'\\''s' '$(touch x)' '; rm -rf /' '' a=b '#1'`);
  });

  it('two different commands would get the same address', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', ' ', "'", '\\', '"', '$', '#', 'é', '\n'),
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        expect(readWords(shellQuote(words))).toEqual(words);
      }),
    );
  });

  it('two entries that differ in cwd, in the name of a variable or header, or in a secret reference alone would be one', () => {
    const urls = [
      stdio(),
      stdio({ cwd: '/a' }),
      stdio({ cwd: '/b' }),
      stdio({ env: { TOKEN: 'x' } }),
      stdio({ env: { KEY: 'x' } }),
      stdio({ env: { TOKEN: '${secret:one}' } }),
      stdio({ env: { TOKEN: 'Bearer ${secret:two}' } }),
      stdio({ cwd: '/a', env: { TOKEN: 'x' } }),
      http(),
      http({ headers: { Authorization: 'Bearer ${secret:one}' } }),
      http({ headers: { Authorization: 'Bearer ${secret:two}' } }),
      http({ headers: { 'X-Key': 'a' } }),
    ].map(serverUrl);
    expect(new Set(urls).size).toBe(urls.length);
    for (const url of urls)
      expect(url).toMatch(
        /^(stdio:npx -y server|https:\/\/example\.org\/mcp\?a=1)(#[0-9a-f]{8})?$/,
      );
  });

  it('T60: a value would show in the address or change it: it may be a secret', () => {
    const one = serverUrl(stdio({ env: { TOKEN: 'sk-one', HOME: '/x' } }));
    expect(serverUrl(stdio({ env: { HOME: '/y', TOKEN: 'sk-two' } }))).toBe(one);
    expect(one).not.toContain('sk-one');
  });
});
