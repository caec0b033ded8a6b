import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  LintDeduction,
  LintFinding,
  LintReport,
  LintRuleInfo,
  LintSeverity,
  LintToolScore,
} from '../../../src-shared/domain/lint.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import type { RejectedTool } from '../../../src-shared/domain/tool.ts';
import { finish, type Steps } from '../../runtime/steps.ts';
import { toBeWritten } from '../advice/misplaced.ts';
import { words } from '../tokenizer.ts';
import { annotationRules } from './annotationRules.ts';
import { descriptionRules } from './descriptionRules.ts';
import { nameRules, styleOf } from './nameRules.ts';
import { parameterRules } from './parameterRules.ts';
import { rejectedFinding, schemaRules } from './schemaRules.ts';
import { skillRules } from './skillRules.ts';
import { twinAdviceOf } from './twinAdvice.ts';
import { valueRules } from './valueRules.ts';
import { parametersOf, type Finding, type LintedTool, type LintRule } from './rule.ts';

export const lintRules: readonly LintRule[] = [
  ...annotationRules,
  ...descriptionRules,
  ...parameterRules,
  ...schemaRules,
  ...valueRules,
  ...nameRules,
  ...skillRules,
];

/** What a finding deducts from the ten points of a tool. */
const penalty: Record<LintSeverity, number> = { high: 4, medium: 2, low: 1 };

/** The rules with their examples as text, for the page and the documentation. */
export function ruleInfos(): LintRuleInfo[] {
  const shown = ({ name, description, inputSchema, title, annotations }: AnalysedTool): string =>
    `${name}: ` +
    [
      description.trim() === '' ? '(no description)' : description.trim(),
      ...(Object.keys(inputSchema['properties'] ?? {}).length === 0
        ? []
        : [JSON.stringify(inputSchema).slice(0, 300)]),
      ...(annotations ? [JSON.stringify(annotations)] : []),
      ...(typeof title === 'string' ? [`title: ${JSON.stringify(title)}`] : []),
    ].join(' ');
  return lintRules.map(({ id, severity, what, fix, bad, good }) => ({
    id,
    severity,
    what,
    fix,
    bad: shown(bad),
    good: shown(good),
  }));
}

/** How tools are checked. */
export interface LintOptions {
  /** Ids of rules that are turned off. */
  off?: ReadonlySet<string>;
  /** Ids of tools with an open security signal: no fix draws models to them. */
  openSignals?: ReadonlySet<string>;
  /** Tools that the servers list and nobody can use. */
  rejected?: readonly RejectedTool[];
}

/**
 * Findings of every enabled rule, by tool in the given order, then by rule, and scores. A rejected
 * tool is scored too, by one rule, because nothing else can be read of it. A tool's score is 10 − 4 for each rule of severity high that finds something, − 2 medium, − 1 low, at
 * least 1. A server's score is the mean over its tools. Range 1–10. Source: docs/rules.md §4.
 */
export const lintTools = (tools: readonly AnalysedTool[], options: LintOptions = {}): LintReport =>
  finish(lintSteps(tools, options));

/** `lintTools`, tool by tool: a list of thousands takes seconds. */
export function* lintSteps(
  tools: readonly AnalysedTool[],
  options: LintOptions = {},
): Steps<LintReport> {
  const { off = new Set(), rejected = [] } = options;
  const rules = lintRules.filter(({ id }) => !off.has(id));
  const findings: LintFinding[] = [];
  const score = (tool: { server: string; name: string }, find: (rule: LintRule) => Finding[]) => {
    const id = toolId(tool.server, tool.name);
    const deductions = rules.flatMap((rule): LintDeduction[] => {
      const found = find(rule).map(({ message, fix = rule.fix, span = null, ...more }) => ({
        toolId: id,
        rule: rule.id,
        severity: rule.severity,
        message,
        fix,
        span,
        ...more,
      }));
      findings.push(...found);
      return found.slice(0, 1).map(({ rule: name, severity, fix }) => ({
        rule: name,
        severity,
        points: penalty[severity],
        fix,
      }));
    });
    deductions.sort((a, b) => b.points - a.points);
    const deducted = deductions.reduce((sum, { points }) => sum + points, 0);
    return { toolId: id, score: Math.max(1, 10 - deducted), deductions };
  };
  const ids = new Set(tools.map(({ server, name }) => toolId(server, name)));
  // A second tool of a name is found at the first one.
  const lost = rejected.filter(({ server, name }) => !ids.has(toolId(server, name)));
  const scored: LintToolScore[] = [];
  const describe = yield* describer(tools, options);
  for (const [at, tool] of tools.entries()) {
    const linted = describe(tool, at);
    scored.push(score(tool, (rule) => rule.check(linted)));
    yield;
  }
  for (const tool of lost) {
    const { rule, finding } = rejectedFinding(tool);
    scored.push(score(tool, ({ id }) => (id === rule ? [finding] : [])));
  }
  const listed = [...tools, ...lost];
  const byServer = Map.groupBy(scored, (_score, at) => listed[at]?.server ?? '');
  return {
    findings,
    tools: scored.toSorted((a, b) => a.score - b.score),
    servers: [...byServer].map(([server, own]) => ({
      server,
      score: own.reduce((sum, { score }) => sum + score, 0) / own.length,
      tools: own.length,
    })),
  };
}

/** Reads from all tools what the rules need of each, one at a time. */
function* describer(
  tools: readonly AnalysedTool[],
  { openSignals = new Set(), rejected = [] }: LintOptions,
): Steps<(tool: AnalysedTool, at: number) => LintedTool> {
  const repeated = rejected.map(({ server, name }) => toolId(server, name));
  const advice = yield* twinAdviceOf(tools, openSignals);
  const descriptions = tools.map(({ description }) => words(description));
  const byText = new Map<string, string[]>();
  const styles = new Map<string, Map<string, number>>();
  tools.forEach(({ server, name }, at) => {
    const text = descriptions[at]?.join(' ') ?? '';
    const same = byText.get(text) ?? [];
    same.push(toolId(server, name));
    if (text !== '') byText.set(text, same);
    const style = styleOf(name);
    const counts = styles.get(server) ?? new Map<string, number>();
    styles.set(server, counts);
    if (style !== null) counts.set(style, (counts.get(style) ?? 0) + 1);
  });
  const byServer = Map.groupBy(tools, ({ server }) => server);
  const read = (tool: AnalysedTool): AnalysedTool[] => [
    tool,
    ...(byServer.get(tool.server) ?? []).filter((other) => other !== tool).slice(0, maxSiblings),
  ];
  return (tool, at) => {
    const own = toolId(tool.server, tool.name);
    return {
      tool,
      nameWords: words(tool.name),
      descriptionWords: descriptions[at] ?? [],
      parameters: parametersOf(tool),
      sameDescription: (byText.get(descriptions[at]?.join(' ') ?? '') ?? []).filter(
        (id) => id !== own,
      ),
      twinAdvice: advice.get(own) ?? null,
      toBeWritten: () => toBeWritten(tool, read(tool)) ?? undefined,
      repeats: repeated.filter((id) => id === own).length,
      nameStyle: styleOfOthers(styles.get(tool.server) ?? new Map(), styleOf(tool.name)),
    };
  };
}

/** Tools of a server that a description is compared with, however long a list is. */
const maxSiblings = 200;

/** One style that at least three other names share and none departs from. */
function styleOfOthers(counts: ReadonlyMap<string, number>, own: string | null): string | null {
  const others = [...counts]
    .map(([style, count]) => [style, count - (style === own ? 1 : 0)] as const)
    .filter(([, count]) => count > 0);
  const [only] = others;
  return others.length === 1 && only && only[1] >= 3 ? only[0] : null;
}
