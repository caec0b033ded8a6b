/**
 * Estimates the detectors on wordings and servers that the weights weren't fitted to, by leaving
 * out a part of the training and examining that part:
 *
 *   node --max-old-space-size=12288 research/attacks/crossValidate.ts author|technique
 *
 * Leaves out a sixth of the authors (or one intent or subject) and as large a share of the servers at
 * a time. Rates are those of all detectors together, at the thresholds in use.
 */
import { ruleDetectors } from '../../src-shared/domain/security.ts';
import { proportion } from '../../src-shared/metrics/intervals.ts';
import { examine } from '../../src-main/analysis/detectors/detectors.ts';
import { entrySubject } from '../../src-main/services/security/entrySubject.ts';
import { fit } from './fit.ts';
import { generate, type Made } from './generate.ts';
import {
  isLeftOut,
  trainingData,
  trainingEntries,
  wrotePatterns,
  type LeftOut,
} from './trainingData.ts';
import { knownSplits } from './splits.ts';

const authorGroups = 6;

const all = trainingEntries();
const leftOutBy: Record<string, () => Omit<LeftOut, 'fold'>[]> = {
  // Patterns repeat themselves, so the rates of those who wrote them say little.
  author: () => {
    const authors = [
      ...new Set(all.flatMap(({ kind, author }) => (kind === 'attack' ? [author] : []))),
    ].filter((author) => !wrotePatterns.has(author));
    return Array.from({ length: authorGroups }, (_, group) => ({
      authors: authors.filter((_author, index) => index % authorGroups === group),
    }));
  },
  technique: () =>
    [...new Set(all.flatMap(({ kind, technique }) => (kind === 'attack' ? [technique] : [])))]
      .sort()
      .map((technique) => ({ technique })),
};
const groups = leftOutBy[process.argv[2] ?? '']?.();
if (groups === undefined) throw new Error('Give author or technique.');

const sets = ['attack', 'hard_negative', 'honest', 'long', 'whole'] as const;
type Counts = Record<(typeof sets)[number], { flagged: number; of: number }>;
const noCounts = (): Counts => ({
  attack: { flagged: 0, of: 0 },
  hard_negative: { flagged: 0, of: 0 },
  honest: { flagged: 0, of: 0 },
  long: { flagged: 0, of: 0 },
  whole: { flagged: 0, of: 0 },
});
const maxShort = 2000;
const setsOf = ({ kind, placement, entry }: Made): (keyof Counts)[] => {
  if (placement === 'whole') return ['whole'];
  return kind === 'honest' && entry.description.length > maxShort ? ['honest', 'long'] : [kind];
};

const row = (name: string, counts: Counts): string => {
  const cells = sets.map((set) => {
    const { flagged, of } = counts[set];
    const { value, low, high } = proportion(flagged, of);
    const shown = (x: number | null) => (x ?? 0).toFixed(3);
    return value === null ? '–' : `${shown(value)} [${shown(low)}–${shown(high)}] of ${of}`;
  });
  return `| ${[name, ...cells].join(' | ')} |\n`;
};

const measured = knownSplits
  .flatMap((split) => generate(split))
  .filter(({ technique }) => !technique.endsWith('_collision'));
const total = noCounts();
process.stdout.write(
  '| left out | attacks | hard negatives | honest | over 2,000 characters | written long |\n',
);
process.stdout.write('| --- | ---: | ---: | ---: | ---: | ---: |\n');
for (const [index, wordings] of groups.entries()) {
  const leftOut = { ...wordings, fold: { index, of: groups.length } };
  const weights = fit(trainingData(all, leftOut));
  const counts = noCounts();
  for (const made of measured) {
    if (!isLeftOut(made, leftOut)) continue;
    const found = examine(entrySubject(made.entry), ruleDetectors, weights);
    const flagged = found.some(({ severity }) => severity !== 'low');
    for (const set of setsOf(made))
      for (const each of [counts[set], total[set]]) {
        each.of += 1;
        each.flagged += flagged ? 1 : 0;
      }
  }
  process.stdout.write(row(wordings.authors?.join(', ') ?? wordings.technique ?? '', counts));
}
process.stdout.write(row('all', total));
