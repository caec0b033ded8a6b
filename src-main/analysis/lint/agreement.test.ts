import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { adviceMessage } from '../../../src-shared/display/adviceTexts.ts';
import { needsWork } from '../../../src-shared/display/qualityTexts.ts';
import { jsonObject } from '../../../src-shared/domain/json.ts';
import { applyPatch } from '../../testing/jsonPatch.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { advise, type AdvisedFailure } from '../advice/advise.ts';
import { lintTools } from './lintTools.ts';
import { example } from './rule.ts';

const failure = (expected: string, called: string): AdvisedFailure => ({
  query: 'Read my notes',
  values: '',
  expected,
  called,
  wrongArguments: [],
});
const fixOf = (
  tools: readonly AnalysedTool[],
  id: string,
  rule: string,
  open = new Set<string>(),
) =>
  lintTools(tools, { openSignals: open }).findings.find(
    (finding) => finding.toolId === id && finding.rule === rule,
  )?.fix;
/** What a case says about one tool after a wrong choice between two. */
const caseSays = (tools: readonly AnalysedTool[], id: string, other: string) =>
  advise({ tools, failures: [failure(id, other)] }).flatMap((piece) =>
    piece.edits.filter((edit) => edit.toolId === id).map((edit) => adviceMessage(piece, edit)),
  );

const old = example('read_note', 'Read a note. Deprecated: use fetch_note instead.');
const current = example('fetch_note', 'Fetch a note. Returns its text.');
const own = example('list-notes', 'List notes. Returns their titles.');
const foreign = { ...example('list_notes', 'List all notes of a team.'), server: 'team' };

/** The tools of the sample workspace, as its servers list them. */
function sampleTools(): AnalysedTool[] {
  const file = z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        inputSchema: jsonObject,
        annotations: jsonObject.optional(),
      }),
    ),
  });
  const folder = new URL('../../../datasets/sample/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tools.json'))
    .flatMap((name) =>
      file
        .parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
        .tools.map((tool) => ({ ...tool, server: name.replace('.tools.json', '') })),
    );
}

describe('the fixes of quality and the advice of a case', () => {
  it.each([
    ['a deprecated twin', [old, current], 'example:read_note', 'example:fetch_note', 'deprecated'],
    ['the same name', [own, foreign], 'example:list-notes', 'team:list_notes', 'same-name'],
    ['the other server', [own, foreign], 'team:list_notes', 'example:list-notes', 'same-name'],
  ] as const)('say the same about %s', (_what, tools, id, other, rule) => {
    const fix = fixOf(tools, id, rule);
    expect(fix).toBeTruthy();
    expect(caseSays(tools, id, other)).toEqual([fix]);
  });

  it('name no new text for a tool beside one with an open signal', () => {
    const open = new Set(['team:list_notes']);
    expect(fixOf([own, foreign], 'example:list-notes', 'same-name', open)).toBeUndefined();
    expect(advise({ tools: [own, foreign], pairs: [{ a: 0, b: 1 }], openSignals: open })).toEqual(
      [],
    );
  });

  it('never lower a score when the advice of a case is applied', () => {
    const tools = sampleTools();
    const before = new Map(lintTools(tools).tools.map((one) => [one.toolId, one.score]));
    const ids = tools.map(({ server, name }) => toolId(server, name));
    let applied = 0;
    for (const expected of ids)
      for (const called of ids)
        for (const { edits } of advise({ tools, failures: [failure(expected, called)] }))
          for (const edit of edits) {
            if (edit.type !== 'text' || edit.path === '/name') continue;
            const changed = tools.map((tool) => {
              if (toolId(tool.server, tool.name) !== edit.toolId) return tool;
              const { server, ...published } = tool;
              const patched = applyPatch(published, [
                { op: 'replace', path: edit.path, value: edit.newText },
              ]);
              return { ...tool, ...(patched as typeof published), server };
            });
            const after = lintTools(changed).tools.find((one) => one.toolId === edit.toolId);
            expect(after?.score, edit.inserted).toBeGreaterThanOrEqual(
              before.get(edit.toolId) ?? 11,
            );
            applied += 1;
          }
    expect(applied).toBeGreaterThan(20);
  });
});

it('spreads the scores of the sample workspace: the worst tools are far from the best', () => {
  const { tools } = lintTools(sampleTools());
  const sorted = tools.map(({ score }) => score).sort((a, b) => a - b);
  const quartile = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0;
  expect(sorted.length).toBeGreaterThan(25);
  expect(sorted[0]).toBeLessThanOrEqual(3);
  expect(sorted.at(-1)).toBe(10);
  expect(quartile(0.75) - quartile(0.25)).toBeGreaterThanOrEqual(2);
  for (const alike of Map.groupBy(sorted, (score) => score).values())
    expect(alike.length).toBeLessThanOrEqual(sorted.length / 2);
  // The deliberately confusable tools of the sample are among those that need work.
  expect(tools.filter(needsWork).map(({ toolId: id }) => id)).toEqual(
    expect.arrayContaining(['calendar:create_event', 'files:read_text', 'calendar:get_events']),
  );
});
