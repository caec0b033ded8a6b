import { TextParts } from './PlainText.tsx';
import { firstCharacters, visibleText } from './visibleText.ts';

interface CutProps {
  text: string;
  mono?: boolean;
}

/**
 * Foreign text on one line, cut where space ends; the whole of it is in the title and wherever the
 * row opens.
 */
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
