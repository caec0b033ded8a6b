import { readFileSync, writeFileSync } from 'node:fs';
import { answerPairs } from '../src-shared/metrics/pairing.ts';
import { discreteHolm } from '../src-shared/metrics/discreteHolm.ts';
import { binomial, createRandom } from '../src-shared/metrics/random.ts';
import { signFlip } from '../src-shared/metrics/signFlip.ts';
import { powerOf } from '../src-shared/metrics/visibleLoss.ts';

// Simulates checks with the functions that decide them, and writes docs/gate-power.md: 78 cases, six
// tools with eight cases each and three with ten, as a suite of eight tools has them.
const file = new URL('../docs/gate-power.md', import.meta.url);
const toolOf = Array.from({ length: 78 }, (_, at) =>
  at < 48 ? Math.floor(at / 8) : 6 + ((at - 48) % 3),
);
const random = createRandom(1);

const samples = 400;

interface Scenario {
  passRate: number;
  repetitions: number;
  /** Whether a case always fails now. */
  isBroken: (at: number) => boolean;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/**
 * The shares of checks that fail by the whole of the cases, by a tool, and by either. With several
 * repetitions the first alone, by the same simulation as `check --estimate`.
 */
function simulate({ passRate, repetitions, isBroken }: Scenario): string[] {
  if (repetitions > 1) {
    const broken = toolOf.filter((_, at) => isBroken(at)).length;
    const cases = toolOf.length;
    return [percent(powerOf({ cases, passRate, repetitions }, broken, random)), '–', '–'];
  }
  const failed = { whole: 0, tool: 0, either: 0 };
  for (let sample = 0; sample < samples; sample += 1) {
    const differences = toolOf.map(
      (_, at) =>
        ((isBroken(at) ? 0 : binomial(random, repetitions, passRate)) -
          binomial(random, repetitions, passRate)) /
        repetitions,
    );
    const whole = answerPairs([differences])[0]?.answer === 'worse';
    const groups = [...new Set(toolOf)].map((tool) =>
      differences.filter((_, at) => toolOf[at] === tool),
    );
    const tests = groups.map((own) => ({ own, test: signFlip(own) }));
    const adjusted = discreteHolm(
      tests.map(({ own, test }) => {
        const sizes = own.filter((d) => d !== 0).map((d) => Math.abs(d).toFixed(9));
        return { p: test?.p ?? 1, differing: sizes.length, equalSizes: new Set(sizes).size <= 1 };
      }),
    );
    const tool = tests.some(
      ({ test }, at) => (test?.value ?? 0) < 0 && (adjusted[at] ?? 1) <= 0.05,
    );
    if (whole) failed.whole += 1;
    if (tool) failed.tool += 1;
    if (whole || tool) failed.either += 1;
  }
  const share = (count: number) => percent(count / samples);
  return [share(failed.whole), share(failed.tool), share(failed.either)];
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const head = (first: readonly string[]): string[] => {
  const titles = [...first, 'all cases', 'a tool', 'check fails'];
  return [row(titles), row(titles.map(() => '---'))];
};
const noises: [string, number][] = [
  ['never', 1],
  ['1 in 10', 0.9],
  ['1 in 3', 2 / 3],
];
const alarms = noises.flatMap(([noise, passRate]) =>
  [1, 3].map((repetitions) =>
    row([noise, repetitions, ...simulate({ passRate, repetitions, isBroken: () => false })]),
  ),
);
/** Broken cases that are spread over all tools, or all of one tool of eight cases. */
const spread = (count: number) => (at: number) => (at * 31) % 78 < count;
const losses: [string, (at: number) => boolean][] = [
  ['6 cases', spread(6)],
  ['12 cases', spread(12)],
  ['18 cases', spread(18)],
  ['24 cases', spread(24)],
  ['one tool (8 cases)', (at) => toolOf[at] === 0],
];
const power = noises.flatMap(([noise, passRate]) =>
  losses.flatMap(([lost, isBroken]) =>
    [1, 3].map((repetitions) =>
      row([noise, lost, repetitions, ...simulate({ passRate, repetitions, isBroken })]),
    ),
  ),
);

const marker = '<!-- written by scripts/writeGateTables.ts -->';
const [text = ''] = readFileSync(file, 'utf8').split(marker);
writeFileSync(
  file,
  [
    `${text.trimEnd()}\n\n${marker}\n\n## False alarms`,
    [...head(['model is wrong', 'repetitions']), ...alarms].join('\n'),
    '## Power',
    [...head(['model is wrong', 'always fail now', 'repetitions']), ...power].join('\n'),
    '[All pages](guide/README.md)\n',
  ].join('\n\n'),
);
console.log(`Wrote ${file.pathname}`);
