import type { PresentedAs } from '../../../../src-shared/domain/clientFacts.ts';
import {
  type Evaluation,
  evaluationSettings,
  type EvaluationSettings,
} from '../../../../src-shared/domain/evaluation.ts';
import type { EnvironmentValues } from '../../../../src-shared/domain/environmentDefaults.ts';
import { needsBaseUrl, providerTable } from '../../../../src-shared/domain/provider.ts';
import {
  additionFormFault,
  additionNames,
} from '../../../../src-shared/domain/requestAdditions.ts';
import { newestOwn, type SampleData } from '../../../../src-shared/domain/sampleData.ts';
import { defaultArgumentsMode, type Suite } from '../../../../src-shared/domain/testCase.ts';
import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import {
  taskEvaluationSettings,
  type TaskEvaluationSettings,
} from '../../../../src-shared/domain/taskEvaluation.ts';
import type { AppSettings } from '../../../../src-shared/domain/settings.ts';
import { gateFault, type GateRow, toThreshold } from './gateRow.ts';
import { emptyRow, numberOf, toConfiguration, type ModelRow, type Typed } from './modelRow.ts';
import {
  checkSecondModel,
  noSecondModel,
  readSecondModel,
  readSecondModels,
  secondRoles,
  type SecondModelForm,
  type SecondRole,
} from '../../../models/secondModelForm.ts';

/**
 * The suite that a new evaluation begins with: that of the latest one. The evaluation of the sample
 * was started by nobody, so that the newest own suite comes before it.
 */
export function suiteToRun(
  suites: readonly Suite[],
  asked: { tasksWanted: boolean; latest: Pick<Evaluation, 'id' | 'suiteId'> | null },
  sample: Pick<SampleData, 'suites' | 'evaluation'>,
): Suite | undefined {
  const { tasksWanted, latest } = asked;
  const fit = suites.filter(({ caseCount, taskCount }) =>
    tasksWanted ? taskCount > 0 : caseCount + taskCount > 0,
  );
  const last = fit.find(({ id }) => id === latest?.suiteId);
  const own = newestOwn(fit, sample.suites);
  const isChosen = latest !== null && latest.id !== sample.evaluation?.id;
  return (isChosen ? (last ?? own) : (own ?? last)) ?? fit[0] ?? suites[0];
}

export interface EvaluationForm {
  suiteId: string | null;
  /** What of the suite runs: test cases, or whole tasks. */
  entries: 'cases' | 'tasks';
  /** What tasks may execute; null: what the suite needs. */
  mode: ExecutionMode | null;
  /** The model that judge checks of tasks ask; no provider means none. */
  judge: SecondModelForm;
  /** The model that plays simulated users; no provider means none. */
  user: SecondModelForm;
  /** Null means the servers of each case. */
  servers: string[] | null;
  models: ModelRow[];
  repetitions: Typed;
  concurrency: Typed;
  highConfidence: Typed;
  timeout: Typed;
  temperature: Typed;
  maxRetries: Typed;
  seed: Typed;
  caseOrder: EvaluationSettings['caseOrder'];
  toolOrder: EvaluationSettings['toolOrder'];
  /** Of cases that set none, in suites that set none. */
  argumentsMode: EvaluationSettings['argumentsMode'];
  /** Null means the suite's prompt. */
  systemPrompt: string | null;
  serverInstructions: boolean;
  /** As which clients tools are shown, each in an evaluation; none: as providers take them. */
  clients: PresentedAs[];
  maxTurns: Typed;
  /** Empty means no limit. */
  spendLimitUsd: Typed;
  /** Empty means that nothing is recorded. */
  recordFile: string;
  gates: GateRow[];
}

/** What the environment sets replaces the settings of the workspace. */
export function emptyForm(
  settings: AppSettings,
  suiteId: string | null,
  environment: EnvironmentValues = {},
): EvaluationForm {
  const { repetitions, concurrency, highConfidence, timeout, temperature, maxRetries } = {
    ...settings,
    ...environment,
  };
  return {
    suiteId,
    entries: 'cases',
    mode: null,
    judge: noSecondModel,
    user: noSecondModel,
    servers: null,
    models: [emptyRow(1, 'builtin', environment)],
    repetitions,
    concurrency,
    highConfidence,
    timeout,
    temperature: temperature ?? '',
    maxRetries,
    seed: 0,
    caseOrder: 'suite',
    toolOrder: 'listed',
    argumentsMode: defaultArgumentsMode,
    systemPrompt: null,
    serverInstructions: false,
    clients: [],
    maxTurns: 1,
    spendLimitUsd: '',
    recordFile: '',
    gates: [],
  };
}

export type Parsed =
  | { settings: EvaluationSettings; faults: null }
  | { settings: null; faults: ReadonlyMap<string, string> };

/**
 * Checks the form with the contract's own schema. Problems are keyed by field: `suiteId`,
 * `repetitions`, `timeout`, `models.0.replayFile`.
 */
export function parseForm(form: EvaluationForm): Parsed {
  const faults = new Map<string, string>();
  if (form.suiteId === null) faults.set('suiteId', 'Choose a suite.');
  if (form.servers?.length === 0)
    faults.set('servers', 'Choose a server, or use the servers of each case.');
  form.models.forEach((row, index) => {
    const { kind } = providerTable[row.provider];
    if (kind === 'recording' && row.model.trim() === '')
      faults.set(`models.${index}.model`, 'Enter the name of the recorded model.');
    if (kind === 'recording' && row.replayFile.trim() === '')
      faults.set(`models.${index}.replayFile`, 'Enter the path of the recording.');
    if (kind === 'program' && row.model.trim() === '')
      faults.set(`models.${index}.model`, 'Enter a name for the model.');
    if (kind === 'agent' && row.model.trim() === '')
      faults.set(`models.${index}.model`, 'Enter the name of the agent.');
    if (kind === 'program' && row.command.trim() === '')
      faults.set(`models.${index}.command`, 'Enter the command to run.');
    if (kind === 'endpoint' && row.model.trim() === '')
      faults.set(`models.${index}.model`, 'Choose a model, or type its name.');
    if (needsBaseUrl(row.provider) && row.baseUrl.trim() === '')
      faults.set(`models.${index}.baseUrl`, 'Enter the base URL of the endpoint.');
  });
  if (form.entries === 'tasks')
    for (const role of secondRoles)
      checkSecondModel(form[role], (field, fault) => faults.set(`${role}.${field}`, fault));
  form.gates.forEach((row, index) => {
    const fault = gateFault(row);
    if (fault !== null) faults.set(`gates.${index}.limit`, fault);
  });
  const common = {
    timeout: numberOf(form.timeout) ?? null,
    temperature: numberOf(form.temperature) ?? null,
    maxRetries: numberOf(form.maxRetries) ?? null,
  };
  const parsed = evaluationSettings.safeParse({
    suiteId: form.suiteId,
    servers: form.servers,
    models: form.models.map((row) => toConfiguration(row, common)),
    repetitions: numberOf(form.repetitions) ?? null,
    concurrency: numberOf(form.concurrency) ?? null,
    highConfidence: numberOf(form.highConfidence) ?? null,
    seed: numberOf(form.seed) ?? null,
    caseOrder: form.caseOrder,
    toolOrder: form.toolOrder,
    argumentsMode: form.argumentsMode,
    systemPrompt: form.systemPrompt,
    serverInstructions: form.serverInstructions,
    maxTurns: numberOf(form.maxTurns) ?? null,
    spendLimitUsd: numberOf(form.spendLimitUsd) ?? null,
    recordFile: form.recordFile.trim() === '' ? null : form.recordFile.trim(),
    gates: form.gates.map(toThreshold),
  });
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.map(String);
    const last = path.at(-1) ?? '';
    // The advanced fields apply to every model, so their first problem is enough.
    const addition = additionNames.find((name) => path[0] === 'models' && path[2] === name);
    const field = ['timeout', 'temperature', 'maxRetries'].includes(last)
      ? last
      : (addition === undefined ? path : path.slice(0, 3)).join('.');
    const fault =
      issue.code !== 'invalid_type'
        ? issue.message
        : addition === undefined
          ? 'Enter a number.'
          : additionFormFault(addition);
    if (!faults.has(field)) faults.set(field, fault);
  }
  if (faults.size > 0 || !parsed.success) return { settings: null, faults };
  return { settings: parsed.data, faults: null };
}

/** The form without the fields that tasks don't have, so that no hidden field stops the start. */
export function withoutCaseFields(form: EvaluationForm, settings: AppSettings): EvaluationForm {
  const { seed, caseOrder, toolOrder, argumentsMode, maxTurns, gates } = emptyForm(settings, null);
  const { highConfidence } = settings;
  return { ...form, highConfidence, seed, caseOrder, toolOrder, argumentsMode, maxTurns, gates };
}

/**
 * The mode that the person chose, else the one that can score the whole suite. It executes nothing
 * before the person agrees to it: a suite can't raise the mode.
 */
export const shownMode = (
  chosen: ExecutionMode | null,
  suite: Pick<Suite, 'executedTaskCount'> | undefined,
): ExecutionMode => chosen ?? ((suite?.executedTaskCount ?? 0) > 0 ? 'full' : 'stub');

/** What a task evaluation takes from the form. Nothing is agreed to yet. */
export function taskSettings(
  settings: EvaluationSettings,
  mode: ExecutionMode,
  { judge, user }: Pick<EvaluationForm, SecondRole>,
): TaskEvaluationSettings {
  const [first = null, ...moreJudges] = readSecondModels(judge);
  const asked = { judge: first, moreJudges, userModel: readSecondModel(user) };
  return taskEvaluationSettings.strip().parse({ ...settings, mode, ...asked });
}

export type PlannedRequest =
  (EvaluationSettings & { unit: 'case' }) | (TaskEvaluationSettings & { unit: 'task' });

/** Whether an agent is chosen. It presents tools to its model itself, so no client applies. */
export const hasAgent = ({ models }: Pick<EvaluationForm, 'models'>): boolean =>
  models.some(({ provider }) => providerTable[provider].kind === 'agent');

/** A request for each client, of tasks where there is a mode; none while the form has problems. */
export function requestsOf(
  form: EvaluationForm,
  settings: EvaluationSettings | null,
  mode: ExecutionMode | null,
): PlannedRequest[] {
  if (settings === null) return [];
  const request: PlannedRequest =
    mode === null
      ? { ...settings, unit: 'case' }
      : { ...taskSettings(settings, mode, form), unit: 'task' };
  // Clients of the last result are in a folded field: they don't keep an agent from being chosen.
  const chosen = hasAgent(form) ? [] : form.clients;
  const clients = chosen.map((client) => (client === 'generic' ? {} : { client }));
  return clients.length === 0 ? [request] : clients.map((as) => ({ ...request, ...as }));
}

/** What a suite lets run of what is wanted: one that has a single kind of entries leaves no choice. */
export function shownEntries(
  suite: Pick<Suite, 'caseCount' | 'taskCount'> | undefined,
  wanted: EvaluationForm['entries'],
): EvaluationForm['entries'] {
  if (suite === undefined || suite.taskCount === 0) return 'cases';
  return suite.caseCount === 0 ? 'tasks' : wanted;
}

type NumberName =
  | 'repetitions'
  | 'concurrency'
  | 'highConfidence'
  | 'timeout'
  | 'temperature'
  | 'maxRetries'
  | 'seed'
  | 'maxTurns'
  | 'spendLimitUsd';

export const numberField =
  (
    form: EvaluationForm,
    faults: ReadonlyMap<string, string>,
    onSet: (part: Partial<EvaluationForm>) => void,
  ) =>
  (name: NumberName) => ({
    value: form[name],
    error: faults.get(name),
    onChange: (value: number | string): void => onSet({ [name]: value }),
  });
