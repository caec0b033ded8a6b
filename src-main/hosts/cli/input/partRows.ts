import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import { listedTexts, type ScannedPart } from '../../../services/runs/merge/partFile.ts';
import type { Difference } from '../../../verify/recount.ts';
import { comparePartRows } from '../../../verify/shardRows.ts';
import { verifyReport } from '../../../verify/verifyReport.ts';
import { UsageError } from '../exitCodes.ts';
import type { StoredInput } from './files.ts';
import { parseDocument } from './reportInput.ts';

/**
 * A recount holds the part in memory, in twenty times its size and more. Of a larger one, only the
 * runs are compared with their rows.
 */
const maxRecounted = 8 * 1024 * 1024;
/** Runs that are compared with their rows in one go. */
const batchSize = 500;

interface ScannedInput extends StoredInput, Omit<ScannedPart, 'head'> {
  /** The report without its lists of runs. */
  head: unknown;
}

/** Refuses a part whose numbers don't follow from its rows, or whose rows aren't its runs. */
export async function refuseDifferent(part: ScannedInput, file: string): Promise<void> {
  const changed = async (how: string): Promise<UsageError> => {
    await part.remove();
    return new UsageError(
      `${file}: It was changed after it was written: ${how} Run this part again.`,
    );
  };
  try {
    const isSmall = (await stat(part.path)).size <= maxRecounted;
    const differences = isSmall ? await recount(part, file) : await compareRows(part);
    const [first, ...others] = differences;
    if (first === undefined) return;
    const values = `${JSON.stringify(first.reported)}, recounted ${JSON.stringify(first.recomputed)}`;
    const more = others.length > 0 ? ` ${counted(others.length, 'more value')} differ.` : '';
    throw await changed(`${first.path} is ${values}.${more} touchstone verify lists them.`);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw await changed(`${error.issues[0]?.path.join('.') ?? ''} can’t be read.`);
  }
}

async function recount({ path }: StoredInput, file: string): Promise<readonly Difference[]> {
  const document = parseDocument(await readFile(path, 'utf8'), file);
  return verifyReport(document)?.differences ?? [];
}

const parsedHead = z.looseObject({ shard: z.looseObject({}) });
const parsedRow = z.looseObject({ run_id: z.string() });
const parsedRun = parsedRow.extend({ is_current: z.boolean() });
type ParsedRun = z.infer<typeof parsedRun>;

/** Compares runs with their rows, some at a time: only the places of the rows are in memory. */
export async function compareRows({
  path,
  head,
  rowsAt,
  runsAt,
}: Pick<ScannedInput, 'path' | 'head' | 'rowsAt' | 'runsAt'>): Promise<readonly Difference[]> {
  const { shard, ...report } = parsedHead.parse(head);
  const yieldIfDue = createYielder();
  const rows = new Map<string, readonly [at: number, length: number]>();
  for (const { text, at, length } of rowsAt === null ? [] : listedTexts(path, rowsAt)) {
    rows.set(parsedRow.parse(JSON.parse(text)).run_id, [at, length]);
    await yieldIfDue();
  }
  const file = openSync(path, 'r');
  const rowOf = ({ run_id: id, is_current: isCurrent }: ParsedRun): unknown[] => {
    const [at, length] = (isCurrent ? rows.get(id) : undefined) ?? [0, 0];
    if (length === 0) return [];
    rows.delete(id);
    const text = Buffer.alloc(length);
    readSync(file, text, 0, length, at);
    return [JSON.parse(text.toString('utf8'))];
  };
  try {
    const differences: Difference[] = [];
    let batch: ParsedRun[] = [];
    const compare = (): void => {
      const document = { ...report, runs: batch.flatMap(rowOf), shard: { ...shard, runs: batch } };
      differences.push(...comparePartRows(document));
      batch = [];
    };
    for (const { text } of runsAt === null ? [] : listedTexts(path, runsAt)) {
      batch.push(parsedRun.parse(JSON.parse(text)));
      if (batch.length >= batchSize) compare();
      await yieldIfDue();
    }
    compare();
    // A row that no run has.
    const [other] = rows.keys();
    return other === undefined
      ? differences
      : [...differences, { path: 'runs', reported: other, recomputed: null }];
  } finally {
    closeSync(file);
  }
}
