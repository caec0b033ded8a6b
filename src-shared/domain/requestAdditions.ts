import { z } from 'zod';
import { orElse } from './orElse.ts';
import { parseJson } from './exactNumber.ts';
import { jsonValue, type JsonValue } from './json.ts';

/** Set by the connection itself: a value of one's own would break the request. */
const connectionHeaders = new Set(
  'host content-length content-type transfer-encoding connection keep-alive upgrade expect te trailer'.split(
    ' ',
  ),
);

/** What a request is made of: each has a setting or a part of the program that decides it. */
const ownFields: Readonly<Record<string, string>> = {
  model: 'the setting `model`',
  messages: 'the prompts of the suite',
  input: 'the prompts of the suite',
  system: 'the system prompt',
  instructions: 'the system prompt',
  tools: 'the tools that are offered',
  temperature: 'the setting `temperature`',
  stream: 'the setting `stream`',
};

/** A record whose names are checked too, with a message of their own. */
const named = <Value extends z.ZodType>(value: Value, faultOf: (name: string) => string | null) =>
  z.record(z.string(), value).superRefine((record, context) => {
    for (const name of Object.keys(record)) {
      const fault = name.length > 200 ? 'A name has at most 200 characters.' : faultOf(name);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault, path: [name] });
    }
  });

const headerFault = (name: string): string | null =>
  !/^[\w!#$%&'*+.^`|~-]+$/.test(name)
    ? 'A header name has letters, digits and hyphens only.'
    : connectionHeaders.has(name.toLowerCase())
      ? `The connection sets the header ${name} itself. Remove it.`
      : null;
const headerValue = z
  .string()
  .max(8_000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header value is one line of Latin letters and signs.');

const fieldFault = (name: string): string | null => {
  const by = Object.hasOwn(ownFields, name) ? ownFields[name] : undefined;
  return by === undefined ? emptyFault(name) : `${name} is decided by ${by}. Remove it here.`;
};
const emptyFault = (name: string): string | null =>
  name.trim() === '' ? 'It has no name. Give one.' : null;

/**
 * What a person adds to every request to an endpoint, described once for forms, files, options and
 * storage. Values may refer to a credential, as `${secret:NAME}` of the key store or `${env:NAME}`
 * of the environment; they never hold one (docs/rules.md §3).
 */
export const requestAdditions = {
  headers: named(headerValue, headerFault).default({}),
  /** Query parameters of the address. */
  query: named(z.string().max(8_000), emptyFault).default({}),
  /** Fields of the body. */
  body: named(jsonValue, fieldFault).default({}),
  /** Asks for the answer in parts, for endpoints that answer no other way. */
  stream: z.boolean().default(false),
};
/** The same where most models have none: left out, they are not stored. */
export const optionalAdditions = {
  headers: requestAdditions.headers.unwrap().optional(),
  query: requestAdditions.query.unwrap().optional(),
  body: requestAdditions.body.unwrap().optional(),
  stream: requestAdditions.stream.unwrap().optional(),
};
const additions = z.object(requestAdditions);
export type RequestAdditions = z.infer<typeof additions>;

export const additionNames = ['headers', 'query', 'body'] as const;
export type AdditionName = (typeof additionNames)[number];

/** References to credentials, in the notation of servers. */
export const additionReference = /\$\{(?:secret:([^{}]+)|env:([A-Za-z_]\w*))\}/g;

/** How one addition is typed: `Name: value`, `name=value`, `key=JSON`. */
export const additionForms = {
  headers: { example: 'Name: value', pattern: /^([^:\s]+)\s*:\s*(.*)$/s },
  query: { example: 'name=value', pattern: /^([^=]+?)\s*=(.*)$/s },
  body: { example: 'key=JSON', pattern: /^([^=]+?)\s*=(.*)$/s },
} as const satisfies Record<AdditionName, { example: string; pattern: RegExp }>;

/**
 * Reads typed additions, by name; the last one of a name counts. Null if one of them has not the
 * form of `additionForms`, or a value of the body is neither JSON nor a plain word.
 */
export function readAdditionLines(
  addition: AdditionName,
  lines: readonly string[],
): Record<string, JsonValue> | null {
  const { pattern } = additionForms[addition];
  const read = lines.map((line): [string, JsonValue | undefined] => {
    const [, name = '', value] = pattern.exec(line.trim()) ?? [];
    return [name, value === undefined || addition !== 'body' ? value : readField(value.trim())];
  });
  return read.some(([, value]) => value === undefined)
    ? null
    : (Object.fromEntries(read) as Record<string, JsonValue>);
}

/** The same the other way: an addition as it is typed. */
export function writeAddition(addition: AdditionName, name: string, value: JsonValue): string {
  const text = addition === 'body' || typeof value !== 'string' ? JSON.stringify(value) : value;
  return addition === 'headers' ? `${name}: ${text}` : `${name}=${text}`;
}

/** A field of the body as JSON; a plain word needs no quotes. */
function readField(text: string): JsonValue | undefined {
  return orElse(
    () => parseJson(text) as JsonValue,
    /^[A-Za-z][\w.-]*$/.test(text) ? text : undefined,
  );
}

export interface TypedAdditions extends Record<AdditionName, string> {
  stream: boolean;
}
export const noTypedAdditions: TypedAdditions = { headers: '', query: '', body: '', stream: false };

/** Stored additions as they are typed. */
export const typedAdditions = (
  given: { [Name in AdditionName]?: Readonly<Record<string, unknown>> | undefined } & {
    stream?: boolean | undefined;
  },
): TypedAdditions => {
  const linesOf = (name: AdditionName): string =>
    Object.entries(given[name] ?? {})
      .map(([key, value]) => writeAddition(name, key, value as JsonValue))
      .join('\n');
  return {
    headers: linesOf('headers'),
    query: linesOf('query'),
    body: linesOf('body'),
    stream: given.stream ?? false,
  };
};

/** What is added to each request. Lines that can't be read are null, which the schema reports. */
export const readTypedAdditions = ({ stream, ...typed }: TypedAdditions) => ({
  headers: readAdditionLines('headers', linesIn(typed.headers)),
  query: readAdditionLines('query', linesIn(typed.query)),
  body: readAdditionLines('body', linesIn(typed.body)),
  stream,
});

const linesIn = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Those that were typed; nothing was typed into the others. */
export function givenAdditions({ stream, ...typed }: TypedAdditions) {
  const read = readTypedAdditions({ stream, ...typed });
  const given = additionNames.filter((name) => typed[name].trim() !== '');
  return {
    ...Object.fromEntries(given.map((name) => [name, read[name]])),
    ...(stream && { stream }),
  };
}

/** What is wrong with typed additions, by the names of their fields. */
export function additionFaults(typed: TypedAdditions): ReadonlyMap<string, string> {
  const read = readTypedAdditions(typed);
  const issues = additions.safeParse(read).error?.issues ?? [];
  return new Map(
    issues.flatMap(({ path: [name], message }): [string, string][] => {
      const found = additionNames.find((each) => each === name);
      return found === undefined
        ? []
        : [[found, read[found] === null ? additionFormFault(found) : message]];
    }),
  );
}
export const additionFormFault = (name: AdditionName): string =>
  `Each line needs the form ${additionForms[name].example}.`;
