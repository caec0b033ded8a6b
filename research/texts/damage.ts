/**
 * Ten ways in which texts of tools are bad, applied to some tools of each public server of a set,
 * with requests that lead to them. No test and no example of the optimizer uses these servers. The
 * inputs are frozen: their hash is in `checksums.json`, and a set that shows more is a new file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { halfOf } from '../../src-shared/metrics/candidateProof.ts';
import type { PlantedCase } from '../../src-main/optimize/planted.fixture.ts';
import { sha256 } from '../../src-main/runtime/sha256.ts';
import { readCorpus } from '../../src-main/services/retrieval/datasetFiles.ts';
import { stem, words } from '../../src-main/analysis/tokenizer.ts';
import { readCompressed } from '../compressed.ts';
import { readRealTools } from '../realTools/realTools.ts';

export const damages = [
  'emptied',
  'generic',
  'name only',
  'swapped with a sibling',
  'stale',
  'wrong language',
  'truncated',
  'parameter texts gone',
  'jargon',
  'copy of a neighbor',
] as const;
export type Damage = (typeof damages)[number];

/**
 * The rules were written while the results of `read` were at hand. `a` to `n` are of servers that
 * nothing else of this repository knows; rules were changed by what they showed.
 */
export const sets = [
  'read',
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
  'j',
  'k',
  'l',
  'm',
  'n',
] as const;
export type SetName = (typeof sets)[number];

const setsWithWritten: ReadonlySet<SetName> = new Set(['g', 'h', 'i', 'j', 'k', 'l', 'm', 'n']);

export interface DamagedServer {
  server: string;
  /** All tools of the server as it lists them. */
  whole: readonly Tool[];
  /** Names of the tools that are damaged. */
  names: readonly string[];
  /** The requests of each damaged tool: every second one is in the search half. */
  cases: readonly PlantedCase[];
  /** How many of the requests of one tool are in the proof half. */
  proofOfTool: number;
  damaged: (damage: Damage) => Tool[];
  /**
   * What somebody wrote for each damaged tool without the text that the server has, and the same
   * without the words that only requests of the proof half have. Only of `g` to `n`, else empty.
   */
  written: readonly ReadonlyMap<string, string>[];
}

const byServerAndTool = <T extends z.ZodType>(value: T) =>
  z.record(z.string(), z.record(z.string(), value));

/** The text of a frozen file. Throws if it was changed. */
function frozenText(name: string): string {
  const file = join(import.meta.dirname, name);
  const text = name.endsWith('.br') ? readCompressed(file) : readFileSync(file, 'utf8');
  const sums = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'checksums.json'), 'utf8')));
  if (sha256(text) !== sums[name])
    throw new Error(`${name} is not what checksums.json says. Restore the file.`);
  return text;
}

const frozen = <T>(name: string, schema: z.ZodType<T>): T => schema.parse(parse(frozenText(name)));

/** The id of a request, chosen so that its hash puts every second one of a tool into each half. */
function idOfRequest(server: string, tool: string, at: number): string {
  const wanted = at % 2 === 0 ? 'search' : 'proof';
  for (let salt = 0; ; salt += 1) {
    const id = `${server}/${tool}/${at + 1}.${salt}`;
    if (halfOf(id) === wanted) return id;
  }
}

/** The tools of each server of a corpus file, as optimizations see them. */
export function toolsByServer(corpus: string, name: string): Map<string, Tool[]> {
  const tools = readCorpus(corpus, name).tools.map(
    ({ server, tool, description, schema }): Tool => ({
      server,
      name: tool,
      title: null,
      description,
      inputSchema: isJsonObject(schema) ? schema : { type: 'object' },
      outputSchema: null,
      annotations: null,
    }),
  );
  return Map.groupBy(tools, ({ server }) => server);
}

export function readDamaged(set: SetName): DamagedServer[] {
  const [suffix, perTool] = set === 'read' ? ['', 10] : [`.${set}`, 6];
  const manyOf = z.array(z.string()).length(perTool);
  const requests = frozen(`requests${suffix}.yaml`, byServerAndTool(manyOf));
  const german = frozen(`german${suffix}.yaml`, byServerAndTool(z.string()));
  const written = setsWithWritten.has(set)
    ? frozen(`written.${set}.yaml`, byServerAndTool(z.string()))
    : null;
  const corpus = set === 'read' ? readRealTools('v2') : frozenText(`tools${suffix}.json.br`);
  const tools = toolsByServer(corpus, set);
  return Object.entries(requests).map(([server, byTool]) => {
    const whole = tools.get(server) ?? [];
    const names = Object.keys(byTool);
    const writtenOf = new Map(Object.entries(written?.[server] ?? {}));
    const texts = new Map(Object.entries(german[server] ?? {}));
    return {
      server,
      whole,
      names,
      written: written === null ? [] : [writtenOf, withoutProofWords(writtenOf, whole, byTool)],
      proofOfTool: perTool / 2,
      cases: names.flatMap((name) =>
        (byTool[name] ?? []).map((query, at) => ({
          id: idOfRequest(server, name, at),
          query,
          expectedCalls: [{ server, tool: name }],
        })),
      ),
      damaged: (damage) =>
        whole.map((tool) =>
          names.includes(tool.name) ? damageTool(tool, damage, whole, names, texts) : tool,
        ),
    };
  });
}

/**
 * The texts without words that nothing but the proof half of the requests of their tool could have
 * told the writer: those that no request of the search half, no name, no schema and no description of
 * a tool that is not damaged has, by their stems. What is left is a lower bound of what was written.
 */
function withoutProofWords(
  texts: ReadonlyMap<string, string>,
  whole: readonly Tool[],
  requests: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, string> {
  const stemsOf = (...all: readonly string[]): ReadonlySet<string> =>
    new Set(all.flatMap((each) => words(each).map(stem)));
  const siblings = stemsOf(
    ...whole.map(({ name, description }) => (texts.has(name) ? name : `${name} ${description}`)),
  );
  return new Map(
    [...texts].map(([name, text]) => {
      const halves = Map.groupBy(requests[name] ?? [], (_, at) => at % 2);
      const proof = stemsOf(...(halves.get(1) ?? []));
      const schema = whole.find((tool) => tool.name === name)?.inputSchema;
      const known = stemsOf(...(halves.get(0) ?? []), JSON.stringify(schema));
      const tells = (word: string): boolean => {
        const own = stem(word.toLowerCase());
        return !proof.has(own) || known.has(own) || siblings.has(own);
      };
      return [name, text.replace(/[\p{L}\d]+/gu, (word) => (tells(word) ? word : '')).trim()];
    }),
  );
}

function damageTool(
  tool: Tool,
  damage: Damage,
  whole: readonly Tool[],
  names: readonly string[],
  german: ReadonlyMap<string, string>,
): Tool {
  const textOf = (name: string | undefined): string =>
    whole.find((each) => each.name === name)?.description ?? '';
  const as = (description: string): Tool => ({ ...tool, description });
  switch (damage) {
    case 'emptied':
      return as('');
    case 'generic':
      return as('Performs the requested operation and returns the result.');
    case 'name only':
      return as(words(tool.name).join(' '));
    case 'swapped with a sibling': {
      // The first with the second, the third with the fourth.
      const at = names.indexOf(tool.name);
      return as(textOf(names[at % 2 === 0 ? at + 1 : at - 1]));
    }
    case 'stale':
      return as('Legacy endpoint of release 1. Takes the arguments of the old API, returns XML.');
    case 'wrong language':
      return as(german.get(tool.name) ?? '');
    case 'truncated':
      return as(tool.description.split(/\s+/u).slice(0, 3).join(' '));
    case 'parameter texts gone': {
      const schema = withoutTexts(tool.inputSchema);
      return { ...tool, inputSchema: isJsonObject(schema) ? schema : tool.inputSchema };
    }
    case 'jargon': {
      const initials = words(tool.name).map((word) => word.charAt(0).toUpperCase());
      return as(
        `Dispatches ${initials.join('')} through the L2 facade (ADR-14, idempotent upsert).`,
      );
    }
    case 'copy of a neighbor': {
      const at = whole.indexOf(tool);
      const after = [...whole.slice(at + 1), ...whole.slice(0, at)];
      return as(after.find(({ name }) => !names.includes(name))?.description ?? '');
    }
  }
}

/** A schema without its descriptions; a parameter that is called so stays. */
function withoutTexts(value: JsonValue, isMap = false): JsonValue {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each));
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, inner] of Object.entries(value))
    if (isMap || key !== 'description') kept[key] = withoutTexts(inner, key === 'properties');
  return kept;
}
