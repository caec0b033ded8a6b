import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  isSentOtherwise,
  sentToolsRows,
  sentToolsText,
  unreadableText,
} from '../../../src-shared/display/sentToolsTexts.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import type { SentTools, SentToolsOfModel } from '../../../src-shared/domain/sentTools.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import classes from './evaluations.module.css';
import { useApi } from '../../api/index.ts';
import { nameModels } from './modelNames.ts';

/** More rows would not be read; reports and `--json` have all of them. */
const maxShown = 50;

/**
 * What a model is sent otherwise than servers said, with each tool and the reason, and which tools
 * have keywords that can't be read. Nothing if all is sent as published and can be read.
 */
export function SentToolsList({ sent, label }: { sent: SentTools; label?: string }) {
  const rows = sentToolsRows(sent);
  const unreadable = unreadableText(sent);
  return (
    <>
      {isSentOtherwise(sent) && (
        <details>
          <summary>
            <Text span size="xs">
              {label !== undefined && (
                <>
                  <Foreign text={label} limit={120} />:{' '}
                </>
              )}
              {sentToolsText(sent)}
            </Text>
          </summary>
          <ul className={classes.problems} tabIndex={0} aria-label="Tools that are sent otherwise">
            {rows.slice(0, maxShown).map(({ tool, what, why }) => (
              <li key={`${tool} ${what}`}>
                <Foreign text={tool} limit={200} />: {what} (<Foreign text={why} limit={600} />)
              </li>
            ))}
            {rows.length > maxShown && <li>{counted(rows.length - maxShown, 'more change')}</li>}
          </ul>
        </details>
      )}
      {unreadable !== null && (
        <Text size="xs">
          <Foreign text={unreadable} limit={1_000} />
        </Text>
      )}
    </>
  );
}

interface SentToolsOfModelsProps {
  accounts: readonly SentToolsOfModel[];
  /** All models of the evaluation, which name those of the accounts. */
  models: readonly ModelSettings[];
}

/** The same of every model of an evaluation. What can't be read is the same for all of them. */
export function SentToolsOfModels({ accounts, models }: SentToolsOfModelsProps) {
  const names = nameModels(models);
  return accounts.map((account, index) => (
    <SentToolsList
      key={account.modelSettingsId}
      sent={index === 0 ? account : { ...account, unreadable: [] }}
      {...(names.size > 1 && { label: names.get(account.modelSettingsId) ?? account.label })}
    />
  ));
}

/** What models were sent otherwise than servers said. Read again once the tools are frozen. */
export function useSentTools(
  id: string,
  snapshotId: string | null,
): readonly SentToolsOfModel[] | undefined {
  const { client, queries } = useApi();
  const sent = useQuery({
    queryKey: [...queries.evaluations.sentTools.queryKey({ input: { id } }), snapshotId],
    queryFn: () => client.evaluations.sentTools({ id }),
    enabled: snapshotId !== null,
    staleTime: Infinity,
  });
  return sent.data;
}

/** What decides about runs: tools that a model wasn't offered, and keywords that can't be read. */
export function SentToolsNotice({ accounts, models }: SentToolsOfModelsProps) {
  const deciding = accounts.filter(
    ({ leftOut, unreadable }) => leftOut.length + unreadable.length > 0,
  );
  return <SentToolsOfModels accounts={deciding} models={models} />;
}
