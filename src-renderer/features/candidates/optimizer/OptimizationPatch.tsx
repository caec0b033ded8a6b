import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Optimization } from '../../../../src-shared/domain/optimization.ts';
import type { PatchFormat } from '../../../../src-shared/domain/rewrite.ts';
import { useApi } from '../../../api/index.ts';
import fixClasses from '../fix/fix.module.css';
import { PatchFile } from '../fix/PatchFile.tsx';

/** The proved edits as a file. Nothing is written to a server. */
export function OptimizationPatch({ optimization: { id, state } }: { optimization: Optimization }) {
  const { queries } = useApi();
  const [format, setFormat] = useState<PatchFormat>('markdown');
  const patch = useQuery(queries.optimizations.export.queryOptions({ input: { id, format } }));
  const proven = state === 'accepted';
  return (
    <section className={`ts-panel ${fixClasses.panel ?? ''}`} aria-label="Patch">
      <div className={fixClasses.head}>
        <h2>{proven ? 'Patch' : 'Patch, not proven'}</h2>
      </div>
      <PatchFile patch={patch} format={format} onFormat={setFormat} filled={proven} />
    </section>
  );
}
