import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { binomial, createRandom } from '../src-shared/metrics/random.ts';
import { evaluateProof } from '../src-shared/metrics/candidateProof.ts';
import { signFlip, type SignFlip } from '../src-shared/metrics/signFlip.ts';
import { caseNumbers, coverage, rates, settings } from './coverageSettings.ts';
import type { Row } from './report.ts';

const SAMPLES = 10_000;
const SEED = 20_260_101;
/** What an interval of 95% has to cover. */
const promisedCoverage = 0.92;
/** From this number of cases on. */
const minPromisedCases = 20;

/** Shares of cases that are fixed and that regress. */
const flips = [
  [0, 0],
  [0.05, 0],
  [0.1, 0.05],
  [0.3, 0.1],
] as const;
const proofHalves = [20, 60, 200];

interface Line {
  cells: string[];
  /** Null where too few samples have an interval. */
  values: (number | null)[];
}

interface RateLine extends Line {
  cases: number;
}

/** Coverage of the intervals of rates, each cell from samples of its own. */
function rateLines(): RateLine[] {
  const random = createRandom(SEED);
  return settings.flatMap((one) =>
    caseNumbers.map((n) => ({
      cases: n,
      cells: [one.name, String(n)],
      values: rates.map((value) => coverage(one, n, value, SAMPLES, random)),
    })),
  );
}

/** Coverage of the interval of a difference, with one repetition. */
function differenceLines(): Line[] {
  const random = createRandom(SEED);
  return caseNumbers.map((n) => ({
    cells: [String(n)],
    values: flips.map(([fixed, regressed]) => {
      const known = new Map<string, SignFlip | null>();
      let held = 0;
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const won = binomial(random, n, fixed);
        const lost = binomial(random, n - won, regressed / (1 - fixed));
        const key = `${won} ${lost}`;
        let found = known.get(key);
        if (found === undefined)
          known.set(
            key,
            (found = signFlip([
              ...new Array<number>(won).fill(1),
              ...new Array<number>(lost).fill(-1),
              ...new Array<number>(n - won - lost).fill(0),
            ])),
          );
        const difference = fixed - regressed;
        if (found && found.low <= difference && difference <= found.high) held += 1;
      }
      return held / SAMPLES;
    }),
  }));
}

/** Rows of 40 candidates that change nothing, in which one is accepted all the same. */
function proofLine(): { values: number[] } {
  const random = createRandom(SEED);
  return {
    values: proofHalves.map((cases) => {
      let accepted = 0;
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        for (let rank = 1; rank <= 40; rank += 1) {
          const differing = binomial(random, cases, 0.4);
          const won = binomial(random, differing, 0.5);
          const { answer } = evaluateProof(
            {
              won,
              lost: differing - won,
              cases,
              others: [],
              otherCalls: { expected: 0, before: 0, after: 0 },
            },
            rank,
          );
          if (answer !== 'accepted') continue;
          accepted += 1;
          break;
        }
      }
      return accepted / SAMPLES;
    }),
  };
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;

function toTable(head: readonly string[], lines: readonly Line[], words: number): string {
  const cell = (value: number | null): string => {
    if (value === null) return '–';
    return value < promisedCoverage ? `**${value.toFixed(3)}**` : value.toFixed(3);
  };
  return [
    `| ${head.join(' | ')} |`,
    `| ${head.map((_, at) => (at < words ? '---' : '---:')).join(' | ')} |`,
    ...lines.map(({ cells, values }) => `| ${[...cells, ...values.map(cell)].join(' | ')} |`),
  ].join('\n');
}

let simulated: {
  rates: RateLine[];
  differences: Line[];
  proofs: ReturnType<typeof proofLine>;
} | null = null;

/** Simulated once, for the rows and for the page. */
const simulate = () =>
  (simulated ??= {
    rates: rateLines(),
    differences: differenceLines(),
    proofs: proofLine(),
  });

/** How often the intervals hold the true value, and how often a useless candidate is accepted. */
export function benchCoverage(): Row[] {
  const found = simulate();
  const lowest = (lines: readonly Line[]): number =>
    Math.min(...lines.flatMap(({ values }) => values.filter((value) => value !== null)));
  const row = (what: string, value: number): Row => ({
    what,
    measured: value.toFixed(3),
    peer: `promised: ${promisedCoverage}`,
    ratio: promisedCoverage / value,
    bound: 1,
  });
  return [
    row(
      'lowest coverage of a 95% interval of a rate, 20 cases or more',
      lowest(found.rates.filter(({ cases }) => cases >= minPromisedCases)),
    ),
    row('lowest coverage of a 95% interval of a difference', lowest(found.differences)),
    {
      what: 'rows of 40 useless candidates with an accepted one',
      measured: Math.max(...found.proofs.values).toFixed(3),
      peer: 'promised: 0.05',
      ratio: Math.max(...found.proofs.values) / 0.05,
      bound: 1,
    },
  ];
}

/** Writes the tables into docs/rules.md. */
export async function writeCoverage(): Promise<void> {
  const found = simulate();
  const text = [
    toTable(['rate', 'cases', ...rates.map(String)], found.rates, 1),
    toTable(
      [
        'cases',
        ...flips.map(
          ([fixed, regressed]) => `${percent(fixed)} fixed, ${percent(regressed)} regress`,
        ),
      ],
      found.differences,
      0,
    ),
    [
      `| ${proofHalves.map((cases) => `${cases} cases in the proof half`).join(' | ')} |`,
      `| ${proofHalves.map(() => '---:').join(' | ')} |`,
      `| ${found.proofs.values.map((value) => value.toFixed(3)).join(' | ')} |`,
    ].join('\n'),
  ].join('\n\n');
  const file = join(programFiles.root, 'docs', 'rules.md');
  const page = await readFile(file, 'utf8');
  await writeFile(
    file,
    page.replace(
      /<!-- coverage -->[\s\S]*<!-- end of coverage -->/,
      () => `<!-- coverage -->\n${text}\n<!-- end of coverage -->`,
    ),
  );
}
