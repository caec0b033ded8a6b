import type { CaseExchange } from './caseExchange.ts';
import { tableLosses } from './csv.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { addMcpchecker } from './mcpchecker.ts';
import { addMcpmark } from './mcpmark.ts';
import { addMcpUniverse } from './mcpUniverse.ts';
import { noRecords, readRecords } from './readRecords.ts';
import { readRecordSuite } from './readRecordSuite.ts';

/** A file with fields that only tasks of MCP-Universe have together. */
const mayBeUniverse = (text: string): boolean =>
  text.length < 5_000_000 && /"mcp_servers"\s*:/.test(text) && /"evaluators"\s*:/.test(text);

/** A file with fields that only tasks of MCPMark have together. */
const mayBeMark = (text: string): boolean =>
  text.length < 50_000_000 && /"category_id"\s*:/.test(text) && /"mcp"\s*:\s*\[/.test(text);

/** One case per object, whatever notation holds them. Written as JSON lines. */
export const jsonl: CaseExchange = {
  extension: '.jsonl',

  read: (text, options) =>
    readRecordSuite('jsonl', text, options, (draft, settings) => {
      const isTaskFile =
        /["']?kind["']?\s*:/.test(text.slice(0, 1000)) || mayBeUniverse(text) || mayBeMark(text);
      const file = isTaskFile ? readSourceText(text) : null;
      return file?.readable === true &&
        (addMcpchecker(draft, file.value, options) ||
          addMcpUniverse(draft, file.value, options) ||
          addMcpmark(draft, file.value, options))
        ? noRecords
        : readRecords(
            text,
            options.fileName,
            (name) => draft.catalog.resolve(name) !== null,
            settings,
          );
    }),

  write(suite) {
    const text = suite.cases
      .map((each) =>
        JSON.stringify({
          ...each,
          ...(each.system === undefined && suite.system !== undefined && { system: suite.system }),
          ...(each.messages === undefined &&
            suite.messages !== undefined && { messages: suite.messages }),
          servers:
            each.servers !== undefined && each.servers.length > 0 ? each.servers : suite.servers,
        }),
      )
      .join('\n');
    return { text: text === '' ? '' : `${text}\n`, losses: tableLosses(suite) };
  },
};
