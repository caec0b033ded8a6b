import { z } from 'zod';
import { readersIn, type Published } from '../documents/published.ts';
import type { Cell, Column, Report, ReportPart, ReportRow, ReportTable } from '../report.ts';

export interface Field<Row> {
  column: Column;
  cell: (row: Row) => Cell;
}

type More = Pick<Extract<Column, { kind: 'number' }>, 'digits' | 'text' | 'meaning'>;

export const field = <Row>(
  kind: Column['kind'],
  title: string,
  name: string,
  cell: (row: Row) => Cell,
  more: More = {},
): Field<Row> => ({ column: { ...more, title, name, kind }, cell });

/** The columns that fields of a JSON report have in CSV: the same names and values. */
export const fieldsOf = <Row, Shape extends z.ZodRawShape>(
  document: Published<Row, Shape>,
  ...names: readonly (keyof Shape & string)[]
): Field<Row>[] =>
  readersIn(document, names).map(({ name, schema, read }) =>
    field(kindOf(schema), name, name, (row) => read(row) as Cell),
  );

function kindOf(schema: z.ZodType): 'text' | 'code' | 'word' {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return kindOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return 'code';
  return schema instanceof z.ZodString ? 'text' : 'word';
}

type Given<Row> = Iterable<Row> | AsyncIterable<Row>;

interface Options<Row> extends Omit<ReportTable, 'title' | 'columns' | 'rows'> {
  /** What is known of a row beside its cells. */
  row?: (row: Row) => Omit<ReportRow, 'cells'>;
}

/**
 * A table of rows, by columns that each say what a row has in them; a column that is false is left
 * out. Rows that are read while they are written are given as a function.
 */
export function tableOf<Row>(
  title: string,
  rows: readonly Row[] | (() => Given<Row>),
  fields: readonly (Field<Row> | false)[],
  { row: about, ...options }: Options<Row> = {},
): ReportTable {
  const shown = fields.filter((each) => each !== false);
  const write = (row: Row): ReportRow => ({
    cells: shown.map(({ cell }) => cell(row)),
    ...about?.(row),
  });
  return {
    title,
    columns: shown.map(({ column }) => column),
    rows: () => {
      const given = typeof rows === 'function' ? rows() : rows;
      return Symbol.asyncIterator in given ? mapWhileRead(given, write) : mapEach(given, write);
    },
    ...options,
  };
}

function* mapEach<Row>(rows: Iterable<Row>, write: (row: Row) => ReportRow) {
  for (const row of rows) yield write(row);
}

async function* mapWhileRead<Row>(rows: AsyncIterable<Row>, write: (row: Row) => ReportRow) {
  for await (const row of rows) yield write(row);
}

type Fact = readonly [name: string, value: string | null | undefined, from?: 'untrusted' | false];

/** Facts of a report, without those that it doesn't have. */
export const factsFrom = (...given: readonly Fact[]): Report['facts'] =>
  given.flatMap(([name, value, from]) =>
    value == null ? [] : [{ name, value, ...(from && { untrusted: true }) }],
  );

/** Tables as parts of a report, without those that it doesn't have. */
export const tables = (...given: readonly (ReportTable | false | null)[]): ReportPart[] =>
  given.flatMap((table) => (table ? [{ part: 'table', ...table }] : []));
