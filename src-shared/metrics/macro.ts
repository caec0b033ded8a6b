import type { MacroMetrics } from '../domain/analysis.ts';
import type { Estimate, PerTool } from '../domain/metrics.ts';

/**
 * Macro averages over tools (docs/rules.md §3, Metrics): the mean of the tools' one-versus-rest
 * rates, each tool with the same weight. Tools with an undefined rate are left out; `tools` counts
 * the others. Range 0–1; null if no tool has a rate.
 */
export function macroMetrics(perTool: readonly PerTool[]): MacroMetrics {
  const mean = (rate: (tool: PerTool) => Estimate): { value: number | null; tools: number } => {
    const known = perTool.map((tool) => rate(tool).value).filter((value) => value !== null);
    return {
      value:
        known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length,
      tools: known.length,
    };
  };
  return {
    precision: mean(({ precision }) => precision),
    recall: mean(({ recall }) => recall),
    f1Score: mean(({ f1Score }) => f1Score),
  };
}
