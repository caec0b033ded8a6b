import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText } from '../src-shared/domain/errorText.ts';
import {
  hostileCallModes,
  hostileListModes,
} from '../src-main/testing/fakeMcpServer/hostileModes.ts';
import { fakeStdioServer } from '../src-main/testing/fakeMcpServer/start.ts';
import { startMeasuredHost } from './measuredHost.ts';
import { ratioRow, table, type Row } from './report.ts';

const lagBoundMs = 200;
const callModes = Object.keys(hostileCallModes(1));

/** How a host met one hostile server. */
export interface HostileFigure {
  mode: string;
  /** The longest turn of its event loop, and the most CPU time of the main thread in one. */
  lagMs: number;
  computingMs: number;
  /** Peak memory of the whole process, workers included. */
  peakMb: number;
  /** What came of the listing or the call. */
  outcome: string;
}

/** Lists the tools of each hostile server, or calls one, each in a new host. */
export async function measureHostileModes(
  modes: readonly string[] = [...Object.keys(hostileListModes(1)), ...callModes],
): Promise<HostileFigure[]> {
  const figures: HostileFigure[] = [];
  for (const mode of modes) figures.push(await measureMode(mode));
  return figures;
}

async function measureMode(mode: string): Promise<HostileFigure> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
  const host = await startMeasuredHost(folder);
  const connection = await host.connect();
  try {
    const { servers } = connection.client;
    const { id } = await servers.create({ name: 'hostile', config: fakeStdioServer(mode) });
    await host.longestBlock();
    const outcome = await (
      callModes.includes(mode)
        ? servers.callTool({ id, tool: 'echo', arguments: {} }).then(() => 'answered')
        : servers
            .refreshTools({ id })
            .then(
              ({ tools, listing }) => `${tools.length} tools, ${listing.rejected.length} rejected`,
            )
    ).catch((error: unknown) => errorText(error).slice(0, 120));
    const { ms, computingMs, peakMb } = await host.longestBlock();
    return { mode, lagMs: ms, computingMs, peakMb, outcome };
  } finally {
    await connection.close();
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A table of modes with their worst lag and peak memory, for a report in text. */
export function hostileTable(figures: readonly HostileFigure[]): string {
  return table(
    ['mode', 'worst lag in ms', 'most computing in ms', 'peak memory in MB', 'outcome'],
    figures.map(({ mode, lagMs, computingMs, peakMb, outcome }) => [
      mode,
      lagMs,
      computingMs,
      peakMb,
      outcome,
    ]),
  );
}

export async function benchHostile(): Promise<Row[]> {
  const figures = await measureHostileModes();
  process.stderr.write(`${hostileTable(figures)}\n`);
  const most = (of: 'lagMs' | 'computingMs' | 'peakMb'): HostileFigure =>
    figures.reduce((top, each) => (each[of] > top[of] ? each : top));
  const [worst, busiest, peak] = [most('lagMs'), most('computingMs'), most('peakMb')];
  return [
    ratioRow(
      `longest block while a hostile server is met, of ${figures.length} (${worst.mode})`,
      worst.lagMs,
      'ms',
      'bound',
      lagBoundMs,
      1,
    ),
    ratioRow(
      `most computing in one turn meanwhile (${busiest.mode})`,
      busiest.computingMs,
      'ms',
      'bound',
      lagBoundMs,
      1,
    ),
    ratioRow(
      `peak memory of the host meanwhile (${peak.mode})`,
      peak.peakMb,
      'MB',
      'the most harmless',
      Math.min(...figures.map(({ peakMb }) => peakMb)),
      null,
    ),
  ];
}
