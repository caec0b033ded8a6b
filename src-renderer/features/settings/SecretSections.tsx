import { Anchor, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import type { KeyPlace } from '../../../src-shared/domain/keys.ts';
import { useApi, useRead } from '../../api/index.ts';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { ErrorNotice } from '../../ui/notices/notices.tsx';
import { RowList, Section } from '../../ui/panels/panels.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { places } from './KeysSection.tsx';

/** Which secrets of workshop tools are set. They are set on the page of their tool. */
export function ToolSecretsSection() {
  const { data = [] } = useRead((ask) => ask.workshop.secrets, { input: {} });
  if (data.length === 0) return null;
  return (
    <Section title="Secrets of workshop tools">
      <RowList label="Secrets of workshop tools">
        {data.map(({ toolId, tool, name, place }) => (
          <SecretRow key={`${toolId} ${name}`} name={name} place={place}>
            <Anchor component={Link} to={`/workshop/${toolId}?tab=secrets`} size="xs">
              <PlainText as="span" className="ts-mono ts-foreign" text={tool} />
            </Anchor>
          </SecretRow>
        ))}
      </RowList>
    </Section>
  );
}

/** Which values of `${secret:NAME}` in requests to models are set. Their models refer to them. */
export function RequestSecretsSection() {
  const { client, queries, reread } = useApi();
  const { data = [] } = useRead((ask) => ask.models.secrets, { staleTime: 0 });
  const remove = useMutation({
    mutationFn: (name: string) => client.models.removeSecret({ name }),
    onSuccess: () => reread(queries.models.secrets),
  });
  if (data.length === 0) return null;
  return (
    <Section title="Secrets in requests to models">
      <RowList label="Secrets in requests to models">
        {data.map(({ name, place }) => (
          <SecretRow key={name} name={name} place={place}>
            <PlainText as="p" className="ts-hint ts-mono ts-foreign" text={`\${secret:${name}}`} />
            {place !== 'environment' && (
              <Action
                label="Remove"
                variant="subtle"
                size="compact-xs"
                color="gray"
                loading={remove.isPending && remove.variables === name}
                onClick={() => remove.mutate(name)}
              />
            )}
          </SecretRow>
        ))}
      </RowList>
      <ErrorNotice error={remove.error} />
    </Section>
  );
}

function SecretRow(props: { name: string; place: KeyPlace | null; children: ReactNode }) {
  const { name, place, children } = props;
  return (
    <li>
      <div>
        <Text size="sm" className="ts-mono ts-foreign">
          <PlainText text={name} />
        </Text>
        {children}
      </div>
      <Group gap="sm">
        {place !== null && <p className="ts-hint">{places[place]}</p>}
        <StatusBadge
          tone={place === null ? 'warning' : 'good'}
          label={place === null ? 'Not set' : 'Set'}
        />
      </Group>
    </li>
  );
}
