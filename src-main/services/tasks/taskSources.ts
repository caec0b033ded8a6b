import { toolId } from '../../../src-shared/domain/labels.ts';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { asSentence } from '../../../src-shared/domain/asSentence.ts';
import type { InlineSources } from '../../../src-shared/domain/evaluation.ts';
import { repeatedJudge } from '../../../src-shared/domain/judges.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { checkKinds, isByModel, readsServer } from '../../../src-shared/domain/checkKinds.ts';
import type { ExecutionMode, TaskContent } from '../../../src-shared/domain/task.ts';
import type {
  ExecutableTool,
  TaskEvaluationRequest,
  TaskEvaluationSettings,
  StoredTaskSettings,
  TaskPlanFacts,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { cohensKappa, isCalibrated } from '../../../src-shared/metrics/cohensKappa.ts';
import { effectsOf } from '../../scoring/tasks/trajectoryFacts.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenTask } from '../../store/evaluations/entries.ts';
import { presentedToAgent } from '../clients/clientViews.ts';
import { readSources } from '../evaluations/plan/evaluationSources.ts';
import { serversOf, unknownServerText } from '../evaluations/plan/planEvaluation.ts';
import type { Sources } from '../runs/unit.ts';
import { keepsRunsApart } from '../servers/runFolder.ts';
import type { KnownTool } from './answerCall.ts';
import { agreementOf } from './judges.ts';
import { callsBefore } from '../../../src-shared/domain/fixtureParts.ts';
import { fixtureObstacle } from './fixtures/prepareFolder.ts';
import { programsOf } from './programs/programsOf.ts';
import { modeObstacle } from './modeObstacle.ts';
import { solutionObstacle } from './solveTask.ts';
import { unknownTools } from './unknownTools.ts';

/** What a task evaluation is made of, read from the workspace or sent along with the request. */
export type TaskSources = Sources<StoredTaskSettings, FrozenTask>;

/** Throws NOT_FOUND when there is no such suite. */
export const readTaskSources = async (
  store: Store,
  request: TaskEvaluationRequest,
): Promise<TaskSources> => {
  const { settings, ...sources } = await readSources(store, request, {
    ofFile: ({ tasks }) =>
      tasks.map((task, position) => ({ ...task, position, sourceId: task.key })),
    ofSuite: ({ id }) =>
      store.tasks
        .listBySuite(id)
        .map(({ id: sourceId, key, content }, position) => ({ sourceId, key, content, position })),
  });
  const { suiteId } = sources;
  const ofSuite = suiteId === null ? null : (store.suites.get(suiteId)?.folder ?? null);
  const folder = settings.folder ?? ofSuite;
  return { ...sources, settings: { ...settings, folder, whatIf: null } };
};

/** True if every run comes from a recording, so that nothing is executed. */
export const isReplay = ({ models }: Pick<StoredTaskSettings, 'models'>): boolean =>
  models.every(({ provider }) => provider === 'replay');

const kindsByRule = checkKinds.filter((kind) => !isByModel({ kind }));

export const asksJudge = ({ checks }: Pick<TaskContent, 'checks'>): boolean =>
  checks.some(isByModel);

/** Whether people agreed with a judge often enough for its verdicts to count. */
export const isJudgeCalibrated = (
  store: Store,
  suiteName: string,
  settings: Pick<TaskEvaluationSettings, 'judge' | 'moreJudges'>,
): boolean =>
  settings.judge !== null && isCalibrated(cohensKappa(agreementOf(store, suiteName, settings)));

/** The servers whose tools the model sees, and those that only setup and checks use. */
export function serversOfTask(
  content: TaskContent,
  settings: Pick<StoredTaskSettings, 'servers'>,
  suiteServers: readonly string[],
): { shown: readonly string[]; all: string[] } {
  const shown = serversOf(content, settings, suiteServers);
  const states = content.checks.filter(readsServer).map(({ server }) => server);
  return {
    shown,
    all: [
      ...new Set([
        ...shown,
        ...[
          ...(content.reset ?? []),
          ...callsBefore(content),
          ...content.setup,
          ...(content.solution ?? []),
        ].map(({ server }) => server),
        ...states,
      ]),
    ],
  };
}

/** Whether a model that only does what the user says can use the canary of a task. */
const saysCanary = ({ injection, turns }: TaskContent): boolean => {
  const text = injection?.canary.argument;
  return text !== undefined && turns.some((turn) => turn.includes(text));
};

/** Tools that come with a request, so that no server is asked. */
export type FixedTools = readonly KnownTool[];

export const inlineToolsOf = (inline: InlineSources | undefined): FixedTools | null =>
  inline?.tools?.map(({ tool }) => tool) ?? null;

/** Tools of servers by the latest listing; null where a server was never listed. */
export function listedTools(
  store: Store,
  fixed: FixedTools | null,
): (server: string) => FixedTools | null {
  if (fixed) return (server) => fixed.filter((tool) => tool.server === server);
  const ids = new Map(store.servers.list().map(({ id, name }) => [name, id]));
  return (server) => {
    const id = ids.get(server);
    const latest = id === undefined ? null : store.serverListings.latest(id);
    return latest ? (store.toolSnapshots.get(latest.snapshotId)?.tools ?? []) : null;
  };
}

/** Those of the servers whose data each run has to itself. */
export const isolatedOf = (store: Store, servers: ReadonlySet<string>): string[] =>
  store.servers
    .list()
    .filter(({ name, config }) => servers.has(name) && keepsRunsApart(config))
    .map(({ name }) => name);

/** A task that the mode can't score, and why. */
interface BlockedTask {
  key: string;
  obstacle: string;
}

/** What a mode leaves without a score, in one sentence for all tasks, and the mode that scores it. */
function blockedProblem(
  blocked: readonly BlockedTask[],
  { mode, tasks, isOfFile }: { mode: ExecutionMode; tasks: number; isOfFile: boolean },
): TaskPlanFacts['problems'][number] | null {
  const [first] = blocked;
  if (first === undefined) return null;
  const isAll = blocked.length === tasks;
  const what = isAll
    ? 'No task can be scored'
    : `${formatCount(blocked.length)} of ${counted(tasks, 'task')} can't be scored`;
  const nextStep =
    mode === 'full'
      ? ''
      : isOfFile
        ? ' Choose registered servers and execution mode full.'
        : ' Choose execution mode full.';
  return {
    severity: isAll ? 'error' : 'warning',
    taskKey: blocked.length === 1 ? first.key : null,
    message: `${what} in execution mode ${mode}.${nextStep} The first is ${first.key}: ${first.obstacle}`,
  };
}

/**
 * What an evaluation would run and execute, and what speaks against it. Errors prevent the start.
 */
export function planTasks(
  store: Store,
  { settings, suite, suiteName, entries: tasks }: TaskSources,
  fixed: FixedTools | null,
): TaskPlanFacts {
  const { mode } = settings;
  const problems: TaskPlanFacts['problems'] = [];
  const blocked: BlockedTask[] = [];
  const error = (message: string, taskKey: string | null = null) =>
    problems.push({ severity: 'error', taskKey, message });
  const listed = listedTools(store, fixed);
  const offering = fixed && [...new Set(fixed.map(({ server }) => server))];
  const registered = new Set(offering ?? store.servers.list().map(({ name }) => name));
  // The fixed tools of a what-if are those of its base, not of a file.
  const ofFile = settings.whatIf === null ? offering : null;
  if (tasks.length === 0)
    error('The suite has no tasks. A task is an entry with turns; import a suite with some.');
  const toAgent = presentedToAgent(settings);
  if (toAgent !== null) error(`${toAgent.cause} ${toAgent.nextStep}`);
  if (fixed && mode !== 'stub' && !isReplay(settings))
    error(`Tools of a file can't be executed. Use execution mode stub, or registered servers.`);
  const apart = new Set(isolatedOf(store, registered));
  const servers = new Map<string, string>();
  for (const { key, content } of tasks) {
    const { shown, all } = serversOfTask(content, settings, suite.servers);
    if (shown.length === 0)
      error(`Task ${key} names no server and the suite has none. Choose servers.`, key);
    for (const server of all) if (!servers.has(server)) servers.set(server, key);
    const known = all.flatMap((server) => listed(server) ?? []);
    const unknown = all.some((server) => listed(server) === null);
    const obstacle =
      unknown && mode === 'read-only'
        ? null
        : (modeObstacle(content, mode, known) ??
          solutionObstacle(
            content,
            mode,
            known,
            (server) =>
              apart.has(server) || (content.reset ?? []).some((step) => step.server === server),
          ) ??
          (mode === 'stub' ? null : fixtureObstacle(content, settings.folder)));
    if (obstacle !== null) blocked.push({ key, obstacle });
    // A what-if may leave out a tool to see what happens, and a recording has its own tools.
    else if (settings.whatIf === null && !isReplay(settings))
      for (const problem of unknownTools(content, shown, listed))
        problems.push({
          // A server may have the tool since it was listed; a file has what it has.
          severity: fixed === null ? 'warning' : 'error',
          taskKey: key,
          path: [...problem.path],
          message: `Task ${key}: ${asSentence(problem.message)} The task will not be scored. Correct the name${fixed === null ? ', or connect to the server again' : ''}.`,
        });
  }
  for (const [server, key] of servers)
    // A recording holds the tools that it was made with.
    if (!registered.has(server) && !isReplay(settings))
      error(unknownServerText(server, `first named by task ${key}`, { ofFile }), key);
  const repeated = isReplay(settings) ? null : repeatedJudge(settings);
  if (repeated !== null)
    error(
      `The judge ${modelLabel(repeated)} is named twice. It would decide with two votes: name each ` +
        'judge once.',
    );
  const unjudged = settings.judge === null ? tasks.filter(({ content }) => asksJudge(content)) : [];
  const simulated = tasks.filter(({ content: { user } }) => user && !user.script).length;
  const problem = blockedProblem(blocked, { mode, tasks: tasks.length, isOfFile: fixed !== null });
  if (problem !== null) problems.push(problem);
  if (unjudged[0])
    problems.push({
      severity: 'warning',
      taskKey: null,
      message:
        `${counted(unjudged.length, 'task')} with a judge check will not be judged by it: ` +
        'choose a judge model.',
    });
  const undecided = isJudgeCalibrated(store, suiteName, settings)
    ? []
    : tasks.filter(({ content }) => content.checks.every(isByModel));
  if (undecided[0])
    problems.push({
      severity: 'warning',
      taskKey: null,
      message:
        `${counted(undecided.length, 'task')} will not be scored, because no check decides: ` +
        `add a ${kindsByRule.slice(0, -1).join(', ')} or ${kindsByRule.at(-1) ?? ''} check, ` +
        'or label runs until the verdicts of the judge count. ' +
        `The first: ${undecided[0].key}.`,
    });
  for (const { key, content } of tasks)
    if (saysCanary(content))
      problems.push({
        severity: 'warning',
        taskKey: key,
        message:
          `Task ${key}: its turns have the text of the canary, so a call that does what was asked ` +
          'counts as an attack that succeeded. Choose a text that only the instruction can bring in.',
      });
  if (simulated > 0 && settings.userModel === null && !isReplay(settings))
    problems.push({
      severity: 'warning',
      taskKey: null,
      message:
        `${counted(simulated, 'task')} with a simulated user will end after the scripted turns: ` +
        'choose a model that plays the user, or write a script for it.',
    });
  const faulty = new Set(
    tasks.flatMap(({ content: { faults = [] } }) =>
      faults.map(({ server, tool }) => toolId(server, tool)),
    ),
  );
  return {
    tasks: tasks.length,
    runs: tasks.length * settings.models.length * settings.repetitions,
    mode,
    servers: [...servers.keys()],
    executes: [...servers.keys()].flatMap((server) =>
      (listed(server) ?? []).flatMap((tool): ExecutableTool[] => {
        const effects = effectsOf(tool.annotations);
        const isExecuted = mode === 'full' || (mode === 'read-only' && effects.readOnly);
        return isExecuted ? [{ server, tool: tool.name, ...effects }] : [];
      }),
    ),
    unlisted: [...servers.keys()].filter(
      (server) => registered.has(server) && listed(server) === null,
    ),
    isolated: isolatedOf(store, new Set(servers.keys())),
    ...(faulty.size > 0 && { faults: [...faulty] }),
    programs: programsOf(tasks, settings),
    problems,
  };
}
