import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { played, type JudgedKind, type PlayedRun } from './judgedRuns.ts';

interface Log {
  eval: { task: string; scorers: { name: string; options: JsonObject }[] };
  samples: { id: string; input: string; target: string | string[]; choices?: string[] }[];
}

/** A log of one sample with one scorer. */
const file = (
  name: string,
  target: string | string[],
  options: JsonObject = {},
  more: JsonObject = {},
): JsonValue => ({
  eval: { task: 'open_tasks', scorers: [{ name: `inspect_ai/${name}`, options }] },
  samples: [{ id: 'one', input: 'Which task is open?', target, ...more }],
});
const said = (answer: string): PlayedRun => played([], answer);

const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
function stripped(text: string): string {
  const signs = Array.from(text);
  const isEdge = (sign: string | undefined): boolean =>
    sign !== undefined && (punctuation.includes(sign) || sign.trim() === '');
  while (isEdge(signs[0])) signs.shift();
  while (isEdge(signs.at(-1))) signs.pop();
  return signs.join('');
}
const words = (text: string): string =>
  [
    ...new Set(
      Array.from(text.toLowerCase())
        .filter((sign) => !punctuation.includes(sign))
        .join('')
        .split(/\s+/)
        .filter((word) => word !== '' && !['a', 'an', 'the'].includes(word)),
    ),
  ]
    .sort()
    .join(' ');

function matches(answer: string, target: string, options: JsonObject): boolean {
  const ignored = options['ignore_case'] !== false;
  const [one, other] = [answer, target].map((text) =>
    stripped(ignored ? text.toLowerCase() : text),
  ) as [string, string];
  const { location = 'end' } = options;
  return location === 'end'
    ? one.endsWith(other)
    : location === 'begin'
      ? one.startsWith(other)
      : location === 'any'
        ? one.includes(other)
        : one === other;
}

/** The rule of each scorer over the last message: one of the targets is enough. */
function judge(given: JsonValue, { messages }: PlayedRun): boolean {
  const { eval: about, samples } = given as unknown as Log;
  const answer = messages.at(-1) ?? '';
  const targets = [samples[0]?.target ?? []].flat();
  return about.scorers.every(({ name, options }) =>
    targets.some((target) => {
      if (name.endsWith('/includes'))
        return options['ignore_case'] === false
          ? answer.includes(target)
          : answer.toLowerCase().includes(target.toLowerCase());
      if (name.endsWith('/match')) return matches(answer, target, options);
      if (name.endsWith('/exact')) return words(answer) === words(target);
      return /ANSWER\s*:\s*([A-Za-z])(?:\W|$)/i.exec(answer)?.[1]?.toUpperCase() === target;
    }),
  );
}

export const inspect: JudgedKind = {
  name: 'Inspect',
  format: 'inspect',
  fileName: 'log.json',
  source: 'standard scorers in the documentation of Inspect',
  executes: false,
  judge,
  runs: [
    {
      title: 'includes: anywhere, in another case',
      file: file('includes', 'Buy milk'),
      run: said('Only "buy MILK" is open.'),
    },
    {
      title: 'includes: with the case of the target',
      file: file('includes', 'Buy milk', { ignore_case: false }),
      run: said('Only "buy milk" is open.'),
    },
    {
      title: 'includes: one of two targets',
      file: file('includes', ['Pay rent', 'Buy milk']),
      run: said('Buy milk (1 of 2).'),
    },
    {
      title: 'match: at the end, before a full stop',
      file: file('match', 'Buy milk'),
      run: said('The open task is "Buy milk".'),
    },
    {
      title: 'match: not at the end',
      file: file('match', 'Buy milk'),
      run: said('Buy milk is the open task.'),
    },
    {
      title: 'match: at the beginning',
      file: file('match', 'Buy milk', { location: 'begin' }),
      run: said('**Buy milk** is open.'),
    },
    {
      title: 'match: exactly, and there is more',
      file: file('match', 'Buy milk', { location: 'exact' }),
      run: said('Buy milk today.'),
    },
    {
      title: 'exact: without article and punctuation',
      file: file('exact', 'the milk'),
      run: said('Milk!'),
    },
    {
      title: 'exact: another word',
      file: file('exact', 'the milk'),
      run: said('The fresh milk.'),
    },
    {
      title: 'choice: the letter of another choice',
      file: file('choice', 'B', {}, { choices: ['Pay rent', 'Buy milk'] }),
      run: said('Rent it is.\nANSWER: A'),
    },
  ],
};
