/**
 * Measures everything of the folder that docs/rules.md has a table of, and writes the tables:
 *
 *   node research/tables.ts
 */
import { builtinTable } from './builtin/measure.ts';
import { writeTable } from './markedTable.ts';
import { retrievalTable } from './retrieval/measure.ts';
import { boundTable } from './texts/bound.ts';
import { exchangeTable } from './texts/exchanges.ts';
import { measuredSets, recoveryTable } from './texts/measure.ts';

writeTable('builtin', await builtinTable());
writeTable('retrieval', retrievalTable());
writeTable('bound', await boundTable());
writeTable('exchanges', exchangeTable().table);
for (const [set, name] of measuredSets) writeTable(name, (await recoveryTable(set)).table);
