import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnCommand } from '../../../testing/commandLine.ts';
import { goodDescription, officeTools, snapshotServer } from '../../../testing/officeRepository.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';

/** Of `init` and `check` together, with the start of a server for each. */
const maxSeconds = 60;

it('goes from one server file to a check that says what to fill in, within a minute', async () => {
  await using folder = await temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  writeFileSync(at('server.mjs'), snapshotServer);
  const { tools } = officeTools(goodDescription);
  writeFileSync(at('tools.json'), JSON.stringify({ tools: tools.slice(0, 3) }));
  const run = (command: string) =>
    spawnCommand([command], { workspace: at('.workspace'), cwd: folder.path });
  const began = performance.now();
  const init = await run('init');
  expect(init.code, init.stderr).toBe(0);
  expect(readFileSync(at('touchstone.yaml'), 'utf8')).toContain('stdio: node server.mjs');
  const check = await run('check');
  expect((performance.now() - began) / 1000).toBeLessThan(maxSeconds);
  expect(check.code, check.stderr).toBe(2);
  expect(check.stderr).toMatch(/touchstone\.suite\.yaml:\d+/);
  expect(check.stderr).toContain('FILL IN');

  const suite = readFileSync(at('touchstone.suite.yaml'), 'utf8');
  writeFileSync(at('touchstone.suite.yaml'), suite.replaceAll(/FILL IN: /g, ''));
  const filled = await run('check');
  expect([0, 1], filled.stderr).toContain(filled.code);
  expect(filled.stdout + filled.stderr).toMatch(/Check (passed|failed)/);
});
