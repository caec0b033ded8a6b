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
 * reports can be read line by line. A superset of what the command prints with --json.
 */
export const writeJson: WriteFormat = async function* ({ subject, generated, document }: Report) {
  let before = '{\n';
  for (const [name, value] of Object.entries<unknown>({
    format: `touchstone-${subject}`,
    version: jsonReportVersions[subject],
    generated,
    ...(await document()),
  })) {
    if (value === undefined) continue;
    yield `${before}${stringifyVisible(name)}: `;
    if (isList(value)) yield* writeList(value);
    else yield stringifyVisible(value);
    before = ',\n';
  }
  yield '\n}\n';
};

type List = Iterable<unknown> | AsyncIterable<unknown>;

/** Lists of objects get one line per object; lists of numbers and names stay on one line. */
function isList(value: unknown): value is List {
  if (typeof value !== 'object' || value === null) return false;
  if (Symbol.asyncIterator in value) return true;
  return Array.isArray(value) && typeof value[0] === 'object';
}

async function* writeList(items: List): AsyncIterable<string> {
  let before = '[\n';
  for await (const item of items) {
    yield `${before}${stringifyVisible(item)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : '\n]';
}
