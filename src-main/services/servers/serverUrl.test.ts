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
  it('is what the user typed when nothing else distinguishes entries', () => {
    expect(serverUrl(stdio())).toBe('stdio:npx -y server');
    expect(serverUrl(http())).toBe('https://example.org/mcp?a=1');
  });

  it('T32: quotes arguments with spaces, quotes or shell characters', () => {
    expect(
      serverUrl(
        stdio({
          command: '/opt/my server',
          args: ["it's", '$(touch x)', '; rm -rf /', '', 'a=b', '#1'],
        }),
      ),
    ).toBe(`stdio:'/opt/my server' 'it'\\''s' '$(touch x)' '; rm -rf /' '' a=b '#1'`);
  });

  it('quotes words so that a POSIX shell reads them back unchanged', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', ' ', "'", '\\', '"', '$', '#', 'é', '\n'),
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        expect(readWords(shellQuote(words))).toEqual(words);
      }),
    );
  });

  it('differs for another cwd, variable name, header name or secret reference', () => {
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

  it('T60: ignores the values of variables, because they may be secret', () => {
    const one = serverUrl(stdio({ env: { TOKEN: 'sk-one', HOME: '/x' } }));
    expect(serverUrl(stdio({ env: { HOME: '/y', TOKEN: 'sk-two' } }))).toBe(one);
    expect(one).not.toContain('sk-one');
  });
});
