import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../src-main/testing/temporaryFolder.ts';
import { sentinel, wrongFuses } from './readFuses.ts';

it('reads the fuses back, and names each that is not as decided', async () => {
  await using folder = await temporaryFolder();
  const binary = join(folder.path, 'touchstone');
  const wrongOf = async (...wires: string[]) => {
    const bytes = wires.flatMap((wire) => [
      Buffer.from(`code ${sentinel}`),
      Buffer.from([1, wire.length]),
      Buffer.from(`${wire} more`),
    ]);
    await writeFile(binary, Buffer.concat(bytes));
    return wrongFuses(binary);
  };
  expect(await wrongOf('010011001')).toEqual([]);
  expect(await wrongOf('010011001', '110011001')).toEqual(['runAsNode is 1, not 0']);
  expect(await wrongOf('010010001')).toEqual(['onlyLoadAppFromAsar is 0, not 1']);
  expect(await wrongOf('010011r01')).toEqual(['loadBrowserProcessSpecificV8Snapshot is r, not 0']);
  expect(await wrongOf('01001100')).toEqual(['wasmTrapHandlers is missing, not 1']);
  expect(await wrongOf('0100110011')).toEqual([
    'it has 10 fuses, and 9 are decided in electron-builder.yml',
  ]);
  expect(await wrongOf()).toEqual(['it has no fuses']);
});
