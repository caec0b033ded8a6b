import { plain } from '../process/textRing.ts';
import { LineSplitter } from './stdioTransport.ts';
import { beginningOf, type WireTap } from './wireTap.ts';

/** A longer line is passed on in parts. */
const maxLineBytes = 64 * 1024;

/** Passes standard error on in whole lines. Those that arrive together, such as a stack, stay together. */
export function tapErrorOutput(tap: WireTap): { push: (chunk: Buffer) => void; end: () => void } {
  let lines: string[] = [];
  const splitter = new LineSplitter(
    () => maxLineBytes,
    (line) => void lines.push(line.toString('utf8')),
  );
  const flush = (): void => {
    const text = plain(lines.join('\n')).trimEnd();
    lines = [];
    if (text !== '') tap({ kind: 'stderr', ...beginningOf(text) });
  };
  return {
    push(chunk) {
      // Whatever the splitter drops is the beginning of a line without an end.
      if (!splitter.push(chunk)) lines.push(chunk.toString('utf8'));
      flush();
    },
    end() {
      lines.push(splitter.rest().toString('utf8'));
      flush();
    },
  };
}
