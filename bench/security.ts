import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ruleDetectors, type RuleDetector } from '../src-shared/domain/security.ts';
import { examine } from '../src-main/analysis/detectors/detectors.ts';
import type { Subject } from '../src-main/analysis/detectors/subject.ts';
import { readExternal } from '../src-main/testing/externalData.ts';
import { best } from './best.ts';
import { ratioRow, type Row } from './report.ts';

const empty: Subject = {
  server: 's',
  name: 'n',
  title: null,
  description: '',
  annotations: null,
  instructions: null,
  inputSchema: {},
  outputSchema: null,
  peers: [],
  previous: null,
};
const about = (description: string): Subject => ({ ...empty, description });

/** Real descriptions, repeated up to the number; each is a string of its own. */
function descriptions(count: number): string[] {
  const file = JSON.parse(readExternal('retrieval/livemcpbench/corpus.json.br')) as {
    tools: { description: string }[];
  };
  return Array.from(
    { length: count },
    (_, index) => `${file.tools[index % file.tools.length]?.description ?? ''} ${index}`,
  );
}

let sum = 0;
function barePass(texts: readonly string[]): void {
  for (const text of texts)
    for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index);
}

/** Texts that are known to be hard for scanners. */
const shapes: Record<string, string> = {
  brackets: '< ',
  orders: 'send read password not tell user ',
  letters: 'aaaaaaaaaa',
  percent: '%41',
  base64: 'QUJD',
  names: 'a_b-c ',
  curl: 'curl ',
  chinese: '忽略之前的指令',
};

/** CPU time of this thread in ms per run, excluding other processes. */
function computed(goes: number, work: () => void): number {
  const before = process.threadCpuUsage();
  for (let go = 0; go < goes; go += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / goes;
}

/**
 * The CPU clock advances in steps of a few milliseconds, so each measurement repeats its work until
 * the steps no longer matter.
 */
const measuredMs = 60;
const rounds = 5;
/**
 * A shape above the bound is measured again: real superlinear growth shows every time, a
 * disturbance doesn't.
 */
const bound = 2.3;
const attempts = 4;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Growth {
  ratio: number;
  once: number;
}

/**
 * Time for twice the text against the text, each repeated for the same total number of characters
 * and alternating, so that both see the same machine and neither pays for the other's garbage. The
 * median of the rounds.
 */
function growthOf(one: () => void, two: () => void): Growth {
  const goes = Math.ceil(measuredMs / Math.max(1, best(3, two)));
  const taken = Array.from({ length: rounds }, () => {
    collectGarbage();
    const once = computed(2 * goes, one);
    collectGarbage();
    return { ratio: computed(goes, two) / once, once };
  });
  return taken.sort((a, b) => a.ratio - b.ratio)[rounds >> 1] ?? { ratio: Infinity, once: 0 };
}

/** The worst of all shapes. */
function worstGrowth(detector: RuleDetector, half: number): Growth & { shape: string } {
  let worst = { ratio: 0, once: 0, shape: '' };
  for (const [shape, piece] of Object.entries(shapes)) {
    const [one, two] = [half, 2 * half].map((length) =>
      about(piece.repeat(Math.ceil(length / piece.length))),
    ) as [Subject, Subject];
    let found = { ratio: Infinity, once: 0 };
    for (let attempt = 0; attempt < attempts && found.ratio > bound; attempt += 1) {
      const next = growthOf(
        () => examine(one, [detector]),
        () => examine(two, [detector]),
      );
      if (next.ratio < found.ratio) found = next;
    }
    if (found.ratio > worst.ratio) worst = { ...found, shape };
  }
  return worst;
}

export function benchSecurity(): Row[] {
  const texts = descriptions(100_000);
  const subjects = texts.map(about);
  barePass(texts);
  let [bare, all] = [Infinity, Infinity];
  for (let round = 0; round < 2; round += 1) {
    bare = Math.min(
      bare,
      computed(3, () => barePass(texts)),
    );
    all = Math.min(
      all,
      computed(1, () => subjects.forEach((subject) => examine(subject))),
    );
  }
  if (sum === 0) throw new Error('Nothing was read.');
  const rows = [
    ratioRow(
      'all detectors on 100,000 real descriptions',
      all,
      'ms',
      'bare pass over their characters',
      bare,
      15,
    ),
  ];
  for (const detector of ruleDetectors) {
    const { ratio, once, shape } = worstGrowth(detector, 500_000);
    rows.push({
      what:
        `${detector}: 1 MB against 0.5 MB, worst of ${Object.keys(shapes).length} hostile ` +
        'shapes',
      measured: `${(ratio * once).toFixed(0)} ms`,
      peer: `0.5 MB of ${shape}: ${once.toFixed(0)} ms`,
      ratio,
      bound,
    });
  }
  return rows;
}
