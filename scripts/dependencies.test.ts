import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MODERN_VERSION } from '../src-main/adapters/mcp/handshake.ts';

// docs/dependencies.md gives these as reasons.
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('the SDK does not know the protocol version that connections open with', () => {
  expect(SUPPORTED_PROTOCOL_VERSIONS).toContain('2025-11-25');
  expect(SUPPORTED_PROTOCOL_VERSIONS).not.toContain(MODERN_VERSION);
});

it('only what can’t be bundled is installed with the package', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(['better-sqlite3', 'keytar', 'zod']);
});

it('keytar is the package keyring under another name', () => {
  const { dependencies } = JSON.parse(read('package.json')) as {
    dependencies: Record<string, string>;
  };
  expect(dependencies['keytar']).toMatch(/^npm:@napi-rs\/keyring@/);
  expect(JSON.parse(read('node_modules/keytar/package.json'))).toMatchObject({
    name: '@napi-rs/keyring',
  });
});

it('only the tables of js-tiktoken are loaded', () => {
  const source = read('src-main/analysis/tokens/encodings.ts');
  expect([...source.matchAll(/^import (?!type)[^;]*js-tiktoken/gm)]).toEqual([]);
  expect([...source.matchAll(/'js-tiktoken\/ranks\/(\w+)'/g)].map(([, table]) => table)).toEqual([
    'cl100k_base',
    'o200k_base',
  ]);
});
