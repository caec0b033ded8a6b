import { Group, Skeleton, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
  IconListSearch,
  IconRefresh,
} from '@tabler/icons-react';
import { hideNotification, showNotification, updateNotification } from '@mantine/notifications';
import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createStore, useStore } from '../../state/createStore.ts';
import { Action } from '../fields/controls.tsx';
import { CopyButton } from '../text/CopyButton.tsx';
import { PlainText } from '../text/Foreign.tsx';
import { describeError, errorDetails } from './describeError.ts';
import illustration from './Illustration.module.css';
import classes from './notice.module.css';

export interface Query<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  query: Query<T>;
  /** Heights of the blocks of the placeholder. */
  blocks?: number[];
  label?: string;
  children: (data: T) => ReactNode;
}

/**
 * Renders a query in its three states: loading, failed, loaded. Loaded data stays in view when a
 * later refresh fails.
 */
export function Loaded<T>({ query, blocks, label, children }: LoadedProps<T>) {
  const retry = (): void => void query.refetch();
  if (query.data === undefined && query.error == null)
    return <LoadingSkeleton {...(blocks && { blocks })} {...(label !== undefined && { label })} />;
  return (
    <>
      <ErrorNotice error={query.error} onRetry={retry} />
      {query.data !== undefined && children(query.data)}
    </>
  );
}

/**
 * True once the component has been shown for `delay` milliseconds, so that quick answers never
 * flash a skeleton.
 */
function useSlow(delay = 200): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), delay);
    return () => {
      clearTimeout(timer);
    };
  }, [delay]);
  return slow;
}

interface LoadingSkeletonProps {
  /** Heights in pixels of the blocks of the final layout, top to bottom. */
  blocks?: number[];
  label?: string;
}

/** A placeholder in the size of the final layout, so that nothing jumps. */
export function LoadingSkeleton(props: LoadingSkeletonProps) {
  const { blocks = [32, 120, 120], label = 'Loading' } = props;
  const slow = useSlow();
  return (
    <Stack
      gap="md"
      mb="xl"
      role="status"
      aria-label={label}
      aria-busy="true"
      style={{ visibility: slow ? 'visible' : 'hidden' }}
    >
      {blocks.map((height, index) => (
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </Stack>
  );
}

interface ErrorNoticeProps {
  /** Nothing is shown without one. */
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
  if (error == null) return null;
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

const icons = {
  neutral: IconInfoCircle,
  warning: IconAlertTriangle,
  good: IconCircleCheck,
  danger: IconAlertTriangle,
};

/** A notice inside a page; errors of calls use ErrorNotice. */
export function Notice(props: { tone?: keyof typeof icons; children: ReactNode }) {
  const { tone = 'neutral', children } = props;
  const Icon = icons[tone];
  return (
    <div className={classes.notice} data-tone={tone} role="note">
      <Icon size={18} className={classes.icon} aria-hidden />
      <div className={classes.body}>{children}</div>
    </div>
  );
}

interface EmptyStateProps {
  /** One sentence. */
  message: string;
  /** The one next action. */
  action?: ReactNode;
  second?: ReactNode;
  icon?: ReactNode;
}

export function EmptyState({ message, action, second, icon }: EmptyStateProps) {
  return (
    <Stack
      align="center"
      gap="md"
      py={40}
      px="lg"
      className="ts-panel"
      style={{ borderStyle: 'dashed' }}
    >
      <Illustration>{icon ?? <IconListSearch stroke={1.5} />}</Illustration>
      <Text ta="center" c="dimmed" maw={520}>
        <PlainText text={message} />
      </Text>
      {(action !== undefined || second !== undefined) && (
        <Group gap="sm" justify="center">
          {action}
          {second}
        </Group>
      )}
    </Stack>
  );
}

/** A stack of cards with an icon on the front one: the picture of every empty state. */
function Illustration({ children }: { children: ReactNode }) {
  return (
    <span className={illustration.picture} aria-hidden>
      <svg width="132" height="92" viewBox="0 0 132 92">
        <rect className={illustration.back} x="22" y="6" width="88" height="56" rx="8" />
        <rect className={illustration.middle} x="14" y="14" width="104" height="60" rx="8" />
        <rect className={illustration.front} x="6" y="24" width="120" height="64" rx="8" />
        <path className={illustration.lines} d="M66 44h44M66 56h34M66 68h40" />
        <path className={illustration.streak} d="M116 24l10 10" />
      </svg>
      <span className={illustration.icon}>{children}</span>
    </span>
  );
}

interface Undoable {
  id: string;
  /** What happened, in the past tense. */
  message: string;
  undo: () => Promise<unknown>;
}

const last = createStore<Undoable | null>(null);
let count = 0;

async function undoEntry(entry: Undoable): Promise<void> {
  hideNotification(entry.id);
  if (last.get() === entry) last.set(null);
  try {
    await entry.undo();
    showToast('Undone.', 3000);
  } catch (error) {
    showErrorNotice(error, 'Could not undo: ');
  }
}

/**
 * Shows what was done, with an Undo button. After the notice has gone, Ctrl/Cmd+Z and the palette
 * can still undo it.
 */
export function showUndo(message: string, undo: () => Promise<unknown>): void {
  count += 1;
  const entry: Undoable = { id: `undo-${count}`, message, undo };
  last.set(entry);
  showNotification({
    id: entry.id,
    autoClose: 12_000,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Text className="ts-foreign" lineClamp={3}>
          <PlainText text={message} />
        </Text>
        <Action label="Undo" small style={{ flex: 'none' }} onClick={() => void undoEntry(entry)} />
      </Group>
    ),
  });
}

/** A short confirmation without Undo. */
export function showDone(message: string): void {
  showToast(message);
}

/** Shows the error of an action that has no place of its own on the screen. */
export function showFailure(error: unknown): void {
  showErrorNotice(error);
}

function showErrorNotice(error: unknown, head = ''): void {
  const { thing, cause, nextStep } = describeError(error);
  const text = (value: string) => <PlainText as="span" className="ts-foreign" text={value} />;
  showNotification({
    title: text(`${head}${thing}`),
    message: text(`${cause} ${nextStep}`.trim()),
    color: 'vermilion',
    autoClose: false,
  });
}

/** The last action that can still be undone. */
export function useLastUndo(): { message: string; run: () => void } | null {
  const entry = useStore(last);
  if (entry === null) return null;
  return { message: entry.message, run: () => void undoEntry(entry) };
}

const shown = new Map<string, { id: string; count: number }>();
let made = 0;

/** A short message. While the same message is shown, it is counted instead of shown again. */
function showToast(message: string, autoClose = 4000): void {
  const before = shown.get(message);
  const count = (before?.count ?? 0) + 1;
  if (before === undefined) made += 1;
  const id = before?.id ?? `toast-${made}`;
  shown.set(message, { id, count });
  const toast = {
    id,
    message: (
      <>
        <PlainText text={message} />
        {count > 1 && ` (${count})`}
      </>
    ),
    autoClose,
    onClose: () => shown.delete(message),
  };
  if (before === undefined) showNotification(toast);
  else updateNotification(toast);
}

type After<Output, Input> = Omit<
  UseMutationOptions<Output, Error, Input>,
  'mutationFn' | 'onError'
>;

/** A change whose error has no place of its own on the screen: a notice shows it. */
export const useAct = <Output, Input = void>(
  act: (input: Input) => Promise<Output>,
  after: After<Output, Input> = {},
) => useMutation({ ...after, mutationFn: act, onError: showFailure });
