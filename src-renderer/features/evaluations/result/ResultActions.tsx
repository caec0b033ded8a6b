import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type Evaluation, hasEnded } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationActs } from './useEvaluationActs.ts';

const resumable = ['incomplete', 'cancelled', 'interrupted'];

export function ResultActions({ evaluation, acts }: { evaluation: Evaluation; acts: EvaluationActs }) {
  const [asking, setAsking] = useState(false);
  const ended = hasEnded(evaluation.state);
  const fromFile = evaluation.settings.suiteId === null;
  return (
    <>
      {!ended && (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={acts.cancel.isPending}
          onClick={() => {
            acts.cancel.mutate();
          }}
        >
          Cancel
        </Button>
      )}
      {resumable.includes(evaluation.state) && (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={acts.resume.isPending}
          onClick={() => {
            acts.resume.mutate();
          }}
        >
          Resume
        </Button>
      )}
      <Button
        variant={ended ? 'filled' : 'default'}
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={acts.rerun.isPending}
        disabled={fromFile}
        {...(fromFile ? { title: 'Its suite came from a file; start it again from there.' } : {})}
        onClick={() => {
          acts.rerun.mutate();
        }}
      >
        Re-run
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label="More actions">
            <IconDots size={18} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={!ended}
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => {
              acts.rescore.mutate();
            }}
          >
            Re-score
          </Menu.Item>
          <Menu.Item
            disabled={!ended}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              setAsking(true);
            }}
          >
            Delete raw traffic
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="vermilion"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              acts.remove.mutate(evaluation.id);
            }}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={asking}
        onClose={() => {
          setAsking(false);
        }}
        title="Delete raw traffic"
      >
        <Text>
          The raw requests and responses of evaluation #{evaluation.number} go for good. Scores, calls and reasons stay, and it can still be scored
          again. This cannot be undone.
        </Text>
        <Group justify="flex-end" gap="sm" mt="lg">
          <Button
            variant="default"
            onClick={() => {
              setAsking(false);
            }}
          >
            Keep
          </Button>
          <Button
            color="vermilion"
            onClick={() => {
              setAsking(false);
              acts.deleteRaw.mutate();
            }}
          >
            Delete raw traffic
          </Button>
        </Group>
      </Modal>
    </>
  );
}
