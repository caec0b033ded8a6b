import { taskEnd } from '../../../src-shared/display/taskTexts.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  ComparedSide,
  Comparison,
  ComparisonSide,
  PassedWhen,
} from '../../../src-shared/domain/comparison.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
import type { EvaluationRow, TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { StoredTaskRun } from '../../store/runs/playedTasks.ts';
import { factsOf } from '../clients/clientViews.ts';
import { lostTools, presentTools } from '../evaluations/tools/presentedTools.ts';
import { createQuestionReader, questionHash } from '../evaluations/read/questionOf.ts';
import { runDifferences } from '../evaluations/read/runDifferences.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';
import { renameCase, renamedTools } from '../evaluations/whatIf/renamedTools.ts';
import { caseConditions, taskConditions } from '../runs/conditions.ts';
import { readRunRows, toRunRow, usersOf } from '../tasks/readTaskReport.ts';
import { taskHash } from '../tasks/taskHash.ts';
import { compare } from './compare.ts';
import { evaluationName, firstRun, type ProofSide, type Side, type Tally } from './side.ts';
import { toolHashes } from './toolDifferences.ts';

export interface CompareRequest {
  baseline: ComparisonSide;
  candidates: readonly ComparisonSide[];
  passedWhen: PassedWhen | null;
}

/** A model of a stored evaluation: a side of comparisons and of proofs. */
export type StoredSide = Side & ProofSide;

/**
 * Opens a model of an evaluation of cases or tasks as a side. Throws NOT_FOUND for what is gone, and
 * INVALID where it has several models and none is chosen, because their runs can't be mixed in one
 * comparison.
 */
export function openSide(store: Store, { id, modelSettingsId }: ComparisonSide): StoredSide {
  const named = store.evaluations.named(id);
  const ofTasks = named && store.evaluations.get('task', named.id);
  if (ofTasks !== null)
    return taskSide(store, ofTasks, chosenModel(store, 'task', ofTasks, modelSettingsId));
  const row = findEvaluation(store, id);
  return caseSide(store, row, chosenModel(store, 'case', row, modelSettingsId));
}

/** Compares stored evaluations. Throws INVALID when a pair of them can't be compared. */
export function compareStored(
  store: Store,
  { baseline, candidates, passedWhen }: CompareRequest,
): Comparison {
  const before = openSide(store, baseline);
  return compare(
    before,
    candidates.map((side) => openSide(store, side)),
    passedWhen ?? 'selection_and_parameters',
  );
}

/** The chosen model of an evaluation, or its only one. */
export function chosenModel(
  store: Store,
  unit: EvaluationUnit,
  row: Pick<EvaluationRow, 'number' | 'modelSettingsIds' | 'refused'>,
  modelSettingsId: string | null,
): ModelSettings {
  const thing = evaluationName(unit, row.number);
  const distinct = [...new Set(row.modelSettingsIds)];
  const chosen = modelSettingsId ?? (distinct.length === 1 ? distinct[0] : undefined);
  if (chosen === undefined)
    throw new ServiceError('INVALID', {
      thing,
      cause:
        `It has ${distinct.length} models, and their runs can't be taken together in a ` +
        'comparison.',
      nextStep: 'Choose one of them.',
      onCommandLine: `Their names are ${row.number}/1 to ${row.number}/${distinct.length}.`,
      field: 'modelSettingsId',
    });
  const model = distinct.includes(chosen) ? store.modelSettings.of(row, chosen) : null;
  if (model) return model;
  throw new ServiceError('NOT_FOUND', {
    thing,
    cause: 'It has no such model.',
    nextStep: 'Choose one of its models.',
  });
}

function shownSide(
  unit: EvaluationUnit,
  row: Pick<EvaluationRow, 'id' | 'number' | 'suiteName' | 'snapshotId' | 'createdAt'>,
  model: ModelSettings,
  base: { number: number } | null,
): ComparedSide {
  return {
    unit,
    evaluationId: row.id,
    number: row.number,
    suiteName: row.suiteName,
    modelSettingsId: model.id,
    model: modelLabel(model),
    snapshotId: row.snapshotId,
    createdAt: row.createdAt,
    whatIfOf: base?.number ?? null,
  };
}

/** What the client of an evaluation does to its frozen tools. */
function lostIn(
  store: Store,
  {
    snapshotId,
    settings: { client },
  }: Pick<EvaluationRow | TaskEvaluationRow, 'snapshotId' | 'settings'>,
): ReturnType<Side['lost']> {
  const snapshot = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
  if (client === undefined || snapshot === null) return null;
  const rejected = snapshot.servers.flatMap((listing) => listing.rejected);
  const { hidden, cut } = lostTools(presentTools(snapshot.tools, rejected, factsOf(client)));
  return { hidden: hidden.length, cut: cut.length };
}

const unscored: Tally = { right: 0, scored: 0 };

export function caseSide(store: Store, row: EvaluationRow, model: ModelSettings): StoredSide {
  const { resultQueries } = store;
  const { whatIf } = row.settings;
  const undo = undoneRenames(store, row);
  const hashOf = (content: CaseContent): string => questionHash(undo.reduce(renameCase, content));
  const readQuestion = createQuestionReader(store);
  const tallies = keep(
    (when: PassedWhen) =>
      new Map(
        resultQueries
          .tallies(row.id, model.id, when)
          .map(({ position, ...tally }) => [position, tally]),
      ),
  );
  const units = keep(() =>
    Map.groupBy(
      store.toolConfusions.units(row.id, model.id).filter(({ expected }) => isToolLabel(expected)),
      ({ position }) => position,
    ),
  );
  return {
    unit: 'case',
    mode: null,
    user: null,
    name: evaluationName('case', row.number),
    model,
    conditions: caseConditions(row.settings, row.suite, model),
    lost: () => lostIn(store, row),
    shown: shownSide('case', row, model, whatIf && store.evaluations.get('case', whatIf.baseId)),
    baseId: whatIf?.baseId ?? null,
    passedWhen: row.settings.passedWhen,
    tools: () => toolHashes(store, row.snapshotId),
    isRenamed: undo.length > 0,
    items: resultQueries.cases(row.id).map(({ hash, ...item }) => ({ ...item, content: hash })),
    question: ({ content }) => readQuestion(content, hashOf),
    tally: ({ position }, when) => tallies(when).get(position) ?? unscored,
    glance: ({ position }, passed, when) =>
      resultQueries.glance(row.id, position, model.id, when, passed),
    describe: ({ content }) => {
      const text = resultQueries.caseText(content);
      return { name: text?.name ?? '', query: text?.query ?? '' };
    },
    differences: ({ position }, runId) =>
      runDifferences(store, { runId }, () => store.entries.get(row.id, position)),
    calls: ({ position }) =>
      [...Map.groupBy(units(null).get(position) ?? [], ({ expected }) => expected)].map(
        ([label, own]) => ({
          tools: toolsOfLabel(label),
          expected: own.length,
          made: own.filter(isCorrectUnit).length,
        }),
      ),
  };
}

/** What gives the tools of a case their original names again, from its own what-if on. */
function undoneRenames(store: Store, row: EvaluationRow): Map<string, string>[] {
  const { whatIf } = row.settings;
  if (whatIf === null) return [];
  const names = [...renamedTools(whatIf.changes)].map(([old, now]) => [now, old] as const);
  const base = store.evaluations.get('case', whatIf.baseId);
  return [
    ...(names.length === 0 ? [] : [new Map(names)]),
    ...(base ? undoneRenames(store, base) : []),
  ];
}

/** A model of an evaluation of tasks: a task passes when it succeeds. */
export function taskSide(store: Store, row: TaskEvaluationRow, model: ModelSettings): StoredSide {
  const { mode, whatIf } = row.settings;
  const tasks = new Map(store.entries.list('task', row.id).map((task) => [task.position, task]));
  const all = keep(() => store.playedTasks.list(row.id));
  const runs = keep(() =>
    Map.groupBy(
      all(null).filter(({ modelSettingsId }) => modelSettingsId === model.id),
      ({ position }) => position,
    ),
  );
  const wrongSteps = keep(
    () => new Map(readRunRows(store, row).map((run) => [run.runId, run.toolUse?.firstWrong])),
  );
  const scoredOf = (position: number) =>
    (runs(null).get(position) ?? []).filter((run) => hasSucceeded(run) !== null);
  return {
    unit: 'task',
    mode,
    get user() {
      return usersOf(all(null))?.model ?? null;
    },
    name: evaluationName('task', row.number),
    model,
    conditions: taskConditions(row.settings, row.suite, model),
    lost: () => lostIn(store, row),
    shown: shownSide('task', row, model, whatIf && store.evaluations.get('task', whatIf.baseId)),
    baseId: whatIf?.baseId ?? null,
    passedWhen: 'selection_and_parameters',
    tools: () => toolHashes(store, row.snapshotId),
    isRenamed: false,
    items: [...tasks.values()].map(({ position, sourceId, key, content }) => ({
      testCaseId: sourceId,
      caseKey: key,
      position,
      content: taskHash(content),
    })),
    question: ({ content }) => content,
    tally: ({ position }) => {
      const scored = scoredOf(position);
      return { right: scored.filter(hasSucceeded).length, scored: scored.length };
    },
    glance: ({ position }, passed) => {
      const task = tasks.get(position);
      const run = firstRun(runs(null).get(position) ?? [], hasSucceeded, passed);
      return run && task ? { runId: run.id, selected: [taskEnd(toRunRow(run, task, null))] } : null;
    },
    describe: ({ position }) => {
      const content = tasks.get(position)?.content;
      return { name: content?.name ?? '', query: content?.turns[0] ?? '' };
    },
    differences: ({ position }, runId) => {
      const task = tasks.get(position);
      const run = runs(null)
        .get(position)
        ?.find(({ id }) => id === runId);
      return run && task ? toRunRow(run, task, null).differences : [];
    },
    // One call of each expected tool in each run, missing where the first wrong step lacks it.
    calls: ({ position }, expected) =>
      [...new Set(expected)].map((tool) => {
        const scored = scoredOf(position);
        const made = scored.filter(({ id }) => {
          const wrong = wrongSteps(null).get(id);
          return !(wrong && wrong.expected === tool && wrong.called !== tool);
        });
        return { tools: [tool], expected: scored.length, made: made.length };
      }),
  };
}

/** True, false, or null for a run without a score. */
const hasSucceeded = ({ outcome }: Pick<StoredTaskRun, 'outcome'>): boolean | null =>
  outcome === null || outcome === 'not_scored' ? null : outcome === 'succeeded';

/** Computed once for each key, when it is first asked for. */
function keep<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
