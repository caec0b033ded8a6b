import { describe, expect, it } from 'vitest';
import type { ToolUse } from '../domain/taskTools.ts';
import { summarizeTaskTools } from './taskTools.ts';

const run = (taskId: string, succeeded: boolean | null, toolUse: Partial<ToolUse> | null) => ({
  taskId,
  succeeded,
  toolUse: toolUse && { tools: [], stepsKnown: true, firstWrong: null, ...toolUse },
});
const used = (tool: string, needed: boolean, calls: number, errors = 0) => ({
  tool,
  needed,
  calls,
  errors,
  sent: calls,
  unanswered: 0,
  crashes: 0,
  timeMs: 20 * calls,
});
const wrong = (expected: string | null, called: string | null) => ({
  firstWrong: { step: 1, expected, called, by: 'check' as const },
});

describe('summarizeTaskTools', () => {
  it('counts pairs of first wrong steps, the most frequent first', () => {
    const { confusions, firstWrong } = summarizeTaskTools([
      run('a', false, wrong('s:x', null)),
      run('b', false, wrong('s:x', 's:y')),
      run('c', false, wrong('s:x', 's:y')),
      run('d', true, {}),
      run('e', true, { stepsKnown: false }),
      run('f', false, null),
    ]);
    expect(confusions).toEqual([
      { expected: 's:x', called: 's:y', runs: 2 },
      { expected: 's:x', called: null, runs: 1 },
    ]);
    expect(firstWrong).toEqual({ known: 4, wrong: 3 });
  });

  it('counts runs and calls of each tool, with success where it was called', () => {
    const { tools } = summarizeTaskTools([
      run('a', true, { tools: [used('s:x', true, 1), used('s:y', false, 3, 1)] }),
      run('b', false, {
        tools: [used('s:x', true, 0), used('s:y', false, 1)],
        ...wrong('s:x', 's:y'),
      }),
    ]);
    expect(tools).toMatchObject([
      { tool: 's:y', needed: 0, called: 2, missed: 0, wrong: 1, calls: 4, errors: 1 },
      {
        tool: 's:x',
        needed: 2,
        called: 1,
        calledWhereNeeded: { value: 0.5, n: 2 },
        missed: 1,
        wrong: 0,
        success: { value: 1, n: 1 },
      },
    ]);
    expect(tools[0]?.calledWhereNeeded.value).toBeNull();
    expect(tools[0]?.success).toMatchObject({ value: 0.5, n: 2 });
  });

  it('counts what a server did with calls also in runs without a score', () => {
    const crashed = { ...used('s:x', true, 2, 1), unanswered: 1, crashes: 1, timeMs: 8_020 };
    const { tools, firstWrong } = summarizeTaskTools([
      run('a', true, { tools: [used('s:x', true, 1)] }),
      run('b', null, { tools: [crashed], ...wrong('s:x', 's:y') }),
    ]);
    expect(tools).toMatchObject([
      {
        tool: 's:x',
        needed: 1,
        called: 1,
        calls: 3,
        errors: 1,
        sent: 3,
        unanswered: 1,
        crashes: 1,
        // (20 + 8,020) ms ÷ 3 calls.
        timePerCallMs: 2_680,
        success: { value: 1, n: 1 },
      },
    ]);
    expect(firstWrong).toEqual({ known: 1, wrong: 0 });
    const [never] = summarizeTaskTools([run('a', true, { tools: [used('s:z', true, 0)] })]).tools;
    expect(never?.timePerCallMs).toBeNull();
  });

  it('lists the tool with the most wrong steps first', () => {
    const { tools } = summarizeTaskTools([
      run('a', true, { tools: [used('s:a', false, 1, 1), used('s:b', false, 1)] }),
      run('b', false, { tools: [used('s:z', true, 0)], ...wrong('s:z', null) }),
    ]);
    expect(tools.map(({ tool }) => tool)).toEqual(['s:z', 's:a', 's:b']);
  });
});
