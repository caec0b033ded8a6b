import { ORPCError } from '@orpc/client';
import type { ErrorData } from '../../../src-shared/contract/errors.ts';
import { noSignal, toolOf, type TestWorkshop } from '../../testing/workshop.ts';

export const createTool = (at: TestWorkshop, change: Record<string, unknown> = {}) =>
  at.workshop.create({ content: toolOf(change), categoryId: null, changelog: '' }, noSignal);

/** The error that a call must be refused with. */
export const refusal = async (work: Promise<unknown>): Promise<ErrorData & { code: string }> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ORPCError)) throw new Error(`It was not refused: ${String(error)}`);
  const { code, data } = error as ORPCError<string, ErrorData>;
  return { ...data, code };
};

export const countRows = (at: TestWorkshop, table: string): number =>
  Number(at.database.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
