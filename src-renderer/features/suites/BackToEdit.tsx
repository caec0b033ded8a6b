import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';

/** The way back to the edit of a tool for which cases are added, if this page was opened from it. */
export function BackToEdit() {
  const [params] = useSearchParams();
  const back = params.get('back');
  if (back?.startsWith('/tools/') !== true) return null;
  return (
    <Button
      component={Link}
      to={back}
      variant="default"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
    >
      Back to the edit
    </Button>
  );
}
