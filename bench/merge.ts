import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { scanPart, runTexts } from '../src-main/services/runs/merge/partFile.ts';
import { sayPeak } from './reports.ts';
import type { Row } from './report.ts';

const peakBound = 500;
const parts = 20;
const casesPerPart = 500;
const words = ['invoice', 'contract', 'photo', 'meeting', 'holiday', 'parcel', 'recipe', 'song'];

interface Run {
  run_id: string;
  place: number;
  position: number;
  repetition: number;
}

function command(folder: string, ...args: string[]): { ms: number; megabytes: number } {
  const program = join(programFiles.root, 'out', 'main', 'cli.js');
  const began = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', sayPeak, program, ...args, '--workspace', join(folder, 'workspace')],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const peak = /^peak (\d+)$/m.exec(stderr)?.[1];
  if (status !== 0 || peak === undefined)
    throw new Error(`${args[0]} failed (${status}): ${stderr.slice(-2000)}`);
  return { ms: performance.now() - began, megabytes: Number(peak) / 1024 };
}

/** The report of one part as the command writes it, with every run once. */
function writeFirst(folder: string): string {
  const tools = words.map((word, at) => ({
    ...{ server: 'office', name: `t${at}`, description: `Finds a ${word} by its words.` },
    input_schema: { type: 'object' },
  }));
  writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools }));
  const cases = Array.from({ length: parts * casesPerPart }, (_, at) => ({
    ...{ id: `case-${at}`, name: `Case ${at}` },
    query: `find the ${words[at % words.length]} of week ${at}`,
    expected_calls: [{ server: 'office', tool: `t${at % words.length}` }],
  }));
  const suite = { version: 1, name: 'office', servers: ['office'], cases };
  writeFileSync(join(folder, 'suite.json'), JSON.stringify(suite));
  const file = join(folder, 'first.json');
  command(
    folder,
    ...['eval', '--suite', join(folder, 'suite.json'), '--tools', join(folder, 'tools.json')],
    ...['--provider', 'builtin', '--shard', `1/${parts}`, '--report', file, '--quiet'],
  );
  return file;
}

/** Parts with so many repetitions of every case, each run as large as those of the first part. */
function writeParts(folder: string, first: string, repetitions: number): string[] {
  const scanned = scanPart(first);
  const samples = [...runTexts(first, scanned)].map((text) => JSON.parse(text) as Run);
  const reported = (JSON.parse(readFileSync(first, 'utf8')) as { runs: object[] }).runs;
  const head = JSON.parse(scanned.head) as { shard: { settings: string } };
  const settings = { ...(JSON.parse(head.shard.settings) as object), repetitions };
  return Array.from({ length: parts }, (_, part) => {
    const file = join(folder, `part-${part + 1}.json`);
    const index = part + 1;
    const shard = {
      ...head.shard,
      ...{ index, settings: JSON.stringify({ ...settings, shard: { index, of: parts } }) },
    };
    const fd = openSync(file, 'w');
    const list = (name: string, runs: (repetition: number, at: number) => object): void => {
      writeSync(fd, `"${name}": [\n`);
      for (let repetition = 1; repetition <= repetitions; repetition += 1)
        writeSync(
          fd,
          samples.map((_sample, at) => JSON.stringify(runs(repetition, at))).join(',\n') +
            (repetition < repetitions ? ',\n' : ''),
        );
      writeSync(fd, '\n]');
    };
    writeSync(
      fd,
      `${JSON.stringify({ ...head, runs: undefined, shard: undefined }).slice(0, -1)},\n`,
    );
    list('runs', (_repetition, at) => reported[at] ?? {});
    writeSync(fd, `,\n"shard": ${JSON.stringify({ ...shard, runs: undefined }).slice(0, -1)}, `);
    list('runs', (repetition, at) => {
      const position = at * parts + part;
      const place = (repetition - 1) * parts * casesPerPart + position + 1;
      return { ...samples[at], run_id: randomUUID(), position, repetition, place };
    });
    writeSync(fd, '}}');
    closeSync(fd);
    return file;
  });
}

/** One million runs in 20 parts to one verdict and a JSON report. */
export function benchMerge(repetitions = 100): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  try {
    const files = writeParts(folder, writeFirst(folder), repetitions);
    const reports = [join(folder, 'merged.json'), join(folder, 'merged.xml')];
    const taken = command(
      folder,
      ...['merge', ...files, '--min', 'pass_rate=0.5', '--quiet', '--report', ...reports],
    );
    const runs = (repetitions * parts * casesPerPart).toLocaleString('en');
    return [
      {
        what: `Peak memory of a merge of ${runs} runs in ${parts} parts, with its reports`,
        measured: `${Math.round(taken.megabytes)} MB in ${Math.round(taken.ms / 1000)} s`,
        peer: `${peakBound} MB`,
        ratio: taken.megabytes / peakBound,
        bound: 1,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
