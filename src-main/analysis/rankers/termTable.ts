import { groupsOf } from '../relatedWords.ts';
import { toolFields } from '../toolFields.ts';
import type { RankableTool } from './ranker.ts';
import { rankTerms } from './wordForms.ts';

const fieldStrength = {
  name: 1,
  server: 0.5,
  firstSentence: 0.7,
  description: 0.5,
  parameterNames: 0.5,
  parameterDescriptions: 0.4,
};
const relatedShare = 0.6;
/**
 * Strength of the length normalization of the description, and the maximum for a short one: always
 * less than the name.
 */
const lengthShare = 0.3;
const strongestDescription = 0.9;

interface Entry {
  toolIndex: number;
  strength: number;
}

/**
 * Looks up one query word at a time. The arrays hold the result of the last `match` and are reused
 * by the next.
 */
export interface TermTable {
  /** Weight of a word that no tool contains. */
  readonly unknownWeight: number;
  /** Tools that contain the word or a related one. */
  readonly touched: readonly number[];
  readonly strength: Float64Array;
  /**
   * Finds a stem, or a related word of its groups. Returns its weight, or null if no tool has
   * either.
   */
  match(stem: string, groups: readonly number[]): number | null;
}

/** Records where each stem and each group of related words occurs, and how strongly. */
export function buildTermTable(tools: readonly RankableTool[]): TermTable {
  const strengths = strengthsPerTool(tools);
  const byStem = new Map<string, Entry[]>();
  strengths.forEach((stems, toolIndex) => {
    for (const [stem, strength] of stems) push(byStem, stem, { toolIndex, strength });
  });
  const weightOf = (df: number): number => Math.log((1 + tools.length) / (1 + df)) + 1;
  return lookup(tools.length, byStem, entriesByGroup(byStem), weightOf);
}

function strengthsPerTool(tools: readonly RankableTool[]): Map<string, number>[] {
  const fields = tools.map(toolFields);
  const lengths = fields.map((field) => rankTerms(field.description).length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return fields.map((field, toolIndex) => {
    const relativeLength = average === 0 ? 1 : (lengths[toolIndex] ?? 0) / average;
    const lengthFactor = 1 / (1 - lengthShare + lengthShare * relativeLength);
    const stems = new Map<string, number>();
    const note = (text: string, strength: number): void => {
      if (text === '') return;
      for (const { stem } of rankTerms(text))
        stems.set(stem, Math.max(stems.get(stem) ?? 0, strength));
    };
    note(tools[toolIndex]?.server ?? '', fieldStrength.server);
    note(field.name, fieldStrength.name);
    note(
      field.firstSentence,
      Math.min(strongestDescription, fieldStrength.firstSentence * lengthFactor),
    );
    note(
      field.description,
      Math.min(strongestDescription, fieldStrength.description * lengthFactor),
    );
    note(field.parameterNames, fieldStrength.parameterNames);
    note(field.parameterDescriptions, fieldStrength.parameterDescriptions);
    return stems;
  });
}

/** A related word counts by the strongest one that a tool contains. */
function entriesByGroup(byStem: ReadonlyMap<string, readonly Entry[]>): Map<number, Entry[]> {
  const byGroup = new Map<number, Map<number, Entry>>();
  for (const [stem, entries] of byStem) {
    for (const group of groupsOf(stem)) {
      const best = byGroup.get(group) ?? new Map<number, Entry>();
      byGroup.set(group, best);
      for (const { toolIndex, strength } of entries) {
        const known = best.get(toolIndex)?.strength ?? 0;
        best.set(toolIndex, { toolIndex, strength: Math.max(known, strength * relatedShare) });
      }
    }
  }
  return new Map([...byGroup].map(([group, best]) => [group, [...best.values()]]));
}

function lookup(
  toolCount: number,
  byStem: ReadonlyMap<string, readonly Entry[]>,
  byGroup: ReadonlyMap<number, readonly Entry[]>,
  weightOf: (df: number) => number,
): TermTable {
  const strength = new Float64Array(toolCount);
  const touched: number[] = [];
  const take = (entries: readonly Entry[]): void => {
    for (const entry of entries) {
      if (strength[entry.toolIndex] === 0) touched.push(entry.toolIndex);
      strength[entry.toolIndex] = Math.max(strength[entry.toolIndex] ?? 0, entry.strength);
    }
  };
  return {
    unknownWeight: weightOf(0),
    touched,
    strength,
    match(stem, groups) {
      for (const toolIndex of touched) strength[toolIndex] = 0;
      touched.length = 0;
      const direct = byStem.get(stem);
      let documentFrequency = direct?.length ?? 0;
      if (direct) take(direct);
      for (const group of groups) {
        const related = byGroup.get(group);
        if (!related) continue;
        take(related);
        if (!direct) documentFrequency = Math.max(documentFrequency, related.length);
      }
      return touched.length === 0 ? null : weightOf(documentFrequency);
    },
  };
}

function push(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}
