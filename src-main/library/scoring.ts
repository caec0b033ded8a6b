import type { ArgumentsMode } from '../../src-shared/domain/testCase.ts';
import {
  readRecorded,
  scoreRecorded,
  type RuleSet,
} from '../services/evaluations/score/scoreRecorded.ts';
import { createScorer } from '../services/evaluations/score/scorer.ts';

/** One line that `touchstone score` writes. */
export type RecordedScore = Awaited<ReturnType<typeof scoreRecorded>>;
export type { ArgumentsMode, RuleSet };

export interface RecordedScorer {
  /**
   * Scores one recorded exchange: an object or a line of JSON, as `touchstone score` reads it
   * (docs/rules.md §3). Schemas and patterns run in a worker that has 200 ms for each exchange.
   * Rejects with a TypeError that names the field if it isn't a recorded exchange. `mode` decides
   * whether arguments that it doesn't list are wrong, unless it has `arguments_mode`.
   */
  score(recorded: object | string, rules?: RuleSet, mode?: ArgumentsMode): Promise<RecordedScore>;
  /** Ends the workers. Without it the process doesn't exit. */
  close(): Promise<void>;
}

/** `touchstone/scoring`: what `touchstone score` does, in a program's own process. */
export function openScorer(): RecordedScorer {
  const scorer = createScorer();
  return {
    async score(recorded, rules = 'touchstone', mode) {
      const line = typeof recorded === 'string' ? recorded : JSON.stringify(recorded);
      const read = readRecorded(line, mode);
      if ('problem' in read) throw new TypeError(read.problem);
      return scoreRecorded(scorer, read, rules);
    },
    close: () => scorer.close(),
  };
}
