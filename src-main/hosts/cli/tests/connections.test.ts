import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { findHolder } from '../../../services/settings/workspaceHolder.ts';
import { spawnCommand, startCommand } from '../../../testing/commandLine.ts';
import { testKey } from '../../../testing/fakeModelServer/openTestModel.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { connectToHost } from '../../../endpoint/client.ts';

let folder: TemporaryFolder;
let model: FakeModelServer;
let program: ReturnType<typeof startCommand> | null = null;
beforeAll(async () => {
  folder = await temporaryFolder();
  model = await startFakeModelServer({ key: testKey });
});
afterAll(async () => {
  // Where an expectation failed half-way.
  program?.kill('SIGKILL');
  await model[Symbol.asyncDispose]();
  await folder.remove();
});

const linesOf = async (file: string) =>
  (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
const dataset = (name: string) => join(programFiles.datasets, name);

it('a session connects only to this machine and the configured endpoint', async () => {
  const witness = join(folder.path, 'connections.txt');
  await writeFile(witness, '');
  const env = {
    TOUCHSTONE_CONNECTIONS: witness,
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'testing', 'connectionWitness.ts')).href}`,
    OPENAI_COMPATIBLE_API_KEY: testKey,
  };
  const workspace = join(folder.path, 'workspace');
  program = startCommand(['open', '--host', 'loopback', '--no-browser', '--port', '0'], {
    workspace,
    env,
  });
  program.stderr.resume();
  await once(createInterface({ input: program.stdout }), 'line');
  expect((await linesOf(witness)).filter((what) => what.startsWith('native '))).toHaveLength(1);
  const run = async (...args: string[]) => {
    const { code, stderr } = await spawnCommand(args, { workspace, env });
    expect([0, 1], `${args.join(' ')}: ${stderr}`).toContain(code);
  };
  await run(
    'eval',
    '--suite',
    'todo-sample',
    '--provider',
    'openai-compatible',
    '--base-url',
    `${model.origin}/v1`,
    '--model',
    'fake-model',
    '--quiet',
    '--allow-failed',
    '1',
  );
  await run('security', '--server', 'todo');
  await run(
    'retrieval',
    '--corpus',
    dataset('corpus_v1.json'),
    '--golden',
    dataset('retrieval_golden_v1.json'),
    '--retriever',
    'default',
  );

  const endpoint = findHolder(workspace)?.endpoint;
  if (endpoint == null) throw new Error('The window has no endpoint.');
  const window = await connectToHost(endpoint);
  const { client } = window;
  const { contactedHosts } = await client.settings.info();
  const { lines } = await client.settings.log({ lines: 1000 });
  await window.close();
  const ended = once(program, 'exit');
  program.kill('SIGTERM');
  await ended;

  const configured = new URL(model.origin).host;
  const seen = new Set((await linesOf(witness)).filter((what) => !what.startsWith('native ')));
  // The witness sees: the endpoint that was set, and the commands' way into the window.
  expect([...seen]).toEqual(
    expect.arrayContaining([
      `tcp ${configured.replace(/:\d+$/, '')}:${configured.split(':')[1] ?? ''}`,
      `tcp 127.0.0.1:${endpoint.port}`,
    ]),
  );
  expect(
    [...seen].filter(
      (what) =>
        what !== `tcp ${configured}` &&
        what !== `tcp 127.0.0.1:${endpoint.port}` &&
        !/^name (127\.0\.0\.1|localhost)$/.test(what),
    ),
  ).toEqual([]);
  // What Settings shows is what happened.
  expect(contactedHosts).toEqual([configured]);
  expect(lines.join('\n')).not.toContain(testKey);
});
