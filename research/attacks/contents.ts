/**
 * Reads `wordings.jsonl.br`:
 *
 *   node research/attacks/contents.ts            prints its contents, as README.md has them
 *   node research/attacks/contents.ts NAME       prints a part as JSON
 *   node research/attacks/contents.ts add FILE   adds a part: a JSON file with name and author
 */
import { readFileSync } from 'node:fs';
import { addPart, contentsTable, readContents, showPart } from './wordingsFile.ts';

const [name, file] = process.argv.slice(2);
if (name === undefined) process.stdout.write(`${contentsTable(readContents())}\n`);
else if (name !== 'add') process.stdout.write(`${showPart(name)}\n`);
else if (file === undefined) throw new Error('Name the file that has the part.');
else process.stdout.write(`${contentsTable([addPart(readFileSync(file, 'utf8'))])}\n`);
