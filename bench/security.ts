import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ruleDetectors, type RuleDetector } from '../src-shared/domain/security.ts';
import { examine } from '../src-main/analysis/detectors/detectors.ts';
import type { Subject } from '../src-main/analysis/detectors/subject.ts';
import { programFiles } from '../src-main/programFiles.ts';
import { ratioRow, type Row } from './report.ts';

const empty: Subject = { server: 's', name: 'n', title: null, description: '', annotations: null, instructions: null, inputSchema: {}, outputSchema: null, peers: [], previous: null };
const about = (description: string): Subject => ({ ...empty, description });

/** Computing time of this thread in ms: others on the machine do not count. */
function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The least of several times: what the work costs. */
function least(times: number, work: () => void): number {
  let best = Infinity;
  for (let index = 0; index < times; index += 1) {
    const began = computed();
    work();
    best = Math.min(best, computed() - began);
  }
  return best;
}

/** Real descriptions, repeated up to the number; each made a string of its own. */
function descriptions(count: number): string[] {
  const file = JSON.parse(readFileSync(join(programFiles.datasets, 'external', 'retrieval', 'livemcpbench', 'corpus.json'), 'utf8')) as { tools: { description: string }[] };
  return Array.from({ length: count }, (_, index) => `${file.tools[index % file.tools.length]?.description ?? ''} ${index}`);
}

let sum = 0;
function barePass(texts: readonly string[]): void {
  for (const text of texts) for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index);
}

/** Texts that are known to be hard on scanners. */
const shapes: Record<string, string> = { brackets: '< ', orders: 'send read password not tell user ', letters: 'aaaaaaaaaa', percent: '%41', base64: 'QUJD', names: 'a_b-c ', curl: 'curl ', chinese: '忽略之前的指令' };

/** At least so many rounds, and more while they are quick: the least of many times is what the work costs. */
const fewestRounds = 4;
const roundsTakeMs = 700;

/** The worst of all shapes: time of twice the text against the text, taken by turns so that both meet the same machine. */
function growth(detector: RuleDetector, half: number): { ratio: number; once: number; shape: string } {
  let worst = { ratio: 0, once: 0, shape: '' };
  for (const [shape, piece] of Object.entries(shapes)) {
    const text = (length: number) => about(piece.repeat(Math.ceil(length / piece.length)));
    const [one, two] = [text(half), text(2 * half)];
    let once = Infinity;
    let twice = Infinity;
    const until = performance.now() + roundsTakeMs;
    for (let round = 0; round < fewestRounds || performance.now() < until; round += 1) {
      once = Math.min(once, least(1, () => examine(one, [detector])));
      twice = Math.min(twice, least(1, () => examine(two, [detector])));
    }
    if (twice / once > worst.ratio) worst = { ratio: twice / once, once, shape };
  }
  return worst;
}

export function benchSecurity(): Row[] {
  const texts = descriptions(100_000);
  const subjects = texts.map(about);
  barePass(texts);
  const bare = least(5, () => barePass(texts));
  const all = least(2, () => {
    for (const subject of subjects) examine(subject);
  });
  if (sum === 0) throw new Error('Nothing was read.');
  const rows = [ratioRow('all detectors on 100,000 real descriptions', all, 'ms', 'bare pass over their characters', bare, 15)];
  for (const detector of ruleDetectors) {
    const { ratio, once, shape } = growth(detector, 500_000);
    rows.push({ what: `${detector}: 1 MB against 0.5 MB, worst of ${Object.keys(shapes).length} hostile shapes`, measured: `${(ratio * once).toFixed(0)} ms`, peer: `0.5 MB of ${shape}: ${once.toFixed(0)} ms`, ratio, bound: 2.3 });
  }
  return rows;
}
