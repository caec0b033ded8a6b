import { addRecord } from './caseRecord.ts';
import type { CaseExchange } from './caseExchange.ts';
import { tableLosses } from './csv.ts';
import { findMissingColumn, guessColumns, unusedColumns } from './fieldNames.ts';
import { readRecords } from './readRecords.ts';
import { SuiteDraft } from './suiteDraft.ts';

const version = 1;

/** One case per object: JSON lines, or a list in JSON or YAML. Written as JSON lines. */
export const jsonl: CaseExchange = {
  extension: '.jsonl',

  read(text, options) {
    const draft = new SuiteDraft('jsonl', version, text, options);
    const { records, server } = readRecords(draft, text);
    const names = new Set<string>();
    for (const { values } of records) for (const name of values.keys()) names.add(name);
    const all = [...names];
    draft.columns = {
      names: all.slice(0, 1000),
      mapped: guessColumns(all, options.map),
      unused: unusedColumns(all, options.map).slice(0, 1000),
    };
    const [first] = records;
    const missing = first === undefined ? null : findMissingColumn(all, options.map);
    if (first !== undefined && missing !== null) draft.problem(first.where(), missing);
    else
      for (const record of records) addRecord(draft, record, options.map, options.server ?? server);
    return draft.finish();
  },

  write(suite) {
    const text = suite.cases
      .map((each) =>
        JSON.stringify({
          ...each,
          servers:
            each.servers !== undefined && each.servers.length > 0 ? each.servers : suite.servers,
        }),
      )
      .join('\n');
    return { text: text === '' ? '' : `${text}\n`, losses: tableLosses(suite) };
  },
};
