import { expect, test } from 'vitest';
import { json, lines } from '../exchange/shapes.fixture.ts';
import { recognizeFile } from '../../../../src-shared/display/knownFiles.ts';
import { dune, propose, shown, user } from './logs.fixture.ts';

test.each<[notation: string, text: string]>([
  [
    // https://inspect.aisi.org.uk/eval-logs.html
    'a log of Inspect',
    json({
      version: 2,
      eval: { task: 't' },
      plan: {},
      samples: [
        {
          id: 1,
          input: user.content,
          target: 'x',
          messages: [
            user,
            {
              role: 'assistant',
              content: '',
              tool_calls: [{ id: 'c', function: 'find_book', arguments: { title: 'Dune' } }],
            },
            { role: 'tool', function: 'find_book', tool_call_id: 'c', content: 'Yes' },
            { role: 'assistant', content: 'Yes.' },
          ],
          output: { choices: [{ message: { role: 'assistant', content: 'Yes.' } }] },
        },
      ],
    }),
  ],
  [
    // https://openai.github.io/openai-agents-python/tracing/
    'traces of the Agents SDK',
    lines(
      { object: 'trace', id: 't', workflow_name: 'Agent' },
      {
        object: 'trace.span',
        trace_id: 't',
        span_data: {
          type: 'response',
          input: [user],
          response: {
            output: [
              {
                type: 'function_call',
                call_id: 'c',
                name: 'find_book',
                arguments: '{"title":"Dune"}',
              },
            ],
          },
        },
      },
      {
        object: 'trace.span',
        trace_id: 't',
        span_data: {
          type: 'function',
          name: 'find_book',
          input: '{"title":"Dune"}',
          output: 'x',
        },
      },
    ),
  ],
])('%s is told to be a log, and becomes proposals', async (_notation, text) => {
  expect(recognizeFile(text)?.role).toBe('log');
  expect(shown(await propose(text))).toEqual([dune]);
});
