import { expectAccessible } from './accessibility.ts';
import { expect, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';
import { startedBefore } from './sampleWorkspace.ts';

// A new workspace: the sample catalog has tools that were written to need work.
test.use(startedBefore);

test.describe('quality', () => {
  test(
    'leads from the overview to the first fix of the worst tool in two actions, and explains its score',
    { tag: '@picture' },
    async ({ window }) => {
      await visit(window, '');
      const places = window.getByRole('navigation').first();
      await places.getByRole('link', { name: 'Tools', exact: true }).click();
      await window.getByRole('grid', { name: 'Tools' }).getByRole('row').nth(1).click();
      const findings = window.getByRole('region', { name: 'Findings' });
      await expect(findings.getByRole('heading', { name: /worst first$/ })).toBeVisible();
      await expect(findings.getByRole('listitem').first()).toContainText(/\w\./);

      // The findings explain the score: 10 less their points.
      const score = window.getByText(/Quality \d+ of 10$/);
      await expect(score).toBeVisible({ timeout: 30_000 });
      const [, shown] = /Quality (\d+) of 10$/.exec((await score.textContent()) ?? '') ?? [];
      for (const more of await findings.getByText(/^\d+ more findings?$/).all()) await more.click();
      const points = await findings.getByText(/−\d+ points?$/).allTextContents();
      const lost = points.reduce((sum, text) => sum + Number(/−(\d+)/.exec(text)?.[1]), 0);
      expect(Number(shown)).toBe(Math.max(1, 10 - lost));
    },
  );

  test(
    'shows beside the table what the rules cost, and leads from a rule to its tools',
    { tag: '@picture' },
    async ({ window }) => {
      await visit(window, 'tools');
      await window.getByRole('button', { name: 'More actions' }).click();
      await window.getByRole('menuitem', { name: 'Quality rules' }).click();
      const panel = window.getByRole('complementary').filter({ hasText: 'Fixed rules' });
      await expect(panel.getByRole('heading', { level: 3 }).first()).toHaveText(
        /^\d+ of \d+ tools ha(s|ve) low quality\. Most points are lost for .+\.$/,
      );
      const scores = await panel.getByRole('list', { name: 'Score per server' }).locator('b').all();
      const means = await Promise.all(scores.map(async (one) => Number(await one.textContent())));
      expect(means).toHaveLength(4);
      expect(means).toEqual(means.toSorted((a, b) => a - b));
      await takePicture(window, 'tool-quality');
      await panel.getByText('Deprecated tools', { exact: true }).click();
      await expect(panel.getByText('Fix: Remove the tool, or hide it from models.')).toBeVisible();
      for (const colorScheme of ['dark', 'light'] as const) {
        await window.emulateMedia({ colorScheme });
        await expect(window.locator('html')).toHaveAttribute(
          'data-mantine-color-scheme',
          colorScheme,
        );
        await expectAccessible(window);
      }
      await window.setViewportSize({ width: 1024, height: 768 });
      expect(await horizontalOverflow(window)).toBeLessThanOrEqual(0);
      await panel.getByRole('link', { name: 'calendar:get_events' }).click();
      await expect(window.locator('main')).toHaveAttribute(
        'data-screen',
        '/tools/calendar/get_events',
      );
    },
  );

  test('counts only the chosen servers, and lists the tools with a low score by a chip', async ({
    window,
  }) => {
    await visit(window, 'tools?quality&server=mail');
    const panel = window.getByRole('complementary').filter({ hasText: 'Fixed rules' });
    await expect(panel.getByRole('heading', { level: 3 }).first()).toHaveText(/of 10 tools/);
    await expect(panel.getByRole('list', { name: 'Score per server' })).toHaveText(/^mail [\d.]+$/);
    await window.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await visit(window, 'tools?only=low-quality');
    const chip = window.getByRole('button', { name: /^Low quality \d+$/ });
    await expect(chip).toHaveAttribute('aria-pressed', 'true');
    const count = Number(/\d+/.exec((await chip.textContent()) ?? '')?.[0]);
    await expect(window.getByRole('grid', { name: 'Tools' }).getByRole('row')).toHaveCount(
      count + 1,
    );
  });

  test('leaves out rules that are turned off, and raises the scores everywhere', async ({
    window,
  }) => {
    const quality = window.getByText(/Quality \d+ of 10$/);
    await visit(window, 'tools/calendar/get_events');
    await expect(quality).toHaveText(/Quality 6 of 10$/, { timeout: 30_000 });
    await visit(window, 'tools?quality');
    const panel = window.getByRole('complementary').filter({ hasText: 'Fixed rules' });
    await panel.getByText('Deprecated tools', { exact: true }).click();
    await panel.getByRole('checkbox', { name: 'Check this rule Deprecated tools' }).click();
    await expect(panel.getByText('turned off').first()).toBeVisible();
    await visit(window, 'tools/calendar/get_events');
    await expect(quality).toHaveText(/Quality 10 of 10$/, { timeout: 30_000 });
    await visit(window, 'tools?quality');
    await panel.getByRole('button', { name: 'Turn all rules on' }).click();
    await expect(panel.getByText('turned off')).toHaveCount(0);
    await visit(window, 'tools/calendar/get_events');
    await expect(quality).toHaveText(/Quality 6 of 10$/, { timeout: 30_000 });
  });
});
