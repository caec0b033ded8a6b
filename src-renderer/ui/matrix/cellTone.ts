import type { Outcome } from '../../../src-shared/display/outcomeTexts.ts';

export type MatrixMode = 'counts' | 'share';

/** Correct answers recede; each kind of error has the color of its outcome. */
export type CellTone =
  'correct' | Extract<Outcome, 'wrong_tool' | 'no_tool_called' | 'unneeded_call' | 'made_up_tool'>;
