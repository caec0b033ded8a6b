import { codesText, textParts } from './visibleText.ts';

interface TextProps {
  text: string;
}

/**
 * Text that somebody else wrote: a world of its own, which can't turn round what stands beside it,
 * and in which characters that would turn text round or show nothing stand as a small badge of
 * their code.
 */
export function PlainText({ text }: TextProps) {
  return (
    <bdi>
      <TextParts text={text} />
    </bdi>
  );
}

/**
 * The same inside an element that is isolated already, and whose own direction comes from the text.
 */
export function TextParts({ text }: TextProps) {
  return (
    <>
      {textParts(text).map((part, index) =>
        'text' in part ? (
          part.text
        ) : (
          <span
            key={index}
            className="ts-unseen"
            role="img"
            aria-label={`unseen character ${codesText(part.codes)}`}
            title={`Characters that do not show: ${codesText(part.codes, 40)}`}
          >
            {codesText(part.codes)}
          </span>
        ),
      )}
    </>
  );
}
