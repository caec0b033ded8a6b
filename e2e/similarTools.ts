import type { Locator, Page } from 'playwright';
import { visit } from './fixtures.ts';

export const heatMap = (page: Page): Locator =>
  page.getByRole('application', { name: /(?:Similarity|Overlap) of all tools/u });
export const pairList = (page: Page): Locator =>
  page.getByRole('list', { name: /^Pairs by (?:similarity|overlap)$/u });
/** A pair in the list, by the names of its tools. */
export const listedPair = (page: Page, one: string, other: string): Locator =>
  pairList(page).getByRole('button').filter({ hasText: one }).filter({ hasText: other });
export const pairPanel = (page: Page): Locator => page.getByRole('complementary');

/** Opens the page and waits for the pairs of all servers. */
export async function openSimilarTools(page: Page): Promise<void> {
  await visit(page, 'tools/similar');
  await compareTools(page);
}

/** Stored tools are compared without a press; servers that were never checked need a button. */
export async function compareTools(page: Page): Promise<void> {
  const include = page
    .locator('main')
    .getByRole('button', { name: /^(Compare tools|Connect and include)$/u });
  await pairList(page).or(include).first().waitFor({ timeout: 45_000 });
  if (await include.isVisible()) {
    await include.click();
    await include.waitFor({ state: 'hidden', timeout: 45_000 });
  }
  await pairList(page).waitFor({ timeout: 45_000 });
}
