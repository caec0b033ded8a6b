/**
 * Estimates the learned part of the detectors on texts that its weights weren't fitted to, by
 * leaving out a part of the training and measuring that part:
 *
 *   node scripts/attacks/crossValidate.ts fold|author|technique
 *
 * `fold` leaves out a quarter of the servers, of the patterns and of the single wordings, four
 * times; `author` and `technique` leave out one at a time, with all honest tools kept. Rates are
 * those of `reads-like-order` alone, at the thresholds in use: what a rule finds comes on top.
 */
import type { CorpusEntry } from '../../src-shared/domain/security.ts';
import { proportion } from '../../src-shared/metrics/intervals.ts';
import { readSentences } from '../../src-main/analysis/detectors/learned/features.ts';
import { kindOfPlace } from '../../src-main/analysis/detectors/learned/places.ts';
import { raisedBy, reportedIn } from '../../src-main/analysis/detectors/learned/thresholds.ts';
import { prepare } from '../../src-main/analysis/detectors/prepared.ts';
import { entrySubject } from '../../src-main/services/security/entrySubject.ts';
import { fit, type Fitted } from './fit.ts';
import { folds } from './folds.ts';
import type { Made } from './generate.ts';
import { isLeftOut, trainingData, trainingEntries, type LeftOut } from './trainingData.ts';

function isReported(entry: CorpusEntry, { bytes, scale, bias }: Fitted): boolean {
  const { readings, names } = prepare(entrySubject(entry));
  return readings.some(({ passage, readable }) => {
    if (passage.kind !== 'text') return false;
    const kind = kindOfPlace(passage.place);
    const scores: number[] = [];
    readSentences(readable.text, kind, names, (_start, _end, features, count) => {
      let sum = 0;
      for (let at = 0; at < count; at += 1) sum += bytes[features[at] ?? 0] ?? 0;
      scores.push(bias + (scale * sum) / Math.sqrt(count));
    });
    const needed = (reportedIn[kind] ?? 0) + raisedBy(readable.text, scores.length);
    return scores.some((score) => score >= needed);
  });
}

const all = trainingEntries();
const leftOutBy: Record<string, () => { name: string; leftOut: LeftOut }[]> = {
  fold: () =>
    Array.from({ length: folds }, (_, fold) => ({ name: `fold ${fold}`, leftOut: { fold } })),
  author: () =>
    [...new Set(all.flatMap(({ author }) => (author === 'none' ? [] : [author])))].map(
      (author) => ({ name: author, leftOut: { author } }),
    ),
  technique: () =>
    [...new Set(all.flatMap(({ kind, technique }) => (kind === 'attack' ? [technique] : [])))]
      .sort()
      .map((technique) => ({ name: technique, leftOut: { technique } })),
};

const groups = leftOutBy[process.argv[2] ?? '']?.();
if (groups === undefined) throw new Error('Give fold, author or technique.');

const rate = (entries: readonly Made[], fitted: Fitted): string => {
  const hits = entries.filter(({ entry }) => isReported(entry, fitted)).length;
  const { value, low, high } = proportion(hits, entries.length);
  const shown = (x: number | null) => (x ?? 0).toFixed(3);
  return value === null
    ? '–'
    : `${shown(value)} [${shown(low)}–${shown(high)}] of ${entries.length}`;
};

process.stdout.write('| left out | attacks | hard negatives | honest tools |\n');
process.stdout.write('| --- | ---: | ---: | ---: |\n');
for (const { name, leftOut } of groups) {
  const fitted = fit(trainingData(all, leftOut));
  const tested = all.filter((each) => isLeftOut(each, leftOut));
  const of = (kind: Made['kind']) =>
    rate(
      tested.filter((each) => each.kind === kind),
      fitted,
    );
  process.stdout.write(
    `| ${name} | ${of('attack')} | ${of('hard_negative')} | ${of('honest')} |\n`,
  );
}
