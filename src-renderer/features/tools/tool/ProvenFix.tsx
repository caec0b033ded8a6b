import { IconCircleCheck, IconDownload } from '@tabler/icons-react';
import { Action } from '../../../ui/fields/Action.tsx';
import { counted, formatCount, formatPValue } from '../../../../src-shared/display/numbers.ts';
import { candidateAddress } from '../../../../src-shared/display/toolAddresses.ts';
import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { useExportPatch } from '../../../saving/useExportPatch.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import classes from './tool.module.css';

/** The proven candidate that the server doesn't offer yet. */
export function ProvenFix({ proven, saves }: { proven: Candidate; saves: number | null }) {
  const { id, proof, modelName, unit } = proven;
  const patch = useExportPatch(id);
  if (proof === null) return null;
  const { won, lost, cases, pValue } = proof;
  return (
    <section className={classes.proven} aria-label="Proven fix">
      <IconCircleCheck size={22} aria-hidden />
      <div className={classes.provenWords}>
        <h2>
          Proven fix: {formatCount(won)} fixed, {formatCount(lost)} broken
        </h2>
        <p>
          <PlainText text={modelName ?? ''} />, {counted(cases, `held-out ${unit}`)}, p ={' '}
          {formatPValue(pValue)}.{' '}
          {saves !== null && saves > 0 && `Saves ${counted(saves, 'token')} in every request. `}
          {saves !== null && saves < 0 && `Adds ${counted(-saves, 'token')} to every request. `}
          The server still offers the old text.
        </p>
      </div>
      <Action label="View candidate" to={candidateAddress(proven)} />
      <Action label="Export patch" filled icon={IconDownload} run={patch} />
    </section>
  );
}
