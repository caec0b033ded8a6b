import { StatusBadge, type StatusTone } from './StatusBadge.tsx';

const tones: Record<string, StatusTone> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warning',
  low: 'idle',
};

/** The severity of a signal, by color, shape and word. */
export function SeverityBadge({
  severity,
  suffix = '',
  compact = false,
}: {
  severity: string;
  suffix?: string;
  compact?: boolean;
}) {
  return (
    <StatusBadge
      tone={tones[severity] ?? 'idle'}
      label={`${severity}${suffix}`}
      compact={compact}
    />
  );
}
