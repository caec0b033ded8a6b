import type { EvaluationUnit } from '../../src-shared/domain/gate.ts';
import type { EvaluationsService } from '../services/evaluations/evaluationsService.ts';
import type { TaskEvaluationsService } from '../services/tasks/taskEvaluationsService.ts';
import { call, connectTo, createEngine } from './engine.ts';
import { says, scripted } from './taskRuns.ts';
import { createTaskService, task } from './taskService.ts';
import type { TestDatabase } from './testDatabase.ts';

/** What the engine does for both units. */
type PlayedService = Pick<
  EvaluationsService | TaskEvaluationsService,
  'resume' | 'cancel' | 'recover' | 'close' | 'toolChanges'
> & {
  get(input: { id: string }): Promise<{
    state: string;
    reason: string | null;
    startedAt: string | null;
    completedAt: string | null;
  }>;
  watch(
    input: { id: string; afterSeq: number },
    options: { signal: AbortSignal },
  ): AsyncIterable<{ seq: number; type: string }>;
};

/** How one run ended, in the words that both units have. */
export type PlayedEnd = 'passed' | 'failed' | 'not_scored' | 'not_run';

const endOf = (outcome: string | null): PlayedEnd => {
  if (outcome === 'passed' || outcome === 'succeeded') return 'passed';
  if (outcome === null || outcome === 'not_run') return 'not_run';
  return outcome === 'not_scored' ? 'not_scored' : 'failed';
};

/** Runs as their list has them: the place of a case or task, its attempt and how it ended. */
export interface PlayedRun {
  position: number;
  attempt: number;
  end: PlayedEnd;
}

export interface PlayedUnit extends AsyncDisposable {
  unit: EvaluationUnit;
  database: TestDatabase;
  service: PlayedService;
  /** Another program on the same database. */
  open(): PlayedService;
  start(settings?: { concurrency?: number; repetitions?: number; after?: string }): Promise<string>;
  /** All events up to the end. */
  drain(id: string, afterSeq?: number): Promise<{ seq: number; type: string }[]>;
  runs(id: string): Promise<PlayedRun[]>;
  /** How many runs ended how, as the evaluation counts them. */
  counts(id: string): Promise<Record<PlayedEnd, number>>;
}

interface Played {
  /** How many cases or tasks are run; a run asks its model once. */
  entries: number;
  /** Whether the model is right about one of them; what it throws is its failure. */
  answer: (entry: number) => Promise<boolean>;
  /** Runs before a model is opened. */
  opening?: () => Promise<void>;
}

const { signal } = new AbortController();
const list = { sort: 'position', descending: false, offset: 0, limit: 500 } as const;
const textOf = (entry: number): string => `query ${entry}`;
const entryOf = (text: string): number => Number(text.split(' ')[1]);

/** The real service of a unit on a real database; only servers and model are simulated. */
export async function playUnit(unit: EvaluationUnit, played: Played): Promise<PlayedUnit> {
  const parts = await (unit === 'case' ? playCases : playTasks)(played);
  const { service } = parts;
  return {
    ...parts,
    unit,
    async drain(id, afterSeq = 0) {
      const events: { seq: number; type: string }[] = [];
      for await (const event of service.watch({ id, afterSeq }, { signal })) events.push(event);
      return events;
    },
    async counts(id) {
      const counts = { passed: 0, failed: 0, not_scored: 0, not_run: 0 };
      const { outcomes } = (await service.get({ id })) as unknown as {
        outcomes: Record<string, number>;
      };
      for (const [outcome, n] of Object.entries(outcomes)) counts[endOf(outcome)] += n;
      return counts;
    },
  };
}

type Parts = Omit<PlayedUnit, 'unit' | 'drain' | 'counts'>;
const servers = { todo: [{ name: 'add_task' }, { name: 'list_tasks' }] };

async function playCases({ entries, answer, opening }: Played): Promise<Parts> {
  const engine = await createEngine({
    servers,
    cases: Array.from({ length: entries }, (_, at) => ({
      query: textOf(at),
      expected: [{ server: 'todo', tool: 'add_task' }],
    })),
    script: async ({ query }) => ({
      calls: [call('todo', (await answer(entryOf(query))) ? 'add_task' : 'list_tasks')],
    }),
    ...(opening && { opening }),
  });
  const { service } = engine;
  return {
    database: engine.database,
    service,
    open: () => engine.open(),
    start: (settings) => engine.start(settings),
    runs: async (id) =>
      (await service.runs({ id, filter: {}, ...list })).rows.map(({ outcome, ...run }) => ({
        ...{ position: run.position, attempt: run.attempt },
        end: endOf(outcome),
      })),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

async function playTasks({ entries, answer, opening }: Played): Promise<Parts> {
  const at = createTaskService(
    Array.from({ length: entries }, (_, entry) =>
      task(`t${entry}`, {
        turns: [textOf(entry)],
        checks: [{ id: 'said', kind: 'answer', expected: 'Done.' }],
      }),
    ),
    async () => {
      await opening?.();
      return scripted(async (input) => {
        if (input.by !== 'user') throw new Error('A run asks once.');
        return says((await answer(entryOf(input.text))) ? 'Done.' : 'No.');
      }).model;
    },
    { connect: connectTo(servers) },
  );
  const { service } = at;
  return {
    database: at.database,
    service,
    open: at.open,
    start: (settings) => at.start({ mode: 'stub', ...settings }),
    runs: async (id) =>
      (await at.runs(id)).map(({ position, attempt, outcome }) => ({
        ...{ position, attempt },
        end: endOf(outcome),
      })),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}
