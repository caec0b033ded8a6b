import { TextParts } from '../../ui/text/PlainText.tsx';
import { firstCharacters } from '../../ui/text/visibleText.ts';
import { markWords } from './markWords.ts';
import classes from './similarity.module.css';

const longest = 4_000;

/** Foreign text with some of its words underlined. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  return (
    <span dir="auto" className="ts-foreign" style={{ whiteSpace: 'pre-wrap' }}>
      {markWords(firstCharacters(text, longest), words).map((part, at) =>
        part.marked ? (
          <u key={at} className={classes.shared}>
            {part.text}
          </u>
        ) : (
          <TextParts key={at} text={part.text} />
        ),
      )}
      {text.length > longest && '…'}
    </span>
  );
}
