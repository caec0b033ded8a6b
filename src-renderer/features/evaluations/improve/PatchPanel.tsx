import { Button, Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { counted } from '../../../../src-shared/display/numbers.ts';
import {
  patchFormats,
  type PatchFormat,
  type Rewrite,
} from '../../../../src-shared/domain/rewrite.ts';
import { useApi } from '../../../api/index.ts';
import { saveTextFile } from '../../../ui/files/saveTextFile.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './fix.module.css';

const labels: Record<PatchFormat, string> = {
  markdown: 'Markdown',
  diff: 'Unified diff',
  json_patch: 'JSON Patch',
};

/** The change as a file, against the server's source where that is known. Nothing is written. */
export function PatchPanel({ rewrite }: { rewrite: Rewrite }) {
  const { queries } = useApi();
  const [format, setFormat] = useState<PatchFormat>('markdown');
  const proven = rewrite.state === 'accepted';
  const patch = useQuery(
    queries.rewrites.export.queryOptions({ input: { id: rewrite.id, format } }),
  );
  const sources = useQuery(queries.rewrites.sources.queryOptions({ input: { id: rewrite.id } }));
  const content = (
    <div className={classes.body}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Format"
        data={patchFormats.map((value) => ({ value, label: labels[value] }))}
        value={format}
        onChange={(value) => {
          setFormat(value);
        }}
      />
      {patch.error !== null && <ErrorNotice error={patch.error} />}
      {patch.data && <CodeView text={patch.data.text} maxHeight={260} />}
      {sources.data?.folder != null && (
        <p className={classes.quiet}>
          {sources.data.places.length === 0 ? (
            <>
              No file of <Foreign text={sources.data.folder} /> holds just this text.
            </>
          ) : (
            <>
              Found in{' '}
              <Foreign
                text={sources.data.places.map(({ file, line }) => `${file}:${line}`).join(', ')}
              />
              . {counted(sources.data.places.length, 'text')} in the source of the server; nothing
              is written.
            </>
          )}
        </p>
      )}
      <Group>
        <Button
          variant={proven ? 'filled' : 'default'}
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={patch.data === undefined}
          onClick={() => {
            if (patch.data) saveTextFile(patch.data.fileName, patch.data.text, 'text/plain');
          }}
        >
          Export patch
        </Button>
      </Group>
    </div>
  );
  return (
    <section className={`ts-panel ${classes.panel ?? ''}`} aria-label="Patch">
      {rewrite.proof === null ? (
        <Fold title="Export it unproven">{content}</Fold>
      ) : (
        <>
          <div className={classes.head}>
            <h2>Patch</h2>
          </div>
          {content}
        </>
      )}
    </section>
  );
}
