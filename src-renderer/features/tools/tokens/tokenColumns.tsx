import type { FormatTokens, TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import { codeColumn, type Column, numberColumn, textColumn } from '../../../ui/table/DataTable.tsx';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { tokenParts } from '../../../../src-shared/display/tokenTexts.ts';

export type Row = TokenReport['tools'][number];

const toolColumns: Column<Row>[] = [
  codeColumn('tool', 'Tool', 'minmax(200px, 2fr)', (row) => row.toolId),
  numberColumn('tokens', 'Tokens', 90, (row) => row.tokenCount, {
    hint: 'Tokens of the whole tool definition; the parts sum to it exactly.',
    text: (tokens) => <strong>{formatCount(tokens)}</strong>,
  }),
  // A narrow heading has no room for “schema”.
  ...tokenParts.map(({ part, title, meaning: hint }) =>
    numberColumn(part, title.split(' ', 1).join(), 108, (row: Row) => row.parts[part], { hint }),
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
