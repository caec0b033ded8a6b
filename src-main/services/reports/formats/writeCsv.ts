import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import { csvText, csvValue } from '../escapeText.ts';
import { textsOf } from '../report.ts';
import type { Cell, CellLink, Column, Difference, Mark, WriteFormat } from '../report.ts';

/**
 * One row per line (RFC 4180), without time and version, because a line for them would not be a
 * row.
 */
export const writeCsv: WriteFormat = async function* ({ csv }) {
  yield `${csv.columns.flatMap(headerNames).join(',')}\r\n`;
  for await (const { cells } of csv.rows())
    yield `${csv.columns.map((column, at) => fieldsOf(column, cells[at] ?? null)).join(',')}\r\n`;
};

/** Rates and differences take several columns. */
const columnSuffixes = {
  rate: ['', '_low', '_high', '_n'],
  difference: ['', '_low', '_high'],
} as const;

const headerNames = ({ kind, name }: Column): string[] =>
  kind === 'rate' || kind === 'difference'
    ? columnSuffixes[kind].map((end) => `${name}${end}`)
    : [name];

const markName = ({ name, word }: Mark): string => csvValue(name ?? word);

function fieldsOf(column: Column, cell: Cell): string {
  switch (column.kind) {
    case 'text':
      return csvText(textsOf(cell).join('; '));
    case 'code':
      return csvText(
        typeof cell === 'string' ? cell : ((cell as readonly string[] | null) ?? []).join('; '),
      );
    case 'named':
      return csvText((cell as { id: string }).id);
    case 'mark':
      return markName(cell as Mark);
    case 'link':
      return csvValue((cell as CellLink).n);
    case 'rate': {
      const { value = null, low = null, high = null, n = 0 } = (cell as Estimate | null) ?? {};
      return [value, low, high, n].map(csvValue).join(',');
    }
    case 'difference': {
      const { value = null, low = null, high = null } = (cell as Difference | null) ?? {};
      return [value, low, high].map(csvValue).join(',');
    }
    case 'word':
    case 'time':
    case 'number':
      return csvValue(cell as string | number | boolean | null);
  }
}
