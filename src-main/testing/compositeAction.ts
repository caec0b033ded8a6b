import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { parse } from 'yaml';

interface Step {
  id?: string;
  name: string;
  if?: string;
  uses?: string;
  shell?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}
interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

export interface ActionRun {
  /** The folder of action.yml. */
  action: string;
  inputs: Record<string, string>;
  /** The `github` context, with `event`. */
  github: Record<string, unknown>;
  /** The values of this leg; null outside of a matrix. */
  matrix?: Record<string, unknown> | null;
  env: Record<string, string>;
  /** The folder of the checkout. */
  cwd: string;
  /** The folder of the runner's own files: one for each job, and several uses share it. */
  temp: string;
  /** What the two artifact actions talk to. */
  artifacts: ArtifactStore;
  /** Whether a script for Node is a process of its own, or a thread of this one. */
  scripts: 'process' | 'here';
}

/** Artifacts of runs; each is a folder. */
export interface ArtifactStore {
  /** Throws as the action of GitHub's fails. */
  upload: (run: string, name: string, path: string, overwrite: boolean) => void;
  download: (run: string, name: string, path: string) => void;
}

export interface ActionResult {
  failed: boolean;
  outputs: Record<string, string>;
  ran: string[];
  log: string;
  summary: string;
}

/** A property of GitHub's contexts that is not there is empty. */
const context = (value: unknown): unknown =>
  new Proxy(Object(value ?? {}) as object, {
    get: (target, key) => {
      const found = Reflect.get(target, key) as unknown;
      if (key === Symbol.toPrimitive) return () => '';
      return typeof found === 'object' || found === undefined ? context(found) : found;
    },
  });

/**
 * Runs the steps of a composite action as GitHub's runner does, as far as ours needs it: inputs,
 * conditions, expressions, the environment files, and the two actions for artifacts. Its rules are of
 * GitHub's documentation:
 * - Contexts of a composite step are github, inputs, strategy, matrix, steps, job, runner and env, and
 *   no secrets (`string-steps-context` of actions/runner, src/Runner.Worker/action_yaml.json).
 * - `bash` runs with `--noprofile --norc -eo pipefail` (workflow syntax, `jobs.<id>.steps[*].shell`).
 * - A step without `if` runs if none failed (`success()`), and the files of `GITHUB_OUTPUT` and
 *   `GITHUB_PATH` are read after each step (workflow commands).
 * - `RUNNER_TEMP` is emptied before and after each job, not between its steps (variables reference).
 */
export async function runAction(run: ActionRun): Promise<ActionResult> {
  const action = parse(readFileSync(join(run.action, 'action.yml'), 'utf8')) as Action;
  if (action.runs.using !== 'composite') throw new Error('It is not a composite action.');
  const unknown = Object.keys(run.inputs).filter((name) => !Object.hasOwn(action.inputs, name));
  if (unknown.length > 0) throw new Error(`There is no input ${unknown.join(', ')}.`);
  const result: ActionResult = { failed: false, outputs: {}, ran: [], log: '', summary: '' };
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const file = (name: string): string => join(run.temp, name);
  mkdirSync(run.temp, { recursive: true });
  writeFileSync(file('summary'), '');
  if (!existsSync(file('path'))) writeFileSync(file('path'), '');

  const inputs: Record<string, string> = {};
  const evaluate = (text: string): unknown => {
    const names = {
      always: () => true,
      success: () => !result.failed,
      toJSON: (value: unknown) => JSON.stringify(value),
    };
    // A dash is part of a name in GitHub's expressions, never a minus.
    const script = text.replace(/\.([\w]+(?:-[\w]+)+)/g, "['$1']");
    return runInNewContext(script, {
      ...names,
      inputs: context(inputs),
      github: context(run.github),
      runner: context({ temp: run.temp }),
      steps: context(steps),
      matrix: run.matrix ?? null,
    }) as unknown;
  };
  const expand = (text: string): string =>
    text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
      const value = evaluate(expression.trim());
      if (typeof value === 'string') return value;
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
    });
  for (const [name, input] of Object.entries(action.inputs))
    inputs[name] = run.inputs[name] ?? expand(input.default ?? '');

  for (const step of action.runs.steps) {
    const condition = step.if ?? 'success()';
    const always = condition.includes('always()');
    if ((result.failed && !always) || evaluate(condition) !== true) continue;
    result.ran.push(step.name);
    const expanded = (texts: Record<string, unknown> = {}): Record<string, string> =>
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, expand(String(text))]));
    if (step.uses !== undefined) {
      try {
        useArtifact(step.uses, expanded(step.with), run);
      } catch (error) {
        result.log += `::error::${(error as Error).message}\n`;
        result.failed = true;
      }
      continue;
    }
    if (step.shell !== 'bash') throw new Error(`${step.name} has no shell that is known here.`);
    const output = file(`output-${result.ran.length}`);
    writeFileSync(output, '');
    const added = readFileSync(file('path'), 'utf8').split('\n').filter(Boolean);
    const script = /^node "\$GITHUB_ACTION_PATH\/(\S+)"$/.exec(step.run ?? '')?.[1];
    const isHere = script !== undefined && run.scripts === 'here';
    const { code, log } = await (isHere ? thread : shell)(
      isHere ? join(run.action, script) : (step.run ?? ''),
      {
        cwd: run.cwd,
        env: {
          ...run.env,
          PATH: [...added.reverse(), run.env['PATH'] ?? ''].join(delimiter),
          RUNNER_TEMP: run.temp,
          GITHUB_ACTION_PATH: run.action,
          GITHUB_EVENT_NAME: String(run.github['event_name']),
          GITHUB_REF_NAME: String(run.github['ref_name']),
          GITHUB_RUN_ID: String(run.github['run_id']),
          GITHUB_OUTPUT: output,
          GITHUB_PATH: file('path'),
          GITHUB_STEP_SUMMARY: file('summary'),
          ...expanded(step.env),
        },
      },
    );
    result.log += log;
    if (code !== 0) result.failed = true;
    const written = readFileSync(output, 'utf8').split('\n').filter(Boolean);
    if (step.id !== undefined)
      steps[step.id] = {
        outputs: Object.fromEntries(
          written.map((line) => {
            const at = line.indexOf('=');
            return [line.slice(0, at), line.slice(at + 1)];
          }),
        ),
      };
  }
  for (const [name, { value }] of Object.entries(action.outputs))
    result.outputs[name] = expand(value);
  result.summary = readFileSync(file('summary'), 'utf8');
  return result;
}

/** In place of GitHub's two actions for artifacts. */
function useArtifact(uses: string, given: Record<string, string>, run: ActionRun): void {
  const runId = String(run.github['run_id']);
  const { name = '', path = '' } = given;
  if (uses.startsWith('actions/upload-artifact@'))
    run.artifacts.upload(runId, name, path, given['overwrite'] === 'true');
  else if (uses.startsWith('actions/download-artifact@'))
    run.artifacts.download(given['run-id'] ?? runId, name, path);
  else throw new Error(`${uses} is not known here.`);
}

/** Runs a script that names its files by their whole paths, in a third of the time of a process. */
async function thread(
  file: string,
  { env }: { env: Record<string, string> },
): Promise<{ code: number; log: string }> {
  const worker = new Worker(file, { env, stdout: true, stderr: true });
  const ended = new Promise<number>((resolve, reject) => {
    worker.once('error', reject).once('exit', resolve);
  });
  const [code, ...logs] = await Promise.all([ended, text(worker.stdout), text(worker.stderr)]);
  return { code, log: logs.join('') };
}

function shell(
  script: string,
  options: { cwd: string; env: Record<string, string> },
): Promise<{ code: number | null; log: string }> {
  return new Promise((resolve, reject) => {
    const flags = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c'];
    const child = spawn('bash', [...flags, script], { ...options, stdio: 'pipe' });
    let log = '';
    child.stdout.on('data', (part: Buffer) => (log += part.toString()));
    child.stderr.on('data', (part: Buffer) => (log += part.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, log }));
    child.stdin.end();
  });
}
