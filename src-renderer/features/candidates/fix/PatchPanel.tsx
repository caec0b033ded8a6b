import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { PatchFormat, Rewrite } from '../../../../src-shared/domain/rewrite.ts';
import { useApi } from '../../../api/index.ts';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './fix.module.css';
import { PatchFile } from './PatchFile.tsx';

/** The change as a file, against the server's source where that is known. Nothing is written. */
export function PatchPanel({ rewrite }: { rewrite: Rewrite }) {
  const { queries } = useApi();
  const [format, setFormat] = useState<PatchFormat>('markdown');
  const proven = rewrite.state === 'accepted';
  const input = { id: rewrite.id, format };
  const patch = useQuery(
    queries.rewrites.export.queryOptions({
      input,
      // A patch says what is known of the candidate, so each of its states has its own.
      queryKey: [...queries.rewrites.export.queryKey({ input }), rewrite.state],
    }),
  );
  const sources = useQuery(queries.rewrites.sources.queryOptions({ input: { id: rewrite.id } }));
  const unread = sources.data?.unread ?? [];
  const content = (
    <PatchFile patch={patch} format={format} onFormat={setFormat} filled={proven}>
      {unread.map(({ file, cause }) => (
        <p key={file} className={classes.quiet}>
          <Foreign text={file} /> holds the text, but gets no diff. {cause}
        </p>
      ))}
      {sources.data?.folder != null && (sources.data.places.length > 0 || unread.length === 0) && (
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
    </PatchFile>
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
