import type { LintToolScore } from '../../../../src-shared/domain/lint.ts';
import { formatCount, formatShare } from '../../../../src-shared/display/numbers.ts';
import {
  needsWork,
  needsWorkScore,
  scoreFinding,
} from '../../../../src-shared/display/qualityTexts.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { BarsChart } from '../../../ui/charts/lazyCharts.ts';
import { counted } from '../../../ui/text/words.ts';

const scores = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

/** How many tools have each score. */
export function ScoreChart({ tools }: { tools: readonly LintToolScore[] }) {
  const counts = scores.map((score) => ({
    score,
    count: tools.filter((tool) => tool.score === score).length,
  }));
  const share = (count: number): string => formatShare(count / Math.max(1, tools.length));
  return (
    <ChartFrame
      title={scoreFinding(tools)}
      note={`Tools by score, 10 is best. ${counted(tools.length, 'tool')}; ${needsWorkScore} or less needs work.`}
      fileName="quality-scores"
      height={216}
      table={{
        columns: [
          { label: 'Score' },
          { label: 'Tools', numeric: true },
          { label: 'Share', numeric: true },
        ],
        rows: counts.map(({ score, count }) => [String(score), formatCount(count), share(count)]),
      }}
    >
      <BarsChart
        rows={counts.map(({ score, count }) => ({
          name: String(score),
          value: count,
          note: share(count),
          warns: needsWork({ score }),
        }))}
        xLabel="tools"
        format={formatCount}
        wholeTicks
      />
    </ChartFrame>
  );
}
