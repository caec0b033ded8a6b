import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServices } from '../src-main/app/createServices.ts';
import { fakeStdioServer } from '../src-main/testing/fakeMcpServer/start.ts';
import { watchLoop } from '../src-main/testing/watchLoop.ts';
import { ratioRow, type Row } from './report.ts';

const cases = 50_000;
const promisedMs = 200;

/** The steps of a suite of 59 MB, each with what follows behind it. */
export async function benchLargeSuite(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const opened = await createServices({ host: 'loopback', folder });
  const { servers, suites } = opened.services;
  const options = { signal: new AbortController().signal };
  const file = (verb: string) => ({ fileName: 'large.json', text: textOf(verb) });
  const [one, two] = [file('Add'), file('Put')];
  const steps: readonly [what: string, take: () => Promise<unknown>][] = [
    ['preview', () => suites.previewImport(one, options)],
    ['import', () => suites.import({ ...one, replace: false }, options)],
    ['replacement', () => suites.import({ ...two, replace: true }, options)],
    ['addition', async () => suites.import({ ...one, replace: false, into: await id() }, options)],
    ['reading', async () => suites.cases({ suiteId: await id() })],
    [
      'renaming of the server',
      async () => servers.update({ ...server, id: serverId, name: 'renamed' }),
    ],
    ['removal', async () => suites.remove({ id: await id() })],
  ];
  const id = async (): Promise<string> => (await suites.list())[0]?.id ?? '';
  const server = { name: 'todo', config: fakeStdioServer() };
  const { id: serverId } = await servers.create(server);
  try {
    using loop = watchLoop();
    const rows: Row[] = [];
    for (const [what, take] of steps) {
      loop.take();
      const began = performance.now();
      await take();
      // What goes on behind a step counts with the next one.
      await new Promise((resolve) => setTimeout(resolve, 10));
      const { ms, computingMs } = loop.take();
      process.stderr.write(
        `  ${what}: ${Math.round(performance.now() - began)} ms, longest block ${Math.round(ms)} ms\n`,
      );
      rows.push(
        ratioRow(
          `most computing in one turn, ${what} of a suite of ${cases.toLocaleString('en')} cases in 59 MB`,
          computingMs,
          'ms',
          'bound',
          promisedMs,
          1,
        ),
      );
    }
    return rows;
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(verb: string): string {
  return JSON.stringify({
    version: 1,
    name: 'large',
    servers: ['todo'],
    cases: Array.from({ length: cases }, (_, at) => ({
      id: `c${at}`,
      name: `Case ${at}`,
      query: `${verb} number ${at} ${'word '.repeat(200)}`,
      tags: ['a', 'b'],
      expected_calls: [{ server: 'todo', tool: 'add_task', parameters: { title: `number ${at}` } }],
    })),
  });
}
