import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executorTypes, type ExecutorType } from '../../../../src-shared/domain/executors.ts';
import { schemaExample } from '../../../../src-shared/domain/schemaExample.ts';
import { runnableDraft, toolExamples } from '../../../../src-shared/domain/toolExamples.ts';
import { readDraft } from '../../../services/workshop/readDraft.ts';
import { writeToolFiles } from '../../../services/workshop/toolFiles.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { pythonHere } from '../../../testing/python.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { createTestWorkshop, noSignal } from '../../../testing/workshop.ts';

const python = await pythonHere('workshopExamples.test.ts');
let folder: TemporaryFolder;
let workspace: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  // An empty workspace: no sample data, no registered server.
  workspace = join(folder.path, 'workspace');
});
afterAll(() => folder.remove());

const contentOf = (type: ExecutorType) => {
  const { content, problems } = readDraft(runnableDraft(toolExamples[type]));
  if (content === null) throw new Error(JSON.stringify(problems));
  return content;
};
/** Runs the example of an executor as a draft, with the arguments that its form begins with. */
const runExample = async (type: ExecutorType) => {
  const content = contentOf(type);
  const at = join(folder.path, type);
  await mkdir(at);
  for (const { path, text } of writeToolFiles(content, [])) await writeFile(join(at, path), text);
  const args = JSON.stringify(schemaExample(content.inputSchema));
  return runCommand(
    ['workshop', 'run', '--file', join(at, 'new_tool.tool.json'), '--arguments', args, '--json'],
    { workspace },
  );
};
const results: Record<ExecutorType, unknown> = {
  python: { words: 6 },
  shell: 'TO BE OR NOT TO BE',
  http: {
    method: 'GET',
    path: '/items/42',
    query: { full: 'true' },
    headers: { 'accept-language': 'en' },
    body: null,
  },
  mcp: { title: 'Buy milk', user_id: 'me', completed: false },
};

describe('examples of new tools', () => {
  for (const type of executorTypes)
    it.skipIf(type === 'python' && python === null)(
      `${type}: runs as it is in an empty workspace`,
      async () => {
        const { code, stdout, stderr } = await runExample(type);
        expect([code, stderr]).toEqual([0, '']);
        expect(JSON.parse(stdout)).toMatchObject({
          status: 'SUCCESS',
          output_data: results[type],
        });
      },
    );

  it('python: says what to install where there is no Python', async () => {
    await using at = createTestWorkshop();
    await at.workshop.updateSettings({ python: '/no/such/python3' }, noSignal);
    const { id } = await at.workshop.startDraft(
      { content: contentOf('python'), arguments: { text: 'a' } },
      noSignal,
    );
    const ended = await at.workshop.wait({ id }, noSignal);
    expect(ended).toMatchObject({ status: 'FAILED', errorCode: 'no_interpreter' });
    expect(ended.errorMessage).toMatch(
      /\/no\/such\/python3[\s\S]*Install Python 3, or set its path/,
    );
  });

  it('http: reaches nothing but the echo, and only under its own name', async () => {
    await using at = createTestWorkshop();
    const run = async (url: string) => {
      const content = contentOf('http');
      if (content.executorType !== 'http') throw new Error('not http');
      const changed = { ...content, executorConfig: { ...content.executorConfig, url } };
      const { id } = await at.workshop.startDraft(
        { content: changed, arguments: { id: '../x?y' } },
        noSignal,
      );
      return at.workshop.wait({ id }, noSignal);
    };
    expect(await run('http://ECHO.localhost/a/{{id}}')).toMatchObject({
      outputData: { path: '/a/..%2Fx%3Fy' },
    });
    for (const url of [
      'http://echo.localhost:8080/',
      'http://echo.localhost.example.test/',
      'http://other.localhost/',
      'http://127.0.0.1:1/',
    ]) {
      const ended = await run(url);
      expect([url, ended.status]).toEqual([url, 'FAILED']);
      expect(['policy', 'network']).toContain(ended.errorCode);
    }
  });
});
