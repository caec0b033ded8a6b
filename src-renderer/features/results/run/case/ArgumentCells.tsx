import type { ReactNode } from 'react';
import { IconEqualNot, IconMinus, IconPlus } from '@tabler/icons-react';
import { diffWords, type DiffPart } from '../../../../ui/text/diffWords.ts';
import { Foreign, PlainText, TextParts } from '../../../../ui/text/Foreign.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { isDifference, type ArgumentRow } from './argumentRows.ts';
import classes from './case.module.css';
import { expectedWords } from '../../../../../src-shared/display/matcherWords.ts';

/** Longer values are cut until the reader asks for the rest, and not compared word by word. */
const maxLength = 600;

/** One argument: its name, the expected value and the actual one with what differs. */
export function ArgumentCells({ row, called }: { row: ArgumentRow; called: boolean }) {
  const { name, depth, kind, expected, actual, nested } = row;
  const parts = wordParts(row);
  return (
    <tr data-differs={isDifference(kind)} data-nested={depth > 0}>
      <th scope="row" className={classes.name} style={{ paddingInlineStart: 16 + depth * 16 }}>
        <PlainText text={name} />
      </th>
      <td>
        {kind === 'added' || kind === 'invented' ? (
          <span className={classes.quiet}>Not expected</span>
        ) : (
          expected !== null && (
            <Value>
              {parts ? <Words parts={parts} without="added" /> : <Expected json={expected} />}
            </Value>
          )
        )}
      </td>
      <td className={classes.actual}>
        {actual !== null && (
          <Value>
            {parts ? (
              <Words parts={parts} without="removed" />
            ) : (
              <Foreign text={actual} limit={maxLength} />
            )}
          </Value>
        )}
        {called && actual === null && !nested && !isDifference(kind) && (
          <span className={classes.quiet}>Not sent</span>
        )}
        {!(nested && kind === 'value') && <Difference row={row} />}
        {row.reason !== '' && !parts && (kind === 'value' || kind === 'added') && (
          <Foreign as="span" className={classes.reason} text={row.reason} limit={maxLength} />
        )}
        {row.cut && (
          <span className={classes.reason}>
            Shows the first values only. See the raw response for all.
          </span>
        )}
      </td>
    </tr>
  );
}

function Difference({ row: { kind } }: { row: ArgumentRow }) {
  switch (kind) {
    case 'value':
      return <DifferenceMark kind="different">Different value</DifferenceMark>;
    case 'missing':
      return <DifferenceMark kind="missing">Missing</DifferenceMark>;
    case 'added':
      return <DifferenceMark kind="added">Added</DifferenceMark>;
    case 'invented':
      return <DifferenceMark kind="added">Not in the input schema</DifferenceMark>;
    default:
      return null;
  }
}

function Value({ children }: { children: ReactNode }) {
  return <span className={classes.value}>{children}</span>;
}

function Expected({ json }: { json: string }) {
  return json.length > maxLength || !json.startsWith('{"$') ? (
    <Foreign text={json} limit={maxLength} />
  ) : (
    <span className={classes.matcher}>
      <RichSentence text={expectedWords(json)} />
    </span>
  );
}

/** The changed words of two short texts; null for other values and if no word is shared. */
function wordParts({ kind, expected, actual }: ArgumentRow): DiffPart[] | null {
  const isText = (json: string | null): json is string =>
    json?.startsWith('"') === true && json.length <= maxLength;
  if (kind !== 'value' || !isText(expected) || !isText(actual)) return null;
  const parts = diffWords(expected, actual);
  return parts.some((part) => part.kind === 'same' && /[\p{L}\p{N}]/u.test(part.text))
    ? parts
    : null;
}

/** One side of a comparison by words. */
function Words({ parts, without }: { parts: readonly DiffPart[]; without: 'added' | 'removed' }) {
  return (
    <bdi>
      {parts
        .filter(({ kind }) => kind !== without)
        .map(({ kind, text }, index) =>
          kind === 'same' ? (
            <TextParts key={index} text={text} />
          ) : (
            <mark key={index} className={classes.changed}>
              <TextParts text={text} />
            </mark>
          ),
        )}
    </bdi>
  );
}

const glyphs = { different: IconEqualNot, missing: IconMinus, added: IconPlus };

export function DifferenceMark(props: { kind: keyof typeof glyphs; children: ReactNode }) {
  const { kind, children } = props;
  const Glyph = glyphs[kind];
  return (
    <span className={classes.difference}>
      <Glyph size={14} stroke={2.2} aria-hidden />
      {children}
    </span>
  );
}
