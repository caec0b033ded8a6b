import { FileButton } from '@mantine/core';
import { type ReactElement, useRef } from 'react';

interface ChooseFileProps {
  /** File extensions and media types, as a file input takes them. */
  accept: string;
  multiple?: boolean;
  /** Holds at least one file. */
  onFiles: (files: [File, ...File[]]) => void;
  /** The element that opens the system's dialog. */
  children: (props: { onClick: () => void }) => ReactElement;
}

/**
 * A button to choose files. It clears its selection at once, so that the same file can be chosen
 * again after it was fixed.
 */
export function ChooseFile({ accept, multiple = false, onFiles, children }: ChooseFileProps) {
  const resetField = useRef<() => void>(null);
  return (
    <FileButton
      multiple
      inputProps={{ multiple }}
      accept={accept}
      resetRef={resetField}
      onChange={([first, ...others]) => {
        resetField.current?.();
        if (first !== undefined) onFiles([first, ...others]);
      }}
    >
      {children}
    </FileButton>
  );
}
