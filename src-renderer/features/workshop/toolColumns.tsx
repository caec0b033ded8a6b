import { Text } from '@mantine/core';
import type { ToolRow } from '../../../src-shared/domain/workshop.ts';
import { type ToolSignal, worstSignal } from '../../api/index.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import type { Column } from '../../ui/table/DataTable.tsx';
import { SeverityBadge } from '../../ui/badges/SeverityBadge.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Tags } from '../../ui/badges/Tags.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { executorWords } from './toolDraft.ts';
import { statusWords } from './workshopWords.ts';
import { textColumn } from '../../ui/table/columns.tsx';

export const toolColumns = (
  drafts: ReadonlySet<string>,
  signals: ReadonlyMap<string, ToolSignal[]>,
): Column<ToolRow>[] => [
  {
    id: 'name',
    header: 'Tool',
    cell: (tool) => (
      <Text size="sm" fw={500} component="span" miw={0}>
        <Cut text={drafts.has(tool.id) ? `${tool.name} ●` : tool.name} mono />
      </Text>
    ),
    width: 'minmax(180px, 1.4fr)',
  },
  textColumn('description', 'Description', 'minmax(200px, 3fr)', (tool) => tool.description, {
    sorts: false,
  }),
  {
    id: 'status',
    header: 'State',
    cell: (tool) => (
      <StatusBadge tone={statusWords[tool.status].tone} label={statusWords[tool.status].label} />
    ),
    width: 120,
  },
  {
    id: 'signals',
    spare: 1,
    header: 'Signals',
    hint: 'Security signals in its texts and schemas.',
    cell: (tool) => {
      const worst = worstSignal(signals.get(`workshop:${tool.name}`));
      return worst === null ? <span className="ts-quiet">–</span> : <SeverityBadge {...worst} />;
    },
    width: 110,
  },
  {
    id: 'executor',
    spare: 3,
    header: 'Executor',
    cell: (tool) => executorWords[tool.executorType].label,
    width: 90,
  },
  {
    id: 'version',
    spare: 4,
    header: 'Version',
    cell: (tool) => tool.version,
    width: 80,
    align: 'right',
  },
  {
    id: 'tags',
    spare: 5,
    header: 'Tags',
    cell: (tool) => <Tags values={tool.tags} />,
    width: 'minmax(80px, 1fr)',
  },
  {
    id: 'updated',
    spare: 2,
    header: 'Changed',
    cell: (tool) => <Time iso={tool.updatedAt} focusable={false} />,
    width: 130,
  },
];
