import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast } from './contrast.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function block(selector: string): Map<string, string> {
  const at = css.indexOf(selector);
  if (at < 0) throw new Error(`tokens.css has no block ${selector}`);
  const body = css.slice(css.indexOf('{', at) + 1, css.indexOf('\n}', at));
  return new Map(
    [...body.matchAll(/--ts-([\w-]+):\s*([^;]+);/g)].map((hit) => [hit[1]!, hit[2]!.trim()]),
  );
}

const fills = block(':root {\n  /* Okabe');
const themes = {
  light: block(":root[data-mantine-color-scheme='light']"),
  dark: block(":root[data-mantine-color-scheme='dark']"),
};
const marks = ['tp', 'tn', 'fp', 'fn', 'failed', 'phantom'];
const surfaces = ['surface', 'raised', 'sunken', 'hover'];

describe('contrast', () => {
  it('is wrong if black on white is not 21:1 or a colour on itself not 1:1', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    expect(contrast('#336699', '#336699')).toBe(1);
  });
});

describe.each(Object.entries(themes))('tokens of the %s theme', (_name, theme) => {
  const of = (name: string): string => {
    const value = theme.get(name) ?? fills.get(name);
    if (value === undefined || !/^#[0-9a-f]{6}$/.test(value))
      throw new Error(`--ts-${name} is no colour: ${String(value)}`);
    return value;
  };

  it.each(marks)(
    'an outline of %s that reaches less than 3:1 on a surface would be lost',
    (mark) => {
      for (const surface of surfaces)
        expect(contrast(of(`${mark}-ink`), of(surface))).toBeGreaterThanOrEqual(3);
    },
  );

  it.each(marks)('the letter on the fill of %s would be unreadable below 4.5:1', (mark) => {
    expect(contrast(of(`${mark}-on`), of(`${mark}-fill`))).toBeGreaterThanOrEqual(4.5);
  });

  it('text below 4.5:1 on any surface that it stands on would be unreadable', () => {
    const inks = [
      'ink',
      'ink-muted',
      'accent-ink',
      'good-ink',
      'warning-ink',
      'danger-ink',
      ...marks.map((mark) => `${mark}-ink`),
    ];
    for (const ink of inks) {
      for (const surface of surfaces) {
        expect(contrast(of(ink), of(surface)), `${ink} on ${surface}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    for (const tone of ['good', 'warning', 'danger', 'accent']) {
      expect(contrast(of(`${tone}-ink`), of(`${tone}-soft`)), tone).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of('ink'), of(`${tone}-soft`)), tone).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(of('on-accent'), of('accent'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('on-accent'), of('accent-hover'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('on-accent'), of('danger-fill'))).toBeGreaterThanOrEqual(4.5);
  });

  it('a field border or focus ring below 3:1 would not show where a field is', () => {
    for (const surface of ['surface', 'raised', 'sunken']) {
      expect(contrast(of('line-strong'), of(surface)), surface).toBeGreaterThanOrEqual(3);
      expect(contrast(of('focus'), of(surface)), surface).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('tokens', () => {
  it('a token that only one theme defines would fall through to the other theme', () => {
    expect([...themes.light.keys()].sort()).toEqual([...themes.dark.keys()].sort());
  });
});
