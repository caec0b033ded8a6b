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
import { column, textColumn } from '../../ui/table/columns.tsx';

export const toolColumns = (
  drafts: ReadonlySet<string>,
  signals: ReadonlyMap<string, ToolSignal[]>,
): Column<ToolRow>[] => [
  column('name', 'Tool', 'minmax(180px, 1.4fr)', {}, (tool) => (
    <Text size="sm" fw={500} component="span" miw={0}>
      <Cut text={drafts.has(tool.id) ? `${tool.name} ●` : tool.name} mono />
    </Text>
  )),
  textColumn('description', 'Description', 'minmax(200px, 3fr)', (tool) => tool.description, {
    sorts: false,
  }),
  column('status', 'State', 120, {}, (tool) => (
    <StatusBadge tone={statusWords[tool.status].tone} label={statusWords[tool.status].label} />
  )),
  column(
    'signals',
    'Signals',
    110,
    { spare: 1, hint: 'Security signals in its texts and schemas.' },
    (tool) => {
      const worst = worstSignal(signals.get(`workshop:${tool.name}`));
      return worst === null ? <span className="ts-quiet">–</span> : <SeverityBadge {...worst} />;
    },
  ),
  {
    id: 'executor',
    spare: 3,
    header: 'Executor',
    cell: (tool) => executorWords[tool.executorType].label,
    width: 90,
  },
  column('version', 'Version', 80, { spare: 4, align: 'right' }, (tool) => tool.version),
  column('tags', 'Tags', 'minmax(80px, 1fr)', { spare: 5 }, (tool) => <Tags values={tool.tags} />),
  column('updated', 'Changed', 130, { spare: 2 }, (tool) => (
    <Time iso={tool.updatedAt} focusable={false} />
  )),
];
