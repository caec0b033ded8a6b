import { serveItems } from '../../adapters/process/itemLoop.ts';
import { countTokens } from '../../analysis/tokens/encodings.ts';
import { countTool } from '../../analysis/tokens/toolTokens.ts';
import type { TokenItem, TokenItemResult } from './tokenCounter.ts';

// The rank tables are read with the first count in an encoding, within the time of that item.
serveItems((item): TokenItemResult => {
  const { kind, text, encoding } = item as TokenItem;
  return kind === 'tool' ? countTool(text, encoding) : countTokens(text, encoding);
});
