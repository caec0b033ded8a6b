import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { readCsv } from './csvText.ts';
import type { SuiteDraft, Place } from './suiteDraft.ts';

export interface ReadTest {
  test: JsonObject;
  label: string;
  /** The `defaultTest` of the configuration. */
  defaults: JsonObject;
  where: Place;
}

/**
 * Reads a table of tests. Columns are variables; those that start with two underscores state what
 * is expected.
 */
export function readPromptfooTable(
  draft: SuiteDraft,
  text: string,
  add: (test: ReadTest) => void,
): void {
  const { header, rows, problem } = readCsv(text);
  if (problem !== null) return draft.problem(problem, problem.message);
  if (!header.some((name) => name.startsWith('__expected')))
    return draft.problem({ line: 1, column: 1 }, 'The table has no column __expected.');
  for (const row of rows)
    add({
      test: testOfRow(header, row.cells),
      label: `row in line ${row.line}`,
      defaults: {},
      where: row.place(0),
    });
}

/** The tests of a table that a configuration names; none if it can’t be read. */
export function testsOfTable(text: string): JsonObject[] {
  const { header, rows } = readCsv(text);
  return rows.map(({ cells }) => testOfRow(header, cells));
}

function testOfRow(header: readonly string[], cells: readonly string[]): JsonObject {
  const vars: JsonObject = {};
  const metadata: JsonObject = {};
  const assert: JsonValue[] = [];
  let description: string | null = null;
  for (const [at, name] of header.entries()) {
    const cell = cells[at] ?? '';
    if (name.startsWith('__expected')) {
      if (cell.trim() !== '') assert.push(readAssert(cell.trim()));
    } else if (name === '__description') description = cell;
    else if (name.startsWith('__metadata:'))
      metadata[name.slice('__metadata:'.length).replace(/\[\]$/, '')] = name.endsWith('[]')
        ? cell.split(',').map((each) => each.trim())
        : cell;
    else if (!name.startsWith('__') && name !== '') vars[name] = cell;
  }
  return { ...(description !== null && { description }), vars, metadata, assert };
}

/** Reads a cell such as `type(threshold):value`. */
function readAssert(cell: string): JsonObject {
  if (/^(fn|eval):/.test(cell)) return { type: 'javascript' };
  if (cell.startsWith('file://'))
    return { type: /\.py(:|$)/.test(cell) ? 'python' : 'javascript', value: cell };
  const [, type, threshold, value] =
    /^((?:not-)?(?:trajectory:[a-z-]+|[a-z][a-z0-9-]*))(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(
      cell,
    ) ?? [];
  if (type === undefined) return { type: 'equals', value: cell };
  return {
    type,
    ...(threshold !== undefined && { threshold: Number(threshold) }),
    ...(value !== undefined && { value: value.trim() }),
  };
}
