import { type HTMLAttributes, type JSX, useState } from 'react';
import { Action } from '../fields/Action.tsx';
import { codesText, firstCharacters, textParts, visibleText } from './visibleText.ts';
import { counted } from '../../../src-shared/display/numbers.ts';

interface TextProps {
  text: string;
}

/** The element that holds a foreign text and nothing else, with its attributes. */
interface AroundProps extends Omit<HTMLAttributes<HTMLElement>, 'children'> {
  as?: 'b' | 'blockquote' | 'code' | 'dd' | 'div' | 'dt' | 'h2' | 'h3' | 'li' | 'p' | 'span' | 'td';
}

/** A text in that element, or bare if none is named. */
const around = (text: JSX.Element, { as: Around, ...rest }: AroundProps): JSX.Element =>
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

interface ForeignProps extends AroundProps {
  text: string;
  /** Characters shown before “Show all”. */
  limit?: number;
  block?: boolean;
}

/**
 * Foreign text, shown as text: isolated, wrapped, with invisible characters by their codes. A long
 * text is cut until the reader asks for the rest.
 */
export function Foreign({ text, limit = 4000, block = false, ...props }: ForeignProps) {
  const [expanded, setExpanded] = useState(false);
  const rest = text.length - limit;
  return around(
    <span
      dir="auto"
      className="ts-foreign"
      style={{ whiteSpace: 'pre-wrap', ...(block ? { display: 'block' } : {}) }}
    >
      <TextParts text={expanded ? text : firstCharacters(text, limit)} />
      {!expanded && rest > 0 && (
        <>
          {'… '}
          <Action
            label={`Show ${counted(rest, 'more character')}`}
            size="compact-xs"
            onClick={() => setExpanded(true)}
          />
        </>
      )}
    </span>,
    props,
  );
}

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
