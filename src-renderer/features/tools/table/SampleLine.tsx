import { Action } from '../../../ui/fields/controls.tsx';
import { useApi } from '../../../api/index.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import classes from './table.module.css';
import { useAct } from '../../../ui/notices/notices.tsx';

/** The sample leaves all counts once there are other servers; a person may bring it back. */
export function SampleLine({ sample }: { sample: readonly { counted: boolean }[] }) {
  const isCounted = sample.some((server) => server.counted);
  const { client, reread } = useApi();
  const show = useAct(() => client.settings.update({ showSample: !isCounted }), {
    onSuccess: () => reread(),
  });
  return (
    <>
      <span className={classes.quiet}>Sample data · {counted(sample.length, 'server')}</span>
      <span className={classes.quiet}>{isCounted ? 'Counted' : 'Not counted'}</span>
      <StripButton
        label={isCounted ? 'Hide' : 'Show'}
        aria="sample data"
        onClick={() => show.mutate()}
      />
    </>
  );
}

export const StripButton = ({
  label,
  aria,
  onClick,
}: {
  label: string;
  aria: string;
  onClick: () => void;
}) => (
  <Action
    label={label}
    small
    variant="subtle"
    ml="auto"
    aria-label={`${label} ${aria}`}
    onClick={onClick}
  />
);
