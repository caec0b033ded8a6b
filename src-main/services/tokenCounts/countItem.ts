import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import { countTokens } from '../../analysis/tokens/encodings.ts';
import {
  countOfferedTool,
  countTool,
  type CountedText,
  type CountedTool,
} from '../../analysis/tokens/toolTokens.ts';

/** A tool's JSON to count by its parts: as its server lists it, or as a request offers it. */
export interface TokenItem {
  kind: 'listed' | 'offered';
  text: CountedText;
  encoding: EncodingName;
}

/** Counts one tool on the calling thread. */
export function countItem({ kind, text, encoding }: TokenItem): CountedTool {
  const json = typeof text === 'string' ? text : text.text;
  const counted = kind === 'listed' ? countTool(json, encoding) : countOfferedTool(json, encoding);
  return typeof text === 'string'
    ? counted
    : { ...counted, bodyTokens: countTokens(text.body, encoding) };
}
