import { z } from 'zod';
import { reasons } from './reasons.ts';
import type { Recount } from './recount.ts';

const similarityRows = z.looseObject({
  tool_ids: z.array(z.string()),
  measure: z.enum(['similarity', 'overlap']),
  threshold: z.number(),
  weights: z.object({ semantic: z.number(), parameters: z.number(), description: z.number() }),
  pairs: z.array(
    z.looseObject({
      tool_a_id: z.string(),
      tool_b_id: z.string(),
      similarity_score: z.number(),
      full_similarity_score: z.number().optional(),
      overlap: z.number(),
      dimensions: z.object({
        semantic: z.number(),
        parameters: z.number().nullable(),
        description: z.number(),
      }),
    }),
  ),
  recommendations: z.array(z.looseObject({ tool_pair: z.array(z.string()) })),
  matrix: z.array(z.array(z.number())).optional(),
});

/** Overlaps from their dimensions; flags and the order of the list from the measure. */
export function recountSimilarity(document: unknown, recount: Recount): void {
  const { tool_ids: ids, pairs, weights, measure, ...report } = similarityRows.parse(document);
  recount.rows('version');
  recount.notCheckedAll(reasons.settings, [
    'method',
    'semantic_source',
    'measure',
    'threshold',
    'weights',
  ]);
  recount.notCheckedAll(reasons.ids, ['tool_ids', 'pairs[*].tool_a_id', 'pairs[*].tool_b_id']);
  recount.notCheckedAll(reasons.times, ['generated', 'generated_at']);
  recount.notCheckedAll(reasons.tools, [
    ...['similarity_score', 'full_similarity_score', 'dimensions'].map(
      (name) => `pairs[*].${name}`,
    ),
    ...['findings', 'recommendations'],
  ]);
  recount.notChecked('pairs_total', 'only the listed pairs are in the report');
  for (const [at, { dimensions, ...pair }] of pairs.entries()) {
    const { semantic, parameters, description } = dimensions;
    const rest = weights.semantic + weights.description;
    const own = weights.semantic * semantic + weights.description * description;
    const overlap =
      parameters === null ? (rest === 0 ? 0 : own / rest) : own + weights.parameters * parameters;
    recount.compare(['pairs', at, 'overlap'], overlap);
    const column = measure === 'overlap' ? 'overlap' : 'similarity_score';
    recount.compare(['pairs', at, 'flagged'], pair[column] >= report.threshold);
    const previous = pairs[at - 1];
    if (previous) recount.compareRange(['pairs', at, column], 0, previous[column]);
  }
  for (const [at, { tool_pair: named }] of report.recommendations.entries()) {
    const pair = pairs.find(
      (one) => named.includes(one.tool_a_id) && named.includes(one.tool_b_id),
    );
    if (pair) recount.compare(['recommendations', at, 'similarity_score'], pair.similarity_score);
  }
  if (!report.matrix) return;
  for (const [a, id] of ids.entries()) recount.compare(['matrix', a, a], id === '' ? null : 1);
  for (const pair of pairs) {
    const [a, b] = [ids.indexOf(pair.tool_a_id), ids.indexOf(pair.tool_b_id)];
    recount.compare(['matrix', a, b], pair.overlap);
    recount.compare(['matrix', b, a], pair.overlap);
  }
}

const tokenRows = z.looseObject({
  tools: z.array(z.looseObject({ tool_id: z.string(), parts: z.record(z.string(), z.number()) })),
  servers: z.array(z.looseObject({ server: z.string() })),
  budget: z.object({ limit: z.number() }).nullable(),
});

/** The sums of tools, servers and the whole from the parts of each tool. */
export function recountTokens(document: unknown, recount: Recount): void {
  const { tools, servers, budget } = tokenRows.parse(document);
  recount.rows('version', 'tools[*].parts');
  recount.notCheckedAll(reasons.settings, ['encoding', 'model', 'budget.limit']);
  recount.notCheckedAll(reasons.ids, ['tools[*].tool_id', 'servers[*].server']);
  recount.notChecked('generated', reasons.times);
  recount.notCheckedAll(reasons.tools, ['formats', 'tools[*].body_tokens']);
  recount.notChecked('model.usd_per_1000_requests', 'the price of the model is not in the report');
  const counts = tools.map(({ parts }) =>
    Object.values(parts).reduce((sum, part) => sum + part, 0),
  );
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  for (const [at, count] of counts.entries()) recount.compare(['tools', at, 'token_count'], count);
  for (const [at, { server }] of servers.entries()) {
    const own = counts.filter((_, tool) => tools[tool]?.tool_id.startsWith(`${server}:`));
    recount.compare(['servers', at, 'token_count'], sumOf(own));
  }
  recount.compare(['total'], sumOf(counts));
  if (budget) recount.compare(['budget', 'passed'], sumOf(counts) <= budget.limit);
}

const lintRows = z.looseObject({
  findings: z.array(
    z.looseObject({
      tool_id: z.string(),
      rule: z.string(),
      severity: z.enum(['high', 'medium', 'low']),
    }),
  ),
  tools: z.array(
    z.looseObject({
      tool_id: z.string(),
      deductions: z.array(z.looseObject({ rule: z.string() })),
    }),
  ),
  servers: z.array(z.looseObject({ server: z.string(), tools: z.number() })),
});
const points = { high: 4, medium: 2, low: 1 };

/**
 * The points each rule takes from a tool, the score of each tool and the mean score of each server,
 * from the findings. A tool without a finding has 10 points.
 */
export function recountLint(document: unknown, recount: Recount): void {
  const { findings, tools, servers } = lintRows.parse(document);
  recount.rows('version', 'findings[*].rule', 'findings[*].severity');
  recount.rows('tools[*].deductions[*].rule');
  recount.notChecked('generated', reasons.times);
  recount.notCheckedAll(reasons.ids, [
    'findings[*].tool_id',
    'tools[*].tool_id',
    'servers[*].server',
  ]);
  recount.notCheckedAll(reasons.tools, [
    ...['message', 'fix', 'span'].map((name) => `findings[*].${name}`),
    'tools[*].deductions[*].fix',
    'servers[*].tools',
  ]);
  const lost = new Map<string, Map<string, number>>();
  for (const { tool_id: tool, rule, severity } of findings) {
    const rules = lost.get(tool) ?? new Map<string, number>();
    lost.set(tool, rules.set(rule, points[severity]));
  }
  const scoreOf = (rules: ReadonlyMap<string, number> = new Map()): number =>
    Math.max(1, 10 - [...rules.values()].reduce((sum, each) => sum + each, 0));
  for (const [at, { tool_id: tool, deductions }] of tools.entries()) {
    const rules = lost.get(tool);
    recount.compare(['tools', at, 'score'], scoreOf(rules));
    for (const [index, { rule }] of deductions.entries()) {
      const found = findings.find((one) => one.tool_id === tool && one.rule === rule);
      recount.compare(['tools', at, 'deductions', index], {
        points: rules?.get(rule) ?? 0,
        severity: found?.severity ?? null,
      });
    }
  }
  for (const [at, { server, tools: count }] of servers.entries()) {
    const own = [...lost].filter(([tool]) => tool.startsWith(`${server}:`));
    const total = own.reduce((sum, [, rules]) => sum + scoreOf(rules), 10 * (count - own.length));
    recount.compare(['servers', at, 'score'], total / count);
  }
}
