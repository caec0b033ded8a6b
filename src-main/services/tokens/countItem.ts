import { countOfferedTool, countTool, type CountedTool } from '../../analysis/tokens/toolTokens.ts';
import type { TokenItem } from './tokenCounter.ts';

/** Counts one tool on the calling thread. */
export const countItem = ({ kind, text, encoding }: TokenItem): CountedTool =>
  kind === 'listed' ? countTool(text, encoding) : countOfferedTool(text, encoding);
