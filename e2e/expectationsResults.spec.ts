import { expect, test, visit } from './fixtures.ts';
import { sampleEvaluation } from './sampleWorkspace.ts';

/** The expectations 11 to 13: walking through the results of an evaluation. */

test('expectation 11: arrow keys move in the matrix, and Enter lists exactly the cases of a cell', async ({
  window,
}) => {
  await visit(window, `results/${sampleEvaluation().id}`);
  const grid = window.getByRole('grid', { name: 'Expected and called tools' });
  const first = grid.getByRole('gridcell').first();
  // A cell of correct calls is split where some of their arguments are wrong, so its name counts.
  const [, shown = ''] = /: (\d+) of/u.exec((await first.getAttribute('aria-label')) ?? '') ?? [];
  await first.focus();
  await window.keyboard.press('ArrowRight');
  await window.keyboard.press('ArrowLeft');
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/expected=/);
  await expect(window.getByText(new RegExp(`^${shown} runs?`)).first()).toBeVisible();
  await window.reload();
  await expect(
    window.getByText(new RegExp(`^${shown} runs?`)).first(),
    'the filter survives a reload',
  ).toBeVisible();
  await window.keyboard.press('Escape');
  await expect(window, 'Escape takes the filter of the cell away').not.toHaveURL(/expected=/);
  await expect(window.getByText('61 runs', { exact: true })).toBeVisible();
});

test('expectation 12: filters survive opening a case, a reload and the browser’s Back', async ({
  window,
}) => {
  await visit(window, `results/${sampleEvaluation().id}`);
  await window.getByRole('button', { name: '5 no tool called' }).click();
  await expect(window).toHaveURL(/outcome=no_tool_called/);
  const total = window.getByText(/^\d+ runs?$/).first();
  await expect(total).toHaveText('5 runs');
  const search = window.getByRole('searchbox', { name: 'Search cases' });
  await search.fill('the');
  await expect(window).toHaveURL(/the/);
  await expect(total).not.toHaveText('5 runs');
  const kept = await total.textContent();
  await window.getByRole('grid', { name: 'Cases' }).focus();
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/\/runs\//);
  const crumbs = window.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(crumbs.getByRole('link', { name: 'Failures' })).toBeVisible();
  await window.keyboard.press('Escape');
  await expect(total).toHaveText(kept ?? '');
  await window.reload();
  await expect(total).toHaveText(kept ?? '');
  await expect(search).toHaveValue('the');
  await visit(window, 'tools');
  await window.goBack();
  await expect(total).toHaveText(kept ?? '');
});

test('expectation 13: J and K move between cases, and one Escape closes one thing', async ({
  window,
}) => {
  await visit(window, `results/${sampleEvaluation().id}?tab=runs`);
  await window.getByText('Add a task: buy milk').click();
  await expect(window).toHaveURL(/\/runs\//);
  const first = window.url();
  await expect(window.getByText('Expected', { exact: true }).first()).toBeVisible();
  await expect(window.getByText('Actual', { exact: true }).first()).toBeVisible();
  await expect(window.getByRole('button', { name: 'Next case' })).toBeEnabled();
  await window.keyboard.press('j');
  await expect(window).not.toHaveURL(first);
  await expect(window.getByRole('button', { name: 'Previous case' })).toBeEnabled();
  await window.keyboard.press('k');
  await expect(window).toHaveURL(first);
  await expect(window.getByRole('button', { name: 'Previous case' })).toBeDisabled();
  // With reduced motion the dialog is gone at once, and the same Escape must not close the case too.
  for (const key of ['?', 'Control+k']) {
    await window.keyboard.press(key);
    await window.getByRole('dialog').waitFor();
    await window.keyboard.press('Escape');
    await expect(window.getByRole('dialog')).toHaveCount(0);
    await expect(window, key).toHaveURL(first);
  }
  await window.keyboard.press('Escape');
  await expect(window).not.toHaveURL(/\/runs\//);
  // The list takes the focus back on return, but not from a palette that opened meanwhile.
  await window.keyboard.press('Control+k');
  await expect(
    window
      .getByRole('searchbox', { name: 'Search the command palette' })
      .or(window.getByRole('textbox', { name: 'Search the command palette' }))
      .or(window.getByRole('combobox', { name: 'Search the command palette' }))
      .first(),
  ).toBeFocused();
});
