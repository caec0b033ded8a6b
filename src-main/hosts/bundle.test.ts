import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programFiles } from '../runtime/programFiles.ts';
import { contentSecurityPolicy } from './rendererFiles.ts';

const out = join(programFiles.root, 'out');
const isBuilt = existsSync(join(out, 'renderer', 'index.html'));
if (!isBuilt)
  process.stderr.write(
    '\nSKIPPED T07: there is no build in out/. "npm run build" makes one; then this file checks it.\n',
  );

function filesOf(folder: string, ending: string): [string, string][] {
  return readdirSync(join(out, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(join(out, folder, name), 'utf8')]);
}

/**
 * Names in the text of libraries: namespaces, and pages that error messages point to. Nothing loads
 * from them.
 */
const namedOnly = [
  'www.w3.org',
  'json-schema.org',
  'react.dev',
  'reactrouter.com',
  'mantine.dev',
  'github.com',
  // Pages that the charts' state library names in its errors.
  'redux.js.org',
  'redux-toolkit.js.org',
  'bit.ly',
  'orpc',
  'localhost',
  '127.0.0.1',
  '',
];

describe.runIf(isBuilt)('T07: the build', () => {
  it('puts the content policy into the page, except frame-ancestors', () => {
    const [, html = ''] = filesOf('renderer', 'index.html')[0] ?? [];
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1];
    expect(policy).toBe(contentSecurityPolicy.replace("; frame-ancestors 'none'", ''));
  });

  it('has no inline script, event handler attribute or external resource in the page', () => {
    for (const [name, html] of filesOf('renderer', '.html')) {
      for (const script of html.match(/<script[^>]*>[^]*?<\/script>/g) ?? [])
        expect(script, name).toMatch(/^<script [^>]*src="\.\/assets\/[^"]+"><\/script>$/);
      expect(html, name).not.toMatch(/\son[a-z]+\s*=/i);
      expect(html, name).not.toMatch(/(src|href)="(https?:)?\/\//i);
    }
  });

  it('has no eval and no Function constructor in the page’s bundles', () => {
    const bundles = filesOf('renderer', '.js');
    expect(bundles.length).toBeGreaterThan(0);
    for (const [name, code] of bundles) {
      expect(code.match(/[^\w.$]eval\(.{0,40}/g), name).toBeNull();
      expect(code.match(/[^\w.$]Function\(.{0,40}/g), name).toBeNull();
      expect(code.match(/=\s*Function[;,)].{0,40}/g), name).toBeNull();
    }
  });

  it('names no unexpected host in the page’s bundles and styles', () => {
    for (const [name, text] of [...filesOf('renderer', '.js'), ...filesOf('renderer', '.css')]) {
      const hosts = new Set(
        [...text.matchAll(/(?:https?|wss?):\/\/([\w.-]*)/g)].map(([, host]) => host ?? ''),
      );
      expect(
        [...hosts].filter((host) => !namedOnly.includes(host)),
        name,
      ).toEqual([]);
    }
    for (const [name, css] of filesOf('renderer', '.css')) {
      expect(css, name).not.toMatch(/@import/);
      expect(css.match(/url\((?!["']?(\.\/|data:|#))[^)]*\)/g), name).toBeNull();
    }
  });

  it('builds the preload as one file that loads Electron only', () => {
    const [only, ...more] = filesOf('preload', 'js');
    const [name, code] = only ?? ['', ''];
    expect([name, more]).toEqual(['preload.cjs', []]);
    expect(
      [...code.matchAll(/require\(([^)]*)\)/g)].map(([, what]) => what?.replaceAll(/["'`]/g, '')),
    ).toEqual(['electron']);
    expect(code).not.toMatch(/\bimport\b/);
  });

  it('puts all bundles of the core into one folder, and Electron into one of them', () => {
    const names = readdirSync(join(out, 'main'));
    expect(names).toEqual(
      expect.arrayContaining([
        'casesWorker.js',
        'cli.js',
        'keychainChild.js',
        'electron.js',
        'encoderWorker.js',
        'integrityWorker.js',
        'readingWorker.js',
        'schemaWorker.js',
        'scoringWorker.js',
        'databaseWorker.js',
        'taskJudgeWorker.js',
      ]),
    );
    // Chunks, tables of tokens that load when they are needed, a workspace to begin with, licenses.
    expect(names.filter((name) => !/\.(?:js|mjs|cjs)$/.test(name)).toSorted()).toEqual([
      'empty.sqlite',
      'licenses.md',
    ]);
    // Only the shell of Electron knows Electron: the command line runs without its package.
    for (const [name, code] of [...filesOf('main', '.js'), ...filesOf('main', '.mjs')])
      expect(/from\s*["']electron["']/.test(code), name).toBe(name === 'electron.js');
  });
});
