import type { Shard } from '../../../../src-shared/domain/shard.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import {
  isWorthShowing,
  judgementLines,
  unscoredText,
} from '../../../../src-shared/display/judgementTexts.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import type { Output } from './output.ts';

/** Reasons that the terminal lists; JSON has all of them. */
const maxReasons = 10;

/** Says why runs have no score, and what the result was held against. */
export function printJudgement(judgement: Judgement, output: Output): void {
  for (const group of judgement.unscored.slice(0, maxReasons))
    output.error(`Not scored: ${unscoredText(group)}`);
  const more = judgement.unscored.length - maxReasons;
  if (more > 0) output.error(`Not scored: ${counted(more, 'more reason')}; --json lists them.`);
  const [headline, ...reasons] = judgementLines({ ...judgement, unscored: [] });
  if (judgement.result !== 'passed') output.error([headline, ...reasons].join('\n  '));
  else if (isWorthShowing(judgement)) output.note([headline, ...reasons].join('\n  '));
}

/** Why the result of a part has no verdict. */
export const partNote = ({ index, of }: Shard): string =>
  `Part ${index} of ${of}: \`touchstone merge\` judges all parts together.`;
