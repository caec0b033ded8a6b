import { serveItems } from '../../../adapters/process/itemLoop.ts';
import type { Score } from '../../../../src-shared/domain/score.ts';
import { AjvJudge } from '../../../scoring/ajvJudge.ts';
import type { OfferedTool } from '../../../scoring/scoreInput.ts';
import { scoreRun } from '../../../scoring/scoreRun.ts';
import type { ScoringItem } from './scoringItem.ts';
import { withStages } from './stagedJudge.ts';

const judge = new AjvJudge();
// Warm-up: the first validation compiles code, which must not count against an item's time limit.
judge.validate(
  {
    type: 'object',
    properties: {
      a: { type: 'string', format: 'date', enum: ['a'] },
      b: { type: 'array', items: { type: 'number' } },
    },
  },
  { a: 1, b: ['x'] },
);

serveItems((item, { shared, enterStage }): Score => {
  const { input, tools: own, refusals } = item as ScoringItem;
  const tools = own ?? (shared as readonly OfferedTool[]);
  return scoreRun({ ...input, tools }, withStages(judge, tools, refusals, enterStage));
});
