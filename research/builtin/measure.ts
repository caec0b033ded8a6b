/**
 * How often `builtin` chooses and fills right on the sample of the function-calling leaderboard that
 * the tests of scoring use, with the leaderboard's own comparison, as a Markdown table:
 *
 *   node research/builtin/measure.ts [--write]
 *
 * It prints totals and nothing of a single case, so that no rule can be chosen on them.
 */
import { parseArgs } from 'node:util';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import type { SnapshotTool } from '../../src-shared/domain/tool.ts';
import { wilson } from '../../src-shared/metrics/intervals.ts';
import { createBuiltinModel } from '../../src-main/adapters/llm/builtin/builtinModel.ts';
import { AjvJudge } from '../../src-main/scoring/ajvJudge.ts';
import type { AcceptableCall } from '../../src-main/scoring/scoreInput.ts';
import { scoreRun } from '../../src-main/scoring/scoreRun.ts';
import { readExternal } from '../../src-main/testing/externalData.ts';
import { writeTable } from '../markedTable.ts';

interface Line {
  query: string;
  tools: { name: string; description: string; inputSchema: JsonObject }[];
  expected_calls: { name: string; arguments: JsonObject }[];
  acceptable: AcceptableCall[];
}

const read = (name: string): Line[] =>
  readExternal(`bfcl/${name}.jsonl.br`)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

async function measureSet(name: string): Promise<{ n: number; chosen: number; passed: number }> {
  const model = createBuiltinModel();
  const judge = new AjvJudge();
  const never = new AbortController().signal;
  const lines = read(name);
  let [chosen, passed] = [0, 0];
  for (const line of lines) {
    const tools = line.tools.map((tool, at): SnapshotTool & { toolId: string } => ({
      ...tool,
      snapshotToolId: at + 1,
      hash: tool.name,
      toolId: `:${tool.name}`,
      server: '',
      title: null,
      outputSchema: null,
      annotations: null,
    }));
    const { observation } = await model.choose(
      { query: line.query, system: null, messages: [], tools, repetition: 1 },
      never,
    );
    const expected = line.expected_calls.map((call) => ({ server: '', tool: call.name }));
    const score = scoreRun(
      {
        expectation: { expectedCalls: expected, orderDependent: false, allowedCalls: [] },
        query: line.query,
        calls: observation.calls,
        tools,
        confidence: null,
        highConfidence: 0.7,
        modelReasoning: null,
        acceptable: line.acceptable,
      },
      judge,
    );
    if (observation.calls[0]?.tool === line.expected_calls[0]?.name) chosen += 1;
    if (score.passed) passed += 1;
  }
  return { n: lines.length, chosen, passed };
}

export async function builtinTable(): Promise<string> {
  const rows: string[] = [];
  for (const [set, file] of [
    ['simple', 'simple_python'],
    ['multiple', 'multiple'],
  ] as const) {
    const { n, chosen, passed } = await measureSet(file);
    const interval = wilson(passed, n);
    const { low, high } = interval ?? { low: 0, high: 1 };
    const range = `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}%`;
    rows.push(
      `| ${set} | ${n} | ${chosen} | ${passed} | ${((passed / n) * 100).toFixed(1)}% (${range}) |`,
    );
  }
  return [
    '| set | requests n | right tool | right tool and arguments | share (95% interval) |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  const table = await builtinTable();
  process.stdout.write(`${table}\n`);
  if (values.write) writeTable('rules', 'builtin', table);
}
