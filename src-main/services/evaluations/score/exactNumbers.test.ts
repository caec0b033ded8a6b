import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { readCall } from '../../../adapters/llm/wire/readCall.ts';
import { prepareWireTools } from '../../../adapters/llm/wire/wireTools.ts';
import { call, createEngine } from '../../../testing/engine.ts';
import { readSuiteFile } from '../../suites/suiteFile.ts';
import { fromSuiteFile, toSuiteFile, writeSuiteText } from '../../suites/suiteFileCodec.ts';
import { readRecorded, scoreRecorded } from './scoreRecorded.ts';
import { createScorer } from './scorer.ts';

/** Numbers as texts that doubles lose, and some that they keep. */
const numberTexts = fc.oneof(
  fc.stringMatching(/^-?[1-9][0-9]{15,25}$/),
  fc.stringMatching(/^-?[1-9]\.[0-9]{17,25}[1-9]$/),
  fc.stringMatching(/^[1-9]e-?[1-9][0-9]{2}$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);
const argumentTexts = fc
  .array(numberTexts, { minLength: 1, maxLength: 4 })
  .map((texts) => `{"a":${texts[0] ?? 0},"list":[${texts.join(',')}],"in":{"b":${texts[0] ?? 0}}}`);
const read = (text: string) => parseJson(text) as JsonObject;

const big = '123456789012345678';
const next = '123456789012345679';

describe('numbers that no double holds', () => {
  it('are kept by suites in JSON and YAML', () => {
    fc.assert(
      fc.property(argumentTexts, (text) => {
        const source =
          '{"version":1,"name":"s","servers":[],"cases":[{"id":"c","name":"c","query":"q",' +
          `"expected_calls":[{"server":"s","tool":"t","parameters":${text}}]}]}`;
        for (const format of ['json', 'yaml'] as const) {
          const first = readSuiteFile(source).file;
          if (first === null) throw new Error(source);
          const written = writeSuiteText(toSuiteFile({ ...fromSuiteFile(first) }), format);
          expect(readSuiteFile(written).file).toEqual(first);
          expect(first.cases).toMatchObject([{ expected_calls: [{ parameters: read(text) }] }]);
        }
      }),
    );
  });

  it('are read from the text of a reply', () => {
    const tools = prepareWireTools([], 'anthropic');
    fc.assert(
      fc.property(argumentTexts, (text) => {
        const seen = readCall({ id: '1', name: 't', arguments: text }, tools);
        expect(seen.arguments).toEqual(read(text));
        expect(read(JSON.stringify(seen.arguments))).toEqual(read(text));
      }),
    );
  });

  it('are stored, scored in the worker, shown and scored again without loss', async () => {
    const texts = fc.sample(argumentTexts, 8);
    const expected = (text: string) => [{ server: 's', tool: 't', parameters: read(text) }];
    await using engine = await createEngine({
      servers: { s: [{ name: 't' }] },
      cases: [
        ...texts.map((text, index) => ({ query: String(index), expected: expected(text) })),
        { query: 'off by one', expected: expected(`{"a":${big}}`) },
      ],
      script: async ({ query }) => ({
        calls: [call('s', 't', read(texts[Number(query)] ?? `{"a":${next}}`))],
      }),
    });
    const id = await engine.start();
    await engine.drain(id);
    const page = { id, filter: {}, sort: 'position', descending: false } as const;
    const { rows } = await engine.service.runs({ ...page, offset: 0, limit: 20 });
    const details = await Promise.all(
      rows.map(({ runId }) => engine.service.run({ ...page, runId })),
    );
    for (const [index, text] of texts.entries()) {
      expect(details[index]?.score).toMatchObject({ parameterCorrectness: 1 });
      expect(JSON.stringify(details[index]?.calls[0]?.arguments)).toBe(JSON.stringify(read(text)));
    }
    expect(details.at(-1)?.score?.parameters).toMatchObject([
      { verdict: 'wrong_value', reason: expect.stringContaining(`expected ${big}, got ${next}.`) },
    ]);
    expect(JSON.stringify(details.at(-1)?.score?.parameters)).toContain(`"actual":${next}`);
  });

  it('differ in the lines of score', async () => {
    const scorer = createScorer();
    const line = (actual: string) =>
      `{"id":"1","query":"q","tools":[{"name":"t","inputSchema":{"type":"object","properties":` +
      `{"a":{"type":"number","multipleOf":0.01,"maximum":${big}}}}}],` +
      `"expected_calls":[{"name":"t","arguments":{"a":${big}}}],` +
      `"actual_calls":[{"name":"t","arguments":{"a":${actual}}}]}`;
    const score = async (actual: string) => {
      const found = readRecorded(line(actual));
      if ('problem' in found) throw new Error(found.problem);
      const shape = await scoreRecorded(scorer, found, 'touchstone');
      expect(JSON.stringify(shape)).toContain(`"expected":${big}`);
      return [shape.parameter_correctness, shape.parameter_type_conformance, shape.passed];
    };
    expect(await score(big)).toEqual([1, true, true]);
    expect(await score(`${big}.0`)).toEqual([1, true, true]);
    expect(await score(next)).toEqual([0, false, false]);
    expect(await score('19.99')).toEqual([0, true, false]);
    await scorer.close();
  });
});
