import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const renderer = join(import.meta.dirname, '..', 'src-renderer');
const read = (file: string): string => readFileSync(join(renderer, file), 'utf8');
const importOf = /^import (\w+) from '([^']+\.module\.css)';$/gmu;

/** The classes that rules of a module are for. Strings in selectors and rules have no classes. */
function definedIn(css: string): Set<string> {
  const rules = css.replaceAll(/\/\*.*?\*\/|'[^']*'|"[^"]*"|:global\([^)]*\)/gsu, '');
  const selectors = [...rules.matchAll(/([^{};]+)\{/gu)].map(([, selector = '']) => selector);
  return new Set(
    selectors.flatMap((selector) =>
      [...selector.matchAll(/\.([A-Za-z_][\w-]*)/gu)].map(([, name = '']) => name),
    ),
  );
}

/** The classes that a module of code takes by name, by the module of styles. */
function usedIn(file: string): { css: string; names: string[] }[] {
  const text = read(file);
  const code = text.replaceAll(importOf, '');
  return [...text.matchAll(importOf)].map(([, styles = '', path = '']) => ({
    css: normalize(join(file, '..', path)),
    names: [...code.matchAll(new RegExp(`\\b${styles}\\.(\\w+)`, 'gu'))].map(
      ([, name = '']) => name,
    ),
  }));
}

const uses = globSync('**/*.{ts,tsx}', { cwd: renderer }).flatMap((file) =>
  usedIn(file).map((use) => ({ file, ...use })),
);

describe('styles', () => {
  it('defines every class that a screen uses: an unknown one styles nothing', () => {
    expect(uses.length).toBeGreaterThan(100);
    expect(
      uses.flatMap(({ file, css, names }) => {
        const defined = definedIn(read(css));
        return names.filter((name) => !defined.has(name)).map((name) => `${file}: ${name}`);
      }),
    ).toEqual([]);
  });

  it('has no class that no screen uses', () => {
    expect(
      globSync('**/*.module.css', { cwd: renderer }).flatMap((css) => {
        const used = new Set(uses.flatMap((use) => (use.css === css ? use.names : [])));
        return [...definedIn(read(css))]
          .filter((name) => !used.has(name))
          .map((name) => `${css}: ${name}`);
      }),
    ).toEqual([]);
  });

  it('tells a class from a number, a string and a comment', () => {
    expect([
      ...definedIn(
        "/* .no */ .a:hover > .b-c::after { content: '.d'; top: 0.5px; } .e { x: url(a.f); }",
      ),
    ]).toEqual(['a', 'b-c', 'e']);
  });
});
