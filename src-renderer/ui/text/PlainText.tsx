import type { HTMLAttributes, JSX } from 'react';
import { codesText, textParts } from './visibleText.ts';

interface TextProps {
  text: string;
}

/** The element that holds a foreign text and nothing else, with its attributes. */
export interface AroundProps extends Omit<HTMLAttributes<HTMLElement>, 'children'> {
  as?: 'b' | 'blockquote' | 'code' | 'dd' | 'div' | 'dt' | 'h2' | 'h3' | 'li' | 'p' | 'span' | 'td';
}

/** A text in that element, or bare if none is named. */
export const around = (text: JSX.Element, { as: Around, ...rest }: AroundProps): JSX.Element =>
  Around === undefined ? text : <Around {...rest}>{text}</Around>;

/**
 * Foreign text, isolated so that it cannot change the direction of the text around it. Characters
 * that are invisible or change the direction are shown as small badges with their codes.
 */
export function PlainText({ text, ...props }: TextProps & AroundProps) {
  return around(
    <bdi>
      <TextParts text={text} />
    </bdi>,
    props,
  );
}

/** The same inside an element that is isolated already and takes its direction from the text. */
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
            title={`Invisible characters: ${codesText(part.codes, 40)}`}
          >
            {codesText(part.codes)}
          </span>
        ),
      )}
    </>
  );
}

/** A name that may break after its underscores, colons and dots, where a person expects it. */
export function BreakableName({ name }: { name: string }) {
  const parts = name.split(/(?<=[_:.])/u);
  return parts.map((part, at) => [
    at > 0 && <wbr key={`${at} break`} />,
    <PlainText key={at} text={part} />,
  ]);
}
