import type { MappedField } from '../../../../src-shared/contract/suites.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { addCase, findColumns, guessColumns } from './caseFields.ts';
import { tableLosses } from './csv.ts';
import type { CaseExchange } from './caseExchange.ts';
import { readLines } from './jsonLines.ts';
import { SuiteDraft } from './suiteDraft.ts';

const version = 1;

/** JSON lines: one case per line. */
export const jsonl: CaseExchange = {
  extension: '.jsonl',

  read(text, options) {
    const draft = new SuiteDraft('jsonl', version, text, options);
    const lines = readLines(draft, text);
    const names = new Set<string>();
    for (const { value } of lines) for (const name of Object.keys(value)) names.add(name);
    draft.columns = {
      names: [...names].slice(0, 1000),
      mapped: guessColumns([...names], options.map),
    };
    const columns = findColumns([...names], options.map);
    if (lines.length > 0 && typeof columns === 'string')
      draft.problem({ line: lines[0]?.line ?? 1, column: 1 }, columns);
    if (typeof columns === 'string') return draft.finish();
    for (const { line, value } of lines) {
      const where = { line, column: 1 };
      addCase(
        draft,
        {
          label: `line ${line}`,
          where: () => where,
          value: (field: MappedField) => memberValue(value, columns[field]),
        },
        options.server,
      );
    }
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

function memberValue(object: JsonObject, name: string | undefined) {
  const value =
    name !== undefined && isJsonObject(object) && Object.hasOwn(object, name)
      ? object[name]
      : undefined;
  return value === null ? undefined : value;
}
