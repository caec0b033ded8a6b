import { loadEncoding } from '../src-main/analysis/tokens/encodings.ts';
import {
  countFalseProofs,
  measureRecovery,
  measureSavedTokens,
} from '../src-main/optimize/promises.fixture.ts';
import { ratioRow, type Row } from './report.ts';

const minRecovered = 80;
const minSaved = 75;
const maxFalse = 5;
const runs = 1000;

/** What the optimizer promises: damage repaired, tokens saved, and nothing proved that is not so. */
export async function benchOptimizer(): Promise<Row[]> {
  await loadEncoding('cl100k_base', async () => undefined);
  const rows: Row[] = [];
  for (const words of ['office', 'village'] as const) {
    const { recovered, seconds } = await measureRecovery(words, 42);
    rows.push(
      atLeast(
        `lost pass rate that comes back on the proof half, 20 of 30 tools damaged, words of the ${words}`,
        recovered * 100,
        minRecovered,
      ),
      ratioRow('time of that search', seconds, 's', 'bound', 10, 1),
    );
  }
  const { saved, won, lost } = await measureSavedTokens();
  rows.push(
    atLeast(
      `of the tokens that repetitions add to the sample saved, with ${won} fixed and ${lost} broken on the proof half`,
      saved * 100,
      minSaved,
    ),
  );
  const { accepted } = await countFalseProofs(runs);
  const percent = (accepted / runs) * 100;
  rows.push({
    what: `proofs accepted in ${runs.toLocaleString('en')} searches without an effect`,
    measured: `${percent.toFixed(1)}%`,
    peer: `at most ${maxFalse}%`,
    ratio: percent / maxFalse,
    bound: 1,
  });
  return rows;
}

/** A share in percent with the least that is promised: the ratio is promised ÷ measured. */
const atLeast = (what: string, percent: number, promised: number): Row => ({
  what,
  measured: `${percent.toFixed(0)}%`,
  peer: `at least ${promised}%`,
  ratio: promised / percent,
  bound: 1,
});
