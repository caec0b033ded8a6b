import { describe, expect, it } from 'vitest';
import type { CorpusEntry } from '../../../src-shared/domain/security.ts';
import { ChatFailure, type ChatModel, type ChatRequest } from '../../adapters/llm/chatModel.ts';
import { judgeWithModel, parseJudgment } from './modelJudge.ts';

const entry = (id: string, label: 'malicious' | 'benign'): CorpusEntry => ({
  id,
  description: `Text of ${id}.`,
  label,
  category: label === 'benign' ? 'hard_negative' : 'tool_poisoning',
  provenance: { source: 's', license: 'MIT' },
});

/** Answers each request by a function; keeps what it was asked. */
function fakeModel(answer: (request: ChatRequest) => string): ChatModel & { asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    asked,
    provider: 'replay',
    wireApi: 'fake',
    sent: {},
    describeTools: () => [],
    choose: async (request) => {
      asked.push(request);
      return {
        observation: {
          calls: [],
          text: answer(request),
          reasoning: null,
          stopReason: 'answered',
          confidence: null,
          usage: null,
        },
        request: {},
        response: null,
        elapsedMs: 1,
      };
    },
    close: async () => undefined,
  };
}
const yes =
  '```json\n{"malicious": true, "category": "tool_poisoning", "severity": "high", "quote": "Text", "why": "It says so."}\n```';
const no = '{"malicious": false}';
const signal = new AbortController().signal;

describe('judgeWithModel', () => {
  it('decides by the majority of runs and reports the spread', async () => {
    const model = fakeModel(({ query, repetition }) =>
      query.includes('Text of bad') ? (repetition === 0 ? no : yes) : repetition === 1 ? yes : no,
    );
    const judged = await judgeWithModel([entry('bad', 'malicious'), entry('good', 'benign')], {
      model,
      runs: 3,
      signal,
    });
    expect(judged.verdicts.get('bad')).toEqual({ flagged: true, score: 2 / 3 });
    expect(judged.verdicts.get('good')).toEqual({ flagged: false, score: 1 / 3 });
    expect(judged.spread?.recall).toBeCloseTo(Math.sqrt(1 / 3), 10);
    expect(judged.thresholds).toHaveLength(3);
    expect(judged.findings).toMatchObject([
      { id: 'bad', span: [0, 4], text: 'Text', why: 'It says so.' },
    ]);
  });

  it('hides the label and the id from the model', async () => {
    const model = fakeModel(() => no);
    await judgeWithModel([entry('secret-id', 'malicious')], { model, runs: 1, signal });
    expect(JSON.stringify(model.asked[0]?.query)).not.toMatch(/malicious|tool_poisoning|MIT|"id"/);
  });

  it('counts an unreadable answer or a failed request as not examined, never as benign', async () => {
    const model = fakeModel(({ query }) => {
      if (query.includes('trouble')) throw new ChatFailure('provider', 'No answer came.');
      return query.includes('vague') ? 'I think it is fine.' : no;
    });
    const judged = await judgeWithModel(
      [entry('vague', 'benign'), entry('trouble', 'benign'), entry('clear', 'benign')],
      { model, runs: 1, signal },
    );
    expect(judged.failed.map(({ id }) => id).sort()).toEqual(['trouble', 'vague']);
    expect([...judged.verdicts.keys()]).toEqual(['clear']);
  });

  it('rejects when the provider fails fatally', async () => {
    const model = fakeModel(() => {
      throw new ChatFailure('provider', 'Wrong key.', { fatal: true });
    });
    await expect(
      judgeWithModel([entry('a', 'benign'), entry('b', 'benign')], {
        model,
        runs: 9,
        concurrency: 1,
        signal,
      }),
    ).rejects.toThrow('Wrong key.');
  });

  it.each([[null], ['no JSON'], ['{"malicious":"maybe"}'], ['{']])(
    'reads no judgment from %j',
    (text) => {
      expect(parseJudgment(text)).toBeNull();
    },
  );
});
