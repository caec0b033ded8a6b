import { sentencesOfPattern } from './patterns.ts';
import type { Split } from './splits.ts';
import { isPattern, readParts, type PatternPart, type WordingPart } from './wordingsFile.ts';

/** One frozen sentence. An honest one talks about the same subjects and asks for nothing wrong. */
export interface Wording {
  kind: 'attack' | 'honest';
  /** The intent, such as `shadowing`, or the subject of an honest sentence (`general` for several). */
  technique: string;
  language: string;
  author: number;
  split: Split;
  text: string;
  /** The pattern that it is a sentence of, or the sentence itself. */
  source: string;
}

const perPattern = { attack: 10, honest: 10, plain: 40 };

const splitOfGroup: Readonly<Record<string, Split>> = { a: 'train', b: 'validation', c: 'test' };

/** Every wording of every part, each once. */
export function readWordings(): Wording[] {
  const read = readParts();
  // Unseen ones last, so that a sentence that is known from training is dropped there.
  const parts = [
    ...read.filter(({ split }) => split !== 'unseen'),
    ...read.filter(({ split }) => split === 'unseen'),
  ];
  const keptWhole = new Set(
    parts.flatMap((part) => (isPattern(part) ? [] : part.whole_techniques_for_test)),
  );
  return uniqueTexts(
    parts.flatMap((part) =>
      isPattern(part) ? patternWordings(part) : wordingsOf(part, keptWhole),
    ),
  );
}

function uniqueTexts(wordings: readonly Wording[]): Wording[] {
  const seen = new Set<string>();
  return wordings.filter(({ text }) => !seen.has(text) && seen.add(text));
}

/** What was written as patterns: several sentences of each. */
function patternWordings(part: PatternPart): Wording[] {
  const { author, words, attacks, honest, plain } = part;
  const language = part.language ?? '';
  const wordingsOfKind = (kind: Wording['kind'], technique: string, patterns: readonly string[]) =>
    patterns
      .flatMap((pattern) =>
        sentencesOfPattern(pattern, words, perPattern[technique === 'plain' ? 'plain' : kind]).map(
          (text) => ({ text, source: pattern }),
        ),
      )
      .map(({ text, source }): Wording => ({
        kind,
        technique,
        language,
        author,
        split: 'train',
        text,
        source,
      }));
  return [
    ...Object.entries(attacks).flatMap(([technique, patterns]) =>
      wordingsOfKind('attack', technique, patterns),
    ),
    ...wordingsOfKind('honest', 'general', honest),
    ...wordingsOfKind('honest', 'plain', plain),
  ];
}

function wordingsOf(part: WordingPart, keptWhole: ReadonlySet<string>): Wording[] {
  const read = (kind: Wording['kind'], technique: string, lists: Record<string, string[]>) =>
    Object.entries(lists).flatMap(([key, texts]) =>
      texts.map((text, index): Wording => {
        const group = part.language === null ? ('abc'[index % 3] ?? 'c') : key;
        return {
          kind,
          technique,
          language: part.language ?? key,
          author: part.author,
          split: splitOf(part, group, keptWhole.has(technique)),
          text,
          source: text,
        };
      }),
    );
  const attacks = Object.entries(part.attacks).flatMap(([technique, lists]) =>
    read('attack', technique, lists),
  );
  const honest = Object.entries(part.honest).flatMap(([technique, lists]) =>
    read('honest', technique, lists),
  );
  return [...attacks, ...honest];
}

/** By technique and by author: what two authors wrote for two techniques is in the old test only. */
function splitOf(part: WordingPart, group: string, keptWhole: boolean): Split {
  if (part.split === 'fresh' || part.split === 'unseen') return part.split;
  if (part.author === 2 || (keptWhole && part.author === 1)) return 'test';
  const split = part.split ?? splitOfGroup[group];
  if (split === undefined) throw new Error(`Unknown group ${group}`);
  return split;
}
