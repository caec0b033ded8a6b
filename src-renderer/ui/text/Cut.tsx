import { TextParts } from './PlainText.tsx';
import { firstCharacters, visibleText } from './visibleText.ts';

interface CutProps {
  text: string;
  mono?: boolean;
}

/** Foreign text on one line, cut at the end of the space. The title holds all of it. */
export function Cut({ text, mono = false }: CutProps) {
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
