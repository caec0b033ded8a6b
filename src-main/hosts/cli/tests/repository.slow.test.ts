import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { ActionResult } from '../../../testing/compositeAction.ts';
import { FakeGithub, type FakeJob } from '../../../testing/fakeGithub.ts';
import { snapshotServer } from '../../../testing/officeRepository.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/**
 * Two weeks of a repository with a parcel desk: every push and pull request runs the action on the
 * real command, with a model that chooses by the words of descriptions.
 */
const days = ['monday', 'tuesday', 'thursday', 'friday'];
const cities = ['Ghent', 'Lyon', 'Porto', 'Turin'];
type Desk = Record<
  string,
  { description: string; parameter: string; asks: (at: number) => string }
>;
const desk: Desk = {
  track_parcel: {
    description: 'Says the delivery status of a parcel.',
    parameter: 'parcel_id',
    asks: (at) => `What is the status of P${at}?`,
  },
  book_pickup: {
    description: 'Books a courier. The day is a weekday, in lower case.',
    parameter: 'day',
    asks: (at) => `Have the courier come on ${days[at]}`,
  },
  cancel_pickup: {
    description: 'Cancels a booking.',
    parameter: 'booking_id',
    asks: (at) => `The booking B${at} is off`,
  },
  quote_price: {
    description: 'Calculates the price of shipping.',
    parameter: 'weight',
    asks: (at) => `What is the price of W${at}?`,
  },
  print_label: {
    description: 'Prints the label of a box.',
    parameter: 'parcel_id',
    asks: (at) => `I need a label on P${at}`,
  },
  report_damage: {
    description: 'Files a claim after damage.',
    parameter: 'parcel_id',
    asks: (at) => `There is damage on P${at}`,
  },
  find_depot: {
    description: 'Finds the nearest depot.',
    parameter: 'city',
    asks: (at) => `Which depot is in ${cities[at]}?`,
  },
  redirect_parcel: {
    description: 'Sends it to another address.',
    parameter: 'address',
    asks: (at) => `Use the address ${at} Elm Road`,
  },
};
/** What the model finds in a query for a parameter. */
const found: Record<string, RegExp> = {
  parcel_id: /P\d/,
  day: /\w+day/,
  booking_id: /B\d/,
  weight: /W\d/,
  city: new RegExp(cities.join('|')),
  address: /\d Elm Road/,
};
const valueIn = (query: string, parameter: string): string =>
  found[parameter]?.exec(query)?.[0] ?? '';

let folder: TemporaryFolder;
let github: FakeGithub;
let model: Server;
let isDown = false;
const at = (name: string): string => join(folder.path, name);
const address = (): string => `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;

interface Asked {
  messages: { role: string; content: string }[];
  tools?: { function: { name: string; description: string; parameters: { required: string[] } } }[];
}
const wordsOf = (sentence: string): string[] =>
  (sentence.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => word.length > 3);

/** Calls the tool whose description shares most words with the query; knows weekdays if told so. */
function answerOf({ messages, tools = [] }: Asked): object {
  const query = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const asked = new Set(wordsOf(query));
  const shared = ({ description }: { description: string }) =>
    wordsOf(description).filter((word) => asked.has(word)).length;
  const [best] = tools.map((each) => each.function).toSorted((a, b) => shared(b) - shared(a));
  const isCalled = best !== undefined && shared(best) > 0;
  const given = Object.fromEntries(
    (best?.parameters.required ?? []).map((name) => [
      name,
      name === 'day' && !best?.description.includes('weekday') ? 'saturday' : valueIn(query, name),
    ]),
  );
  const call = { name: best?.name, arguments: JSON.stringify(given) };
  const message = {
    role: 'assistant',
    content: isCalled ? null : 'I can not help.',
    ...(isCalled && { tool_calls: [{ id: 'c1', type: 'function', function: call }] }),
  };
  const choices = [{ index: 0, finish_reason: isCalled ? 'tool_calls' : 'stop', message }];
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  return { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage };
}

type Change = Record<string, Partial<{ name: string; description: string; gone: boolean }>>;

/** The server's tools, as a branch changed them. */
function writeTools(change: Change = {}): void {
  const tools = Object.entries(desk).flatMap(([name, { description, parameter }]) =>
    change[name]?.gone === true
      ? []
      : [
          {
            ...{ server: 'parcels', name, description, ...change[name] },
            input_schema: {
              type: 'object',
              properties: { [parameter]: { type: 'string' } },
              required: [parameter],
            },
          },
        ],
  );
  writeFileSync(at('tools.json'), JSON.stringify({ tools }));
}

function writeSuite(leaveOut: readonly string[] = []): void {
  const cases = Object.entries(desk).flatMap(([tool, { parameter, asks }]) =>
    days.map((_day, number) => {
      const query = asks(number);
      return {
        ...{ id: `${tool}-${number}`, name: `${tool} ${number}`, query },
        expected_calls: [
          { server: 'parcels', tool, parameters: { [parameter]: valueIn(query, parameter) } },
        ],
      };
    }),
  );
  const kept = cases.filter(({ id }) => !leaveOut.some((tool) => id.startsWith(tool)));
  const suite = { version: 1, name: 'parcels', servers: ['parcels'], cases: kept };
  writeFileSync(at('parcels.suite.yaml'), stringify(suite));
}

const project = (name = 'first'): object => ({
  ...{ version: 1, suite: 'parcels.suite.yaml', servers: { stdio: ['node', 'server.mjs'] } },
  models: [{ provider: 'openai-compatible', model: name, base_url: address(), retries: 0 }],
});
const writeProject = (content = project()): void =>
  writeFileSync(at('touchstone.yaml'), stringify(content));

const idsOf = (tool: string): string[] => days.map((_day, number) => `${tool}-${number}`);
/** A pull request that breaks two tools: one is never chosen, one gets a wrong argument. */
const bad: Change = {
  print_label: { description: 'Prints paper.' },
  book_pickup: { description: 'Books a courier.' },
};
const broken = [...idsOf('print_label'), ...idsOf('book_pickup')];

type Done = ActionResult & { id: number; comment: string; junit: string; csv: string };

/** Runs the workflow on what is in the folder. */
async function run(given: FakeJob): Promise<Done> {
  for (const file of ['check.xml', 'check.csv']) rmSync(at(file), { force: true });
  const inputs = { arguments: '--report\ncheck.xml\ncheck.csv', ...given.inputs };
  const done = await github.use({ ...given, inputs });
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  const comment = github.comments.find(({ user }) => user.login === 'github-actions[bot]');
  return {
    ...done,
    comment: comment?.body ?? '',
    junit: read(at('check.xml')),
    csv: read(at('check.csv')),
  };
}
const push = (given: Partial<FakeJob> = {}): Promise<Done> => run({ event: 'push', ...given });
const pullRequest = (given: Partial<FakeJob> = {}): Promise<Done> =>
  run({ event: 'pull_request', ...given });
const expectCode = (done: Done, code: number): void =>
  expect(done.outputs['exit-code'], done.log).toBe(String(code));

/** Without what a format writes for quotation marks. */
const plain = (output: string): string => output.replaceAll(/&quot;|&#34;|\\"|""|%22/g, '"');
const differenceOf = (day: string): string => `day: expected "${day}", got "saturday"`;

/** Every output of a check, by name. */
function outputsOf(done: Done): Record<string, string> {
  const file = (name: string): string =>
    readFileSync(join(done.outputs['reports'] ?? '', name), 'utf8');
  return {
    ...{ html: file('report.html'), markdown: file('report.md'), json: file('report.json') },
    ...{ junit: done.junit, csv: done.csv, summary: done.summary },
    ...{ annotations: done.log, comment: done.comment },
  };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  model = createServer((request, response) => {
    void text(request).then((body) => {
      response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' });
      const failure = { error: { message: 'The cluster is down.' } };
      response.end(JSON.stringify(isDown ? failure : answerOf(JSON.parse(body) as Asked)));
    });
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  github = await FakeGithub.start(folder.path);
  writeFileSync(at('server.mjs'), snapshotServer);
  writeTools();
  writeSuite();
  writeProject();
  // A snapshot of the good tools, which nobody takes again.
  copyFileSync(at('tools.json'), at('snapshot.json'));
});
afterAll(async () => {
  github[Symbol.dispose]();
  model.close();
  await folder.remove();
});

describe('a repository in its first week', () => {
  it('gets a baseline from its first push', async () => {
    const done = await push();
    expectCode(done, 0);
    expect(done.ran).toContain('Upload the baseline');
    expect(done.log).toContain('All 32 cases passed');
  });

  it('fails a bad rewording, and every output names the broken cases with what differs', async () => {
    writeTools(bad);
    const done = await pullRequest();
    expectCode(done, 1);
    for (const [name, output] of Object.entries(outputsOf(done)))
      for (const said of [...broken, ...days.map(differenceOf)])
        expect(plain(output).includes(said), `${said} in ${name}`).toBe(true);
    expect(done.junit.match(/<testcase name="(print|book)[^>]*>\s*<failure /g)).toHaveLength(8);
    expect(done.log).toMatch(/^::error title=Check failed::/m);
    expect(JSON.parse(outputsOf(done)['json'] ?? '')).toMatchObject({
      check: { result: 'failed', baseline: { models: [{ answer: 'worse', outcome: 'failed' }] } },
    });
  });

  it('passes a good rewording and merges it', async () => {
    writeTools({ book_pickup: { description: 'Books a courier on a weekday.' } });
    const done = await pullRequest();
    expectCode(done, 0);
    expect(done.junit).toMatch(/<testsuites [^>]*failures="0" errors="0">/);
    expect(done.log).not.toContain('::error');
    const merged = await push();
    expectCode(merged, 0);
    expect(merged.log).not.toContain('New baseline');
    writeTools();
  });

  it.runIf(isNightly)(
    'fails where all tools of the server are ruined, whatever a snapshot of them says',
    async () => {
      const ruined = Object.keys(desk).map(
        (tool) => [tool, { description: 'Does things.' }] as const,
      );
      writeTools(Object.fromEntries(ruined));
      const done = await pullRequest();
      expectCode(done, 1);
      expect(done.comment).toContain('track_parcel-0');
      const snapshot = await pullRequest({
        inputs: { arguments: '--tools\nsnapshot.json', comment: 'false' },
      });
      expectCode(snapshot, 0);
      writeTools();
    },
  );

  it.runIf(isNightly)('refuses a pull request that deletes the cases it breaks', async () => {
    writeTools(bad);
    writeSuite(['print_label', 'book_pickup']);
    const done = await pullRequest();
    expectCode(done, 2);
    expect(done.comment).toContain('8 cases of the baseline are missing');
    for (const id of broken) expect(done.comment).toContain(id);
    expect(done.comment).toContain('--allow-changed-cases');
    const declared = await pullRequest({ inputs: { arguments: '--allow-changed-cases' } });
    expectCode(declared, 0);
    expect(declared.summary).toContain('## Removed cases, not compared');
    writeTools();
    writeSuite();
  });
});

describe('a repository in its second week', () => {
  it.runIf(isNightly)(
    'starts a new baseline with another model, after the pull request was refused',
    async () => {
      writeProject(project('second'));
      const difference =
        'The model is openai-compatible/second, and openai-compatible/first in the baseline.';
      const refused = await pullRequest();
      expectCode(refused, 2);
      expect(refused.comment).toContain(difference);
      expect(refused.comment).toContain('--new-baseline');
      const merged = await push();
      expectCode(merged, 0);
      expect(merged.log).toMatch(/^::warning title=New baseline::/m);
      for (const output of [merged.log, merged.summary]) expect(output).toContain(difference);
      writeTools(bad);
      expectCode(await pullRequest(), 1);
      writeTools();
    },
  );

  it.runIf(isNightly)('keeps a baseline for each of two uses in one job', async () => {
    writeProject(project('second'));
    writeFileSync(at('other.yaml'), stringify(project('third')));
    for (const event of ['push', 'pull_request']) {
      const job = { event, job: 'both', temp: github.newJob(), run: event === 'push' ? 900 : 901 };
      for (const inputs of [{}, { config: 'other.yaml' }] as Record<string, string>[]) {
        const done = await run({ ...job, inputs });
        expectCode(done, 0);
        expect(done.ran.includes('Restore the baseline')).toBe(event !== 'push');
      }
    }
  });

  it.runIf(isNightly)('gives no verdict in an outage, and keeps its baseline', async () => {
    isDown = true;
    const baselines = github.artifacts.length;
    const done = await pullRequest();
    expectCode(done, 3);
    for (const output of [done.comment, done.summary]) {
      expect(output).toContain('**No verdict**');
      expect(output).toContain('The cluster is down.');
    }
    expect(done.junit).toMatch(/<testsuites [^>]*failures="0" errors="33">/);
    const { unscored } = JSON.parse(outputsOf(done)['json'] ?? '') as { unscored: object[] };
    expect(unscored).toMatchObject([{ failure: 'provider' }]);
    const pushed = await push();
    expectCode(pushed, 3);
    expect(pushed.ran).not.toContain('Upload the baseline');
    expect(github.artifacts.length - baselines).toBe(2);
    isDown = false;
    const again = await pullRequest();
    expectCode(again, 0);
    expect(again.comment).toContain('**Check passed**');
  });

  it.runIf(isNightly)('pairs the cases of a renamed tool, whose new name it suggests', async () => {
    writeTools({ print_label: { name: 'make_label' } });
    const unsaid = await pullRequest();
    expectCode(unsaid, 1);
    expect(unsaid.comment).toContain('`parcels:make_label`');
    expect(unsaid.comment).toContain('add it to `renamed`');
    writeProject({ ...project('second'), renamed: { print_label: 'make_label' } });
    const done = await pullRequest();
    expectCode(done, 0);
    expect(done.comment).toContain('Tools renamed: `parcels:print_label` → `parcels:make_label`');
    writeTools();
    writeProject(project('second'));
  });

  it.runIf(isNightly)('fails a removed tool by name', async () => {
    writeTools({ cancel_pickup: { gone: true } });
    const done = await pullRequest();
    expectCode(done, 1);
    for (const [name, output] of Object.entries(outputsOf(done)))
      expect(output.includes('cancel_pickup'), name).toBe(true);
    writeTools();
  });

  it.runIf(isNightly)('catches slow erosion by its fixed reference', async () => {
    const merged = await push();
    expectCode(merged, 0);
    copyFileSync(join(merged.outputs['reports'] ?? '', 'report.json'), at('release.json'));
    writeProject({ ...project('second'), baseline: { release: 'release.json' } });
    const eroded: Change = { find_depot: { description: 'Finds it.' } };
    writeTools(eroded);
    // Four broken cases are within noise (McNemar's exact test: p = 0.125), eight are not (0.008).
    expectCode(await pullRequest(), 0);
    expectCode(await push(), 0);
    writeTools({ ...eroded, redirect_parcel: { description: 'Sends it.' } });
    const done = await pullRequest();
    expectCode(done, 1);
    expect(done.comment).toContain('release.json');
    for (const id of [...idsOf('find_depot'), ...idsOf('redirect_parcel')])
      expect(done.comment).toContain(id);
  });
});
