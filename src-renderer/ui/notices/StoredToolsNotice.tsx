import { Box } from '@mantine/core';
import { PlainText } from '../text/Foreign.tsx';
import { Notice } from './notices.tsx';

/** One line for all servers that can't be reached and whose stored tools are shown. */
export function StoredToolsNotice({ line }: { line: string | null }) {
  return line === null ? null : (
    <Box mb="sm">
      <Notice tone="warning">
        <PlainText text={line} />
      </Notice>
    </Box>
  );
}
