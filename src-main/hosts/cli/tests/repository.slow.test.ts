import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { ActionResult } from '../../../testing/compositeAction.ts';
import { compiled } from '../../../testing/commandLine.ts';
import { FakeGithub, type FakeJob } from '../../../testing/fakeGithub.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';

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

/** Speaks MCP over stdio and offers what `tools.json` of its folder has. */
const program = `
import { readFileSync } from 'node:fs';
import readline from 'node:readline';
const { tools } = JSON.parse(readFileSync(new URL('tools.json', import.meta.url)));
const offered = tools.map(({ server, input_schema: inputSchema, ...tool }) => ({ ...tool, inputSchema }));
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const { protocolVersion } = params ?? {};
  const serverInfo = { name: 'parcels', version: '1' };
  if (method === 'initialize')
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  else if (method === 'tools/list') send({ id, result: { tools: offered } });
  else send({ id, error: { code: -32601, message: 'There is no such method.' } });
});
`;

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

type Done = ActionResult & { id: number; comment: string; junit: string };

/** Runs the workflow on what is in the folder. */
async function run(given: FakeJob): Promise<Done> {
  rmSync(at('check.xml'), { force: true });
  const inputs = { arguments: '--report\ncheck.xml', ...given.inputs };
  const done = await github.use({ ...given, inputs });
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  const comment = github.comments.find(({ user }) => user.login === 'github-actions[bot]');
  return { ...done, comment: comment?.body ?? '', junit: read(at('check.xml')) };
}
const push = (given: Partial<FakeJob> = {}): Promise<Done> => run({ event: 'push', ...given });
const pullRequest = (given: Partial<FakeJob> = {}): Promise<Done> =>
  run({ event: 'pull_request', ...given });
const expectCode = (done: Done, code: number): void =>
  expect(done.outputs['exit-code'], done.log).toBe(String(code));

/** Every output of a check, by name. */
function outputsOf(done: Done): Record<string, string> {
  const file = (name: string): string =>
    readFileSync(join(done.outputs['reports'] ?? '', name), 'utf8');
  return {
    ...{ html: file('report.html'), markdown: file('report.md'), json: file('report.json') },
    ...{ junit: done.junit, summary: done.summary, comment: done.comment, log: done.log },
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
  mkdirSync(at('bin'));
  writeFileSync(
    at('bin/touchstone'),
    `#!/bin/sh\nexec "${process.execPath}" "${testedProgram}" "$@"\n`,
    { mode: 0o755 },
  );
  github = await FakeGithub.start(folder.path, {
    PATH: at('bin'),
    TOUCHSTONE_HOME: at('workspace'),
    NODE_COMPILE_CACHE: compiled,
  });
  writeFileSync(at('server.mjs'), program);
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

describe('a repository in its first week', { timeout: 120_000 }, () => {
  it('gets a baseline from its first push', async () => {
    const done = await push();
    expectCode(done, 0);
    expect(done.ran).toContain('Upload the baseline');
    expect(done.log).toContain('All 32 cases passed');
  });

  it('fails a bad rewording, and every output names the broken cases', async () => {
    writeTools(bad);
    const done = await pullRequest();
    expectCode(done, 1);
    for (const [name, output] of Object.entries(outputsOf(done)))
      for (const id of broken) expect(output.includes(id), `${id} in ${name}`).toBe(true);
    expect(done.junit.match(/<testcase name="(print|book)[^>]*>\s*<failure /g)).toHaveLength(8);
    expect(done.log).toMatch(/^::error title=Check failed::/m);
  });

  it('passes a good rewording and merges it', async () => {
    writeTools({ book_pickup: { description: 'Books a courier on a weekday.' } });
    expectCode(await pullRequest(), 0);
    const merged = await push();
    expectCode(merged, 0);
    expect(merged.log).not.toContain('New baseline');
    writeTools();
  });

  it('fails where all tools of the server are ruined, whatever a snapshot of them says', async () => {
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
  });

  it('refuses a pull request that deletes the cases it breaks', async () => {
    writeTools(bad);
    writeSuite(['print_label', 'book_pickup']);
    const done = await pullRequest();
    expectCode(done, 2);
    expect(done.comment).toContain('8 cases of the baseline are missing');
    for (const id of broken) expect(done.comment).toContain(id);
    expect(done.comment).toContain('--allow-changed-cases');
    writeTools();
    writeSuite();
  });
});

describe('a repository in its second week', { timeout: 120_000 }, () => {
  it('starts a new baseline with another model, after the pull request was refused', async () => {
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
  });

  it('keeps a baseline for each of two uses in one job', async () => {
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

  it('gives no verdict in an outage, and keeps its baseline', async () => {
    isDown = true;
    const baselines = github.artifacts.length;
    const done = await pullRequest();
    expectCode(done, 3);
    for (const output of [done.comment, done.summary]) {
      expect(output).toContain('**No verdict**');
      expect(output).toContain('The cluster is down.');
    }
    const pushed = await push();
    expectCode(pushed, 3);
    expect(pushed.ran).not.toContain('Upload the baseline');
    expect(github.artifacts.length - baselines).toBe(2);
    isDown = false;
    const again = await pullRequest();
    expectCode(again, 0);
    expect(again.comment).toContain('**Check passed**');
  });
});
