import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { groupByCategory } from '../../../src-shared/display/toolGroups.ts';
import { useApi } from '../../api/index.ts';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Cut } from '../../ui/text/Cut.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

/** More than a person reads here. */
const shownTools = 200;

/** The tools that clients get, by category. */
export function ServedTools() {
  const { queries } = useApi();
  const categories = useQuery(queries.workshop.categories.queryOptions());
  const tools = useQuery(
    queries.workshop.list.queryOptions({ input: { status: ['ACTIVE'], limit: shownTools } }),
  );
  return (
    <Loaded query={tools} blocks={[80]}>
      {({ rows, total }) => {
        const groups = groupByCategory(rows, categories.data ?? []);
        const isGrouped = groups.some(({ category }) => category !== null);
        return (
          <Stack gap="sm">
            <Text fw={600}>{total === 0 ? 'No active tools' : counted(total, 'active tool')}</Text>
            {total === 0 && (
              <p className="ts-quiet">Clients get no tools yet. Open a tool and choose Activate.</p>
            )}
            {groups.map((group) => (
              <section
                key={group.category ?? ''}
                aria-label={isGrouped ? (group.category ?? 'No category') : 'Active tools'}
              >
                {isGrouped && (
                  <Text size="sm" c="dimmed" mb={4} className="ts-foreign">
                    <PlainText text={group.category ?? 'No category'} /> ({group.tools.length})
                  </Text>
                )}
                <Stack gap={4}>
                  {group.tools.map((tool) => (
                    <Anchor
                      key={tool.id}
                      component={Link}
                      to={`/workshop/${tool.id}`}
                      size="sm"
                      display="block"
                      miw={0}
                    >
                      <Cut text={tool.name} mono />
                    </Anchor>
                  ))}
                </Stack>
              </section>
            ))}
            {total > rows.length && (
              <p className="ts-quiet">{counted(total - rows.length, 'more tool')}.</p>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
