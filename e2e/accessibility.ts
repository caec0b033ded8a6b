import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions, default as Axe } from 'axe-core';
import { expect, takePicture } from './fixtures.ts';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * No violation of WCAG 2.2 A and AA that can be found without a person. In the dark theme only the
 * contrast of colors is checked, because nothing else differs from the light one.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

/** The same in both themes, with a picture of each for the guide: one load of the page serves all. */
export async function expectAccessibleInBothThemes(page: Page, picture?: string): Promise<void> {
  expect(await accessibilityFaultsInBothThemes(page, picture)).toEqual([]);
}

export async function accessibilityFaultsInBothThemes(
  page: Page,
  picture?: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    found.push(...(await accessibilityFaults(page)).map((fault) => `${colorScheme}: ${fault}`));
    if (picture !== undefined)
      await takePicture(page, colorScheme === 'light' ? picture : `${picture}-dark`);
  }
  return found;
}

/** Violations by rule, each with the first elements that break it. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Once per document: parsing it takes as long as a small check.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource);
  const dark = await page.evaluate(isDark);
  const options: RunOptions = {
    resultTypes: ['violations'],
    // No rule of these reads the rules of style sheets, and reading them costs a third of a check.
    preload: { assets: ['media'] },
    runOnly: dark
      ? { type: 'rule', values: ['color-contrast'] }
      : { type: 'tag', values: wcagTags },
  };
  const { violations } = await page.evaluate(
    (given) => (window as unknown as { axe: typeof Axe }).axe.run(document, given),
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
