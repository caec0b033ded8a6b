import { FileButton } from '@mantine/core';
import { type ReactElement, useRef } from 'react';

interface ChooseFileProps {
  /** Endings and kinds of media, as a file field takes them. */
  accept: string;
  multiple?: boolean;
  /** At least one. */
  onFiles: (files: [File, ...File[]]) => void;
  /** What opens the system's dialog. */
  children: (props: { onClick: () => void }) => ReactElement;
}

/**
 * A button that takes files. It forgets them at once: the same file, mended meanwhile, can be
 * chosen again.
 */
export function ChooseFile({ accept, multiple = false, onFiles, children }: ChooseFileProps) {
  const forget = useRef<() => void>(null);
  return (
    <FileButton
      multiple
      inputProps={{ multiple }}
      accept={accept}
      resetRef={forget}
      onChange={([first, ...others]) => {
        forget.current?.();
        if (first !== undefined) onFiles([first, ...others]);
      }}
    >
      {children}
    </FileButton>
  );
}
