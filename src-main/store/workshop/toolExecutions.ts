import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  executionTransitions,
  isFinal,
  toolExecution,
  type ExecutionFilter,
  type ExecutionStatus,
  type ToolExecution,
} from '../../../src-shared/domain/toolExecution.ts';
import { notFound, readRow, requireRow, defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

/** What is known of an execution before it starts. */
type NewExecution = Pick<
  ToolExecution,
  'toolId' | 'toolName' | 'version' | 'inputData' | 'callerId' | 'traceId'
>;
/** What is known of an execution only when it has ended. */
export type ExecutionEnd = Pick<
  ToolExecution,
  'outputData' | 'errorCode' | 'errorMessage' | 'stderrTail' | 'outputExcerpt' | 'durationMs'
>;

const table = defineTable('tool_executions', {
  id: 'text',
  toolId: 'text?',
  toolName: 'text',
  version: 'integer?',
  status: 'text',
  inputData: 'json',
  outputData: 'json?',
  errorCode: 'text?',
  errorMessage: 'text?',
  stderrTail: 'text',
  outputExcerpt: 'text?',
  startedAt: 'text?',
  completedAt: 'text?',
  durationMs: 'integer?',
  callerId: 'text?',
  traceId: 'text?',
  createdAt: 'text',
  updatedAt: 'text',
});
type ExecutionRow = Row<typeof table>;
const where = `(:tool IS NULL OR tool_id = :tool) AND (:caller IS NULL OR caller_id = :caller) AND (:trace IS NULL OR trace_id = :trace)
  AND (:since IS NULL OR created_at >= :since) AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))`;

export function openToolExecutions({ db, clock, nextId, transaction }: StoreContext) {
  type Given = {
    tool: string | null;
    caller: string | null;
    trace: string | null;
    since: string | null;
    statuses: string | null;
  };
  const page = db.prepare<[Given & { offset: number; limit: number }], ExecutionRow>(
    `SELECT ${table.columns} FROM tool_executions WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :offset`,
  );
  const count = db
    .prepare<[Given], number>(`SELECT count(*) FROM tool_executions WHERE ${where}`)
    .pluck();
  const byId = db.prepare<[string], ExecutionRow>(
    `SELECT ${table.columns} FROM tool_executions WHERE id = ?`,
  );
  const callers = db
    .prepare<[], string>(
      'SELECT DISTINCT caller_id FROM tool_executions WHERE caller_id IS NOT NULL ORDER BY 1 LIMIT 200',
    )
    .pluck();
  const unfinished = db.prepare<[], ExecutionRow>(
    `SELECT ${table.columns} FROM tool_executions WHERE completed_at IS NULL ORDER BY created_at`,
  );
  const insert = db.prepare<[ExecutionRow]>(table.insert());
  const givenAtStart = [
    'toolId',
    'toolName',
    'version',
    'inputData',
    'callerId',
    'traceId',
  ] as const;
  const update = db.prepare<[ExecutionRow]>(
    `UPDATE tool_executions SET ${table.assignmentsExcept('id', 'createdAt', ...givenAtStart)} WHERE id = :id`,
  );
  const prune = db.prepare<[string, number]>(
    'DELETE FROM tool_executions WHERE id IN (SELECT id FROM tool_executions WHERE created_at < ? AND completed_at IS NOT NULL ORDER BY created_at LIMIT ?)',
  );

  /** Changes the status, if docs/rules.md §7 has the transition. */
  const move = (
    id: string,
    status: ExecutionStatus,
    part: (old: ExecutionRow, at: string) => Partial<ExecutionRow>,
  ): ToolExecution =>
    transaction(() => {
      const old = byId.get(id);
      if (old === undefined) throw notFound('Execution', id);
      const from = readExecution(old).status;
      if (!executionTransitions[from].includes(status)) {
        throw new ServiceError('INVALID', {
          thing: `The execution ${id}`,
          cause: isFinal(from)
            ? `It has ended already (${from}).`
            : `It is ${from} and can't become ${status}.`,
          nextStep: 'Reload it.',
          field: 'status',
        });
      }
      const at = clock.now();
      update.run({ ...old, ...part(old, at), status, updatedAt: at });
      return readExecution(requireRow(byId.get(id)));
    });

  return {
    /** Newest first. */
    search: (
      filter: ExecutionFilter,
      { offset, limit }: { offset: number; limit: number },
    ): { rows: ToolExecution[]; total: number } => {
      const given: Given = {
        tool: filter.toolId ?? null,
        caller: filter.callerId ?? null,
        trace: filter.traceId ?? null,
        since: filter.since ?? null,
        statuses: filter.status === undefined ? null : JSON.stringify(filter.status),
      };
      return {
        rows: page.all({ ...given, offset, limit }).map(readExecution),
        total: count.get(given) ?? 0,
      };
    },
    get: (id: string): ToolExecution | null => {
      const row = byId.get(id);
      return row === undefined ? null : readExecution(row);
    },
    callers: (): string[] => callers.all(),
    insert: (execution: NewExecution): ToolExecution =>
      transaction(() => {
        const at = clock.now();
        const id = nextId();
        insert.run(
          table.toRow({
            ...execution,
            id,
            status: 'PENDING',
            outputData: null,
            errorCode: null,
            errorMessage: null,
            stderrTail: '',
            outputExcerpt: null,
            startedAt: null,
            completedAt: null,
            durationMs: null,
            createdAt: at,
            updatedAt: at,
          }),
        );
        return readExecution(requireRow(byId.get(id)));
      }),
    begin: (id: string): ToolExecution => move(id, 'RUNNING', (_old, at) => ({ startedAt: at })),
    /** INVALID where docs/rules.md §7 has no such transition: a final status stays. */
    end: (id: string, status: ExecutionStatus, end: ExecutionEnd): ToolExecution =>
      move(id, status, (_old, at) => ({
        ...end,
        // A tool that succeeded may return null, which is kept as JSON, unlike no output.
        outputData:
          end.outputData === null && status !== 'SUCCESS' ? null : JSON.stringify(end.outputData),
        completedAt: at,
      })),
    /** Executions whose status is not final. */
    open: (): ToolExecution[] => unfinished.all().map(readExecution),
    /** Deletes at most `limit` executions from before the moment; returns how many. */
    deleteBefore: (moment: string, limit: number): number =>
      transaction(() => prune.run(moment, limit).changes),
  };
}

function readExecution(row: ExecutionRow): ToolExecution {
  return readRow(toolExecution, `The execution ${row.id}`, () => table.fromRow(row));
}
