import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

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
