import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const suite = `version: 1
name: simulated
servers: [todo]
cases:
  - id: name
    name: Name
    turns: ['Which name do you need?']
    checks:
      - answer: { $contains: Ada }
    user: { goal: Be greeted by name., knows: [You are Ada.], max_turns: 4 }
`;
let folder: TemporaryFolder;
let server: FakeModelServer;
const at = (name: string): string => join(folder.path, name);
const evaluate = async (...args: string[]) => evaluateFile('s.yaml', ...args);
const evaluateFile = async (file: string, ...args: string[]) => {
  const ended = await runCommand(
    [
      ...['eval', '--suite', at(file), '--only', 'tasks', '--json'],
      ...['--provider', 'openai-compatible', '--base-url', `${server.origin}/v1`],
      ...['--model', 'fake-model', ...args],
    ],
    { workspace: at('workspace') },
  );
  return { ...ended, report: JSON.parse(ended.stdout || 'null') as Report };
};
interface Report {
  tasks: object;
  simulated_user: object | null;
  runs: { outcome: string }[];
}

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('s.yaml'), suite);
  server = await startFakeModelServer({
    // The user tells its name once, and stops when it is greeted.
    rule: ({ body, query }) => {
      const isUser = body['model'] === 'user-1';
      const greeted = query.includes('Hello Ada');
      const said = greeted ? '###STOP###' : 'I am Ada.';
      return {
        does: 'answer',
        text: isUser ? said : query.includes('Ada') ? 'Hello Ada.' : 'Who?',
      };
    },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

describe('eval with a simulated user', () => {
  it('asks its model, records what it says, and replays it without a model', async () => {
    const user = ['--user-model', 'user-1', '--user-base-url', `${server.origin}/v1`];
    const recorded = await evaluate(...user, '--record', at('r.jsonl'));
    expect(recorded.stderr).not.toContain('warning');
    expect(recorded.report).toMatchObject({
      simulated_user: { model: 'openai-compatible · user-1', runs: 1, turns: 1 },
      runs: [{ outcome: 'succeeded' }],
    });
    const before = server.requests.length;
    const replayed = await evaluate(...user, '--replay', at('r.jsonl'));
    expect(server.requests).toHaveLength(before);
    expect(replayed.report.tasks).toEqual(recorded.report.tasks);
    expect(replayed.report.simulated_user).toMatchObject({ runs: 1, turns: 1 });
    expect(replayed.report.runs).toMatchObject([{ outcome: 'succeeded' }]);
  });

  it('replays a recording with --stamp to the same bytes in every format', async () => {
    const tool = { server: 'todo', name: 'greet', description: 'Greets somebody.' };
    writeFileSync(at('tools.json'), JSON.stringify({ tools: [tool] }));
    const files = ['json', 'md', 'html', 'csv', 'xml'].map((type) => at(`replayed.${type}`));
    const command = (...args: string[]) =>
      runCommand(
        [
          ...['eval', '--suite', at('s.yaml'), '--tools', at('tools.json'), '--only', 'tasks'],
          ...['--provider', 'openai-compatible', '--base-url', `${server.origin}/v1`],
          ...['--user-model', 'user-1', '--user-base-url', `${server.origin}/v1`],
          ...['--model', 'fake-model', ...args],
        ],
        { workspace: at('unused'), env: { GITHUB_STEP_SUMMARY: at('summary.md') } },
      );
    expect((await command('--record', at('bytes.jsonl'))).code).toBe(0);
    const before = server.requests.length;
    const replay = async (): Promise<string[]> => {
      rmSync(at('summary.md'), { force: true });
      const { code, stdout } = await command(
        ...['--replay', at('bytes.jsonl'), '--stamp', 'fixed', '--report', ...files, 'github'],
      );
      expect(code).toBe(0);
      // GitHub Actions gets a summary, and annotations on standard output.
      return [...[...files, at('summary.md')].map((file) => readFileSync(file, 'utf8')), stdout];
    };
    const [first, second] = [await replay(), await replay()];
    expect(server.requests).toHaveLength(before);
    expect(JSON.parse(first[0] ?? '')).toMatchObject({ simulated_user: { runs: 1, turns: 1 } });
    expect(first).toHaveLength(formatsBySubject.tasks.length);
    for (const [index, text] of first.entries())
      expect(text === second[index], `format ${index}`).toBe(true);
  });

  it('plays only the scripted turns without one, and says so', async () => {
    const alone = await evaluate();
    expect(alone.stderr).toContain('choose a model that plays the user');
    expect(alone.report.simulated_user).toBeNull();
    expect(alone.report.runs).toMatchObject([{ outcome: 'check_failed' }]);
  });

  it('plays the script of the user without a model, and replays it', async () => {
    const scripted = suite.replace('max_turns: 4', 'script: [I am Ada.]');
    writeFileSync(at('scripted.yaml'), scripted);
    const play = (...args: string[]) => evaluateFile('scripted.yaml', ...args);
    const played = await play('--record', at('script.jsonl'), '--report', at('r.json'));
    expect(played.stderr).not.toContain('warning');
    expect(played.report).toMatchObject({
      simulated_user: { model: 'script', runs: 1, turns: 1, tokens: null },
      runs: [{ outcome: 'succeeded' }],
    });
    const before = server.requests.length;
    const replayed = await play('--replay', at('script.jsonl'));
    expect(server.requests).toHaveLength(before);
    expect(replayed.report.simulated_user).toEqual(played.report.simulated_user);
    expect(replayed.report.runs).toMatchObject([{ outcome: 'succeeded' }]);
    const verified = await runCommand(['verify', at('r.json')], { workspace: at('workspace') });
    expect(verified).toMatchObject({ code: 0, stderr: '' });
  });

  it('refuses an address or a provider without the name of a model', async () => {
    const refused = await evaluate('--user-provider', 'openai');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--user-model');
  });
});
