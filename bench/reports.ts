import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatsBySubject, type ReportFormat } from '../src-shared/domain/report.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { systemClock } from '../src-main/runtime/clock.ts';
import { openDatabase } from '../src-main/store/database/openDatabase.ts';
import { openStore } from '../src-main/store/store.ts';
import { ratioRow, type Row } from './report.ts';
import { fillEvaluations } from '../src-main/testing/fillEvaluations.ts';

const peakBound = 200;
const htmlBound = 1.5;
/**
 * Number of exports per format. The fastest counts, because disturbances only make an export
 * slower.
 */
const rounds = 3;

interface Taken {
  ms: number;
  megabytes: number;
  bytes: number;
}

export const sayPeak = `data:text/javascript,${encodeURIComponent("process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\\n`))")}`;

/** Runs the built command, as a person does, in a separate process whose memory can be measured. */
function exportOnce(folder: string, format: ReportFormat): Taken {
  const out = join(folder, `report.${format}`);
  const began = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      sayPeak,
      join(programFiles.root, 'out', 'main', 'cli.js'),
      'export',
      '1',
      '--to',
      format,
      '--out',
      out,
      '--workspace',
      folder,
    ],
    { encoding: 'utf8' },
  );
  const ms = performance.now() - began;
  const peak = /^peak (\d+)$/m.exec(stderr)?.[1];
  if (status !== 0 || peak === undefined)
    throw new Error(`The export as ${format} failed (${status}): ${stderr}`);
  return { ms, megabytes: Number(peak) / 1024, bytes: statSync(out).size };
}

/** 100,000 runs to each format. */
export function benchReports(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  try {
    const db = openDatabase({
      file: join(folder, 'touchstone.sqlite'),
      migrationsFolder: programFiles.migrations,
      clock: systemClock,
      access: 'write',
    });
    fillEvaluations(db, openStore(db, { clock: systemClock, nextId: randomUUID }), {
      evaluations: 1,
      casesEach: 100_000,
    });
    db.close();
    const taken = formatsBySubject.evaluation.map((format) => {
      const all = Array.from({ length: rounds }, () => exportOnce(folder, format));
      return {
        format,
        ms: Math.min(...all.map(({ ms }) => ms)),
        megabytes: Math.max(...all.map(({ megabytes }) => megabytes)),
        bytes: all[0]?.bytes ?? 0,
      };
    });
    const json = taken.find(({ format }) => format === 'json')?.ms ?? Number.NaN;
    return taken.flatMap(({ format, ms, megabytes, bytes }) => [
      ratioRow(
        `100,000 runs as ${format} (${(bytes / 2 ** 20).toFixed(1)} MiB), whole command`,
        ms,
        'ms',
        'as json',
        json,
        format === 'html' ? htmlBound : null,
      ),
      ratioRow(`peak memory of it`, megabytes, 'MB', 'bound', peakBound, 1),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
