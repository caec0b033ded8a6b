import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  LintFinding,
  LintReport,
  LintRuleInfo,
  LintSeverity,
} from '../../../src-shared/domain/lint.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { words } from '../tokenizer.ts';
import { descriptionRules } from './descriptionRules.ts';
import { nameRules, styleOf } from './nameRules.ts';
import { parameterRules } from './parameterRules.ts';
import { parametersOf, type LintedTool, type LintRule } from './rule.ts';

export const lintRules: readonly LintRule[] = [
  ...descriptionRules,
  ...parameterRules,
  ...nameRules,
];

/** What a finding deducts from the ten points of a tool. */
const penalty: Record<LintSeverity, number> = { high: 4, medium: 2, low: 1 };

/** The rules with their examples as text, for the page and the documentation. */
export function ruleInfos(): LintRuleInfo[] {
  const shown = ({ name, description, inputSchema }: AnalysedTool): string =>
    `${name}: ` +
    `${description.trim() === '' ? '(no description)' : description.trim()}${Object.keys(inputSchema['properties'] ?? {}).length === 0 ? '' : ` ${JSON.stringify(inputSchema).slice(0, 300)}`}`;
  return lintRules.map(({ id, severity, what, bad, good }) => ({
    id,
    severity,
    what,
    bad: shown(bad),
    good: shown(good),
  }));
}

/**
 * Findings of every enabled rule, by tool in the given order, then by rule. A tool's score is 10 −
 * 4 for each rule of severity high that finds something, − 2 medium, − 1 low, at least 1. A
 * server's score is the mean over its tools. Range 1–10. Source: docs/rules.md §4.
 */
export function lintTools(
  tools: readonly AnalysedTool[],
  off: ReadonlySet<string> = new Set(),
): LintReport {
  const context = describeAll(tools);
  const rules = lintRules.filter(({ id }) => !off.has(id));
  const findings: LintFinding[] = [];
  const scores = new Map<string, number[]>();
  for (const linted of context) {
    let points = 10;
    for (const rule of rules) {
      const { id, severity } = rule;
      const found = rule.check(linted);
      if (found.length > 0) points -= penalty[severity];
      for (const { message, span } of found)
        findings.push({
          toolId: toolId(linted.tool.server, linted.tool.name),
          rule: id,
          severity,
          message,
          span: span ?? null,
        });
    }
    const list = scores.get(linted.tool.server) ?? [];
    scores.set(linted.tool.server, [...list, Math.max(1, points)]);
  }
  return {
    findings,
    servers: [...scores].map(([server, points]) => ({
      server,
      score: points.reduce((sum, value) => sum + value, 0) / points.length,
      tools: points.length,
    })),
  };
}

function describeAll(tools: readonly AnalysedTool[]): LintedTool[] {
  const descriptions = tools.map(({ description }) => words(description));
  const byText = new Map<string, string[]>();
  const styles = new Map<string, Map<string, number>>();
  tools.forEach(({ server, name }, at) => {
    const text = descriptions[at]?.join(' ') ?? '';
    if (text !== '') byText.set(text, [...(byText.get(text) ?? []), toolId(server, name)]);
    const style = styleOf(name);
    const counts = styles.get(server) ?? new Map<string, number>();
    styles.set(server, counts);
    if (style !== null) counts.set(style, (counts.get(style) ?? 0) + 1);
  });
  return tools.map((tool, at) => {
    const own = toolId(tool.server, tool.name);
    return {
      tool,
      nameWords: words(tool.name),
      descriptionWords: descriptions[at] ?? [],
      parameters: parametersOf(tool),
      sameDescription: (byText.get(descriptions[at]?.join(' ') ?? '') ?? []).filter(
        (id) => id !== own,
      ),
      nameStyle: styleOfOthers(styles.get(tool.server) ?? new Map(), styleOf(tool.name)),
    };
  });
}

/** One style that at least three other names share and none departs from. */
function styleOfOthers(counts: ReadonlyMap<string, number>, own: string | null): string | null {
  const others = [...counts]
    .map(([style, count]) => [style, count - (style === own ? 1 : 0)] as const)
    .filter(([, count]) => count > 0);
  const [only] = others;
  return others.length === 1 && only && only[1] >= 3 ? only[0] : null;
}
