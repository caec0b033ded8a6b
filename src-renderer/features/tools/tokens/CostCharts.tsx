import {
  formatShare,
  formatCount,
  formatUsd,
  counted,
} from '../../../../src-shared/display/numbers.ts';
import type { TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import { contextWindows } from '../../../../src-shared/display/tokenTexts.ts';
import { useRead } from '../../../api/index.ts';
import { BarsChart, ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { costFinding, modelCosts, windowFinding, type ModelCost } from './tokenFindings.ts';

/** The share of common context windows that the definitions take before the first message. */
export function WindowChart({ report: { total } }: { report: TokenReport }) {
  const shares = contextWindows.map(({ name, tokens }) => ({
    name,
    tokens,
    share: total / tokens,
  }));
  return (
    <ChartFrame
      title={windowFinding(total)}
      note={`${counted(total, 'token')} of tool definitions in common context windows`}
      fileName="context-window"
      height={220}
      table={{
        heads: ['Context window', 'Tokens', 'Share'],
        numeric: [1, 2],
        rows: shares.map(({ name, tokens, share }) => [
          name,
          formatCount(tokens),
          formatShare(share),
        ]),
      }}
    >
      <BarsChart
        rows={shares.map(({ name, tokens, share }) => ({
          name: `${name} window`,
          value: share,
          note: counted(tokens, 'token'),
          warns: share > 1,
        }))}
        xLabel="share of the context window"
        format={formatShare}
        xRange={[0, Math.max(1, ...shares.map(({ share }) => share))]}
        reference={{ x: 1, label: 'full' }}
      />
    </ChartFrame>
  );
}

/** At most so many models, spread over the whole range of costs. */
const maxModels = 8;

/** What the definitions add to the bill, with every model that has a price. */
export function MoneyChart({ report }: { report: TokenReport }) {
  const prices = useRead((ask) => ask.models.prices);
  if (prices.data === undefined) return null;
  const costs = modelCosts(report, prices.data.prices);
  if (costs.length === 0) return null;
  const shown = spread(costs, report.model?.model ?? null);
  return (
    <ChartFrame
      title={costFinding(costs)}
      note={
        `Full input price, list of ${prices.data.date} and yours; ${counted(costs.length, 'model')}` +
        `${shown.length < costs.length ? `, ${shown.length} shown` : ''}. No caching discounts.`
      }
      fileName="cost-per-1000-requests"
      height={220}
      table={{
        heads: ['Provider', 'Model', 'Tokens', 'Per 1,000 requests'],
        numeric: [2, 3],
        rows: costs.map(({ provider, model, tokens, usd }) => [
          provider,
          model,
          formatCount(tokens),
          formatUsd(usd),
        ]),
      }}
    >
      <BarsChart
        rows={shown.map(({ model, usd, tokens }) => ({
          name: model,
          value: usd,
          note: counted(tokens, 'token'),
        }))}
        xLabel="US dollars per 1,000 requests"
        format={formatUsd}
      />
    </ChartFrame>
  );
}

/** Evenly picked from the dearest to the cheapest; the chosen model is always among them. */
function spread(costs: readonly ModelCost[], chosen: string | null): ModelCost[] {
  if (costs.length <= maxModels) return [...costs];
  const picked = new Set(
    Array.from({ length: maxModels }, (_, at) =>
      Math.round((at * (costs.length - 1)) / (maxModels - 1)),
    ),
  );
  return costs.filter(({ model }, at) => picked.has(at) || model === chosen);
}
