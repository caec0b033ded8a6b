import { describe, expect, it } from 'vitest';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { textModel } from '../../../src-shared/domain/textModel.ts';
import { ratingEvent, type RatingEvent } from '../../../src-shared/domain/toolQuality.ts';
import { startFakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { analyze, options, setUpSimilarity, tool, tools } from './similarity.fixture.ts';

const setup = setUpSimilarity();

describe('SimilarityService with a language model', () => {
  it('assigns revised descriptions to their tools and names tools without one', async () => {
    const { analysis } = await analyze(setup.service);
    const model = {
      provider: 'openai-compatible' as const,
      model: 'fake-model',
      baseUrl: `${setup.server.origin}/v1`,
    };
    setup.server.script(
      { does: 'answer', text: '```json\n{"description": "Of the first."}\n```' },
      { does: 'answer', text: '{"description": "Of the second."}' },
    );
    const { toolPair, recommendations } = await setup.service.revise(
      { id: analysis.id, a: 0, b: 1, model },
      options,
    );
    expect(toolPair).toEqual(['fs:read_file', 'fs:write_file']);
    const revised = recommendations.filter(({ revisedDescription }) => revisedDescription !== null);
    expect(revised.length).toBeGreaterThan(0);
    for (const { toolId, revisedDescription } of revised)
      expect(revisedDescription).toBe(
        toolId === 'fs:read_file' ? 'Of the first.' : 'Of the second.',
      );
    for (const id of toolPair) {
      const own = recommendations.filter(({ toolId }) => toolId === id);
      if (
        own.some(({ applyCommands }) => applyCommands.some(({ path: at }) => at === '/description'))
      )
        expect(
          own
            .filter(({ revisedDescription }) => revisedDescription !== null)
            .every(({ applyCommands }) =>
              applyCommands.some(({ path: at }) => at === '/description'),
            ),
        ).toBe(true);
    }
    // The prompt holds the tool from which the revised one must differ.
    expect(setup.server.requests.at(-1)?.query).toContain('write_file');
    // A text for one tool only is a partial result; no text at all is a failure.
    setup.server.script(
      { does: 'answer', text: 'Sure! It is fine as it is.' },
      { does: 'answer', text: '{"description": "Of the second."}' },
    );
    const half = await setup.service.revise({ id: analysis.id, a: 0, b: 1, model }, options);
    expect(
      half.recommendations.some(
        ({ revisedDescription }) => revisedDescription === 'Of the second.',
      ),
    ).toBe(true);
    expect(half.unrevised).toEqual([
      { toolId: 'fs:read_file', reason: expect.stringContaining('fake-model') as unknown },
    ]);
    setup.server.script({ does: 'answer', text: 'No.' }, { does: 'answer', text: 'No.' });
    await expect(
      setup.service.revise({ id: analysis.id, a: 0, b: 1, model }, options),
    ).rejects.toMatchObject({ code: 'TROUBLE' });
  });

  async function rate(
    toolList: AnalysedTool[],
    origin = setup.server.origin,
  ): Promise<RatingEvent[]> {
    const events: RatingEvent[] = [];
    for await (const event of setup.service.rate(
      {
        input: { toolList },
        model: { provider: 'openai-compatible', model: 'fake-model', baseUrl: `${origin}/v1` },
      },
      options,
    ))
      events.push(ratingEvent.parse(event));
    return events;
  }
  const rated = { score: 4, explanation: '"Reads." says nothing.', suggestion: 'Say what.' };

  it('T38: checks ratings by the model and reports tools that it could not rate', async () => {
    setup.server.script(
      {
        does: 'answer',
        text: JSON.stringify({
          clarity: rated,
          completeness: rated,
          conciseness: { ...rated, score: 9 },
        }),
      },
      {
        does: 'answer',
        text: JSON.stringify({
          clarity: rated,
          completeness: { ...rated, score: 11 },
          conciseness: rated,
        }),
      },
      { does: 'answer', text: 'It is fine.' },
      {
        does: 'answer',
        text: JSON.stringify({ clarity: rated, completeness: rated, conciseness: rated }),
      },
    );
    const events = await rate(tools);
    expect(events[0]).toEqual({ type: 'listed', total: 4, failed: [] });
    const ratings = events.flatMap((event) => (event.type === 'rated' ? [event.quality] : []));
    expect(ratings.map(({ conciseness }) => conciseness.score).sort()).toEqual([4, 9]);
    expect(ratings[0]).toMatchObject({ model: 'openai-compatible · fake-model', clarity: rated });
    const unrated = events.flatMap((event) => (event.type === 'unrated' ? [event] : []));
    expect(unrated.map(({ reason }) => reason).sort()).toEqual([
      expect.stringContaining('It is fine'),
      expect.stringContaining('clarity'),
    ]);
    expect([...ratings, ...unrated].map(({ toolId }) => toolId).sort()).toEqual(
      tools.map(({ server: of, name }) => `${of}:${name}`).sort(),
    );
  });

  it('T38 T47: stops asking a model that keeps failing, and refuses a URL with a password', async () => {
    const many = Array.from({ length: 40 }, (_, at) => tool('many', `tool_${at}`, 'Works.'));
    await using shy = await startFakeModelServer({ rule: () => ({ does: 'answer', text: 'No.' }) });
    await expect(rate(many, shy.origin)).rejects.toMatchObject({ code: 'TROUBLE' });
    expect(shy.requests.length).toBeLessThan(12);
    expect(textModel.safeParse({ provider: 'builtin', model: 'm', baseUrl: null }).success).toBe(
      false,
    );
    expect(
      textModel.safeParse({
        provider: 'openai',
        model: 'm',
        baseUrl: 'https://user:secret@example.org/v1',
      }).success,
    ).toBe(false);
  });
});
