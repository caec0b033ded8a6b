import { expectAccessible } from './accessibility.ts';
import { expect, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';

// A new workspace: the sample catalog has tools that were written to need work.
test.use({ startFrom: 'empty' });

const tools = 'Tools by score';

test.describe('quality', () => {
  test(
    'leads from the overview to the first fix of the worst tool in two actions, and explains its score',
    { tag: '@picture' },
    async ({ window }) => {
      let actions = 0;
      const click = async (target: ReturnType<typeof window.getByRole>): Promise<void> => {
        actions += 1;
        await target.click();
      };
      await visit(window, '');
      await click(
        window.getByRole('navigation').first().getByRole('link', { name: 'Tools', exact: true }),
      );
      const worst = window.getByRole('grid', { name: 'Tools' }).getByRole('row').nth(1);
      await click(worst);
      const findings = window.getByRole('region', { name: 'Findings' });
      await expect(findings.getByRole('heading', { name: /worst first$/ })).toBeVisible();
      await expect(findings.getByRole('listitem').first()).toContainText(/\w\./);
      expect(actions).toBe(2);

      await visit(window, 'tools');
      await window.getByRole('button', { name: 'More actions' }).click();
      await window.getByRole('menuitem', { name: 'Quality rules and ratings' }).click();
      // It runs by itself on the stored tools.
      await expect(window.getByRole('heading', { level: 2 }).first()).toHaveText(
        /^\d+ of \d+ tools needs? work\. Most points are lost for .+\.$/,
      );
      const first = window.getByRole('region', { name: tools }).getByRole('listitem').first();
      const scores = await window
        .getByRole('region', { name: tools })
        .getByText(/^\d+ of 10$/)
        .allTextContents();
      expect(scores.map((text) => parseInt(text, 10))).toEqual(
        scores.map((text) => parseInt(text, 10)).sort((a, b) => a - b),
      );
      await takePicture(window, 'tool-quality');
      await first.getByRole('heading').getByRole('button').click();
      const panel = window.getByRole('complementary').filter({ hasText: 'What to fix' });
      const deductions = panel.getByRole('list', { name: /^Deductions of / });
      await expect(deductions.getByRole('listitem').first()).toContainText(/Fix .+\./);

      // The deductions explain the score: 10 less their points.
      const subtitle = await panel
        .getByText(/\d+ of 10$/)
        .first()
        .textContent();
      const score = Number(/(\d+) of 10$/.exec(subtitle ?? '')?.[1]);
      const points = await deductions.getByText(/^−\d+ points?$/).allTextContents();
      const lost = points.reduce((sum, text) => sum + Number(/\d+/.exec(text)?.[0]), 0);
      expect(score).toBe(Math.max(1, 10 - lost));
      await expect(panel.getByRole('heading', { name: 'Description' })).toBeVisible();
      await expect(panel.getByRole('heading', { name: /^Parameters \(\d+\)$/ })).toBeVisible();
      for (const colorScheme of ['dark', 'light'] as const) {
        await window.emulateMedia({ colorScheme });
        await expect(window.locator('html')).toHaveAttribute(
          'data-mantine-color-scheme',
          colorScheme,
        );
        await expectAccessible(window);
      }

      await window.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      await expect(first.getByRole('heading').getByRole('button')).toBeFocused();
    },
  );

  test('filters by server, rule, severity and text, and keeps the filter in the address', async ({
    window,
  }) => {
    await visit(window, 'tools/quality');
    const list = window.getByRole('region', { name: tools });
    await expect(list.getByText(/^33 tools, worst first$/)).toBeVisible();
    const all = await list.getByRole('heading', { level: 3 }).allTextContents();
    const costliest = window.getByRole('region', { name: 'Where points are lost' });
    const rule = costliest.getByRole('button', { name: /^Deprecated tools/ });
    await rule.click();
    await expect(list.getByRole('heading', { level: 3 })).toHaveText(['get_events']);
    await expect(list.getByText('Hide or remove get_events.')).toBeVisible();
    await window.reload();
    await expect(rule).toHaveAttribute('aria-pressed', 'true');
    await expect(list.getByRole('heading', { level: 3 })).toHaveText(['get_events']);

    await list.getByRole('button', { name: 'low', exact: true }).click();
    await expect(window.getByText('No tools match the filters.')).toBeVisible();
    await list.getByRole('button', { name: 'Clear filters' }).click();
    await expect(list.getByRole('heading', { level: 3 })).toHaveText(all);

    await window
      .getByRole('list', { name: 'Score per server' })
      .getByRole('button', { name: /^mail/ })
      .click();
    await expect(list.getByText(/^10 of \d+ tools, worst first$/)).toBeVisible();
    await list.getByRole('searchbox').fill('forward');
    await expect(list.getByRole('heading', { level: 3 })).toHaveText(['forward_message']);
  });

  test('leaves out rules that are turned off, and raises the scores', async ({ window }) => {
    await visit(window, 'tools/quality?search=get_events');
    const list = window.getByRole('region', { name: tools });
    await expect(list.getByText('6 of 10')).toBeAttached();
    await window.getByText(/^All rules \(\d+\)$/).click();
    await window.getByRole('checkbox', { name: 'Deprecated tools' }).click();
    await expect(list.getByText('10 of 10')).toBeAttached();
    await expect(list.getByText('No findings')).toBeVisible();
    await window.getByRole('button', { name: 'Turn all rules on' }).click();
    await expect(list.getByText('6 of 10')).toBeAttached();
  });

  test('fits 1024 pixels with an open tool, and leads to its failures', async ({ window }) => {
    await visit(window, '');
    await expect(window.getByText(/^\d+ of \d+ cases passed/).first()).toBeVisible({
      timeout: 60_000,
    });
    await window.setViewportSize({ width: 1024, height: 768 });
    await visit(window, 'tools/quality?tool=calendar%3Acreate_event');
    expect(await horizontalOverflow(window)).toBeLessThanOrEqual(0);
    await window.getByRole('link', { name: 'Edit and prove' }).click();
    await expect(window.locator('main')).toHaveAttribute(
      'data-screen',
      /^\/tools\/calendar\/create_event\/edit/,
    );
  });

  test('offers to add a server when there is none', async ({ window, host }) => {
    for (const name of ['calendar', 'files', 'mail', 'todo'])
      await host.command(['servers', 'remove', name]);
    await visit(window, 'tools/quality');
    await expect(
      window.getByText('Scores and fixes appear here once you add a server.'),
    ).toBeVisible();
    await expectAccessible(window);
    await window.getByRole('main').getByRole('link', { name: 'Add server' }).click();
    await expect(window.locator('main')).toHaveAttribute('data-screen', '/tools');
  });
});
