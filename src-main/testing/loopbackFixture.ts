import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  startLoopback,
  type LoopbackHost,
  type LoopbackOptions,
} from '../hosts/loopback/startLoopback.ts';
import type { Clock } from '../runtime/clock.ts';
import { recordServices, type RecordedServices } from './contractSuiteServices.ts';
import { temporaryFolder, type TemporaryFolder } from './temporaryFolder.ts';

export interface LoopbackFixture {
  /** Created for each test. */
  host: LoopbackHost;
  recorded: RecordedServices;
  logged: string[];
  /** The time of the clock, in milliseconds. */
  now: number;
  /** Starts another host that ends with the test; with `services`, one that serves those. */
  start(more?: Partial<LoopbackOptions>): Promise<LoopbackHost>;
}

/** A loopback host on a free port for each test of a file, on services that record their calls. */
export function useLoopback(): LoopbackFixture {
  let folder: TemporaryFolder;
  const started: LoopbackHost[] = [];
  const clock: Clock = { now: () => '2026-01-02T03:04:05.678Z', monotonic: () => fixture.now };
  const log = {
    info: (line: string) => void fixture.logged.push(line),
    error: (line: string) => void fixture.logged.push(line),
  };
  const fixture = {
    logged: [] as string[],
    now: 0,
    async start(more: Partial<LoopbackOptions> = {}) {
      const host = await startLoopback({
        services: fixture.recorded.services,
        rendererFolder: folder.path,
        port: 0,
        log,
        clock,
        ...more,
      });
      started.push(host);
      return host;
    },
  } as LoopbackFixture;

  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder.path, 'index.html'), '<!doctype html><title>Touchstone</title>');
    await writeFile(join(folder.path, 'app.js'), 'export {};');
    await mkdir(join(folder.path, 'assets'));
    await writeFile(join(folder.path, 'assets', 'page-1.js'), 'export {};');
    fixture.recorded = recordServices({
      settings: { undo: async ({ token }) => ({ what: token }) },
      suites: { list: async () => [] },
    });
    fixture.now = 0;
    fixture.logged.splice(0);
    fixture.host = await fixture.start();
  });
  afterEach(async () => {
    for (const host of started.splice(0)) await host.close();
    await folder.remove();
  });
  return fixture;
}
