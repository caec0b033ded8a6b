import { evaluationRequest } from '../src-shared/domain/evaluation.ts';
import { connectToHost } from '../src-main/endpoint/client.ts';
import { findHolder } from '../src-main/services/settings/workspaceHolder.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, takePicture, test, visit } from './fixtures.ts';

const schema = { type: 'object', properties: { title: { type: 'string' } } };
const tool = (name: string, description: string) => ({
  tool: {
    server: 'office',
    name,
    title: null,
    description,
    inputSchema: schema,
    outputSchema: null,
    annotations: null,
  },
  raw: JSON.stringify({ name, description, inputSchema: schema }),
});
const papers = [
  'invoice',
  'receipt',
  'letter',
  'contract',
  'ticket',
  'offer',
  'bill',
  'order',
  'note',
  'quote',
  'form',
  'permit',
];

/** A suite in which a misleading description sends every request to shred to the wrong tool. */
function misleading() {
  return evaluationRequest.parse({
    suiteId: null,
    models: [{ provider: 'builtin', model: 'default-v1' }],
    inline: {
      tools: [
        tool('t1', 'Works on paper.'),
        tool('archive_paper', 'Keeps a paper in the archive.'),
        tool('print_page', 'Prints a page.'),
      ],
      suite: {
        version: 1,
        name: 'office',
        servers: ['office'],
        cases: [
          ...papers.flatMap((paper, at) =>
            ['shred', 'destroy'].map((verb) => ({
              id: `${verb}-${at}`,
              name: `${verb} ${paper}`,
              query: `Please ${verb} the ${paper} paper`,
              expected_calls: [{ server: 'office', tool: 't1' }],
            })),
          ),
          ...papers.map((paper, at) => ({
            id: `keep-${at}`,
            name: `keep ${paper}`,
            query: `Keep the ${paper} in the archive`,
            expected_calls: [{ server: 'office', tool: 'archive_paper' }],
          })),
        ],
      },
    },
  });
}

test(
  'accepts a better rewrite with its evidence, and rejects a worse one',
  { tag: '@picture' },
  async ({ window, host }) => {
    const holder = findHolder(host.workspace);
    if (!holder?.endpoint) throw new Error('Nobody holds the workspace.');
    const remote = await connectToHost(holder.endpoint);
    const started = await remote.client.evaluations.start(misleading());
    for await (const event of await remote.client.evaluations.watch({ id: started.id }))
      if (event.type === 'ended') break;
    await remote.close();

    await visit(
      window,
      `improve/proofs?evaluation=${started.id}&tool=${encodeURIComponent('office:t1')}`,
    );
    await expect(
      window.getByText(/The proof needs at least 7 fixed and none broken/),
    ).toBeVisible();
    await window.getByLabel('Description to try').fill('Shreds a paper: destroys it for good.');
    await window.getByRole('button', { name: 'Add candidate' }).click();
    const good = window
      .getByRole('article', { name: 'Rewrite of office:t1' })
      .filter({ hasText: 'Shreds a paper' });
    await good.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(good.getByText(/Search half: \d+ fixed and 0 broken of/u)).toBeVisible();
    await good.getByRole('button', { name: 'Prove (once)' }).click();
    await expect(good.getByText('accepted', { exact: true })).toBeVisible();
    const download = window.waitForEvent('download');
    await good.getByRole('button', { name: 'Save patch and evidence' }).click();
    expect((await download).suggestedFilename()).toBe('office_t1.rewrite.json');

    await window
      .getByLabel('Description to try')
      .fill('Keep in the archive; in the archive it is kept.');
    await window.getByRole('button', { name: 'Add candidate' }).click();
    const bad = window
      .getByRole('article', { name: 'Rewrite of office:t1' })
      .filter({ hasText: 'in the archive it is kept' });
    await bad.getByRole('button', { name: 'Prove (once)' }).click();
    await expect(bad.getByText('rejected', { exact: true })).toBeVisible();
    await window.reload();
    await expect(bad).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'rewrites');
    await window.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(window);
    await takePicture(window, 'rewrites-dark');
    await good.scrollIntoViewIfNeeded();
    await takePicture(window, 'rewrites-accepted-dark');
  },
);
