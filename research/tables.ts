/**
 * Measures everything of the folder that `docs` has a table of, and writes the tables:
 *
 *   node research/tables.ts
 */
import { builtinTable } from './builtin/measure.ts';
import { writeTable } from './markedTable.ts';
import { retrievalTable } from './retrieval/measure.ts';
import { boundTable } from './texts/bound.ts';
import { exchangeTable } from './texts/exchanges.ts';
import { measuredSets, recoveryTable } from './texts/measure.ts';

writeTable('rules', 'builtin', await builtinTable());
writeTable('rules', 'retrieval', retrievalTable());
writeTable('recovery', 'bound', await boundTable());
writeTable('recovery', 'exchanges', exchangeTable().table);
for (const [set, name] of measuredSets)
  writeTable('recovery', name, (await recoveryTable(set)).table);
