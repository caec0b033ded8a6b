/**
 * Measures everything of the folder that docs/rules.md has a table of, and writes the tables:
 *
 *   node research/tables.ts
 */
import { builtinTable } from './builtin/measure.ts';
import { writeTable } from './markedTable.ts';
import { retrievalTable } from './retrieval/measure.ts';
import { measuredSets, recoveryTable } from './texts/measure.ts';

writeTable('builtin', await builtinTable());
writeTable('retrieval', retrievalTable());
for (const [set, name] of measuredSets) writeTable(name, (await recoveryTable(set)).table);
