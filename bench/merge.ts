import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { canonicalJson } from '../src-shared/domain/canonicalJson.ts';
import type { JsonValue } from '../src-shared/domain/json.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { sayPeak } from './reports.ts';
import type { Row } from './report.ts';

const peakBound = 500;
const parts = 4;
const cases = 10_000;
const words = ['invoice', 'contract', 'photo', 'meeting', 'holiday', 'parcel', 'recipe', 'song'];

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

/** The reports of all parts of one repetition, as a job per part writes them. */
function runParts(folder: string): string[] {
  const at = (name: string): string => join(folder, name);
  const tools = words.map((word, index) => ({
    ...{ server: 'office', name: `t${index}`, description: `Finds a ${word} by its words.` },
    input_schema: { type: 'object' },
  }));
  writeFileSync(at('tools.json'), JSON.stringify({ tools }));
  const all = Array.from({ length: cases }, (_, index) => ({
    ...{ id: `case-${index}`, name: `Case ${index}` },
    query: `find the ${words[index % words.length]} of week ${index}`,
    expected_calls: [{ server: 'office', tool: `t${index % words.length}` }],
  }));
  const suite = { version: 1, name: 'office', servers: ['office'], cases: all };
  writeFileSync(at('suite.json'), JSON.stringify(suite));
  return Array.from({ length: parts }, (_, part) => {
    const file = at(`part-${part + 1}.json`);
    command(
      folder,
      ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--quiet'],
      ...['--provider', 'builtin', '--shard', `${part + 1}/${parts}`, '--report', file],
    );
    return file;
  });
}

interface Part {
  evaluation_id: string;
  suite: string;
  reason: string | null;
  runs: Run[];
  shard: { settings: string; seal: string; runs: Run[] };
}
interface Run {
  run_id: string;
  repetition: number;
}

/** A part with the same answers in each of several repetitions, with its seal; its other numbers stay. */
function repeatPart(file: string, to: string, repetitions: number): void {
  const { runs: rows, shard, ...head } = JSON.parse(readFileSync(file, 'utf8')) as Part;
  const { seal: _, runs, ...content } = shard;
  const settings = JSON.parse(content.settings) as object;
  content.settings = JSON.stringify({ ...settings, repetitions });
  const { evaluation_id: id, suite, reason } = head;
  const [before = '', after = ''] = canonicalJson([
    ...[id, suite, reason],
    { ...content, runs: [] },
  ]).split('"runs":[]');
  const seal = createHash('sha256').update(`${before}"runs":[`);
  const output = openSync(to, 'w');
  let waiting = '';
  const write = (text: string): void => {
    waiting += text;
    if (waiting.length < 1 << 20) return;
    writeSync(output, waiting);
    waiting = '';
  };
  const writeRuns = (of: readonly Run[], each: (run: Run, separator: string) => void): void => {
    for (let repetition = 1; repetition <= repetitions; repetition += 1)
      for (const [at, run] of of.entries()) {
        const own = { ...run, run_id: `${run.run_id}-${repetition}`, repetition };
        const separator = at === 0 && repetition === 1 ? '' : ',';
        write(`${separator}${JSON.stringify(own)}\n`);
        each(own, separator);
      }
  };
  write(`${JSON.stringify(head).slice(0, -1)},"runs":[`);
  writeRuns(rows, () => undefined);
  write(`],"shard":${JSON.stringify(content).slice(0, -1)},"runs":[`);
  writeRuns(runs, (run, separator) =>
    seal.update(separator + canonicalJson(run as unknown as JsonValue)),
  );
  seal.update(`]${after}`);
  write(`],"seal":"${seal.digest('hex')}"}}`);
  writeSync(output, waiting);
  closeSync(output);
}

/** 20,000, 200,000 and one million runs in 4 parts to one verdict and a JSON report. */
export function benchMerge(times: readonly number[] = [2, 20, 100]): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  try {
    const files = runParts(folder);
    return times.map((repetitions) => {
      const repeated = files.map((file, at) => {
        const to = join(folder, `repeated-${at + 1}.json`);
        repeatPart(file, to, repetitions);
        return to;
      });
      const taken = command(
        folder,
        ...['merge', ...repeated, '--min', 'pass_rate=0.5', '--quiet'],
        ...['--report', join(folder, 'merged.json')],
      );
      const runs = (repetitions * cases).toLocaleString('en');
      return {
        what: `Peak memory of a merge of ${runs} runs in ${parts} parts, with its JSON report`,
        measured: `${Math.round(taken.megabytes)} MB in ${Math.round(taken.ms / 1000)} s`,
        peer: `${peakBound} MB`,
        ratio: taken.megabytes / peakBound,
        bound: 1,
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
