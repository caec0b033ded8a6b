import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { termTexts } from '../src-shared/display/termTexts.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** How a heading becomes the end of an address. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ''));

describe('documentation pages', () => {
  it.each(pages)('every link in %s leads somewhere', (page) => {
    const text = read(page);
    const lost = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^(https?|mailto):/.test(target)) return [];
      const [file = '', anchor] = target.split('#');
      // Pictures are taken by the browser tests; that each is taken is asked below.
      if (file.endsWith('.webp')) return [];
      const path = file === '' ? page : join(dirname(page), file);
      if (!existsSync(join(root, path))) return [target];
      return anchor === undefined || anchorsOf(read(path)).includes(anchor) ? [] : [target];
    });
    expect(lost).toEqual([]);
  });

  it('every picture of the guide is taken by a test', () => {
    const tests = readdirSync(join(root, 'e2e'))
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => read(join('e2e', name)))
      .join('\n');
    const calls = /(?:takePicture|InBothThemes)\(\s*\w+,\s*[`']([^`']+)[`']/g;
    const taken = [...tests.matchAll(calls)].map(
      ([, name = '']) =>
        new RegExp(
          `^${name
            .split(/\$\{[^}]*\}/)
            .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
            .join('.*')}$`,
        ),
    );
    const shown = pages.flatMap((page) =>
      [...read(page).matchAll(/pictures\/([\w-]+)\.webp/g)].map(([, name]) => name ?? ''),
    );
    expect(shown.length).toBeGreaterThan(10);
    // A picture that no page shows makes every clone larger.
    expect(readdirSync(join(root, 'docs', 'guide', 'pictures')).sort()).toEqual(
      [...new Set(shown)].map((name) => `${name}.webp`).sort(),
    );
    // A name that is put together at run time alone is no name that can be looked for.
    const known = taken.filter(({ source }) => source !== '^.*$' && source !== '^.*.*$');
    const byList = (name: string): boolean => new RegExp(`['"\`]${name}['"\`]`).test(tests);
    expect(
      [...new Set(shown)].filter((name) => !known.some((one) => one.test(name)) && !byList(name)),
    ).toEqual([]);
  });
});

describe('docs/glossary.md', () => {
  it('defines the terms that the screens explain, in the same words', () => {
    const [, measures = ''] = read('docs/glossary.md').split('## Measures');
    expect(
      [...measures.matchAll(/^\| (?!measure|---)(.+?) \| (.+) \|$/gm)].map(
        ([, label = '', meaning = '']) => ({ label, meaning }),
      ),
    ).toEqual(Object.values(termTexts));
  });
});

describe('docs/expectations.md', () => {
  const rows = [...read('docs/expectations.md').matchAll(/^\| (\d+) \| .+ \| (`.+`) \|$/gm)].map(
    ([, number = '', files = '']) => ({
      number,
      files: [...files.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    }),
  );
  const texts = new Map([
    ...readdirSync(join(root, 'e2e'))
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => [name, read(join('e2e', name))] as const),
    ['desktop.test.ts', read('src-main/hosts/electron/desktop.test.ts')],
  ]);

  it('lists twenty expectations and the files that test them', () => {
    expect(rows.map(({ number }) => Number(number))).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    const holding = (number: string): string[] =>
      [...texts]
        .filter(([, text]) => new RegExp(`['\`]expectation ${number}:`).test(text))
        .map(([name]) => name);
    for (const { number, files } of rows)
      expect(holding(number).sort(), `expectation ${number}`).toEqual(files.sort());
  });
});

const folders = (path: string): string[] =>
  readdirSync(join(root, path)).filter((name) => statSync(join(root, path, name)).isDirectory());

describe('docs/architecture.md', () => {
  const architecture = read('docs/architecture.md');
  const rooms = [...architecture.matchAll(/^\| (`src-[^|]+) \|/gm)].flatMap(([, cell = '']) => {
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
    const [first = ''] = names;
    // A further name in a row stands beside the first.
    return names.map((name) => (name.startsWith('src-') ? name : join(dirname(first), name)));
  });

  it('names only folders that exist', () => {
    expect(rooms.length).toBeGreaterThan(15);
    expect(rooms.filter((room) => !existsSync(join(root, room)))).toEqual([]);
  });

  it('names every folder of the three source trees', () => {
    const there = ['src-shared', 'src-main', 'src-renderer'].flatMap((top) =>
      folders(top).map((name) => join(top, name)),
    );
    const isNamed = (room: string): boolean =>
      rooms.some((known) => known === room || known.startsWith(`${room}/`));
    expect(there.filter((room) => room !== join('src-main', 'testing') && !isNamed(room))).toEqual(
      [],
    );
    expect(
      folders('src-main/adapters').filter((name) => !rooms.includes(`src-main/adapters/${name}`)),
    ).toEqual([]);
  });

  it('names only identifiers that exist in the code', () => {
    const sources = ['src-main', 'src-shared', 'src-renderer']
      .flatMap((top) =>
        readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.tsx?$/.test(name))
          .map((name) => read(join(top, name))),
      )
      .join('\n');
    const named = [...architecture.matchAll(/`([A-Za-z][\w.]*)`/g)].map(([, name]) => name ?? '');
    const last = (name: string): string => name.split('.').at(-1) ?? '';
    const unknown = named.filter(
      (name) =>
        !sources.includes(name) &&
        !(last(name) !== 'ts' && sources.includes(last(name))) &&
        !existsSync(join(root, name)) &&
        !existsSync(join(root, 'src-main', name)),
    );
    const inTables = (name: string): boolean =>
      readdirSync(join(root, 'migrations')).some((file) =>
        read(join('migrations', file)).includes(name),
      );
    expect(unknown.filter((name) => !inTables(name) && !/\.ts$/.test(name))).toEqual([]);
  });
});

describe('docs/glossary.md', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
    .map(([, word = '', meaning = '']) => ({ word: word.trim(), meaning: meaning.trim() }))
    .slice(2);

  it('explains each word once', () => {
    expect(words.length).toBeGreaterThan(30);
    expect(words.filter(({ meaning }) => meaning === '')).toEqual([]);
    expect(new Set(words.map(({ word }) => word)).size).toBe(words.length);
  });

  it('explains only words that the code uses', () => {
    const texts = ['src-shared', 'src-renderer', 'src-main']
      .flatMap((top) =>
        readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.tsx?$/.test(name))
          .map((name) => read(join(top, name))),
      )
      .join('\n')
      .toLowerCase();
    const used = (word: string): boolean =>
      word
        .split(/[,(]/)
        .some((part) =>
          texts.includes(part.replace(')', '').trim().toLowerCase().replace(/s$/, '')),
        );
    expect(words.map(({ word }) => word).filter((word) => !used(word))).toEqual([]);
  });
});
