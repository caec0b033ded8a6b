import type { CaseExchange } from './caseExchange.ts';
import { tableLosses } from './csv.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { addMcpchecker } from './mcpchecker.ts';
import { noRecords, readRecords } from './readRecords.ts';
import { readRecordSuite } from './readRecordSuite.ts';

/** One case per object, whatever notation holds them. Written as JSON lines. */
export const jsonl: CaseExchange = {
  extension: '.jsonl',

  read: (text, options) =>
    readRecordSuite('jsonl', text, options, (draft) => {
      const file = /["']?kind["']?\s*:/.test(text.slice(0, 1000)) ? readSourceText(text) : null;
      return file?.readable === true && addMcpchecker(draft, file.value, options)
        ? noRecords
        : readRecords(text, options.fileName);
    }),

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
