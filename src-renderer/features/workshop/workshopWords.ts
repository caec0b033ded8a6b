import type { ExecutionStatus } from '../../../src-shared/domain/toolExecution.ts';
import type { ToolStatus } from '../../../src-shared/domain/workshop.ts';
import type { StatusTone } from '../../ui/badges/StatusBadge.tsx';

export const statusWords: Record<ToolStatus, { tone: StatusTone; label: string; act: string }> = {
  DRAFT: { tone: 'idle', label: 'Draft', act: '' },
  ACTIVE: { tone: 'good', label: 'Active', act: 'Activate' },
  DEPRECATED: { tone: 'warning', label: 'Deprecated', act: 'Deprecate' },
  DISABLED: { tone: 'stopped', label: 'Disabled', act: 'Disable' },
};

export const executionWords: Record<ExecutionStatus, { tone: StatusTone; label: string }> = {
  PENDING: { tone: 'idle', label: 'Waiting' },
  RUNNING: { tone: 'busy', label: 'Running' },
  SUCCESS: { tone: 'good', label: 'Success' },
  FAILED: { tone: 'bad', label: 'Failed' },
  TIMEOUT: { tone: 'warning', label: 'Timed out' },
  CANCELLED: { tone: 'stopped', label: 'Canceled' },
};
