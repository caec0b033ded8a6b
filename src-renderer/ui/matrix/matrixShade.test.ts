import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast, luminance } from '../theme/contrast.ts';
import { SHADES, shadeOf } from './matrixShade.ts';

const css = readFileSync(new URL('./Matrix.module.css', import.meta.url), 'utf8');

function scaleOf(theme: string): { fill: string; ink: string }[] {
  return Array.from({ length: SHADES }, (_, step) => {
    const selector = `color-scheme='${theme}'\\] \\.cell\\[data-shade='${step + 1}'\\]`;
    const color = '(#[0-9a-f]{6});';
    const rule = new RegExp(
      `${selector} \\{\\s*--matrix-fill: ${color}\\s*--matrix-ink: ${color}\\s*\\}`,
    ).exec(css);
    if (rule === null) throw new Error(`no shade ${step + 1} for the ${theme} theme`);
    return { fill: rule[1]!, ink: rule[2]! };
  });
}

describe.each(['light', 'dark'])('shades of the matrix in the %s theme', (theme) => {
  const scale = scaleOf(theme);

  it('shows counts with a contrast of at least 4.5:1', () => {
    scale.forEach(({ fill, ink }, step) =>
      expect(contrast(fill, ink), `shade ${step + 1}`).toBeGreaterThanOrEqual(4.5),
    );
  });

  it('changes lightness at every step', () => {
    const direction = theme === 'light' ? -1 : 1;
    const steps = scale.map(({ fill }) => luminance(fill));
    for (let at = 1; at < steps.length; at += 1) {
      expect((steps[at]! - steps[at - 1]!) * direction, `shade ${at + 1}`).toBeGreaterThan(0.008);
    }
  });
});

describe('shadeOf', () => {
  it('gives one of 10,000 calls the lightest shade, and none no shade', () => {
    expect(shadeOf(1, 10_000)).toBe(1);
    expect(shadeOf(0, 10_000)).toBe(0);
  });

  it('gives the whole the darkest shade, and an empty whole none', () => {
    expect(shadeOf(5, 5)).toBe(SHADES);
    expect(shadeOf(3, 6)).toBe(3);
    expect(shadeOf(0, 0)).toBe(0);
  });
});
