import type { CorpusEntry } from '../../../src-shared/domain/security.ts';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import { Fields } from '../../ui/fields/Fields.tsx';
import { JsonText } from '../../ui/text/CodeView.tsx';
import { MarkedText } from '../../ui/text/MarkedText.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import type { ShownEntry } from './shownEntry.ts';

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
