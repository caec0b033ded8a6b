import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });
/** A program of the suite: its text is an ES module, and `run` what it was given. */
function program(name: string, text: string): string[] {
  const given = "let text = ''; for await (const part of process.stdin) text += part;";
  writeFileSync(at(`suite/${name}.mjs`), `${given}\nconst run = JSON.parse(text);\n${text}`);
  return [process.execPath, `${name}.mjs`];
}

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(at('suite'));
});
afterAll(() => folder.remove());

interface Run {
  task: string;
  outcome: string;
  failure: string | null;
  reason: string | null;
  checks: { id: string; passed: boolean | null; reason: string; score?: number }[];
  partial_credit: number | null;
}

const play = (options: readonly string[]) =>
  run(
    ...['eval', '--suite', at('suite/s.yaml'), '--provider', 'builtin', '--only', 'tasks'],
    ...['--report', at('r.json'), ...options],
  );
/** Runs tasks that differ in their checks with the offline model on the bundled Todo server. */
async function played(
  tasks: Record<string, object[]>,
  common: object = {},
  options: readonly string[] = ['--allow-programs'],
) {
  const cases = Object.entries(tasks).map(([id, checks]) => ({
    ...{ id, name: id, turns: ['Add a task "Buy milk" for user u-1.'], checks },
    ...common,
  }));
  const suite = { version: 1, name: 'programs', servers: ['todo'], cases };
  writeFileSync(at('suite/s.yaml'), stringify(suite));
  const ended = await play(['--execute', 'full', '--yes', ...options]);
  const read = () => JSON.parse(readFileSync(at('r.json'), 'utf8')) as { runs: Run[] };
  return { ended, of: (id: string) => read().runs.find(({ task }) => task === id) };
}

describe('a check by a program', () => {
  it('is given the run and decides by the last line that it writes', async () => {
    const list = { server: 'todo', tool: 'list_tasks', arguments: { user_id: 'u-1' } };
    const command = program(
      'whole',
      `const { calls } = run.steps[0];
       const title = run.readings.read.structured.tasks[0].title;
       const facts = [calls[0].tool, calls[0].arguments.title, calls[0].answered_by, title,
         run.end.by, run.version, run.repetition, run.task.turns.length,
         run.run_folder === process.env.TOUCHSTONE_RUN_DIR, run.answer.includes('milk'),
         Object.keys(process.env).some((name) => /KEY|TOKEN/.test(name))];
       console.log('judging ...');
       console.log(JSON.stringify({ passed: false, score: 0.25, reason: JSON.stringify(facts) }));
       process.exitCode = 1;`,
    );
    const yes = program('yes', 'console.log(JSON.stringify({ passed: true }));');
    const { ended, of } = await played({
      no: [
        { id: 'read', state: { ...list, at: '/count', matches: 1 } },
        { id: 'whole', program: { command }, weight: 2 },
      ],
      yes: [{ program: { command: yes, timeout: 20 } }],
    });
    expect(ended.stderr).toContain('The suite starts 2 programs on this computer');
    expect(of('no')).toMatchObject({ outcome: 'check_failed', partial_credit: 0.5 });
    const { reason = '' } = of('no')?.checks.find(({ id }) => id === 'whole') ?? {};
    expect(JSON.parse(reason)).toEqual([
      ...['add_task', 'Buy milk', 'executed', 'Buy milk', 'answered', 1, 1, 1],
      ...[true, true, false],
    ]);
    expect(of('yes')).toMatchObject({ outcome: 'succeeded', partial_credit: 1 });
    expect((await run('verify', at('r.json'))).code).toBe(0);
    const forged = readFileSync(at('r.json'), 'utf8').replace(/"score":\s*0\.25/u, '"score":0.75');
    writeFileSync(at('forged.json'), forged);
    const refused = await run('verify', at('forged.json'));
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('partial_credit')]);
  });

  it('leaves a run unscored where its program gives no verdict', async () => {
    const said = (name: string, text: string) => [{ program: { command: program(name, text) } }];
    const { ended, of } = await played({
      exit: said('exit', 'console.error("no rows"); process.exit(3);'),
      junk: said('junk', 'console.log("passed");'),
      score: said('score', 'console.log(JSON.stringify({ passed: true, score: 7 }));'),
      flood: said('flood', 'console.log("x".repeat(3_000_000));'),
      slow: [{ program: { command: program('slow', 'setInterval(() => {}, 1000);'), timeout: 1 } }],
      missing: [{ program: { command: ['no-such-program'] } }],
      killed: said('killed', 'process.kill(process.pid, "SIGKILL");'),
    });
    expect(ended.code).toBe(3);
    const reasons = {
      exit: /exited with code 3.*no rows/su,
      junk: /its last line isn't/u,
      score: /its last line isn't/u,
      flood: /wrote more than 1024 kB/u,
      slow: /was ended after 1(?:\.0)? s/u,
      missing: /"no-such-program" was not found/u,
      killed: /was ended by SIGKILL/u,
    };
    for (const [id, reason] of Object.entries(reasons)) {
      expect(of(id), id).toMatchObject({ outcome: 'not_scored', partial_credit: null });
      expect(of(id)?.checks, id).toMatchObject([
        { passed: null, reason: expect.stringMatching(reason) as string },
      ]);
    }
  });

  it('decides by its exit code if the check says so, and by nothing that it writes', async () => {
    const coded = (name: string, text: string) => [
      { program: { command: program(name, text), exit_code: true } },
    ];
    const { ended, of } = await played({
      zero: coded('zero', 'console.log(JSON.stringify({ passed: false }));'),
      other: coded('other', 'console.log("One file is missing."); process.exit(3);'),
      silent: coded('silent', 'console.error("no rows"); process.exit(1);'),
      unstarted: coded('unstarted', 'process.exit(127);'),
      killed: coded('killed', 'process.kill(process.pid, "SIGKILL");'),
    });
    expect(ended.code).toBe(3);
    expect(of('zero')?.outcome).toBe('succeeded');
    for (const [id, reason] of Object.entries({
      other: 'The program exited with code 3. It wrote: One file is missing.',
      silent: 'The program exited with code 1. It wrote: no rows',
    }))
      expect(of(id), id).toMatchObject({ outcome: 'check_failed', checks: [{ reason }] });
    for (const id of ['unstarted', 'killed'])
      expect(of(id), id).toMatchObject({ outcome: 'not_scored', checks: [{ passed: null }] });
  });

  it('is never started without --allow-programs, whatever the files say', async () => {
    const mark = at('started');
    const command = program(
      'mark',
      `(await import('node:fs')).writeFileSync(${JSON.stringify(mark)}, '');`,
    );
    const { ended } = await played({ one: [{ program: { command } }] }, {}, []);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('give --allow-programs');
    expect(ended.stderr).toContain(`mark.mjs (in ${at('suite')})`);
    const files = [{ program: { command } }];
    const prepared = await played({ one: [{ calls: { must: ['add_task'] } }] }, { files }, []);
    expect(prepared.ended.code).toBe(2);
    writeFileSync(
      at('touchstone.yaml'),
      stringify({
        ...{ version: 1, suite: 'suite/s.yaml', only: 'tasks', execute: 'full' },
        ...{ servers: ['todo'], models: [{ provider: 'builtin' }], allow_programs: true },
      }),
    );
    const checked = await run('check', '--config', at('touchstone.yaml'), '--yes');
    expect([checked.code, checked.stderr]).toEqual([2, expect.stringContaining('allow_programs')]);
    expect(() => readFileSync(mark)).toThrow('ENOENT');
  });

  it('is replayed by what it said, without the program', async () => {
    const command = program('once', 'console.log(JSON.stringify({ passed: true, score: 0.5 }));');
    const recorded = ['--allow-programs', '--record', at('rec.jsonl')];
    await played({ one: [{ program: { command } }] }, {}, recorded);
    program('once', 'console.log(JSON.stringify({ passed: false }));');
    const replayed = await run(
      ...['eval', '--suite', at('suite/s.yaml'), '--replay', at('rec.jsonl'), '--only', 'tasks'],
      ...['--report', at('r.json')],
    );
    expect(replayed.code).toBe(0);
    const { runs } = JSON.parse(readFileSync(at('r.json'), 'utf8')) as { runs: Run[] };
    expect(runs).toMatchObject([{ outcome: 'succeeded', partial_credit: 0.5 }]);
  });
});
