import { type HTMLAttributes, type JSX, useState } from 'react';
import { Action } from '../fields/controls.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { codePointName, seenParts } from '../../../src-shared/display/visibleText.ts';

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

/** A part of a text: visible characters, or neighboring invisible characters by their codes. */
export type TextPart = { text: string } | { codes: readonly string[] };

/** Replaces C0 controls by their symbols (ESC by ␛), except tabs and line ends. */
function withControlSymbols(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) =>
      character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
    );
}

/** Splits text into its visible and its invisible parts, in order. */
export const textParts = (text: string): TextPart[] =>
  seenParts(withControlSymbols(text)).map((part) =>
    'text' in part ? part : { codes: part.unseen.map(codePointName) },
  );

/** The first codes, and how many more there are. */
export function codesText(codes: readonly string[], limit = 3): string {
  return codes.length <= limit
    ? codes.join(' ')
    : `${codes.slice(0, limit).join(' ')} +${codes.length - limit}`;
}

/**
 * The same as plain text, for titles, attributes and options: `[U+202E]` replaces an invisible
 * character.
 */
export function visibleText(text: string): string {
  return textParts(text)
    .map((part) => ('text' in part ? part.text : `[${codesText(part.codes)}]`))
    .join('');
}

/** The first `limit` characters, never ending inside a surrogate pair. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
