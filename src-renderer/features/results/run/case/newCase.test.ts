import { describe, expect, it } from 'vitest';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { newCaseOf } from './newCase.ts';

type Facts = Parameters<typeof newCaseOf>[0];

const call = (tool: string | null, args: RunDetail['calls'][number]['arguments'] = {}) => ({
  id: '1',
  server: tool === null ? null : 's',
  tool,
  name: tool ?? 'nothing',
  arguments: args,
  argumentsText: null,
});

function run(calls: RunDetail['calls'], row: object = {}): Facts {
  const facts = {
    case: {
      name: 'Milk',
      query: 'Put milk on it',
      tags: ['a'],
      servers: ['s'],
      expectedCalls: [{ server: 's', tool: 'add' }],
      allowedCalls: [],
      orderDependent: false,
      stubResults: [],
    },
    calls,
    row: { classification: 'FN', outcome: 'wrong_tool', ...row },
  };
  return facts as unknown as Facts;
}

describe('newCaseOf', () => {
  it('keeps the request and the expected call under a new name', () => {
    expect(newCaseOf(run([call('remove')]), 'expected')).toMatchObject({
      name: 'Milk (copy)',
      query: 'Put milk on it',
      expectedCalls: [{ server: 's', tool: 'add' }],
    });
  });

  it('expects the calls that were made, with their arguments', () => {
    expect(newCaseOf(run([call('remove', { id: 3 }), call('list', null)]), 'made')).toMatchObject({
      expectedCalls: [
        { server: 's', tool: 'remove', parameters: { id: 3 } },
        { server: 's', tool: 'list' },
      ],
    });
  });

  it('expects no tool if none was called', () => {
    expect(newCaseOf(run([], { outcome: 'no_tool_called' }), 'made')?.expectedCalls).toEqual([]);
  });

  it.each([
    ['passed', run([call('add')], { classification: 'TP', outcome: 'passed' })],
    ['was not scored', run([], { classification: null, outcome: 'not_scored' })],
    ['called a made-up tool', run([call(null)], { outcome: 'made_up_tool' })],
  ])('has no calls to expect if the run %s', (_, facts) => {
    expect(newCaseOf(facts, 'made')).toBeNull();
  });
});
