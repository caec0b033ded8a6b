import { readFileSync, writeFileSync } from 'node:fs';
import { answerPairs } from '../src-shared/metrics/pairing.ts';
import { discreteHolm } from '../src-shared/metrics/discreteHolm.ts';
import { binomial, createRandom } from '../src-shared/metrics/random.ts';
import { signFlip } from '../src-shared/metrics/signFlip.ts';
import { differenceAgain, powerOf } from '../src-shared/metrics/visibleLoss.ts';

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
  /** Only cases that disagree have more than one. */
  onlyDisagreeing: boolean;
  /** Whether a case always fails now. */
  isBroken: (at: number) => boolean;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/**
 * The shares of checks that fail by the whole of the cases, by a tool, and by either. With several
 * repetitions the first alone, by the same simulation as `check --estimate`; where nothing is broken
 * and only cases that disagree are asked again, by the test itself.
 */
function simulate({ isBroken, ...settings }: Scenario): string[] {
  const { passRate, repetitions, onlyDisagreeing } = settings;
  const broken = toolOf.filter((_, at) => isBroken(at)).length;
  const cases = toolOf.length;
  if (onlyDisagreeing && broken === 0) {
    let failed = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      const differences = toolOf.map(() =>
        differenceAgain(random, repetitions, passRate, passRate),
      );
      if (answerPairs([differences])[0]?.answer === 'worse') failed += 1;
    }
    return [percent(failed / samples), '–', '–'];
  }
  if (repetitions > 1) return [percent(powerOf({ cases, ...settings }, broken, random)), '–', '–'];
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
/** How often a case is asked now, on average. */
const runsOf = ({ passRate, repetitions, onlyDisagreeing, isBroken }: Scenario): string => {
  const disagree = toolOf.map((_, at) => (isBroken(at) ? passRate : 2 * passRate * (1 - passRate)));
  const share = disagree.reduce((sum, each) => sum + each, 0) / toolOf.length;
  return (onlyDisagreeing ? 1 + (repetitions - 1) * share : repetitions).toFixed(1);
};
const settings = [
  { repetitions: 1, onlyDisagreeing: false },
  { repetitions: 3, onlyDisagreeing: false },
  { repetitions: 5, onlyDisagreeing: false },
  { repetitions: 5, onlyDisagreeing: true },
];
const rowOf = (first: readonly string[], scenario: Scenario): string => {
  const { repetitions, onlyDisagreeing } = scenario;
  const asked = onlyDisagreeing ? `up to ${repetitions}` : repetitions;
  return row([...first, asked, runsOf(scenario), ...simulate(scenario)]);
};
const head = (first: readonly string[]): string[] => {
  const titles = [...first, 'repetitions', 'runs of a case', 'all cases', 'a tool', 'check fails'];
  return [row(titles), row(titles.map(() => '---'))];
};
const noises: [string, number][] = [
  ['never', 1],
  ['1 in 10', 0.9],
  ['1 in 3', 2 / 3],
  ['1 in 2', 1 / 2],
];
const alarms = noises.flatMap(([noise, passRate]) =>
  settings.map((each) => rowOf([noise], { passRate, ...each, isBroken: () => false })),
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
    settings.map((each) => rowOf([noise, lost], { passRate, ...each, isBroken })),
  ),
);

const marker = '<!-- written by scripts/writeGateTables.ts -->';
const [text = ''] = readFileSync(file, 'utf8').split(marker);
writeFileSync(
  file,
  [
    `${text.trimEnd()}\n\n${marker}\n\n## False alarms`,
    [...head(['model is wrong']), ...alarms].join('\n'),
    '## Power',
    [...head(['model is wrong', 'always fail now']), ...power].join('\n'),
    '[All pages](guide/README.md)\n',
  ].join('\n\n'),
);
console.log(`Wrote ${file.pathname}`);
