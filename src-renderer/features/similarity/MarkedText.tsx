import { TextParts } from '../../ui/text/PlainText.tsx';
import { firstCharacters } from '../../ui/text/visibleText.ts';
import { markWords } from './markWords.ts';
import classes from './similarity.module.css';

const maxLength = 4_000;

interface MarkedTextProps {
  text: string;
  /** Words that both texts have. */
  words: readonly string[];
  /** Words that only this one has. */
  own: readonly string[];
}

/** Foreign text with shared words tinted and own words underlined. */
export function MarkedText({ text, words, own }: MarkedTextProps) {
  const alone = new Set(own.map((word) => word.toLowerCase()));
  return (
    <span dir="auto" className="ts-foreign" style={{ whiteSpace: 'pre-wrap' }}>
      {markWords(firstCharacters(text, maxLength), [...words, ...own]).map((part, at) =>
        !part.marked ? (
          <TextParts key={at} text={part.text} />
        ) : alone.has(part.text.toLowerCase()) ? (
          <em key={at} className={classes.own}>
            {part.text}
          </em>
        ) : (
          <mark key={at} className={classes.shared}>
            {part.text}
          </mark>
        ),
      )}
      {text.length > maxLength && '…'}
    </span>
  );
}
