/*
 * A real second process that writes an export over a file again and again: exportChild.ts <file>
 * <size in MB>. It tells the number of each writing once it is done.
 */
import { writeSync } from 'node:fs';
import { writeOutput } from '../hosts/cli/output/writeOutput.ts';

const [file = '', megabytes = '1'] = process.argv.slice(2);
for (let round = 1; ; round += 1) {
  await writeOutput(file, String(round % 10).repeat(Number(megabytes) * 2 ** 20));
  writeSync(1, `${round}\n`);
}
