import { Group, SegmentedControl, Select } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { keepPreviousData } from '@tanstack/react-query';
import { Action } from '../../../ui/fields/controls.tsx';
import {
  patchFormats,
  type PatchFormat,
  type Candidate,
} from '../../../../src-shared/domain/candidate.ts';
import { saveTextFile } from '../../../ui/files/saveTextFile.ts';
import { ErrorNotice } from '../../../ui/notices/notices.tsx';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import classes from './fix.module.css';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { Fold, TitledPanel } from '../../../ui/panels/panels.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';

const labels: Record<PatchFormat, string> = {
  markdown: 'Markdown',
  diff: 'Unified diff',
  json_patch: 'JSON Patch',
  tools_file: 'Tools file',
};

interface PatchFileProps {
  patch: { data: { fileName: string; text: string } | undefined; error: Error | null };
  format: PatchFormat;
  onFormat: (format: PatchFormat) => void;
  /** True if the export is the next step of the page. */
  filled: boolean;
  /** Notes between the text and the button. */
  children?: ReactNode;
}

/** A change as a file in the chosen format, with its export. */
export function PatchFile({ patch, format, onFormat, filled, children }: PatchFileProps) {
  return (
    <div className={classes.body}>
      <SegmentedControl
        fullWidth
        aria-label="Format"
        data={patchFormats.map((value) => ({ value, label: labels[value] }))}
        value={format}
        onChange={(value) => onFormat(value)}
      />
      <ErrorNotice error={patch.error} />
      {patch.data && <CodeView text={patch.data.text} maxHeight={260} />}
      {children}
      <Group>
        <Action
          label={format === 'tools_file' ? 'Export tools' : 'Export patch'}
          filled={filled}
          icon={IconDownload}
          disabled={patch.data === undefined}
          onClick={() => {
            if (patch.data) saveTextFile(patch.data.fileName, patch.data.text, 'text/plain');
          }}
        />
      </Group>
    </div>
  );
}

/** The change as a file, against the server's source where that is known. Nothing is written. */
export function PatchPanel({ candidate }: { candidate: Candidate }) {
  const { queries } = useApi();
  const [format, setFormat] = useState<PatchFormat>('markdown');
  const proven = candidate.state === 'accepted';
  const [places, setPlaces] = useState<readonly string[]>([]);
  const input = { id: candidate.id, format, places: [...places] };
  const patch = useRead((ask) => ask.candidates.export, {
    input,
    // A patch says what is known of the candidate, so each of its states has its own.
    queryKey: [...queries.candidates.export.queryKey({ input }), candidate.state],
  });
  const sources = useRead((ask) => ask.candidates.sources, {
    input: { id: candidate.id, places: [...places] },
    placeholderData: keepPreviousData,
  });
  const unread = sources.data?.unread ?? [];
  const content = (
    <PatchFile patch={patch} format={format} onFormat={setFormat} filled={proven}>
      {unread.map(({ file, cause }) => (
        <p key={file} className={classes.quiet}>
          <Foreign text={file} /> holds the text, but gets no diff. {cause}
        </p>
      ))}
      {sources.data !== undefined && (
        <SourceNote
          sources={sources.data}
          chosen={places}
          onChoose={(place, others) =>
            setPlaces([...places.filter((one) => !others.includes(one)), place])
          }
        />
      )}
    </PatchFile>
  );
  return candidate.proof === null ? (
    <TitledPanel label="Patch">
      <Fold title="Export it unproven">{content}</Fold>
    </TitledPanel>
  ) : (
    <TitledPanel title="Patch">{content}</TitledPanel>
  );
}

type Sources = Awaited<ReturnType<ReturnType<typeof useApi>['client']['candidates']['sources']>>;

/** Where the texts are in the source of the server, and which of several places to change. */
function SourceNote(props: {
  sources: Sources;
  chosen: readonly string[];
  onChoose: (place: string, others: readonly string[]) => void;
}) {
  const {
    sources: { folder, places, choices, unread },
    chosen,
    onChoose,
  } = props;
  if (folder === null) return null;
  const texts = [...new Set(choices.map(({ toolId, path }) => `${toolId} ${path}`))];
  return (
    <>
      {places.length > 0 && (
        <p className={classes.quiet}>
          Found in <Foreign text={places.map(placeName).join(', ')} />.{' '}
          {counted(places.length, 'text')} in the source of the server; nothing is written.
        </p>
      )}
      {texts.map((text) => {
        const own = choices.filter(({ toolId, path }) => `${toolId} ${path}` === text);
        const names = own.map(placeName);
        return (
          <Select
            key={text}
            label="Place in the source"
            description={
              own.length === 1
                ? 'Only a document holds this text. Choose it to change it there.'
                : `${counted(own.length, 'place')} hold this text. Choose the one that makes the tool.`
            }
            placeholder="Choose a place"
            data={names}
            value={names.find((name) => chosen.includes(name)) ?? null}
            onChange={(place) => {
              if (place !== null) onChoose(place, names);
            }}
          />
        );
      })}
      {places.length === 0 && choices.length === 0 && unread.length === 0 && (
        <p className={classes.quiet}>
          No file of <Foreign text={folder} /> holds just this text.
        </p>
      )}
    </>
  );
}

const placeName = ({ file, line }: { file: string; line: number }): string => `${file}:${line}`;
