/**
 * Runs the promptfoo export of every sample case and task in promptfoo itself, with recorded answers in place
 * of a model. promptfoo is too large for the development tools of a clone (about 260 MB), so this
 * installs the pinned version into a cache folder on first use. Run `npm run build` before.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { exchangeFormats } from '../../src-main/services/suites/exchange/formats.ts';
import { readSuiteFile } from '../../src-main/services/suites/suiteFile.ts';
import { casesOfFile } from '../../src-shared/domain/suiteFile.ts';
import { checkConversations } from './conversations.ts';
import { evaluateInPromptfoo, installPromptfoo, root, version, work } from './runPromptfoo.ts';

const suites = ['todo-sample', 'office-sample'];

interface Call {
  name: string;
  args: JsonValue;
}
interface Metadata {
  id: string;
  expected_calls: { tool: string; args?: JsonObject }[];
}
interface Test {
  vars: { query: string };
  metadata: Metadata;
}
/** A line of a recording. */
interface Recorded {
  request: { query: string };
  observation: { calls: { name: string; arguments: JsonObject | null }[] };
}

const openAiChat = (calls: readonly Call[]): JsonValue =>
  calls.length === 0
    ? 'There is nothing to call.'
    : calls.map(({ name, args }, index) => ({
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }));

/** How each provider of promptfoo returns calls. */
const shapes: Record<string, (calls: readonly Call[]) => JsonValue> = {
  'openai-chat': openAiChat,
  'openai-responses': (calls) =>
    calls
      .map(({ name, args }) =>
        JSON.stringify({ type: 'function_call', name, arguments: JSON.stringify(args) }),
      )
      .join('\n'),
  anthropic: (calls) =>
    [
      'I will do that.',
      ...calls.map(({ name, args }) => JSON.stringify({ type: 'tool_use', name, input: args })),
    ].join('\n\n'),
  google: (calls) => calls.map(({ name, args }) => ({ functionCall: { name, args } })),
};

installPromptfoo();
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const tools = join(work, 'tools.json');
writeFileSync(tools, JSON.stringify({ tools: readSampleTools() }));

let checked = 0;
for (const suite of suites) {
  const { config, tests } = exportSuite(suite);
  for (const [shape, write] of Object.entries(shapes)) {
    const right = tests.map(({ metadata }) => write(expectedCalls(metadata)));
    checkAll(`${suite}, expected calls as ${shape}`, runPromptfoo(config, tests, right), true);
    const wrong = tests.map(({ metadata }) => write(wrongCalls(expectedCalls(metadata))));
    checkAll(`${suite}, wrong calls as ${shape}`, runPromptfoo(config, tests, wrong), false);
  }
  checkAgreement(suite, config, tests);
}
const turns = checkConversations(suitePath('todo-tasks'));
console.log(
  `promptfoo ${version} judged ${checked} answers and ${turns} turns of conversations as expected.`,
);

function touchstone(...args: string[]): string {
  const workspace = ['--workspace', join(work, 'workspace')];
  return execFileSync(
    process.execPath,
    [join(root, 'bin', 'touchstone.mjs'), ...workspace, ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, TOUCHSTONE_KEYCHAIN: 'off' },
    },
  );
}

function readSampleTools(): JsonValue[] {
  const todo = JSON.parse(touchstone('tools', '--server', 'todo', '--json')) as {
    tools: JsonObject[];
  };
  const others = ['calendar', 'files', 'mail'].flatMap((server) => {
    const path = join(root, 'datasets', 'sample', `${server}.tools.json`);
    const file = JSON.parse(readFileSync(path, 'utf8')) as { tools: JsonObject[] };
    return file.tools.map((tool) => ({ ...tool, server }));
  });
  return [...todo.tools, ...others];
}

function suitePath(suite: string): string {
  return join(root, 'datasets', 'sample', `${suite}.suite.yaml`);
}

function exportSuite(suite: string): { config: string; tests: Test[] } {
  const { file, problems } = readSuiteFile(readFileSync(suitePath(suite), 'utf8'));
  if (file === null) throw new Error(JSON.stringify(problems));
  const { text } = exchangeFormats.promptfoo.write({ ...file, cases: casesOfFile(file) });
  const { tests } = parse(text) as { tests: Test[] };
  return { config: text, tests };
}

function expectedCalls({ expected_calls }: Metadata): Call[] {
  return expected_calls.map(({ tool, args = {} }) => ({ name: tool, args }));
}

/** One call too many where none is expected; else the last call has another argument or tool. */
function wrongCalls(calls: readonly Call[]): Call[] {
  const last = calls.at(-1);
  if (last === undefined) return [{ name: 'add_task', args: {} }];
  const args = isJsonObject(last.args) ? last.args : {};
  const name = Object.keys(args).find((each) => args[each] !== null);
  const wrong =
    name === undefined
      ? { ...last, name: `${last.name}_other` }
      : { ...last, args: { ...args, [name]: 'another value' } };
  return [...calls.slice(0, -1), wrong];
}

/** Runs all tests; the answer of each test is given. Returns which passed, in their order. */
function runPromptfoo(
  config: string,
  tests: readonly Test[],
  answers: readonly JsonValue[],
): boolean[] {
  const answersFile = join(work, 'answers.json');
  const byQuery = tests.map((test, index) => [test.vars.query, answers[index] ?? null] as const);
  writeFileSync(answersFile, JSON.stringify(Object.fromEntries(byQuery)));
  const results = evaluateInPromptfoo(
    config,
    `import { readFileSync } from 'node:fs';
const answers = JSON.parse(readFileSync(${JSON.stringify(answersFile)}, 'utf8'));
export default class {
  id() { return 'recorded'; }
  async callApi(_prompt, { vars }) { return { output: answers[vars.query] }; }
}
`,
  );
  const passed = new Map(results.map(({ testIdx, success }) => [testIdx, success]));
  if (passed.size !== tests.length)
    throw new Error(`promptfoo ran ${passed.size} of ${tests.length} tests.`);
  return tests.map((_, index) => passed.get(index) === true);
}

function checkAll(what: string, passed: readonly boolean[], wanted: boolean): void {
  const other = passed.flatMap((each, index) => (each === wanted ? [] : [index]));
  if (other.length > 0)
    throw new Error(`${what}: promptfoo decides tests ${other.join(', ')} otherwise.`);
  checked += passed.length;
  console.log(`${what}: ${passed.length} of ${passed.length}`);
}

/**
 * Runs what the built-in selector really called, and compares the verdicts. promptfoo may pass what
 * Touchstone fails where a matcher could not be exported, and fail what differs only in letter case;
 * anything else is an error.
 */
function checkAgreement(suite: string, config: string, tests: readonly Test[]): void {
  const recording = join(work, `${suite}.jsonl`);
  const report = join(work, `${suite}.json`);
  touchstone(
    ...['eval', '--suite', suitePath(suite), '--tools', tools, '--provider', 'builtin'],
    ...['--record', recording, '--report', report],
  );
  const lines = readFileSync(recording, 'utf8').trim().split('\n');
  const calls = new Map(
    lines
      .map((line) => JSON.parse(line) as Recorded)
      .map(({ request, observation }) => [request.query, observation.calls]),
  );
  const answers = tests.map(({ vars }) => {
    const made = calls.get(vars.query);
    if (made === undefined) throw new Error(`${vars.query} was not recorded.`);
    return openAiChat(made.map(({ name, arguments: args }) => ({ name, args: args ?? {} })));
  });
  const { runs } = JSON.parse(readFileSync(report, 'utf8')) as {
    runs: { query: string; passed: boolean | null }[];
  };
  const ours = new Map(runs.map(({ query, passed }) => [query, passed]));
  const theirs = runPromptfoo(config, tests, answers);
  const differing = tests.filter(({ vars }, index) => ours.get(vars.query) !== theirs[index]);
  const { losses } = lossesOf(suite);
  const unexplained = differing.filter(({ metadata }) => !losses.has(metadata.id));
  if (unexplained.length > 0)
    throw new Error(
      `${suite}: the verdicts differ without a reported loss: ` +
        unexplained.map(({ metadata }) => metadata.id).join(', '),
    );
  checked += tests.length - differing.length;
  console.log(
    `${suite}, calls of the built-in selector: the same verdict in ${tests.length - differing.length} ` +
      `of ${tests.length}; the others are reported as losses of the export`,
  );
}

function lossesOf(suite: string): { losses: Set<string> } {
  const { file } = readSuiteFile(readFileSync(suitePath(suite), 'utf8'));
  if (file === null) throw new Error(`${suite} can't be read.`);
  const { losses } = exchangeFormats.promptfoo.write({ ...file, cases: casesOfFile(file) });
  return { losses: new Set(losses.flatMap((loss) => (loss.case === null ? [] : [loss.case]))) };
}
