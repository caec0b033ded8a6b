import type { ExportLoss, MappedField } from '../../../../src-shared/contract/suites.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { readSourceText } from '../sourceText.ts';
import {
  addCase,
  findColumns,
  guessColumns,
  type FieldColumns,
  type FieldSource,
} from './caseFields.ts';
import { readCsv, writeCsv, type CsvRow } from './csvText.ts';
import type { CaseExchange } from './caseExchange.ts';
import { SuiteDraft } from './suiteDraft.ts';
import { suiteLosses } from './suiteLosses.ts';

const version = 1;
/** Fields whose cells must be JSON. List fields may be JSON if they start with a bracket. */
const jsonFields: readonly MappedField[] = [
  'parameters',
  'expected_calls',
  'allowed_calls',
  'stub_results',
];
const listFields: readonly MappedField[] = ['tags', 'servers', 'tool'];

/** A CSV table with a header and one case per row. */
export const csv: CaseExchange = {
  extension: '.csv',

  read(text, options) {
    const draft = new SuiteDraft('csv', version, text, options);
    const { header, rows, problem } = readCsv(text);
    if (problem !== null) {
      draft.problem(problem, problem.message);
      return draft.finish();
    }
    draft.columns = { names: header, mapped: guessColumns(header, options.map) };
    const columns = findColumns(header, options.map);
    if (typeof columns === 'string') {
      draft.problem({ line: 1, column: 1 }, columns);
      return draft.finish();
    }
    for (const row of rows)
      addCase(draft, createFieldSource(draft, row, header, columns), options.server);
    return draft.finish();
  },

  write(suite) {
    const fields: MappedField[] = [
      'id',
      'name',
      'query',
      'server',
      'tool',
      'parameters',
      'tags',
      'servers',
      'expected_calls',
      'order_dependent',
      'allowed_calls',
      'stub_results',
    ];
    const rows = suite.cases.map((each) => toCells(suite, each));
    const used = fields.filter(
      (field) =>
        ['id', 'name', 'query', 'server', 'tool'].includes(field) ||
        rows.some((row) => (row[field] ?? '') !== ''),
    );
    return {
      text: writeCsv([used, ...rows.map((row) => used.map((field) => row[field] ?? ''))]),
      losses: tableLosses(suite),
    };
  },
};

function createFieldSource(
  draft: SuiteDraft,
  row: CsvRow,
  header: readonly string[],
  columns: FieldColumns,
): FieldSource {
  const at = (field: MappedField): number => header.indexOf(columns[field] ?? '\0');
  const where = (field: MappedField) => row.place(Math.max(0, at(field)));
  return {
    label: `row in line ${row.line}`,
    where,
    value(field) {
      const cell = row.cells[at(field)] ?? '';
      if (cell.trim() === '') return undefined;
      const isJson =
        jsonFields.includes(field) ||
        (listFields.includes(field) && cell.trimStart().startsWith('['));
      if (!isJson) return cell;
      const parsed = /^\s*[[{]/.test(cell) ? readSourceText(cell) : null;
      if (parsed?.readable === true) return parsed.value;
      draft.problem(
        where(field),
        `The cell in column ${columns[field]} isn’t valid ` +
          `JSON${parsed === null ? '' : `: ${parsed.problems[0]?.message ?? ''}`}`,
      );
      return undefined;
    },
  };
}

function toCells(suite: CaseFile, each: SuiteFileCase): Partial<Record<MappedField, string>> {
  const [call] = each.expected_calls;
  const servers =
    each.servers !== undefined && each.servers.length > 0 ? each.servers : suite.servers;
  // A single call of one tool gets readable cells; anything else is written as JSON in one cell.
  const simple = each.expected_calls.length <= 1 && (call === undefined || !('any_of' in call));
  const single = call === undefined || 'any_of' in call ? null : call;
  const json = (value: JsonValue | undefined): string =>
    value === undefined ? '' : JSON.stringify(value);
  return {
    id: each.id,
    name: each.name,
    query: each.query,
    tags: toListCell(each.tags ?? []),
    servers: toListCell(servers),
    ...(simple
      ? {
          server: single?.server ?? '',
          tool: single === null ? '' : toToolCell(single.tool),
          parameters: json(single?.parameters),
        }
      : { expected_calls: json(each.expected_calls) }),
    order_dependent: each.order_dependent === true ? 'true' : '',
    allowed_calls: json(each.allowed_calls),
    stub_results: json(each.stub_results),
  };
}

const toListCell = (list: readonly string[]): string =>
  list.some((each) => /[;,|"[]|^\s|\s$/.test(each)) ? JSON.stringify(list) : list.join(';');
const toToolCell = (tool: string): string =>
  /^\s*\[|^\s|\s$/.test(tool) ? JSON.stringify([tool]) : tool;

/** What neither CSV nor JSON lines can represent. */
export function tableLosses(suite: CaseFile): ExportLoss[] {
  return suiteLosses(suite, { system: true, messages: true });
}
