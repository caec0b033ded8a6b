import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  executionTransitions,
  isFinal,
  toolExecution,
  type ExecutionFilter,
  type ExecutionStatus,
  type ToolExecution,
} from '../../../src-shared/domain/toolExecution.ts';
import { notFound } from '../database/conflict.ts';
import { json, readRow, requireRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';

export type NewExecution = Pick<
  ToolExecution,
  'toolId' | 'toolName' | 'version' | 'inputData' | 'callerId' | 'traceId'
>;
export type ExecutionEnd = Pick<
  ToolExecution,
  'outputData' | 'errorCode' | 'errorMessage' | 'stderrTail' | 'outputExcerpt' | 'durationMs'
>;

export interface ToolExecutionStore {
  /** The newest first. */
  search(
    filter: ExecutionFilter,
    page: { offset: number; limit: number },
  ): { rows: ToolExecution[]; total: number };
  get(id: string): ToolExecution | null;
  callers(): string[];
  insert(execution: NewExecution): ToolExecution;
  begin(id: string): ToolExecution;
  /** INVALID where the arrow is not one of docs/rules.md §7: a final status stays. */
  end(id: string, status: ExecutionStatus, end: ExecutionEnd): ToolExecution;
  /** Those that are not final. */
  open(): ToolExecution[];
  /** At most `limit` that were made before the moment; how many went. */
  deleteBefore(moment: string, limit: number): number;
}

interface StoredRow {
  id: string;
  tool_id: string;
  tool_name: string;
  version: number;
  status: string;
  input_data: string;
  output_data: string | null;
  error_code: string | null;
  error_message: string | null;
  stderr_tail: string;
  output_excerpt: string | null;
  started_at: string | null;
  completed_at: string | null;
  duration_ms: number | null;
  caller_id: string | null;
  trace_id: string | null;
  created_at: string;
  updated_at: string;
}

const where = `(:tool IS NULL OR tool_id = :tool) AND (:caller IS NULL OR caller_id = :caller) AND (:trace IS NULL OR trace_id = :trace)
  AND (:since IS NULL OR created_at >= :since) AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))`;

export function openToolExecutions({
  db,
  clock,
  nextId,
  transaction,
}: StoreContext): ToolExecutionStore {
  type Given = {
    tool: string | null;
    caller: string | null;
    trace: string | null;
    since: string | null;
    statuses: string | null;
  };
  const page = db.prepare<[Given & { offset: number; limit: number }], StoredRow>(
    `SELECT * FROM tool_executions WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :offset`,
  );
  const count = db
    .prepare<[Given], number>(`SELECT count(*) FROM tool_executions WHERE ${where}`)
    .pluck();
  const byId = db.prepare<[string], StoredRow>('SELECT * FROM tool_executions WHERE id = ?');
  const callers = db
    .prepare<[], string>(
      'SELECT DISTINCT caller_id FROM tool_executions WHERE caller_id IS NOT NULL ORDER BY 1 LIMIT 200',
    )
    .pluck();
  const unfinished = db.prepare<[], StoredRow>(
    'SELECT * FROM tool_executions WHERE completed_at IS NULL ORDER BY created_at',
  );
  const insert = db.prepare<
    [
      Pick<
        StoredRow,
        | 'id'
        | 'tool_id'
        | 'tool_name'
        | 'version'
        | 'input_data'
        | 'caller_id'
        | 'trace_id'
        | 'created_at'
        | 'updated_at'
      >,
    ]
  >(`INSERT INTO tool_executions
    (id, tool_id, tool_name, version, status, input_data, caller_id, trace_id, created_at, updated_at)
    VALUES (:id, :tool_id, :tool_name, :version, 'PENDING', :input_data, :caller_id, :trace_id, :created_at, :updated_at)`);
  const update = db.prepare<
    [StoredRow]
  >(`UPDATE tool_executions SET status = :status, output_data = :output_data, error_code = :error_code, error_message = :error_message,
    stderr_tail = :stderr_tail, output_excerpt = :output_excerpt, started_at = :started_at, completed_at = :completed_at, duration_ms = :duration_ms, updated_at = :updated_at WHERE id = :id`);
  const prune = db.prepare<[string, number]>(
    'DELETE FROM tool_executions WHERE id IN (SELECT id FROM tool_executions WHERE created_at < ? AND completed_at IS NOT NULL ORDER BY created_at LIMIT ?)',
  );

  const move = (
    id: string,
    status: ExecutionStatus,
    part: (old: StoredRow, at: string) => Partial<StoredRow>,
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
      update.run({ ...old, ...part(old, at), status, updated_at: at });
      return readExecution(requireRow(byId.get(id)));
    });

  return {
    search: (filter, { offset, limit }) => {
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
    get: (id) => {
      const row = byId.get(id);
      return row === undefined ? null : readExecution(row);
    },
    callers: () => callers.all(),
    insert: (execution) =>
      transaction(() => {
        const at = clock.now();
        const id = nextId();
        insert.run({
          id,
          tool_id: execution.toolId,
          tool_name: execution.toolName,
          version: execution.version,
          input_data: JSON.stringify(execution.inputData),
          caller_id: execution.callerId,
          trace_id: execution.traceId,
          created_at: at,
          updated_at: at,
        });
        return readExecution(requireRow(byId.get(id)));
      }),
    begin: (id) => move(id, 'RUNNING', (_old, at) => ({ started_at: at })),
    end: (id, status, end) =>
      move(id, status, (_old, at) => ({
        output_data:
          end.outputData === null && status !== 'SUCCESS' ? null : JSON.stringify(end.outputData),
        error_code: end.errorCode,
        error_message: end.errorMessage,
        stderr_tail: end.stderrTail,
        output_excerpt: end.outputExcerpt,
        duration_ms: end.durationMs,
        completed_at: at,
      })),
    open: () => unfinished.all().map(readExecution),
    deleteBefore: (moment, limit) => transaction(() => prune.run(moment, limit).changes),
  };
}

function readExecution(row: StoredRow): ToolExecution {
  return readRow(toolExecution, `The execution ${row.id}`, () => ({
    id: row.id,
    toolId: row.tool_id,
    toolName: row.tool_name,
    version: row.version,
    status: row.status,
    inputData: json(row.input_data),
    outputData: json(row.output_data),
    errorCode: row.error_code,
    errorMessage: row.error_message,
    stderrTail: row.stderr_tail,
    outputExcerpt: row.output_excerpt,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    durationMs: row.duration_ms,
    callerId: row.caller_id,
    traceId: row.trace_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
