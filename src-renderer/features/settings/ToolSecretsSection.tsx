import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../api/index.ts';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { RowList } from '../../ui/panels/RowList.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { places } from './KeysSection.tsx';

/** Which secrets of workshop tools are set. They are set on the page of their tool. */
export function ToolSecretsSection() {
  const { queries } = useApi();
  const { data = [] } = useQuery(queries.workshop.secrets.queryOptions({ input: {} }));
  if (data.length === 0) return null;
  return (
    <Section title="Secrets of workshop tools">
      <RowList label="Secrets of workshop tools">
        {data.map(({ toolId, tool, name, place }) => (
          <li key={`${toolId} ${name}`}>
            <div>
              <Text size="sm" className="ts-mono ts-foreign">
                <PlainText text={name} />
              </Text>
              <Anchor component={Link} to={`/workshop/${toolId}?tab=secrets`} size="xs">
                <span className="ts-mono ts-foreign">
                  <PlainText text={tool} />
                </span>
              </Anchor>
            </div>
            <Group gap="sm">
              {place !== null && (
                <Text size="xs" c="dimmed">
                  {places[place]}
                </Text>
              )}
              <StatusBadge
                tone={place === null ? 'warning' : 'good'}
                label={place === null ? 'Not set' : 'Set'}
              />
            </Group>
          </li>
        ))}
      </RowList>
    </Section>
  );
}
