import { Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { Action } from '../fields/controls.tsx';
import classes from './FileDrop.module.css';
import { manyFilesText } from './readText.ts';

interface FileDropProps {
  /** What can be dropped, with its article: “a suite file”. */
  what: string;
  /** The accessible name of the file field. */
  label: string;
  accept?: string;
  onFile: (file: File) => void;
}

/** An area to drop one file on, or to choose one. */
export function FileDrop({ what, label, accept, onFile }: FileDropProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [dropped, setDropped] = useState(0);
  const take = (file: File | undefined): void => {
    if (file !== undefined) onFile(file);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const { files } = event.dataTransfer;
    setDropped(files.length);
    if (files.length === 1) take(files[0]);
  };
  return (
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <IconFileUpload size={28} stroke={1.5} aria-hidden />
      <Text>Drop {what} here, or</Text>
      <Action label="Choose file" onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        {...(accept === undefined ? {} : { accept })}
        className="ts-visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          setDropped(0);
          take(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      {dropped > 1 && (
        <Text c="var(--ts-danger-ink)" role="alert" className={classes.problem}>
          {manyFilesText(dropped)}
        </Text>
      )}
    </div>
  );
}
