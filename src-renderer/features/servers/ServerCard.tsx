import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { visibleText } from '../../ui/text/visibleText.ts';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import {
  itemNoun,
  toolsProblem,
  unreachableReason,
} from '../../../src-shared/display/serverTexts.ts';
import { Time } from '../../ui/text/Time.tsx';
import { showFailure } from '../../ui/notices/UndoNotice.tsx';
import { commandLine } from './commandLine.ts';
import classes from './servers.module.css';
import { checkMeaning, lastCheckAt, serverState, transportNames } from './serverState.ts';
import { useStarting } from './useStarting.ts';
import { useServerActions } from './useServerActions.ts';

interface ServerCardProps {
  server: ServerOverview;
  onEdit: () => void;
  onRemove: () => void;
}

export function ServerCard({ server, onEdit, onRemove }: ServerCardProps) {
  const { check } = useServerActions(server.id);
  const busy = server.checking || check.isPending;
  const state = serverState({ ...server, checking: busy });
  const starting = useStarting({ name: server.name, checking: busy });
  const reason =
    server.status === 'failed' && server.statusReason !== null
      ? unreachableReason(server.statusReason)
      : toolsProblem(server);
  return (
    <article className={classes.card} aria-label={visibleText(`Server ${server.name}`)}>
      <div className={classes.cardHead}>
        <h2 className={classes.cardTitle}>
          <Link to={`/servers/${server.id}`} className={classes.cardLink}>
            <Cut text={server.name} />
          </Link>
        </h2>
        <StatusBadge {...state} />
      </div>
      <Text size="xs" c="dimmed" component="div">
        <Cut text={commandLine(server.config)} mono />
      </Text>
      <dl className={classes.facts}>
        <div>
          <dt>Transport</dt>
          <dd>{transportNames[server.config.transport]}</dd>
        </div>
        <div>
          <dt>{itemNoun(server) === 'skill' ? 'Skills' : 'Tools'}</dt>
          <dd className="ts-number">
            {server.toolCount === null ? (
              <span aria-label="not listed yet">–</span>
            ) : (
              server.toolCount
            )}
          </dd>
        </div>
        <div>
          <dt>Last check</dt>
          <dd>
            <Time iso={lastCheckAt(server, server.listedAt)} />
          </dd>
        </div>
      </dl>
      {starting !== null && (
        <Text size="sm" c="dimmed" component="div">
          <Foreign text={starting} limit={240} />
        </Text>
      )}
      {reason !== null && (
        <div className={classes.reason}>
          <Foreign text={reason} limit={240} />
        </div>
      )}
      {server.unresolved.length > 0 && (
        <Text size="sm" c="dimmed">
          Values to set:{' '}
          <span className="ts-mono">
            <Foreign text={server.unresolved.join(', ')} limit={200} />
          </span>
        </Text>
      )}
      <Group gap="sm" mt="auto" className={classes.cardFoot}>
        <Button
          size="compact-sm"
          variant="default"
          title={checkMeaning}
          leftSection={<IconRefresh size={14} aria-hidden />}
          disabled={busy}
          onClick={() => {
            check.mutate(undefined, { onError: showFailure });
          }}
        >
          Check
        </Button>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              ml="auto"
              aria-label={visibleText(`More for ${server.name}`)}
            >
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
              Edit
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTrash size={16} aria-hidden />}
              c="var(--ts-danger-ink)"
              onClick={onRemove}
            >
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </article>
  );
}
