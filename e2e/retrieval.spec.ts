import { expectAccessibleInBothThemes } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';

test('compares two retrievers by query and gate, and saves the next baseline', async ({
  window,
}) => {
  await visit(window, 'labs/retrieval?golden=retrieval_golden_v1&baseline=baseline_v1');
  await expect(window.getByText('165 queries').first()).toBeVisible();
  await expect(window.getByText('Gate passed')).toBeVisible();
  await expect(
    window.getByText(
      /^(The (default|bm25) retriever finds \d+% |Offer a model the first \d+ tools )/u,
    ),
  ).toBeVisible();
  await window.getByText(/^Losses \d+$/).click();
  const queries = window.getByRole('grid', { name: 'Queries' });
  await expect(queries.getByText(/^loss/).first()).toBeVisible();
  await queries.getByRole('row').nth(1).click();
  await expect(window.getByRole('list', { name: 'Ranking of default' })).toBeVisible();
  await expect(window.getByRole('list', { name: 'Ranking of bm25' })).toBeVisible();
  await window.keyboard.press('Escape');
  await expect(window.getByRole('list', { name: 'Ranking of default' })).toBeHidden();
  await window.getByRole('button', { name: 'Save as new baseline' }).click();
  await expect(window.getByText('Saved as baseline_v7.')).toBeVisible();
  await expect(
    window.getByRole('grid', { name: 'Datasets' }).getByText('baseline_v7'),
  ).toBeVisible();
});

test('labels a query found by search, and saves it as the next version', async ({ window }) => {
  await visit(window, 'labs/retrieval/golden/retrieval_golden_v1');
  await window.getByRole('button', { name: 'New query' }).click();
  await window
    .getByRole('textbox', { name: 'Query', exact: true })
    .fill('Switch the lamp in the hall on');
  await window.getByRole('textbox', { name: 'Label a tool' }).fill('lamps room');
  await window
    .getByText('home:turn_on_light')
    .locator('xpath=ancestor::div[1]')
    .getByRole('button', { name: 'Label' })
    .click();
  await window.getByRole('switch', { name: /Hard negative/ }).press('Space');
  await window.getByRole('button', { name: 'Save as next version' }).click();
  await expect(window).toHaveURL(/retrieval_golden_v3/);
  await expect(window.getByText('166 queries')).toBeVisible();
  await visit(window, 'labs/retrieval/golden/retrieval_golden_v1');
  await expect(window.getByText('165 queries')).toBeVisible();
});

test('warns of queries that name a tool when a golden set is imported', async ({ window }) => {
  await visit(window, 'labs/retrieval');
  await window.getByRole('button', { name: 'Import' }).click();
  const golden = {
    version: 'naming_v1',
    corpus_version: 'corpus_v1',
    queries: [
      {
        id: 'naming-1',
        query: 'Use find_free_time for next week',
        labels: [{ tool_id: 'calendar:find_free_time', relevance: 2 }],
      },
    ],
  };
  await window
    .locator('input[type=file]')
    .nth(1)
    .setInputFiles({
      name: 'naming_v1.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(golden)),
    });
  const row = window.getByRole('grid', { name: 'Datasets' }).getByText(/1 naming a tool/);
  await row.click();
  await expect(window.getByRole('note').filter({ hasText: 'naming-1' })).toContainText(
    'The query names the tool calendar:find_free_time',
  );
});

test('the retrieval screens are accessible', { tag: '@picture' }, async ({ window }) => {
  await visit(
    window,
    'labs/retrieval?golden=retrieval_golden_v1&baseline=baseline_v1&retrievers=default,bm25,tfidf,hybrid',
  );
  await expect(window.getByText('Gate passed')).toBeVisible();
  await expectAccessibleInBothThemes(window, 'retrieval');
  await window.getByRole('grid', { name: 'Queries' }).getByRole('row').nth(2).click();
  await expect(window.getByRole('list', { name: 'Ranking of default' })).toBeVisible();
  await expectAccessibleInBothThemes(window, 'retrieval-query');
  await visit(window, 'labs/retrieval/golden/retrieval_golden_v1');
  await window.getByRole('grid', { name: 'Queries' }).getByRole('row').nth(2).click();
  await expect(window.getByRole('textbox', { name: 'Label a tool' })).toBeVisible();
  await expectAccessibleInBothThemes(window, 'golden');
});

test(
  'the token screens say what exceeds a budget and what find_tool saves, and are accessible',
  { tag: '@picture' },
  async ({ window }) => {
    await visit(window, 'tools/tokens?of=corpus+corpus_v1&budget=1000');
    await expect(window.getByText(/more than the budget of 1,000/)).toBeVisible();
    await expect(window.getByText('OpenAI Responses')).toBeVisible();
    await visit(window, 'tools/tokens?of=corpus+corpus_v1&budget=12000');
    await expect(window.getByText(/left of a budget of 12,000/)).toBeVisible();
    await expectAccessibleInBothThemes(window, 'tokens');
    await visit(window, 'tools/tokens?of=corpus+corpus_v1&tab=find');
    await window
      .getByRole('textbox', { name: 'Tool description' })
      .fill('remove a person’s access to a document');
    await window.getByRole('button', { name: 'Find' }).click();
    await expect(
      window.getByRole('grid', { name: 'Found tools' }).getByText('drive:revoke_access'),
    ).toBeVisible();
    await expect(window.getByRole('group', { name: 'Saved' })).toContainText('%');
    await expectAccessibleInBothThemes(window, 'find-tool');
    await visit(window, 'labs/accuracy-vs-tokens');
    await window.getByRole('button', { name: /Measure with Built-in/ }).click();
    await expect(
      window
        .getByText(/No loss of accuracy can be shown|Fewer tools begin to cost accuracy/)
        .first(),
    ).toBeVisible({ timeout: 60_000 });
    const chart = window.getByRole('figure', {
      name: /^1 tool per request saves \d+% of tokens/,
    });
    await expect(chart.locator('svg.recharts-surface').first()).toBeVisible();
    await expectAccessibleInBothThemes(window, 'frontier');
  },
);
