import type { FormatTokens, TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import { codeColumn, type Column, numberColumn, textColumn } from '../../../ui/table/DataTable.tsx';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';

export type Row = TokenReport['tools'][number];

const partColumn = (part: keyof Row['parts'], header: string, hint: string): Column<Row> =>
  numberColumn(part, header, 108, (row) => row.parts[part], { hint });

const toolColumns: Column<Row>[] = [
  codeColumn('tool', 'Tool', 'minmax(200px, 2fr)', (row) => row.toolId),
  {
    id: 'tokens',
    header: 'Tokens',
    hint: 'Tokens of the whole tool definition; the parts sum to it exactly.',
    width: 90,
    align: 'right',
    sortValue: (row) => row.tokenCount,
    cell: (row) => <strong>{formatCount(row.tokenCount)}</strong>,
  },
  partColumn('name', 'Name', 'Tokens that begin in the name.'),
  partColumn('description', 'Description', 'Tokens that begin in the description.'),
  partColumn('inputSchema', 'Input', 'Tokens that begin in the input schema.'),
  partColumn('outputSchema', 'Output', 'Tokens that begin in the output schema.'),
  partColumn('structure', 'Structure', 'All other tokens: braces, keys, title, annotations.'),
];

/** Of the skills, what a model loads besides. */
const bodyColumn: Column<Row> = {
  id: 'body',
  header: 'Body',
  hint: 'Tokens of a skill’s instructions, loaded only when a model uses it. No sum includes them.',
  width: 108,
  align: 'right',
  sortValue: ({ bodyTokens }) => bodyTokens ?? -1,
  cell: ({ bodyTokens }) => (bodyTokens === undefined ? '–' : formatCount(bodyTokens)),
};

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
