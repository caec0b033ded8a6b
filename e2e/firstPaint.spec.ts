import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

const built = join(import.meta.dirname, '..', 'out', 'renderer');

test('first paint loads no schema library, editor, charts, word diff or page that is not open', async () => {
  const page = await readFile(join(built, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(
    ([, path = '']) => path,
  );
  expect(scripts).toContainEqual(expect.stringContaining('index-'));
  const texts = await Promise.all(
    scripts.map(async (path) => ({ path, text: await readFile(join(built, path), 'utf8') })),
  );
  for (const mark of [
    'ZodError',
    'cm-editor',
    'maxEditLength',
    'What to cut first',
    'recharts-responsive-container',
  ])
    expect(
      texts.filter(({ text }) => text.includes(mark)).map(({ path }) => path),
      mark,
    ).toEqual([]);
  expect(
    texts.reduce((sum, { text }) => sum + text.length, 0),
    'characters of script',
  ).toBeLessThan(750_000);
});

test('pages bring no schema that only the core reads', async () => {
  const assets = join(built, 'assets');
  const [domain = ''] = (await readdir(assets)).filter((name) => /^domain-.*\.js$/u.test(name));
  const text = await readFile(join(assets, domain), 'utf8');
  // Of an event of an evaluation, which a window receives and does not check.
  expect(text).not.toContain('ingested');
  expect(text.length, 'characters of script').toBeLessThan(270_000);
});

test('pages share few files, none of which brings the editor or the charts along', async () => {
  const assets = join(built, 'assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeLessThan(100);
  const shared = scripts.filter((name) => /^(?:index|domain|ui|features)-/u.test(name));
  expect(shared).toHaveLength(4);
  for (const name of shared)
    expect(await readFile(join(assets, name), 'utf8'), name).not.toMatch(
      /(?:from|import)"\.\/(?:editor|charts)-/u,
    );
});
