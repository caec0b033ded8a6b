import { counted } from '../../../src-shared/display/numbers.ts';
import type { DatasetWarning } from '../../../src-shared/domain/datasetWarning.ts';
import { attackCategories, type CorpusEntry } from '../../../src-shared/domain/security.ts';

/**
 * Attack categories that no honest text resembles: a detector that flags every text which looks like
 * such an attack would have no false alarm there (docs/rules.md §9). One warning per category that
 * the corpus has attacks of, at its first attack.
 */
export function corpusWarnings(entries: readonly CorpusEntry[]): DatasetWarning[] {
  const resembled = new Set(
    entries.flatMap(({ category, resembles }) =>
      category === 'hard_negative' && resembles !== undefined ? [resembles] : [],
    ),
  );
  return attackCategories.flatMap((category) => {
    const attacks = entries.filter((entry) => entry.category === category);
    const [first] = attacks;
    return first === undefined || resembled.has(category)
      ? []
      : [
          {
            entry: first.id,
            reason:
              `No honest text resembles ${counted(attacks.length, 'attack')} of the category ` +
              `${category}, so false alarms on such texts are not measured.`,
            nextStep:
              'Add an honest text with "label": "benign", "category": "hard_negative" and "resembles": ' +
              `"${category}".`,
          },
        ];
  });
}
