import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { Action } from '../fields/Action.tsx';
import { CopyButton } from '../text/CopyButton.tsx';
import { describeError, errorDetails } from './describeError.ts';
import { PlainText } from '../text/PlainText.tsx';
import classes from './notice.module.css';

interface ErrorNoticeProps {
  error: unknown;
  onRetry?: () => void;
  /** Shown if the error does not say what failed. */
  title?: string;
}

/**
 * Shown next to what failed: what happened, why, and what to do. What doesn't exist is not asked for
 * again.
 */
export function ErrorNotice({ error, onRetry, title }: ErrorNoticeProps) {
  const described = describeError(error);
  return (
    <div role="alert" className={classes.notice} data-tone="danger">
      <IconAlertTriangle size={18} className={classes.icon} aria-hidden />
      <div className={classes.body}>
        <Text fw={600} className="ts-foreign">
          <PlainText text={title ?? described.thing} />
        </Text>
        <Text className="ts-foreign" style={{ whiteSpace: 'pre-wrap' }}>
          <PlainText
            text={title === undefined ? described.cause : `${described.thing}: ${described.cause}`}
          />
        </Text>
        {described.nextStep !== '' && (
          <Text className="ts-foreign" c="dimmed">
            <PlainText text={described.nextStep} />
          </Text>
        )}
        <Group gap="sm" mt="sm">
          {onRetry !== undefined && described.code !== 'NOT_FOUND' && (
            <Action label="Try again" small icon={IconRefresh} onClick={onRetry} />
          )}
          <CopyButton label="Copy details" text={() => errorDetails(error)} />
        </Group>
      </div>
    </div>
  );
}
