import { describe, expect, it } from 'vitest';
import {
  defaultTaskLimits,
  taskContent,
  type TrajectoryStep,
} from '../../../../../src-shared/domain/task.ts';
import { caseContent } from '../../../../../src-shared/domain/testCase.ts';
import { caseOfStep } from './caseOfStep.ts';

const task = taskContent.parse({
  name: 'Find and delete',
  turns: ['Delete the task about milk.', 'Thanks.'],
  tags: ['todo'],
  servers: ['todo'],
  setup: [],
  checks: [{ id: 'said', kind: 'answer', expected: 'x' }],
  limits: defaultTaskLimits,
  stubs: [],
  injection: null,
});
const step = (tools: (string | null)[], turn = 0): TrajectoryStep => ({
  turn,
  text: null,
  reasoning: null,
  stopReason: 'called',
  calls: tools.map((tool) => ({
    id: 'c',
    server: tool === null ? null : 'todo',
    tool,
    name: tool ?? 'made_up',
    arguments: { id: 2 },
    argumentsText: null,
    answeredBy: 'executed',
    result: { isError: false, text: '', structured: null, cutFrom: null, omitted: [] },
    durationMs: 1,
  })),
  usage: null,
  elapsedMs: 1,
});

describe('a step as a case', () => {
  it('expects its calls and allows the tools that were called before it', () => {
    const made = caseOfStep(task, [step(['list', 'list']), step(['remove'])], 1);
    expect(caseContent.parse(made)).toEqual({
      name: 'Find and delete (step 2)',
      query: 'Delete the task about milk.',
      tags: ['todo'],
      servers: ['todo'],
      expectedCalls: [{ server: 'todo', tool: 'remove', parameters: { id: 2 } }],
      orderDependent: false,
      allowedCalls: [{ server: 'todo', tool: 'list' }],
      stubResults: [],
    });
  });

  it('is none of an answer, of a made-up tool, or of a later turn', () => {
    expect(caseOfStep(task, [step([])], 0)).toBeNull();
    expect(caseOfStep(task, [step(['list', null])], 0)).toBeNull();
    expect(caseOfStep(task, [step(['list']), step(['list'], 1)], 1)).toBeNull();
    expect(caseOfStep(task, [], 0)).toBeNull();
  });
});
