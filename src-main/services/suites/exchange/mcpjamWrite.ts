import { formatCount } from '../../../../src-shared/display/numbers.ts';
import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { ArgumentsMode } from '../../../../src-shared/domain/testCase.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import { slug } from '../../files/safeFileName.ts';
import { toMcpjamTask } from './mcpjamTasks.ts';
import { firstRightCall, type SingleCall } from './firstRightCall.ts';
import type { FileCall } from './suiteDraft.ts';
import { suiteLosses } from './suiteLosses.ts';
import { comparesLoosely, plainValue } from './values.ts';

const maxCases = 500;
const maxTitleLength = 200;
const toMcpjamId = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, '-');

/** Writes a suite as an MCPJam file and reports what is lost. */
export function writeMcpjam(
  suite: CaseFile,
  tasks: readonly SuiteFileTask[] = [],
): { text: string; losses: ExportLoss[] } {
  const losses = suiteLosses(
    suite,
    { messages: true, caseServers: true, tags: true, order: true, allowed: true, ownPrompts: true },
    false,
  );
  losses.push({
    case: null,
    what:
      'MCPJam needs a model, repetitions, and a pass threshold. The file has "choose-a-model", ' +
      '1 and 1. Replace them with your own.',
  });
  if (suite.servers.length === 0)
    losses.push({
      case: null,
      what: 'MCPJam needs a server, but the suite has none. The file has "choose-a-server": replace it.',
    });
  for (const { id } of [...suite.cases, ...tasks].slice(maxCases))
    losses.push({
      case: id,
      what: `It isn’t exported: an MCPJam file holds at most ${formatCount(maxCases)} cases.`,
    });
  const taken = new Set<string>();
  const file = {
    schemaVersion: '1',
    mode: 'agentWorkflow',
    reportingMode: 'standard',
    suite: { id: toMcpjamId(slug(suite.name, 'suite')), name: truncate(suite.name) },
    target: {
      servers: (suite.servers.length > 0 ? suite.servers : ['choose-a-server']).map((name) => ({
        name,
      })),
    },
    defaults: {
      model: 'choose-a-model',
      ...(suite.system !== undefined && { systemPrompt: suite.system }),
      repetitions: 1,
      passThreshold: 1,
      validity: {},
    },
    cases: [
      ...suite.cases.slice(0, maxCases).map((each) => toMcpjamCase(suite, each, taken, losses)),
      ...tasks.slice(0, Math.max(0, maxCases - suite.cases.length)).map((task) => ({
        ...toHead(task, taken, losses),
        ...toMcpjamTask(task, losses),
      })),
    ],
  };
  return { text: `${JSON.stringify(file, null, 2)}\n`, losses };
}

function toMcpjamCase(
  suite: CaseFile,
  each: SuiteFileCase,
  taken: Set<string>,
  losses: ExportLoss[],
): JsonObject {
  const addLoss = (what: string): void => void losses.push({ case: each.id, what });
  const head = toHead(each, taken, losses);
  const single = each.expected_calls.map((call) => toSingleCall(suite, call, addLoss));
  const tools = single.map(({ tool }) => tool);
  const calls = single.map((call) => toCheck(call, each.arguments_mode, addLoss));
  // MCPJam would match equal checks with the same call, so they become one check with a count.
  const checks: JsonValue[] = [];
  for (const call of new Set(calls.map((check) => JSON.stringify(check)))) {
    const n = calls.filter((check) => JSON.stringify(check) === call).length;
    checks.push({ ...(JSON.parse(call) as JsonObject), ...(n > 1 && { minCount: n }) });
  }
  const steps = [{ id: 'step-1', kind: 'prompt', prompt: each.query }];
  if (tools.length === 0) return { ...head, steps, isNegativeTest: true };
  return {
    ...head,
    steps,
    checks: [...checks, { type: 'onlyToolsCalled', toolNames: [...new Set(tools)] }],
  };
}

/** The id and the title, within the limits of MCPJam. */
function toHead(
  { id: own, name }: Pick<SuiteFileCase, 'id' | 'name'>,
  taken: Set<string>,
  losses: ExportLoss[],
): { id: string; title: string } {
  let id = toMcpjamId(own);
  for (let number = 2; taken.has(id); number += 1) id = `${toMcpjamId(own)}-${number}`;
  taken.add(id);
  if (id !== own)
    losses.push({
      case: own,
      what: `Its ID becomes ${id}: MCPJam allows only letters, digits, _, and -.`,
    });
  if (name.length > maxTitleLength)
    losses.push({
      case: own,
      what: `Its name is cut to ${maxTitleLength} characters, the limit of MCPJam.`,
    });
  return { id, title: truncate(name) };
}

const truncate = (text: string): string => text.slice(0, maxTitleLength).toWellFormed();

/** One right call. Its server is lost unless all servers of the suite are meant. */
function toSingleCall(
  suite: CaseFile,
  call: FileCall,
  addLoss: (what: string) => void,
): SingleCall {
  const tools: SingleCall[] =
    'any_of' in call ? call.any_of : [{ server: call.server, tool: call.tool }];
  // One tool of several servers is no loss, unless each has arguments of its own.
  const isOne = tools.every(
    ({ tool, parameters }) => tool === tools[0]?.tool && parameters === undefined,
  );
  const first = firstRightCall(call, isOne ? () => undefined : addLoss);
  const servers = new Set(tools.map(({ server }) => server));
  const all =
    servers.size === suite.servers.length && suite.servers.every((server) => servers.has(server));
  if (!all)
    addLoss(
      `${first.tool}: its server (${[...servers].join(' or ')}) isn’t exported. ` +
        'MCPJam accepts the tool from any server of the suite.',
    );
  return first;
}

function toCheck(
  { tool, parameters }: SingleCall,
  mode: ArgumentsMode | undefined,
  addLoss: (what: string) => void,
): JsonObject {
  if (parameters === undefined)
    return {
      type: 'toolCalledWith',
      toolName: tool,
      args: { args: {}, argumentMatching: 'ignore' },
    };
  const args: JsonObject = {};
  const isPlain = Object.values(parameters).every((value) => plainValue(value) !== undefined);
  if (mode === 'exact' && !isPlain)
    addLoss(
      `${tool}: additional arguments are accepted, because MCPJam rejects them only where it compares all values.`,
    );
  for (const [name, value] of Object.entries(parameters)) {
    const plain = plainValue(value);
    if (JSON.stringify(value) === '{"$ignore":true}') args[name] = 'any';
    else if (plain === undefined)
      addLoss(`${tool}: ${name} isn’t exported, because MCPJam has no such matcher.`);
    else {
      args[name] = plain;
      if (comparesLoosely(value))
        addLoss(
          `${tool}: MCPJam compares ${name} exactly. Touchstone ignores the case and width of ` +
            'letters.',
        );
      if (
        typeof plain === 'string' &&
        ['any', 'string', 'number', 'boolean', 'object', 'array', 'null'].includes(plain)
      )
        addLoss(`${tool}: MCPJam reads the text ${JSON.stringify(plain)} of ${name} as a type.`);
    }
  }
  return {
    type: 'toolCalledWith',
    toolName: tool,
    args: { args, argumentMatching: mode === 'exact' && isPlain ? 'exact' : 'partial' },
  };
}
