import { TextParts } from './PlainText.tsx';
import { firstCharacters, visibleText } from './visibleText.ts';

/** Foreign text on one line, cut at the end of the space. The title holds all of it. */
export function Cut({ text, mono = false }: { text: string; mono?: boolean }) {
  return (
    <span
      dir="auto"
      className={mono ? 'ts-cut ts-mono' : 'ts-cut'}
      title={visibleText(firstCharacters(text, 2000))}
    >
      <TextParts text={firstCharacters(text, 400)} />
    </span>
  );
}
