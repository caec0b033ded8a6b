import type { ReportSubject } from '../../../../src-shared/domain/report.ts';
import { stringifyVisible } from '../../../../src-shared/display/visibleText.ts';
import type { Report, WriteFormat } from '../report.ts';

/**
 * The version of each document, increased with every incompatible change;
 * datasets/*_report.schema.json describe them. Evaluation 2: a run has one of nine outcomes, and
 * `called` in place of `selected`.
 */
export const jsonReportVersions = {
  evaluation: 2,
  comparison: 1,
  similarity: 1,
  retrieval: 1,
  security: 1,
  tokens: 1,
  lint: 1,
  tasks: 1,
} as const satisfies Record<ReportSubject, number>;

/**
 * One JSON document with its head line by line and one line per object in lists, so that large
 * reports can be read line by line. A superset of what the command prints with --json. Lists that are
 * read while they are written are so in a field of a field too.
 */
export const writeJson: WriteFormat = async function* ({ subject, generated, document }: Report) {
  yield* writeObject({
    format: `touchstone-${subject}`,
    version: jsonReportVersions[subject],
    generated,
    ...(await document()),
  });
  yield '\n';
};

async function* writeObject(fields: Readonly<Record<string, unknown>>): AsyncIterable<string> {
  let before = '{\n';
  for (const [name, known] of Object.entries(fields)) {
    // What follows from a list before it is known once that is written.
    const value = await known;
    if (value === undefined) continue;
    yield `${before}${stringifyVisible(name)}: `;
    if (isList(value)) yield* writeList(value);
    else if (hasLazyList(value)) yield* writeObject(value);
    else yield stringifyVisible(value);
    before = ',\n';
  }
  yield '\n}';
}

type List = Iterable<unknown> | AsyncIterable<unknown>;

/** Whether a list is read while it is written. */
const isLazy = (value: unknown): value is List =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  (Symbol.asyncIterator in value || Symbol.iterator in value);

const hasLazyList = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).some(isLazy);

/** Lists of objects get one line per object; lists of numbers and names stay on one line. */
const isList = (value: unknown): value is List =>
  isLazy(value) || (Array.isArray(value) && typeof value[0] === 'object');

async function* writeList(items: List): AsyncIterable<string> {
  let before = '[\n';
  for await (const item of items) {
    yield `${before}${stringifyVisible(item)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : '\n]';
}
