import { createHash } from 'node:crypto';
import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { allowedLicenses, allowsRedistribution } from '../../../src-shared/domain/licenses.ts';
import {
  attackCategories,
  corpusEntry,
  entryCategories,
  entryLabels,
  type CorpusEntry,
  type SecurityCorpus,
} from '../../../src-shared/domain/security.ts';

const corpusFile = z.object({
  version: z.unknown().optional(),
  corpus_version: z.unknown().optional(),
  entries: z.array(z.unknown()).min(1),
});

const invalid = (thing: string, cause: string, nextStep: string, field?: string): ServiceError =>
  new ServiceError('INVALID', {
    thing,
    cause,
    nextStep,
    ...(field === undefined ? {} : { field }),
  });

export interface CorpusRules {
  /** A private corpus is never passed on, so its texts may have any license, or none. */
  private: boolean;
}
const shared: CorpusRules = { private: false };

/**
 * Reads a labeled corpus and rejects it as a whole if an entry is invalid: no id, a duplicate id,
 * an unknown label or category, or, unless it is private, no license or one that does not allow
 * passing the text on. The message names the entry. A partly read corpus would give scores over the wrong set.
 */
export function readCorpus(
  content: string,
  name: string,
  rules: CorpusRules = shared,
): SecurityCorpus {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw invalid(
      `The corpus ${name}`,
      `It isn't valid JSON (${errorText(error)}).`,
      'Give {"entries":[{id, description, label, category, provenance}]}.',
    );
  }
  const read = corpusFile.safeParse(parsed);
  if (!read.success)
    throw invalid(
      `The corpus ${name}`,
      'It has no "entries" list with at least one entry.',
      'Give {"entries":[{id, description, label, category, provenance}]}.',
    );
  const entries = read.data.entries.map((entry, index) => readEntry(entry, index, name, rules));
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (seen.has(id))
      throw invalid(
        `Entry ${id} of ${name}`,
        'Another entry has this ID.',
        'Give each entry a unique ID.',
      );
    seen.add(id);
  }
  const version = read.data.version ?? read.data.corpus_version;
  return {
    version:
      typeof version === 'string' || typeof version === 'number' ? String(version) : 'unknown',
    entries,
  };
}

const isOneOf = (list: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && list.includes(value);

const describeValue = (value: unknown): string =>
  value === undefined ? 'is missing.' : `${JSON.stringify(value)} is not known.`;

/** Validates one entry; also used for entries that are edited in the window. */
export function readEntry(
  value: unknown,
  index: number,
  name: string,
  rules: CorpusRules = shared,
): CorpusEntry {
  const given =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const id =
    typeof given['id'] === 'string' && given['id'] !== '' ? given['id'] : `number ${index + 1}`;
  const thing = `Entry ${id} of ${name}`;
  if (id !== given['id']) throw invalid(thing, 'It has no id.', 'Give it one.');
  if (!isOneOf(entryLabels, given['label']))
    throw invalid(
      thing,
      `Its label ${describeValue(given['label'])}`,
      `Give one of ${entryLabels.join(', ')}.`,
    );
  if (!isOneOf(entryCategories, given['category']))
    throw invalid(
      thing,
      `Its category ${describeValue(given['category'])}`,
      `Give one of ${entryCategories.join(', ')}.`,
    );
  if (isOneOf(attackCategories, given['category']) !== (given['label'] === 'malicious'))
    throw invalid(
      thing,
      `Its label ${String(given['label'])} and its category ${String(given['category'])} ` +
        'contradict each other.',
      'Fix one of them.',
    );
  if (!rules.private) requireLicense(given['provenance'], thing);
  const read = corpusEntry.safeParse({
    ...(rules.private ? { provenance: { source: 'private', license: 'private' } } : {}),
    ...withoutNulls(given),
    ...(typeof given['previous_description'] === 'string' && given['previous'] == null
      ? { previous: { description: given['previous_description'] } }
      : {}),
    ...(Array.isArray(given['peers']) ? { peers: given['peers'].map(flatPeer) } : {}),
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(
    thing,
    `${issue?.path.join('.') ?? ''}: ${issue?.message ?? "It can't be read."}`,
    'Fix the entry.',
  );
}

function requireLicense(provenance: unknown, thing: string): void {
  const { license } = (provenance ?? {}) as { license?: unknown };
  if (typeof license !== 'string' || license.trim() === '')
    throw invalid(
      thing,
      'It has no provenance.license.',
      'State the license under which its text may be redistributed, or import the corpus as private.',
      'license',
    );
  if (!allowsRedistribution(license))
    throw invalid(
      thing,
      `Its license ${license} doesn't allow redistributing its text.`,
      `Leave it out, or import the corpus as private. Allowed: ${allowedLicenses.join(', ')}.`,
      'license',
    );
}

/** A member that is null says the same as one that is missing. */
const withoutNulls = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));

/** A peer as `{server, tool: {name, description, inputSchema}}`, the shape of a tool list, too. */
function flatPeer(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { tool, ...peer } = value as Record<string, unknown>;
  if (typeof tool !== 'object' || tool === null)
    return withoutNulls(typeof tool === 'string' ? { name: tool, ...peer } : peer);
  const { inputSchema, input_schema: schema = inputSchema, ...rest } = tool as JsonObject;
  return withoutNulls({ schema, ...rest, ...peer });
}

/**
 * Which half an entry belongs to, by the last bit of the SHA-256 of its id. Rules are written on
 * the development half and measured on the held-out half.
 */
export function halfOf(id: string): 'development' | 'held-out' {
  return ((createHash('sha256').update(id).digest().at(-1) ?? 0) & 1) === 0
    ? 'development'
    : 'held-out';
}
