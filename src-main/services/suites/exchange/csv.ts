import type { ExportLoss, MappedField } from '../../../../src-shared/contract/suites.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { isPlainTool } from './callValues.ts';
import { addRecord } from './caseRecord.ts';
import { readCsv, writeCsv, type CsvRow } from './csvText.ts';
import type { CaseExchange } from './caseExchange.ts';
import type { SourceRecord } from './recordFields.ts';
import { findMissingColumn, guessColumns, unusedColumns } from './fieldNames.ts';
import { SuiteDraft } from './suiteDraft.ts';
import { suiteLosses } from './suiteLosses.ts';

const version = 1;
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
    draft.columns = {
      names: header,
      mapped: guessColumns(header, options.map),
      unused: unusedColumns(header, options.map),
    };
    const missing = findMissingColumn(header, options.map);
    if (missing !== null) draft.problem({ line: 1, column: 1 }, missing);
    else
      for (const row of rows) addRecord(draft, toRecord(row, header), options.map, options.server);
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
      'arguments_mode',
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

function toRecord(row: CsvRow, header: readonly string[]): SourceRecord {
  return {
    label: `row in line ${row.line}`,
    isTable: true,
    values: new Map(header.map((name, at) => [name, row.cells[at] ?? ''])),
    where: (name) => row.place(Math.max(0, header.indexOf(name ?? '\0'))),
  };
}

function toCells(suite: CaseFile, each: SuiteFileCase): Partial<Record<MappedField, string>> {
  const [call] = each.expected_calls;
  const servers =
    each.servers !== undefined && each.servers.length > 0 ? each.servers : suite.servers;
  // A single call of one tool gets readable cells; anything else is written as JSON in one cell.
  const simple =
    call === undefined ||
    (each.expected_calls.length === 1 && !('any_of' in call) && isPlainTool(call.tool));
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
          tool: single?.tool ?? '',
          parameters: json(single?.parameters),
        }
      : { expected_calls: json(each.expected_calls) }),
    order_dependent: each.order_dependent === true ? 'true' : '',
    arguments_mode: each.arguments_mode ?? '',
    allowed_calls: json(each.allowed_calls),
    stub_results: json(each.stub_results),
  };
}

const toListCell = (list: readonly string[]): string =>
  list.some((each) => /[;,|"[]|^\s|\s$/.test(each)) ? JSON.stringify(list) : list.join(';');
/** What neither CSV nor JSON lines can represent. */
export function tableLosses(suite: CaseFile): ExportLoss[] {
  return suiteLosses(suite, { system: true, messages: true });
}
