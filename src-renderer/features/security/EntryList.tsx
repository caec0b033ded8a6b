import { Text } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../ui/fields/controls.tsx';
import { entryKind, entryText } from '../../../src-shared/display/detectorTexts.ts';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import type { EntryFinding, CorpusEntry } from '../../../src-shared/domain/security.ts';
import { useRead } from '../../api/index.ts';
import { SeverityBadge } from '../../ui/badges/SeverityBadge.tsx';
import { ErrorNotice } from '../../ui/notices/notices.tsx';
import { Fold } from '../../ui/panels/panels.tsx';
import { Cut, Foreign, PlainText } from '../../ui/text/Foreign.tsx';
import type { ShownEntry } from './shownEntry.ts';
import { Fields } from '../../ui/fields/Fields.tsx';
import { JsonText } from '../../ui/text/CodeView.tsx';
import { MarkedText } from '../../ui/text/MarkedText.tsx';
import classes from './security.module.css';

/** The whole of a labeled entry: its text, where it comes from, and everything around the text. */
export function EntryDetails(props: {
  entry: CorpusEntry | ShownEntry;
  /** The part of the description to mark. */
  span?: readonly [number, number];
}) {
  const { entry, span = [0, 0] } = props;
  const { description, provenance, technique, resembles, ...others } = entry;
  const known = ['id', 'label', 'category', 'half'];
  const rest = Object.entries(others).filter(([name]) => !known.includes(name));
  return (
    <>
      {description !== '' && <MarkedText text={description} span={span} around={20_000} />}
      <div style={{ margin: '16px 0' }}>
        <Fields
          rows={[
            ...(technique === undefined ? [] : [{ name: 'Technique', value: technique }]),
            ...(resembles === undefined
              ? []
              : [{ name: 'Resembles', value: detectorLabel(resembles) }]),
            { name: 'Source', value: <PlainText text={provenance.source} /> },
            { name: 'License', value: provenance.license },
          ]}
        />
      </div>
      {rest.length > 0 && <JsonText label="Context" value={Object.fromEntries(rest)} />}
    </>
  );
}

const shownFirst = 20;
const shownMore = 100;

/** Misjudged entries: what kind each is and how its text begins, which opens to the whole entry. */
export function EntryList(props: {
  label: string;
  ids: readonly string[];
  findings: readonly EntryFinding[];
  corpusId: string;
  none: string;
}) {
  const { label, ids, findings, corpusId, none } = props;
  const [shown, setShown] = useState(shownFirst);
  const corpus = useRead((ask) => ask.security.corpus, {
    input: { id: corpusId },
    enabled: ids.length > 0,
  });
  if (ids.length === 0) return <Text c="dimmed">{none}</Text>;
  const entries = new Map(corpus.data?.content.map((entry) => [entry.id, entry]));
  const rest = ids.length - shown;
  return (
    <>
      <ErrorNotice error={corpus.error} onRetry={() => void corpus.refetch()} />
      <ul className={`ts-panel ${classes.entries ?? ''}`} aria-label={label}>
        {ids.slice(0, shown).map((id) => (
          <li key={id}>
            <EntryRow
              id={id}
              entry={corpus.data === undefined ? null : entries.get(id)}
              findings={findings.filter((each) => each.id === id && each.severity !== 'low')}
              corpusId={corpusId}
            />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Action
          label={`Show ${formatCount(Math.min(rest, shownMore))} more of ${formatCount(ids.length)}`}
          small
          mt="xs"
          onClick={() => setShown(shown + shownMore)}
        />
      )}
    </>
  );
}

interface EntryRowProps {
  id: string;
  /** Null while it is unknown; undefined if the corpus has it no more. */
  entry: ShownEntry | null | undefined;
  findings: readonly EntryFinding[];
  corpusId: string;
}

function EntryRow({ id, entry, findings, corpusId }: EntryRowProps) {
  const [first] = findings;
  return (
    <Fold
      title={
        <span className={classes.entry}>
          <Cut text={id} mono />
          <span className={classes.kind}>{entry ? <Cut text={entryKind(entry)} /> : null}</span>
        </span>
      }
      hint={
        <span className={classes.beginning}>
          {first !== undefined && <SeverityBadge severity={first.severity} />}
          {entry ? (
            <Cut text={first === undefined ? entryText(entry) : flaggedWords(first)} />
          ) : (
            entry === undefined && 'This entry is no longer in the corpus.'
          )}
        </span>
      }
    >
      {findings.map((finding, at) => (
        <p key={at} className={classes.flagged}>
          <SeverityBadge severity={finding.severity} /> {detectorLabel(finding.detector)}:{' '}
          <Foreign text={finding.why} limit={300} />{' '}
          <Foreign as="span" className="ts-mono" text={finding.text} limit={300} />
        </p>
      ))}
      {entry && <EntryDetails entry={entry} span={spanIn(entry, first)} />}
      {entry && (
        <Action
          label="Open in the corpus"
          to={`/labs/detectors/corpora/${encodeURIComponent(corpusId)}?entry=${encodeURIComponent(id)}`}
          small
          mt="sm"
        />
      )}
    </Fold>
  );
}

const flaggedWords = ({ detector, text }: EntryFinding): string =>
  `${detectorLabel(detector)}: ${text}`;

/** Where the flagged words are in the description; nowhere if they are in another text. */
function spanIn(entry: ShownEntry, finding: EntryFinding | undefined): readonly [number, number] {
  return finding?.place === '/description' &&
    entry.description.slice(...finding.span).startsWith(finding.text.slice(0, 20))
    ? finding.span
    : [0, 0];
}
