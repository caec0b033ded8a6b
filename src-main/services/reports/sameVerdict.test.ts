import { describe, expect, it } from 'vitest';
import { verdictLines } from '../../../src-shared/display/verdictTexts.ts';
import { call, createEngine, type FakeCase, type Script } from '../../testing/engine.ts';
import { exportAs, resultsOf } from './exportAs.fixture.ts';
import { readXml } from './readXml.fixture.ts';

const servers = { s: [{ name: 'add' }, { name: 'remove' }] };
const cases: FakeCase[] = ['one', 'two', 'three', 'four'].map((query) => ({
  query,
  expected: [{ server: 's', tool: 'add' }],
}));

const scripts: Record<string, Script> = {
  'some failed': async ({ query }) => ({
    calls: query === 'one' ? [] : [call('s', query === 'two' ? 'remove' : 'add')],
  }),
  'all passed': async () => ({ calls: [call('s', 'add')] }),
  'none was scored': () => Promise.reject(new Error('The model is away.')),
};

/** The text of a page, without its markup, style and script, in one line. */
const shownText = (html: string): string =>
  html
    .replace(/^.*<body>/s, '')
    .replace(/<script>.*$/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('reports of one evaluation', () => {
  it.each(Object.entries(scripts))('say the same verdict if %s', async (_name, script) => {
    await using engine = await createEngine({ servers, cases, script });
    const id = await engine.start({ concurrency: 1 });
    await engine.drain(id);
    const verdict = await resultsOf(engine).verdict({ id, modelSettingsId: null });
    const lines = verdictLines(verdict);

    const junit = readXml(await exportAs(engine, id, 'junit'));
    const property = junit.children[0]?.children[0]?.children.find(
      ({ attributes }) => attributes['name'] === 'verdict',
    );
    expect(property?.attributes['value']).toBe(lines.join('\n'));

    for (const change of [{ format: 'md' }, { format: 'md', short: true }, { format: 'github' }]) {
      const { format, ...rest } = change as { format: 'md' | 'github'; short?: boolean };
      const [, headline = '', ...others] =
        /\*\*(.*)\*\*\n\n((?:- .*\n)*)/
          .exec(await exportAs(engine, id, format, rest))
          ?.slice(0, 3) ?? [];
      expect([headline, ...others.join('').trim().split('\n')].filter(Boolean)).toEqual(
        verdictLines(verdict, (name) => `\`${name}\``).map((line, at) =>
          at === 0 ? line : `- ${line}`,
        ),
      );
    }

    const page = shownText(await exportAs(engine, id, 'html'));
    for (const part of lines.flatMap((line) => line.split(/ {2}| · |: |[().]/)).filter(Boolean))
      expect(page).toContain(part.trim());
  });

  it('say why no case was scored', async () => {
    const script = scripts['none was scored'] ?? (() => Promise.reject(new Error()));
    await using engine = await createEngine({ servers, cases, script });
    const id = await engine.start({ concurrency: 1 });
    await engine.drain(id);
    const page = shownText(await exportAs(engine, id, 'html'));
    expect(page).toContain('Not scored 4 a fault in Touchstone: The model is away.');
    expect(page).not.toContain('Nothing failed');
    for (const format of ['md', 'github'] as const)
      expect(await exportAs(engine, id, format)).toContain(
        '| a fault in Touchstone | `The model is away.` | 4 |',
      );
  });
});
