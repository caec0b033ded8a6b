import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import { countOfferedTool, countTool, type CountedTool } from '../../analysis/tokens/toolTokens.ts';

/** A tool's JSON to count by its parts: as its server lists it, or as a request offers it. */
export interface TokenItem {
  kind: 'listed' | 'offered';
  text: string;
  encoding: EncodingName;
}

/** Counts one tool on the calling thread. */
export const countItem = ({ kind, text, encoding }: TokenItem): CountedTool =>
  kind === 'listed' ? countTool(text, encoding) : countOfferedTool(text, encoding);
