import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { sayPeak } from './reports.ts';
import type { Row } from './report.ts';

const peakBound = 500;
const parts = 20;
const casesPerPart = 500;
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

/** The reports of all parts, as a job per part writes them: `merge` recounts and scores each again. */
function writeParts(folder: string, repetitions: number): string[] {
  const at = (name: string): string => join(folder, name);
  const tools = words.map((word, index) => ({
    ...{ server: 'office', name: `t${index}`, description: `Finds a ${word} by its words.` },
    input_schema: { type: 'object' },
  }));
  writeFileSync(at('tools.json'), JSON.stringify({ tools }));
  const cases = Array.from({ length: parts * casesPerPart }, (_, index) => ({
    ...{ id: `case-${index}`, name: `Case ${index}` },
    query: `find the ${words[index % words.length]} of week ${index}`,
    expected_calls: [{ server: 'office', tool: `t${index % words.length}` }],
  }));
  const suite = { version: 1, name: 'office', servers: ['office'], cases };
  writeFileSync(at('suite.json'), JSON.stringify(suite));
  return Array.from({ length: parts }, (_, part) => {
    const file = at(`part-${part + 1}.json`);
    command(
      folder,
      ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--quiet'],
      ...['--provider', 'builtin', '--repetitions', String(repetitions)],
      ...['--shard', `${part + 1}/${parts}`, '--report', file],
    );
    return file;
  });
}

/** One million runs in 20 parts to one verdict and a JSON report. */
export function benchMerge(repetitions = 100): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  try {
    const files = writeParts(folder, repetitions);
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
