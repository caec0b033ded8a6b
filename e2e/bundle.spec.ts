import { expect, test } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const out = join(import.meta.dirname, '..', 'out');
const read = (...path: string[]) => readFileSync(join(out, ...path), 'utf8');
const bundles = (folder: string, ending: RegExp) => readdirSync(join(out, folder)).filter((name) => ending.test(name)).map((name) => [name, read(folder, name)] as const);

/** Lines that make code out of text. Comments and strings count too: what is not there cannot be overlooked. */
const makesCode = /\beval\s*\(|\bnew\s+Function\b|=\s*Function\s*;|\bFunction\s*\(\s*["'`]|\.constructor\s*\(\s*["'`]|set(?:Timeout|Interval)\s*\(\s*["'`]/;
/** The schema library compiles its parsers where a page allows that; it asks first, by trying, and this page's policy says no. */
const allowed = [/^\s*new Function\(""\);$/, /^\s*const F = Function;$/];

test('T07: the built page has a strict content policy and no inline script', () => {
  const page = read('renderer', 'index.html');
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(page)?.[1] ?? '';
  const directives = new Map(policy.split(';').map((directive) => {
    const [name = '', ...values] = directive.trim().split(/\s+/);
    return [name, values.join(' ')] as const;
  }));
  expect(Object.fromEntries(directives)).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
  });
  // Before the first thing that loads, or it would not hold for that.
  expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.search(/<(script|link|style|img)\b/));
  const scripts = [...page.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes = '', text = ''] of scripts) {
    expect(attributes).toMatch(/\ssrc="\.\/assets\//);
    expect(text.trim()).toBe('');
  }
  expect(page).not.toMatch(/\son[a-z]+\s*=|javascript:|<iframe|<object|<embed|<base\b/i);
});

test('T07: no bundle makes code out of text', () => {
  const all = [...bundles('renderer/assets', /\.js$/), ...bundles('main', /\.js$/), ...bundles('preload', /\.cjs$/)];
  expect(all.length).toBeGreaterThan(3);
  const found = all.flatMap(([name, text]) => text.split('\n').filter((line) => makesCode.test(line) && !allowed.some((form) => form.test(line))).map((line) => `${name}: ${line.trim().slice(0, 200)}`));
  expect(found).toEqual([]);
});

test('T07: page and styles load nothing from another address', () => {
  const page = read('renderer', 'index.html');
  const loaded = [...page.matchAll(/\s(?:src|href|srcset|action|data|poster)="([^"]*)"/g)].map(([, address = '']) => address);
  expect(loaded.length).toBeGreaterThan(1);
  for (const address of loaded) expect(address).toMatch(/^(\.\/assets\/|data:,$)/);
  const styles = bundles('renderer/assets', /\.css$/);
  expect(styles.length).toBeGreaterThan(0);
  for (const [name, text] of styles) {
    const addresses = [...text.matchAll(/url\(\s*["']?([^)"']*)/g), ...text.matchAll(/@import\s+["']?([^;"']*)/g)].map(([, address = '']) => address);
    for (const address of addresses) expect(address, name).toMatch(/^(\.\/|data:)/);
  }
  for (const [name, text] of bundles('renderer/assets', /\.js$/)) {
    expect(text.match(/\b(?:fetch|import|WebSocket|EventSource|Worker|sendBeacon)\s*\(\s*["'`](?:https?:|wss?:)?\/\/(?!\$\{location\.host\})[^"'`]*/g) ?? [], name).toEqual([]);
  }
});

test('T07: the preload is one CommonJS file that loads Electron alone', () => {
  expect(readdirSync(join(out, 'preload'))).toEqual(['preload.cjs']);
  const text = read('preload', 'preload.cjs');
  expect([...text.matchAll(/require\(([^)]*)\)/g)].map(([, name]) => name)).toEqual(['"electron"']);
  expect(text).not.toMatch(/^\s*(import|export)\b|\bimport\s*\(/m);
});
