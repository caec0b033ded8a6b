import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { CaseExchange } from './caseExchange.ts';
import { bfcl } from './bfcl.ts';
import { csv } from './csv.ts';
import { jsonl } from './jsonl.ts';
import { mcpjam } from './mcpjam.ts';
import { promptfoo } from './promptfoo.ts';
import { adk, chats, deepeval, inspect, langsmith, ragas } from './recordWriters.ts';
import { tauBench } from './tauBench.ts';

/** All formats of other programs. */
export const exchangeFormats: Record<ForeignFormat, CaseExchange> = {
  promptfoo,
  bfcl,
  mcpjam,
  'tau-bench': tauBench,
  csv,
  jsonl,
  deepeval,
  inspect,
  adk,
  langsmith,
  ragas,
  chats,
};
