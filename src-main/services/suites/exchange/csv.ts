import type { ExportLoss, MappedField } from '../../../../src-shared/contract/suites.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { isPlainTool } from './callValues.ts';
import { writeCsv } from './csvText.ts';
import type { CaseExchange } from './caseExchange.ts';
import { fromTable } from './readRecords.ts';
import { readRecordSuite } from './readRecordSuite.ts';
import { suiteLosses } from './suiteLosses.ts';

/** A CSV table with a header and one case per row. */
export const csv: CaseExchange = {
  extension: '.csv',

  read: (text, options) =>
    readRecordSuite('csv', text, options, (draft, settings) =>
      fromTable(text, options.fileName, (name) => draft.catalog.resolve(name) !== null, settings),
    ),

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
      'system',
      'messages',
      'note',
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
    system: each.system ?? suite.system ?? '',
    messages: json(each.messages ?? suite.messages),
    note: each.note ?? '',
    stub_results: json(each.stub_results),
  };
}

const toListCell = (list: readonly string[]): string =>
  list.some((each) => /[;,|"[]|^\s|\s$/.test(each)) ? JSON.stringify(list) : list.join(';');

/** What neither CSV nor JSON lines can represent: each case has the prompts of its suite. */
export function tableLosses(suite: CaseFile): ExportLoss[] {
  return suite.cases.length > 0 ? [] : suiteLosses(suite, { system: true, messages: true });
}
