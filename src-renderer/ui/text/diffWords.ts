import { diffArrays } from 'diff';

/** A stretch of text and what happened to it. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Texts with more changed words than this are shown as replaced: comparing takes quadratic time. */
const maxEdits = 1_000;

/** Words, spaces and single punctuation marks, in any script. */
const words = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/**
 * Compares two texts word by word. The parts that are not added make up `before`, those that are
 * not removed make up `after`.
 */
export function diffWords(before: string, after: string): DiffPart[] {
  const changes = diffArrays(words(before), words(after), { maxEditLength: maxEdits });
  if (changes === undefined) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  }
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}
