import type { Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { expect } from './fixtures.ts';

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * No violation of WCAG 2.2 A and AA that can be found without a person. In the dark theme only the
 * contrast of colors is checked, because nothing else differs from the light one.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

/** Violations by rule, each with the first elements that break it. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Once per document: parsing it takes as long as a small check.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  const dark = await page.evaluate(isDark);
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: dark
      ? { type: 'rule', values: ['color-contrast'] }
      : { type: 'tag', values: wcagTags },
  };
  const { violations } = await page.evaluate(
    (given) => (window as unknown as { axe: typeof axe }).axe.run(document, given),
    options,
  );
  return violations.map(faultText);
}

/** Runs in the page. A report has no choice of a theme: it follows the system. */
function isDark(): boolean {
  const scheme = document.documentElement.dataset['mantineColorScheme'];
  if (scheme !== undefined) return scheme === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

function faultText({ id, nodes }: AxeResults['violations'][number]): string {
  const targets = nodes.map(({ target }) => target.join(' ')).slice(0, 3);
  return `${id}: ${targets.join(' | ')}`;
}
