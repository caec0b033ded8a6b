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
const outcomes = [
  'passed',
  'wrong-tool',
  'no-tool',
  'wrong-arguments',
  'unneeded',
  'made-up',
  'not-scored',
];
const marks = ['tp', 'tn', 'fp', 'fn', 'failed', 'phantom', ...outcomes];
const surfaces = ['surface', 'raised', 'sunken', 'hover'];

describe('contrast', () => {
  it('is 21:1 for black on white and 1:1 for a color on itself', () => {
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

  it.each(marks)('outlines %s with at least 3:1 on every surface', (mark) => {
    for (const surface of surfaces)
      expect(contrast(of(`${mark}-ink`), of(surface))).toBeGreaterThanOrEqual(3);
  });

  it.each(marks)('writes the letter on the fill of %s with at least 4.5:1', (mark) => {
    expect(contrast(of(`${mark}-on`), of(`${mark}-fill`))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(outcomes)('writes on the tint of %s with at least 4.5:1', (outcome) => {
    expect(contrast(of(`${outcome}-ink`), of(`${outcome}-soft`))).toBeGreaterThanOrEqual(4.5);
  });

  it('writes on the bar of passed cases and on neutral cells with at least 4.5:1', () => {
    expect(contrast(of('passed-bar-on'), of('passed-bar'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('neutral-ink'), of('neutral-cell'))).toBeGreaterThanOrEqual(4.5);
  });

  it('shows text with at least 4.5:1 on every surface', () => {
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

  it('shows field borders and focus rings with at least 3:1', () => {
    for (const surface of ['surface', 'raised', 'sunken']) {
      expect(contrast(of('line-strong'), of(surface)), surface).toBeGreaterThanOrEqual(3);
      expect(contrast(of('focus'), of(surface)), surface).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('tokens', () => {
  it('are the same names in both themes', () => {
    expect([...themes.light.keys()].sort()).toEqual([...themes.dark.keys()].sort());
  });
});
