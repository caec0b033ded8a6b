import { Kbd } from '@mantine/core';
import { writtenKeys } from './shortcutKeys.ts';

const onMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys as this system writes them. */
export function Keys({ keys }: { keys: string }) {
  return <Kbd size="xs">{writtenKeys(keys, onMac)}</Kbd>;
}
