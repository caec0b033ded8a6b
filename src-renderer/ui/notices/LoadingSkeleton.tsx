import { Skeleton, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';

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
