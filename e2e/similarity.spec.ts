import {
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, takePicture, test, visit } from './fixtures.ts';

let server: FakeModelServer;
const part = (score: number, explanation: string, suggestion: string) => ({
  score,
  explanation,
  suggestion,
});
test.beforeAll(async () => {
  server = await startFakeModelServer({
    rule: ({ query }) => {
      // It rewrites one tool of the pair and refuses the other.
      if (
        !query.startsWith('Rate') &&
        query.includes('"delete_task"') &&
        query.indexOf('"complete_task"') < query.indexOf('"delete_task"')
      )
        return { does: 'answer', text: 'I would rather not.' };
      if (!query.startsWith('Rate'))
        return {
          does: 'answer',
          text: JSON.stringify({
            description: query.includes('"delete_task"')
              ? 'Removes a task for good.'
              : 'Changes a task.',
          }),
        };
      if (query.includes('"delete_task"')) return { does: 'answer', text: 'I would rather not.' };
      return {
        does: 'answer',
        text: JSON.stringify({
          clarity: part(
            query.includes('list_tasks') ? 4 : 8,
            'It says when to use it.',
            'Name what comes back.',
          ),
          completeness: part(
            6,
            'Its limits are not told.',
            'Say what happens to a task that is done.',
          ),
          conciseness: part(9, 'No sentence too many.', ''),
        }),
      };
    },
  });
});
test.afterAll(() => server[Symbol.asyncDispose]());

test.describe('similarity', () => {
  test(
    'lists pairs, opens one from the heat map by keyboard, and lists groups',
    { tag: '@picture' },
    async ({ window }) => {
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
    },
  );

  test('lists lint findings by server', { tag: '@picture' }, async ({ window }) => {
    await visit(window, 'similarity/quality');
    await window.getByRole('button', { name: 'Check the tools of all servers' }).click();
    await expect(window.getByRole('group', { name: 'todo' })).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'tool-quality');
  });

  test(
    'a model revises both tools of a pair, and rates every tool with reasons',
    { tag: '@picture' },
    async ({ window }) => {
      await visit(window, 'similarity');
      await window.getByRole('button', { name: 'Compare tools' }).click();
      await expect(window.getByText('5 tools · 10 pairs')).toBeVisible();
      await window.getByRole('grid', { name: 'Pairs of tools' }).getByRole('row').nth(1).click();
      await expect(window.getByRole('heading', { name: 'What to change' })).toBeVisible();
      await window.getByRole('button', { name: 'Rewrite both with a model…' }).click();
      await window.getByRole('textbox', { name: 'Model' }).fill('writer');
      await window.getByRole('textbox', { name: 'Base URL' }).fill(`${server.origin}/v1`);
      await window.getByRole('button', { name: 'Ask openai-compatible · writer' }).click();
      await expect(window.getByText('By a model, for').first()).toBeVisible();
      await expect(
        window.getByText(/todo:complete_task was not rewritten: .*I would rather not/),
      ).toBeVisible();
      await expect(window.getByRole('textbox', { name: 'Base URL' })).toBeHidden();
      await expectAccessible(window);
      await expect(
        window.getByRole('link', { name: 'Try the model’s revision' }).first(),
      ).toHaveAttribute('href', /source=model/);
      await window.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(window);
      await window.getByRole('heading', { name: 'What to change' }).scrollIntoViewIfNeeded();
      await takePicture(window, 'similarity-revision-dark');

      await visit(window, 'similarity/quality');
      await window.getByRole('button', { name: 'Rate with a model…' }).click();
      // The model asked last is proposed again.
      await expect(window.getByRole('textbox', { name: 'Model' })).toHaveValue('writer');
      await window.getByRole('button', { name: 'Ask openai-compatible · writer' }).click();
      await expect(window.getByText('4 tools rated by openai-compatible · writer')).toBeVisible();
      await expect(window.getByText(/1 tool not rated\. todo:delete_task/)).toBeVisible();
      await window.getByRole('grid', { name: 'Ratings' }).getByText('todo:list_tasks').click();
      const reasons = window.getByRole('region', { name: 'Rating of todo:list_tasks' });
      await expect(reasons.getByText('It says when to use it.')).toBeVisible();
      await expect(reasons.getByText('Name what comes back.')).toBeVisible();
      await expectAccessible(window);
      await reasons.scrollIntoViewIfNeeded();
      await takePicture(window, 'tool-ratings-dark');
      await window.emulateMedia({ colorScheme: 'light' });
      await expectAccessible(window);
      await takePicture(window, 'tool-ratings');
    },
  );

  test('requires weights that sum to 1, and uses them in the next analysis', async ({ window }) => {
    await visit(window, 'settings');
    const semantic = window.getByRole('textbox', { name: 'Semantic' });
    await semantic.fill('0.1');
    await expect(window.getByText('They sum to 0.6, and must sum to 1.')).toBeVisible();
    await expect(window.getByRole('button', { name: 'Save weights' })).toBeDisabled();
    await window.getByRole('textbox', { name: 'Parameters' }).fill('0.7');
    await window.getByRole('button', { name: 'Save weights' }).click();
    await expect(window.getByText('Saved.')).toBeVisible();
    await expectAccessible(window);
    await visit(window, 'similarity');
    await window.getByRole('button', { name: 'Compare tools' }).click();
    await expect(window.getByText('5 tools · 10 pairs')).toBeVisible();
    await window.getByRole('grid', { name: 'Pairs of tools' }).getByRole('row').nth(1).click();
    await expect(
      window.getByText(/= 0\.1 × semantic .* \+ 0\.7 × parameters .* \+ 0\.2 × description/),
    ).toBeVisible();
    await visit(window, 'settings');
    await window.getByRole('button', { name: 'Reset' }).click();
    await expect(window.getByRole('textbox', { name: 'Parameters' })).toHaveValue('0.3');
  });

  test('compares only the chosen tools', async ({ window }) => {
    await visit(window, 'similarity');
    await window.getByRole('button', { name: 'Compare tools' }).click();
    await expect(window.getByText('5 tools · 10 pairs')).toBeVisible();
    const only = window.getByRole('combobox', { name: 'Only these tools' });
    for (const name of ['todo:add_task', 'todo:update_task', 'todo:list_tasks']) {
      await only.click();
      await window.getByRole('option', { name }).click();
    }
    await window.keyboard.press('Escape');
    await window.getByRole('button', { name: 'Compare tools' }).click();
    await expect(window.getByText('3 tools · 3 pairs')).toBeVisible();
  });

  test.describe('dark theme', () => {
    test.use({ colorScheme: 'dark' });
    test('shows the heat map and accessible settings', { tag: '@picture' }, async ({ window }) => {
      await visit(window, 'similarity');
      await window.getByRole('button', { name: 'Compare tools' }).click();
      await expect(
        window.getByRole('application', { name: /Overlap of all tools/u }),
      ).toBeVisible();
      await window.getByRole('grid', { name: 'Pairs of tools' }).getByRole('row').nth(1).click();
      await expect(window.getByRole('heading', { name: 'Side by side' })).toBeVisible();
      await takePicture(window, 'similarity-dark');
      await visit(window, 'settings');
      await expectAccessible(window);
    });
  });
});
