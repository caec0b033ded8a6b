import { expect, expectAccessible, takePicture, test, visit } from './fixtures.ts';

test.describe('similarity', () => {
  test('pairs, heat map by keyboard, a pair side by side, groups, photographed', async ({ window }) => {
    await visit(window, 'similarity');
    await window.getByRole('button', { name: 'Compare tools' }).click();
    await expect(window.getByText('5 tools · 10 pairs')).toBeVisible();
    await expect(window.getByText('in place of an embedding')).toBeVisible();
    const map = window.getByRole('application', { name: /Overlap of all tools/u });
    await map.focus();
    await window.keyboard.press('Home');
    await window.keyboard.press('ArrowRight');
    await window.keyboard.press('Enter');
    await expect(window.getByRole('heading', { name: 'Side by side' })).toBeVisible();
    await expect(window.getByRole('heading', { name: 'What to change' })).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'similarity');
    await window.getByRole('heading', { name: 'Side by side' }).scrollIntoViewIfNeeded();
    await takePicture(window, 'similarity-pair');
    await window.getByRole('tab', { name: 'Groups' }).click();
    await expect(window.getByText(/group|No two tools/u).first()).toBeVisible();
  });

  test('findings of the lint with their rules, photographed', async ({ window }) => {
    await visit(window, 'similarity/quality');
    await window.getByRole('button', { name: 'Check the tools of all servers' }).click();
    await expect(window.getByRole('group', { name: 'todo' })).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'tool-quality');
  });

  test.describe('at night', () => {
    test.use({ colorScheme: 'dark' });
    test('the heat map takes the colours of the theme', async ({ window }) => {
      await visit(window, 'similarity');
      await window.getByRole('button', { name: 'Compare tools' }).click();
      await expect(window.getByRole('application', { name: /Overlap of all tools/u })).toBeVisible();
      await window.getByRole('grid', { name: 'Pairs of tools' }).getByRole('row').nth(1).click();
      await expect(window.getByRole('heading', { name: 'Side by side' })).toBeVisible();
      await takePicture(window, 'similarity-dark');
    });
  });
});
