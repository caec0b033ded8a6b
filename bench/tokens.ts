import { countTokens as peerCount } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens } from '../src-main/analysis/tokens/encodings.ts';
import { best } from './best.ts';
import { makeCatalogue } from './catalogue.ts';
import { ratioRow, type Row } from './report.ts';

const run = 64_000;

/**
 * Counting, compared with the fastest known library: ordinary text, one long run, and whether twice
 * the run takes twice the time.
 */
export function benchTokens(): Row[] {
  const texts = makeCatalogue(5_000).map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  const count = (counter: (text: string) => number): number =>
    texts.reduce((sum, text) => sum + counter(text), 0);
  if (count((text) => countTokens(text)) !== count((text) => peerCount(text)))
    throw new Error('The two counts differ.');
  // Alternates both, so that disturbances affect them equally.
  let [ours, theirs] = [Infinity, Infinity];
  for (let round = 0; round < 12; round += 1) {
    ours = Math.min(
      ours,
      best(1, () => count((text) => countTokens(text))),
    );
    theirs = Math.min(
      theirs,
      best(1, () => count((text) => peerCount(text))),
    );
  }
  // Each round uses a different run, because the peer caches what it has merged.
  let letter = 97;
  const freshRun = (length: number): string => String.fromCharCode((letter += 1)).repeat(length);
  const longOurs = best(3, () => countTokens(freshRun(run)));
  const longTheirs = best(1, () => peerCount(freshRun(run)));
  let [once, twice] = [Infinity, Infinity];
  for (let round = 0; round < 6; round += 1) {
    once = Math.min(
      once,
      best(1, () => countTokens('a'.repeat(run * 4))),
    );
    twice = Math.min(
      twice,
      best(1, () => countTokens('a'.repeat(run * 8))),
    );
  }
  return [
    ratioRow('tokens of 5,000 tools, counted', ours, 'ms', 'gpt-tokenizer', theirs, 0.45),
    ratioRow(
      `tokens of one run of ${run.toLocaleString('en')} letters`,
      longOurs,
      'ms',
      'gpt-tokenizer',
      longTheirs,
      0.1,
    ),
    ratioRow('one run of 512,000 letters against 256,000', twice, 'ms', 'half of it', once, 3),
  ];
}
