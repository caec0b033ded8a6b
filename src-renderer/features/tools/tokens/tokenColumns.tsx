import type { FormatTokens, TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import { codeColumn, type Column, numberColumn, textColumn } from '../../../ui/table/DataTable.tsx';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';

export type Row = TokenReport['tools'][number];

/** Where tokens of a definition begin. */
export const parts: readonly { part: keyof Row['parts']; name: string; hint: string }[] = [
  { part: 'name', name: 'Name', hint: 'Tokens that begin in the name.' },
  { part: 'description', name: 'Description', hint: 'Tokens that begin in the description.' },
  { part: 'inputSchema', name: 'Input schema', hint: 'Tokens that begin in the input schema.' },
  {
    part: 'outputSchema',
    name: 'Output schema',
    hint: 'Tokens that begin in the output schema. Requests to models don’t carry it.',
  },
  {
    part: 'structure',
    name: 'Structure',
    hint: 'Everything else: braces, quotes, keys, title, annotations.',
  },
];

const toolColumns: Column<Row>[] = [
  codeColumn('tool', 'Tool', 'minmax(200px, 2fr)', (row) => row.toolId),
  numberColumn('tokens', 'Tokens', 90, (row) => row.tokenCount, {
    hint: 'Tokens of the whole tool definition; the parts sum to it exactly.',
    text: (tokens) => <strong>{formatCount(tokens)}</strong>,
  }),
  // A narrow heading has no room for “schema”.
  ...parts.map(({ part, name, hint }) =>
    numberColumn(part, name.split(' ', 1).join(), 108, (row: Row) => row.parts[part], { hint }),
  ),
];

/** Of the skills, what a model loads besides. */
const bodyColumn = numberColumn<Row>('body', 'Body', 108, ({ bodyTokens = null }) => bodyTokens, {
  hint: 'Tokens of a skill’s instructions, loaded only when a model uses it. No sum includes them.',
});

/** The columns for these tools: that of bodies only if one is a skill. */
export const columnsFor = (tools: readonly Row[]): Column<Row>[] =>
  tools.some(({ bodyTokens }) => bodyTokens !== undefined)
    ? [...toolColumns, bodyColumn]
    : toolColumns;

export const formatColumns: Column<FormatTokens>[] = [
  textColumn('format', 'Format', 'minmax(150px, 1fr)', (row) => row.format, { sorts: false }),
  numberColumn('tokens', 'Tokens', 90, (row) => row.tokenCount),
  {
    id: 'basis',
    header: 'Basis',
    hint:
      'Estimated: counted in the request text. Measured: reported by the provider ' +
      'for real requests.',
    width: 160,
    cell: (row) =>
      row.basis === 'estimated'
        ? 'estimated'
        : `measured in ${counted(row.requests ?? 0, 'request')}`,
  },
  textColumn('note', 'How', 'minmax(160px, 2fr)', (row) => row.note, { sorts: false }),
];
