import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { keyPlaceWords } from '../../../../src-shared/display/keyPlaces.ts';
import { useMutation } from '@tanstack/react-query';
import type { ServerVariable } from '../../../../src-shared/domain/server.ts';
import { useApi } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { SecretRow } from '../../../ui/fields/SecretRow.tsx';
import { RowList } from '../../../ui/panels/RowList.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';

interface VariablesSectionProps {
  serverId: string;
  variables: readonly ServerVariable[];
}

const places: Record<NonNullable<ServerVariable['place']>, string> = {
  ...keyPlaceWords,
  workspace: 'set, in this workspace',
  default: "set to the file's default",
};

/**
 * Every reference in the configuration: whether it has a value, and a field to set one. Values are
 * never shown.
 */
export function VariablesSection({ serverId, variables }: VariablesSectionProps) {
  const missing = variables.filter(({ resolved }) => !resolved).length;
  return (
    <Section
      title="Variables and secrets"
      aside={
        missing > 0 ? (
          <StatusBadge tone="warning" label={`${formatCount(missing)} without a value`} />
        ) : null
      }
    >
      <RowList label="Variables and secrets">
        {variables.map((variable) => (
          <VariableRow key={variable.reference} serverId={serverId} variable={variable} />
        ))}
      </RowList>
    </Section>
  );
}

function VariableRow({ serverId, variable }: { serverId: string; variable: ServerVariable }) {
  const { client, queries, reread } = useApi();
  const save = useMutation({
    mutationFn: (value: string | null) =>
      client.servers.setValue({ id: serverId, reference: variable.reference, value }),
    onSuccess: () => reread(queries.servers),
  });
  const settable = variable.kind !== 'environment';
  return (
    <SecretRow
      name={variable.reference}
      note={
        <>
          {variable.description !== null && (
            <>
              <PlainText text={variable.description} />
              {' · '}
            </>
          )}
          {variable.place === null
            ? settable
              ? 'not set'
              : 'not set: set this environment variable before you start Touchstone'
            : places[variable.place]}
        </>
      }
      isSet={variable.place !== null}
      settable={settable}
      removable={
        variable.place !== null && variable.place !== 'environment' && variable.place !== 'default'
      }
      hidden={variable.password}
      saving={save.isPending}
      error={save.error}
      onSave={save.mutateAsync}
    />
  );
}
