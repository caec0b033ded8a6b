import { isByModel } from '../../../src-shared/domain/checkKinds.ts';
import type { PlannedModel } from '../../../src-shared/domain/evaluationPlan.ts';
import { judgesOf } from '../../../src-shared/domain/judges.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { costOf } from '../../../src-shared/domain/price.ts';
import type { TaskContent } from '../../../src-shared/domain/task.ts';
import type { TaskPlan, TaskPlanFacts } from '../../../src-shared/domain/taskEvaluation.ts';
import { countTokens } from '../../analysis/tokens/encodings.ts';
import { neededNames } from '../../scoring/tasks/trajectoryFacts.ts';
import type { Store } from '../../store/store.ts';
import { assumedAnswerTokens, type PlannedEntry } from '../evaluations/plan/plannedEntry.ts';
import { plannedGroups, type FixedToolTexts } from '../evaluations/plan/plannedGroups.ts';
import { knownBefore } from '../evaluations/plan/knownBefore.ts';
import { withPrograms } from '../evaluations/plan/plannedPrograms.ts';
import { planModels, totalCost, type PlannedWires } from '../evaluations/plan/planModels.ts';
import type { Prices } from '../models/prices.ts';
import { asksJudge, isReplay, serversOfTask, type TaskSources } from './taskSources.ts';

/** Assumed tokens of a result that a tool returns. */
const assumedResultTokens = 120;
/** Tokens of the instructions of a judge, without rubric and work. */
const judgeTokens = 150;
/** Tokens of the instructions of a simulated user, without goal, manner and facts. */
const userTokens = 150;

/**
 * The requests of a run if nothing goes wrong: each turn is one request, and one more for each call.
 * A task needs the calls that its checks require, and at least one per turn; its limit ends it.
 */
export function expectedRequests({
  turns,
  checks,
  limits,
}: Pick<TaskContent, 'turns' | 'checks' | 'limits'>): { requests: number; calls: number } {
  const calls = Math.max(neededNames(checks)?.length ?? 0, turns.length);
  const requests = Math.min(turns.length + calls, limits.steps);
  return { requests, calls: Math.max(0, requests - turns.length) };
}

/**
 * A task with every turn that its user may take: a simulated one is taken to use all its replies.
 */
function withAllTurns(content: TaskContent, isSimulated: boolean): TaskContent {
  const { user, turns } = content;
  if (!user) return content;
  if (!isSimulated) return { ...content, turns: [...turns, ...(user.script ?? [])] };
  const reply = user.knows.join(' ').slice(0, 400) || user.goal;
  return { ...content, turns: [...turns, ...Array.from({ length: user.maxTurns }, () => reply)] };
}

/**
 * The expected requests of a run of a task. Request i (from 0) repeats the turns so far and i
 * answers with their share of the results, each at its assumed length:
 *
 * ownTokens = Σ_t tokens(turn t) · (r − ⌊t · r / T⌋) + r (r − 1) / 2 · (120 + 120 · calls / r)
 *
 * for r requests and T turns.
 */
export function plannedTask(
  { key, content }: { key: string; content: TaskContent },
  servers: readonly string[],
): PlannedEntry {
  const { turns, checks } = content;
  const { requests, calls } = expectedRequests(content);
  const said = turns.reduce(
    (sum, text, turn) =>
      sum + countTokens(text) * (requests - Math.floor((turn * requests) / turns.length)),
    0,
  );
  const answered =
    ((requests - 1) / 2) * (requests * assumedAnswerTokens + calls * assumedResultTokens);
  return {
    key,
    servers,
    query: turns[0] ?? '',
    expects: [...new Set(neededNames(checks))].map((name) => [name]),
    requests,
    ownTokens: said + Math.round(answered),
  };
}

/** What each judge is asked about all runs; none if no check asks them. */
function plannedJudges(
  { settings, entries: tasks }: Pick<TaskSources, 'settings' | 'entries'>,
  prices: Prices,
): PlannedModel[] {
  const { models, repetitions } = settings;
  const judges = judgesOf(settings).filter(({ provider }) => provider !== 'replay');
  const judged = tasks.filter(({ content }) => asksJudge(content));
  if (judges.length === 0 || judged.length === 0) return [];
  const runs = models.length * repetitions;
  let [inputTokens, questions] = [0, 0];
  for (const { content } of judged) {
    const { requests, calls } = expectedRequests(content);
    const work =
      content.turns.reduce((sum, text) => sum + countTokens(text), 0) +
      requests * assumedAnswerTokens +
      calls * assumedResultTokens;
    for (const check of content.checks) {
      if (!isByModel(check)) continue;
      questions += runs;
      inputTokens += runs * (judgeTokens + countTokens(check.rubric) + work);
    }
  }
  return judges.map((judge, at) => {
    const used = { inputTokens, replies: questions, price: prices.of(judge) };
    return secondModel(models.length + at, `${modelLabel(judge)} (judge)`, used);
  });
}

/**
 * What the model that plays the users is asked: at most as many replies as each task allows, each
 * after half of them on average; null if no task has a simulated user.
 */
function plannedUser(
  { settings, entries: tasks }: Pick<TaskSources, 'settings' | 'entries'>,
  prices: Prices,
  index: number,
): PlannedModel | null {
  const { userModel, models, repetitions } = settings;
  const users = tasks.flatMap(({ content }) =>
    content.user ? [{ ...content.user, turns: content.turns }] : [],
  );
  if (userModel === null || isReplay(settings) || users.length === 0) return null;
  const runs = models.length * repetitions;
  let [inputTokens, replies] = [0, 0];
  for (const { goal, persona, knows, maxTurns, turns } of users) {
    const told = countTokens([goal, persona, ...knows].join('\n')) + userTokens;
    const scripted = turns.reduce((sum, text) => sum + countTokens(text) + assumedAnswerTokens, 0);
    replies += runs * maxTurns;
    inputTokens += runs * maxTurns * (told + scripted + (maxTurns - 1) * assumedAnswerTokens);
  }
  const used = { inputTokens, replies, price: prices.of(userModel) };
  return secondModel(index, `${modelLabel(userModel)} (simulated user)`, used);
}

/** A model that is offered no tools and answers with short texts. */
function secondModel(
  index: number,
  label: string,
  {
    inputTokens,
    replies,
    price,
  }: { inputTokens: number; replies: number; price: ReturnType<Prices['of']> },
): PlannedModel {
  const outputTokens = replies * assumedAnswerTokens;
  return {
    index,
    label,
    sent: null,
    tools: 0,
    inputTokens,
    outputTokens,
    tokenSource: 'estimated',
    countable: false,
    countNote: null,
    price,
    costUsd: costOf({ input: inputTokens, output: outputTokens }, price),
  };
}

interface PlanParts {
  store: Store;
  wires?: PlannedWires | undefined;
  prices: Prices;
}

/**
 * Adds to a plan what each model and the judge would be sent and what that would cost, and which
 * programs its agents are.
 */
export const planTaskModels = (
  parts: PlanParts,
  sources: TaskSources,
  plan: TaskPlanFacts,
  fixed: FixedToolTexts | undefined,
): Promise<TaskPlan> =>
  withPrograms(
    parts.wires?.program,
    sources.settings.models,
    planSent(parts, sources, plan, fixed),
    (message): TaskPlan['problems'][number] => ({ severity: 'error', taskKey: null, message }),
  );

function planSent(
  { store, wires, prices }: PlanParts,
  { settings, suite, entries: tasks }: TaskSources,
  plan: TaskPlanFacts,
  fixed: FixedToolTexts | undefined,
): TaskPlan {
  const entries = tasks.map((task) =>
    plannedTask(
      { ...task, content: withAllTurns(task.content, settings.userModel !== null) },
      serversOfTask(task.content, settings, suite.servers).shown,
    ),
  );
  const planned = { entries, settings, suite };
  const { models: asked, problems } = planModels(
    { wires, prices, unit: 'task' },
    planned,
    plannedGroups(store, planned, fixed),
  );
  const judges = plannedJudges({ settings, entries: tasks }, prices);
  const user = plannedUser(
    { settings, entries: tasks },
    prices,
    settings.models.length + judges.length,
  );
  const models = [
    ...asked.map((model) => ({ ...model, countable: false })),
    ...[...judges, user].filter((second) => second !== null),
  ];
  const costUsd = totalCost(models);
  const { runs } = plan;
  const known = knownBefore({
    settings,
    unit: 'task',
    items: tasks.length,
    attacked: tasks.filter(({ content }) => content.injection !== null).length,
    runs,
    costUsd,
  });
  return {
    ...plan,
    problems: [
      ...known.map((message) => ({ severity: 'warning' as const, taskKey: null, message })),
      ...plan.problems,
      ...problems.map(({ caseKey, ...problem }) => ({ ...problem, taskKey: caseKey })),
    ],
    models,
    costUsd,
  };
}
