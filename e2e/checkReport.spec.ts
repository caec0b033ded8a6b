import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright';
import { startFakeModelServer } from '../src-main/testing/fakeModelServer/start.ts';
import { expect, takePicture, test } from './fixtures.ts';

/** 13 tools of a parcel desk with six requests each. */
const tools: readonly [name: string, parameter: string, request: string][] = [
  ['track_parcel', 'parcel_id', 'Where is'],
  ['book_pickup', 'day', 'Have the courier come for'],
  ['cancel_pickup', 'booking', 'Call off the courier of'],
  ['quote_price', 'weight', 'What does it cost to ship'],
  ['print_label', 'parcel_id', 'I need the sticker of'],
  ['report_damage', 'parcel_id', 'There is a dent in'],
  ['find_depot', 'city', 'Where can I bring'],
  ['redirect_parcel', 'parcel_id', 'Nobody is at home for'],
  ['hold_parcel', 'parcel_id', 'We are away until Monday, keep'],
  ['list_parcels', 'customer', 'Everything that is on its way to'],
  ['add_insurance', 'parcel_id', 'It is worth 900 euros, cover'],
  ['rate_courier', 'stars', 'He was friendly and on time with'],
  ['open_hours', 'depot', 'When can I come for'],
];
const cases = Array.from({ length: 78 }, (_, at) => {
  const [tool, parameter, request] = tools[at % tools.length] ?? ['', '', ''];
  return { id: `case-${at + 1}`, query: `${request} P-${at + 100}`, tool, parameter };
});
const suite = {
  version: 1,
  name: 'parcels',
  servers: ['parcels'],
  cases: cases.map(({ id, query, tool, parameter }) => ({
    ...{ id, name: query, query },
    expected_calls: [
      { server: 'parcels', tool, parameters: { [parameter]: query.slice(-5).trim() } },
    ],
  })),
};
const snapshot = {
  tools: tools.map(([name, parameter, request]) => ({
    ...{ server: 'parcels', name, description: `Answers requests such as “${request} P-1”.` },
    input_schema: {
      type: 'object',
      properties: { [parameter]: { type: 'string' } },
      required: [parameter],
    },
  })),
};

/** What the model calls for a case after its tools became worse: every third case is wrong. */
function wrongCall(at: number): { tool: string; argument: string } | null {
  const [neighbor = ''] = tools[(at + 1) % tools.length] ?? [];
  const { tool = '', query = '' } = cases[at] ?? {};
  if (at % 3 !== 0) return { tool, argument: query.slice(-5).trim() };
  if (at % 2 === 0) return { tool, argument: 'the parcel' };
  return at % 9 === 0 ? null : { tool: neighbor, argument: query.slice(-5).trim() };
}

/** How many sheets of paper Chromium prints the page on. */
async function sheetsOf(page: Page, format: string): Promise<number> {
  const pdf = (await page.pdf({ format })).toString('latin1');
  return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

const text = (markdown: string): string =>
  markdown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]*)\*\*/g, '<b>$1</b>');

/** What GitHub makes of the Markdown that reports use: headings, lists, tables, code and emphasis. */
function asGithub(title: string, markdown: string): string {
  const cells = (line: string, tag: string): string =>
    `<tr>${line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => `<${tag}>${text(cell.trim())}</${tag}>`)
      .join('')}</tr>`;
  const lines = markdown.split('\n').map((line, at, all) => {
    const [, marks, heading] = /^(#{1,3}) (.*)/.exec(line) ?? [];
    if (heading !== undefined) return `<h${marks?.length}>${text(heading)}</h${marks?.length}>`;
    if (line.startsWith('- ')) return `<li>${text(line.slice(2))}</li>`;
    if (/^\| ---/.test(line)) return '';
    const isHead = /^\| ---/.test(all[at + 1] ?? '');
    if (isHead) return `<table>${cells(line, 'th')}`;
    if (line.startsWith('|')) return cells(line, 'td');
    return `${all[at - 1]?.startsWith('|') === true ? '</table>' : ''}<p>${text(line)}</p>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>
    body{max-width:1012px;margin:24px auto;padding:24px 32px;border:1px solid #d1d9e0;border-radius:6px;
      font:14px/1.5 "Inter Variable",system-ui,sans-serif;color:#1f2328}
    h1,h2{border-bottom:1px solid #d1d9e0;padding-bottom:.3em;line-height:1.25}
    h1{font-size:2em}h2{font-size:1.5em}p{margin:0 0 8px}li{margin-left:24px}
    code{padding:.2em .4em;border-radius:6px;background:#818b981f;font:85% ui-monospace,monospace}
    table{display:block;max-height:none;overflow:hidden;border-spacing:0;border-collapse:collapse}
    th,td{padding:6px 13px;border:1px solid #d1d9e0;text-align:left}
    header{margin:-24px -32px 24px;padding:8px 16px;border-bottom:1px solid #d1d9e0;border-radius:6px 6px 0 0;
      background:#f6f8fa;color:#59636e}header b{color:#1f2328}
  </style><body><header>${title}</header>${lines.join('\n')}`;
}

test(
  'the report of a failed check leads with its broken cases, and its short form is one page',
  { tag: '@picture' },
  async ({ host, chromium }, info) => {
    test.setTimeout(180_000);
    let isWorse = false;
    let isRuined = false;
    await using model = await startFakeModelServer({
      models: ['model'],
      rule: ({ query, toolNames }) => {
        const at = cases.findIndex((each) => each.query === query);
        const { tool = '', query: text = '' } = cases[at] ?? {};
        const [neighbor = ''] = tools[(at + 1) % tools.length] ?? [];
        const ruined = isRuined ? { tool: neighbor, argument: '' } : null;
        const call =
          ruined ?? (isWorse ? wrongCall(at) : { tool, argument: text.slice(-5).trim() });
        if (call === null) return { does: 'answer', text: 'I can’t help with that.' };
        const name = toolNames.find((each) => each.endsWith(call.tool)) ?? '';
        const parameter = tools.find(([each]) => each === call.tool)?.[1] ?? '';
        return { does: 'answer', calls: [{ name, arguments: { [parameter]: call.argument } }] };
      },
    });
    const at = (name: string): string => info.outputPath(name);
    await writeFile(at('suite.json'), JSON.stringify(suite));
    await writeFile(at('tools.json'), JSON.stringify(snapshot));
    const run = (...words: string[]) =>
      host.command([
        ...['check', '--suite', at('suite.json'), '--tools', at('tools.json'), '--quiet'],
        ...['--provider', 'openai-compatible', '--base-url', `${model.origin}/v1`],
        ...['--model', 'model', ...words],
      ]);
    await run('--report', at('baseline.json'));
    isWorse = true;
    const against = ['--against', at('baseline.json'), '--report'];
    process.env['GITHUB_STEP_SUMMARY'] = at('summary.md');
    await run(...against, at('full.html'), at('comment.md'), 'github', '--short');
    delete process.env['GITHUB_STEP_SUMMARY'];
    await run(...against, at('short.html'), '--short');

    // Two baselines and many limits: more reasons than the page has room for.
    isRuined = true;
    const metrics = ['pass_rate', 'selection_f1', 'selection_precision', 'selection_recall'];
    const limits = metrics.flatMap((name) => [`${name}=0.9`, `${name}.low=0.8`]);
    const release = ['--release', at('baseline.json'), '--max-broken', '3'];
    await run('--min', ...limits, ...release, ...against, at('ruined.html'), '--short');

    const context = await chromium.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const open = (name: string) => page.goto(pathToFileURL(at(name)).href);
    for (const name of ['short.html', 'full.html']) {
      await open(name);
      const first = page.locator('.sheet').first();
      await expect(first.getByRole('region', { name: 'Check' })).toContainText('Check failed');
      await expect(first.getByRole('region', { name: 'Verdict' })).toContainText('52 of 78');
      const broken = first.locator('.broken li');
      await expect(broken.nth(0)).toContainText('parcel_id: expected "P-100", got "the parcel"');
      await expect(broken.nth(1)).toContainText('called parcels:print_label(parcel_id: "P-103")');
      // Long reasons leave room for fewer cases.
      const count = await broken.count();
      expect(count).toBeGreaterThan(6);
      await expect(broken.nth(6)).toHaveText(
        'case-19 parcel_id: expected "P-118", got "the parcel"',
      );
      const elsewhere = name === 'short.html' ? 'full report' : 'appendix';
      await expect(first).toContainText(`${26 - count} more in the ${elsewhere}`);
      for (const paper of ['A4', 'Letter']) {
        const sheets = await sheetsOf(page, paper);
        if (name === 'short.html') expect(sheets, paper).toBe(1);
        else expect(sheets, paper).toBeGreaterThan(3);
      }
    }
    await open('ruined.html');
    const check = page.getByRole('region', { name: 'Check' });
    await expect(check).toContainText('pass_rate is 0, below 0.9');
    await expect(check).toContainText('more in the full report');
    for (const paper of ['A4', 'Letter']) expect(await sheetsOf(page, paper), paper).toBe(1);

    await open('full.html');
    // The appendix begins on a sheet of its own, so that what fits on the short one leads the whole one.
    await expect(page.locator('.sheet').nth(1)).toHaveCSS('break-before', 'auto');
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.sheet').nth(1)).toHaveCSS('break-before', 'page');
    await page.emulateMedia({ media: 'screen' });

    /** Without the folder and the port of the test. */
    const shown = async (name: string): Promise<string> =>
      (await readFile(at(name), 'utf8'))
        .replaceAll(`${info.outputDir}/`, '')
        .replaceAll(model.origin, 'http://127.0.0.1:8080');
    for (const [name, picture, title] of [
      ['comment.md', 'ci-comment', '<b>github-actions</b> bot commented'],
      ['summary.md', 'ci-summary', '<b>test</b> summary'],
    ] as const) {
      const markdown = await shown(name);
      expect(markdown).toContain('`case-1`: `parcel_id: expected "P-100", got "the parcel"`');
      // A page of its own: the report's content policy would stay.
      await page.goto('about:blank');
      await page.setContent(asGithub(title, markdown));
      await takePicture(page, picture);
    }
    await page.goto('about:blank');
    await page.setContent(await shown('full.html'));
    await takePicture(page, 'ci-report');
    await context.close();
  },
);
