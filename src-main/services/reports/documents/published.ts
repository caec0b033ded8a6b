import { z } from 'zod';
import type { RunColumn } from '../../../../src-shared/domain/runColumns.ts';

/** `usd_per_call` → `usdPerCall`. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/**
 * A published field whose value isn't that of its name in camel case: where it comes from, or null
 * if it is written elsewhere.
 */
type Field<Source> = readonly [z.ZodType, ((source: Source) => unknown) | keyof Source | null];
type Fields<Source> = Readonly<Record<string, z.ZodType | Field<Source>>>;

type ShapeOf<Given> = {
  -readonly [Name in keyof Given]: Given[Name] extends z.ZodType
    ? Given[Name]
    : Given[Name] extends readonly [infer Schema extends z.ZodType, ...unknown[]]
      ? Schema
      : never;
};

/** What no field of that name in camel case has a value for does not compile. */
type Known<Source, Given> = {
  [Name in keyof Given]: Given[Name] extends z.ZodType
    ? Camel<Name & string> extends keyof Source
      ? Given[Name]
      : never
    : Given[Name];
};

export interface Published<Source, Shape extends z.ZodRawShape> extends z.ZodObject<
  Shape,
  z.core.$strict
> {
  /** What it is written from; in types only. */
  readonly from?: (source: Source) => void;
}

type Write = (value: unknown) => unknown;
type Reader = readonly [name: string, read: (source: never) => unknown, schema: z.ZodType];

/** By the definition of a schema, which descriptions and wrappers share. */
const readersOf = new WeakMap<object, readonly Reader[]>();
const writers = new WeakMap<object, Write>();

const camel = (name: string): string =>
  name.replace(/_(\w)/gu, (_found, letter: string) => letter.toUpperCase());

/**
 * A JSON object as programs read it, and how it is written from a value of the program: one
 * declaration for the schema, the type and the text. Fields are written in this order, from the value
 * of the same name in camel case unless they say otherwise; optional ones are left out where it is
 * undefined.
 */
export const published =
  <Source>() =>
  <const Given extends Fields<Source>>(
    fields: Given & Known<Source, Given>,
    /** Fields that are written in this order, where it differs from that of the schema. */
    order: readonly string[] = [],
  ): Published<Source, ShapeOf<Given>> => {
    const given = Object.entries<z.ZodType | Field<Source>>(fields);
    const schema = z.strictObject(
      Object.fromEntries(
        given.map(([name, field]) => [name, field instanceof z.ZodType ? field : field[0]]),
      ),
    );
    const readers = given.flatMap(([name, field]): Reader[] => {
      if (field instanceof z.ZodType) return [[name, memberOf(camel(name)), field]];
      const [own, from] = field;
      if (from === null) return [];
      return [[name, typeof from === 'function' ? from : memberOf(from), own]];
    });
    const moved = order.flatMap((name) => readers.filter(([own]) => own === name));
    readersOf.set(
      schema.def,
      readers.map((reader) => (order.includes(reader[0]) ? (moved.shift() ?? reader) : reader)),
    );
    return schema as unknown as Published<Source, ShapeOf<Given>>;
  };

const memberOf =
  (name: PropertyKey) =>
  (source: object): unknown =>
    (source as Readonly<Record<PropertyKey, unknown>>)[name];

/** The fields of measured values of a run, left out where the source has no run of the kind. */
export const columnFields = <Run, Shape extends z.ZodRawShape, Source>(
  columns: readonly RunColumn<Run>[],
  _shape: Shape,
  runOf: (source: Source) => Run | null,
) =>
  Object.fromEntries(
    columns.flatMap(({ name, value, json }) => {
      if (json === undefined) return [];
      const read = (source: Source): unknown => {
        const run = runOf(source);
        return run === null ? undefined : (json.read ?? value)(run);
      };
      return [[name, [json.schema, read]]];
    }),
  ) as unknown as { [Name in keyof Shape]: readonly [Shape[Name], (source: Source) => unknown] };

/** How these fields of a published object are read from its source, with their schemas. */
export const readersIn = <Source, Shape extends z.ZodRawShape>(
  schema: Published<Source, Shape>,
  names: readonly (keyof Shape & string)[],
) => {
  const readers = new Map((readersOf.get(schema.def) ?? []).map((reader) => [reader[0], reader]));
  return names.map((name) => {
    const reader = readers.get(name);
    if (reader === undefined) throw new Error(`${name}: It is written elsewhere.`);
    const [, read, own] = reader;
    return { name, schema: own, read: (source: Source): unknown => read(source as never) };
  });
};

/** What `writeJson` writes before the content of a document. */
type Head = 'format' | 'version' | 'generated';

/** The JSON content of a published object. Throws for a field that has no value. */
export const publish = <Source, Shape extends z.ZodRawShape>(
  schema: Published<Source, Shape>,
  source: Source,
) => writerOf(schema)(source) as Omit<z.output<z.ZodObject<Shape>>, Head>;

const asItIs: Write = (value) => value;

function writerOf(schema: z.ZodType): Write {
  const known = writers.get(schema.def);
  const write = known ?? makeWriter(schema);
  writers.set(schema.def, write);
  return write;
}

function makeWriter(schema: z.ZodType): Write {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const write = writerOf(schema.unwrap() as z.ZodType);
    return (value) => (value === undefined || value === null ? value : write(value));
  }
  if (schema instanceof z.ZodArray) {
    const write = writerOf(schema.element as z.ZodType);
    if (write === asItIs) return asItIs;
    return (value) =>
      Symbol.asyncIterator in (value as object)
        ? writeEach(value as AsyncIterable<unknown>, write)
        : (value as readonly unknown[]).map(write);
  }
  const readers = readersOf.get(schema.def);
  if (readers === undefined) return asItIs;
  return (source) => {
    const written: Record<string, unknown> = {};
    for (const [name, read, own] of readers) {
      const value = writerOf(own)(read(source as never));
      if (value !== undefined) written[name] = value;
      else if (!(own instanceof z.ZodOptional)) throw new Error(`${name}: It has no value.`);
    }
    return written;
  };
}

/** Writes items one by one, so that the document never holds all of them. */
async function* writeEach(items: AsyncIterable<unknown>, write: Write): AsyncGenerator {
  for await (const item of items) yield write(item);
}
