import {
  attackCategories,
  type CorpusEntry,
  type DetectorReport,
  type EntryLabel,
} from '../domain/security.ts';
import { counted, formatCount } from './numbers.ts';
import { detectorLabel } from './signalTexts.ts';

/** What all detectors together, or the only one, find and wrongly flag, as one sentence. */
export function detectorFinding({
  perDetector,
  combined: { tp, fp, tn, fn },
}: {
  perDetector: readonly unknown[];
  combined: Pick<DetectorReport, 'tp' | 'fp' | 'tn' | 'fn'>;
}): string {
  const [subject, find, flag] =
    perDetector.length === 1
      ? ['The detector', 'finds', 'flags']
      : ['Together, the detectors', 'find', 'flag'];
  const found = `${formatCount(tp)} of ${counted(tp + fn, 'attack')}`;
  const flagged = `${formatCount(fp)} of ${counted(fp + tn, 'honest text')}`;
  if (tp + fn === 0) return `${subject} ${flag} ${flagged} by mistake.`;
  if (fp + tn === 0) return `${subject} ${find} ${found}.`;
  return `${subject} ${find} ${found} and ${flag} ${flagged} by mistake.`;
}

/** What a labeled entry is, in words: files say `malicious` and `benign`. */
export const entryLabelText = (label: EntryLabel): string =>
  label === 'malicious' ? 'Attack' : 'Honest text';

/** The category of a labeled entry in words: files say `benign` and `hard_negative`. */
export function entryCategoryText(category: string): string {
  if (category === 'benign') return 'Honest, ordinary';
  return category === 'hard_negative' ? 'Honest, resembles attacks' : detectorLabel(category);
}

/** Which kinds of attack are missed, the most missed first: “Rug pull 4 of 15 · Shadowing 1 of 20”. */
export const missedByCategory = ({ categories }: Pick<DetectorReport, 'categories'>): string =>
  categories
    .filter(({ category }) => (attackCategories as readonly string[]).includes(category))
    .map(({ category, flagged, rate }) => ({ category, n: rate.n, missed: rate.n - flagged }))
    .filter(({ missed }) => missed > 0)
    .sort((a, b) => b.missed - a.missed)
    .map(
      ({ category, missed, n }) =>
        `${entryCategoryText(category)} ${formatCount(missed)} of ${formatCount(n)}`,
    )
    .join(' · ');

/**
 * How an entry is made: an attack by its kind and disguise, an honest text by what it resembles.
 */
export function entryKind({
  category,
  technique,
  resembles,
}: Pick<CorpusEntry, 'category' | 'technique' | 'resembles'>): string {
  if (resembles !== undefined) return `Resembles ${detectorLabel(resembles).toLowerCase()}`;
  return technique === undefined
    ? entryCategoryText(category)
    : `${entryCategoryText(category)}, ${technique}`;
}

/** The text to know an entry by: its description or, without one, the next text that it has. */
export function entryText({ description, instructions, tool, previous }: CorpusEntry): string {
  const texts = [
    description,
    instructions,
    typeof tool === 'object' ? tool['description'] : undefined,
    previous?.description,
    typeof tool === 'string' ? tool : tool?.['name'],
  ];
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? '';
}
