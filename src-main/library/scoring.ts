import {
  readRecorded,
  scoreRecorded,
  type RecordedLine,
} from '../services/evaluations/score/scoreRecorded.ts';
import { createScorer } from '../services/evaluations/score/scorer.ts';
import type { ArgumentsMode, RecordedExchange, RecordedScore, RuleSet } from './recordedTypes.ts';

export type * from './recordedTypes.ts';

export interface RecordedScorer {
  /**
   * Scores one recorded exchange: an object or a line of JSON, as `touchstone score` reads it
   * (docs/rules.md §3). Schemas and patterns run in a worker that has 200 ms for each exchange.
   * Rejects with a TypeError that names the field if it isn't a recorded exchange. `mode` decides
   * whether arguments that it doesn't list are wrong, unless it has `arguments_mode`.
   */
  score(
    recorded: RecordedExchange | string,
    rules?: RuleSet,
    mode?: ArgumentsMode,
  ): Promise<RecordedScore>;
  /** Ends the workers. Without it the process doesn't exit. */
  close(): Promise<void>;
}

/** `touchstone/scoring`: what `touchstone score` does, in a program's own process. */
export function openScorer(): RecordedScorer {
  const scorer = createScorer();
  return {
    score: async (recorded, rules = 'touchstone', mode) =>
      scoreRecorded(
        scorer,
        readExchange(typeof recorded === 'string' ? recorded : JSON.stringify(recorded), mode),
        rules,
      ),
    close: () => scorer.close(),
  };
}

/** Throws a TypeError that names the field if the line isn't a recorded exchange. */
function readExchange(line: string, mode?: ArgumentsMode): RecordedLine {
  const read = readRecorded(line, mode);
  if ('problem' in read) throw new TypeError(read.problem);
  return read;
}
