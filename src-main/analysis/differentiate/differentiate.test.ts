import { expect, it } from 'vitest';
import { applyPatch } from '../../../src-shared/domain/jsonPatch.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { createDifferentiator } from './differentiate.ts';

const tool = (name: string, description: string, server = 'fs'): AnalysedTool => ({
  server,
  name,
  description,
  inputSchema: { type: 'object', properties: {} },
});

it('gives a boundary for neighbors as a patch that applies', () => {
  const list = tool('list_directory', 'Get a listing of all files in a path.');
  const sizes = tool(
    'list_directory_with_sizes',
    'Get a listing of all files in a path with sizes.',
  );
  const { issues, recommendations } = createDifferentiator([list, sizes]).advise(list, sizes, 0.9);
  expect(issues.map(({ type }) => type)).toEqual(['scope_clarity']);
  expect(recommendations.map(({ toolId }) => toolId)).toEqual(['fs:list_directory']);
  expect(
    applyPatch({ description: list.description }, recommendations[0]?.applyCommands ?? []),
  ).toEqual({
    description:
      'Get a listing of all files in a path. To get a listing of all files in a path with sizes, use list_directory_with_sizes instead.',
  });
});

it('gives no patch for a deprecated tool, which should be hidden', () => {
  const old = tool('read_file', 'Read a file as text. DEPRECATED: Use read_text_file instead.');
  const current = tool('read_text_file', 'Read a file as text.');
  const { recommendations } = createDifferentiator([old, current]).advise(old, current, 0.9);
  expect(recommendations).toMatchObject([
    { toolId: 'fs:read_file', recommendation: 'Hide or remove read_file.', applyCommands: [] },
  ]);
});

it('advises both tools at once where no rule fits, and nothing toward an open signal', () => {
  const hover = tool('browser_hover', 'Hover over element on page');
  const evaluate = tool('browser_evaluate', 'Evaluate JavaScript expression on page or element');
  expect(createDifferentiator([hover, evaluate]).advise(hover, evaluate, 0.9)).toMatchObject({
    issues: [{ type: 'scope_clarity', priority: 'low' }],
    recommendations: [
      {
        toolId: null,
        recommendation:
          'Say in one of the descriptions what it does not do, and name the other tool.',
        applyCommands: [],
      },
    ],
  });
  const suspicious = createDifferentiator([hover, evaluate], new Set(['fs:browser_hover']));
  expect(suspicious.advise(hover, evaluate, 0.9)).toMatchObject({
    issues: [],
    recommendations: [],
  });
});
