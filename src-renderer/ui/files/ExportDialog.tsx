import { Group, Modal, Radio, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { Action } from '../fields/controls.tsx';
import { Loaded, Notice, type Query } from '../notices/notices.tsx';
import { PlainText } from '../text/Foreign.tsx';
import { saveTextFile } from './saveTextFile.ts';

const shownLosses = 100;

interface Exported {
  fileName: string;
  text: string;
}

interface ExportDialogProps<Format extends string, File extends Exported> {
  title: string;
  /** What the formats are called together. */
  label: string;
  formats: readonly { value: Format; label: string; mediaType: string }[];
  format: Format;
  onFormat: (format: Format) => void;
  /** What is exported, if it can be chosen here. */
  choice?: ReactNode;
  /** The file; a sentence where there is nothing to export. */
  file: Query<File> | string;
  /** What the format can't express, a sentence each. */
  lossesOf: (file: File) => readonly string[];
  /** What is said of a file with so many losses. */
  children: (file: File, losses: number) => ReactNode;
  onClose: () => void;
}

/** Exports to a file in a format to choose, and lists what would be lost before it is saved. */
export function ExportDialog<Format extends string, File extends Exported>(
  props: ExportDialogProps<Format, File>,
) {
  const { title, label, formats, format, onFormat, choice, file, onClose } = props;
  const chosen = formats.find(({ value }) => value === format);
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack gap="md">
        <Radio.Group
          label={label}
          value={format}
          onChange={(next) =>
            onFormat(formats.find(({ value }) => value === next)?.value ?? format)
          }
        >
          <Stack gap="xs" mt={4}>
            {formats.map((each) => (
              <Radio key={each.value} value={each.value} label={each.label} />
            ))}
          </Stack>
        </Radio.Group>
        {choice}
        {typeof file === 'string' ? (
          <p className="ts-quiet">{file}</p>
        ) : (
          <Loaded query={file} blocks={[120]}>
            {(made) => {
              const losses = props.lossesOf(made);
              return (
                <Stack gap="md">
                  {losses.length > 0 && <Losses losses={losses} />}
                  {props.children(made, losses.length)}
                  <Group>
                    <Action
                      label={losses.length > 0 ? 'Save anyway' : 'Save file'}
                      filled
                      onClick={() => {
                        saveTextFile(made.fileName, made.text, chosen?.mediaType ?? 'text/plain');
                        onClose();
                      }}
                    />
                    <Action label="Cancel" onClick={onClose} />
                  </Group>
                </Stack>
              );
            }}
          </Loaded>
        )}
      </Stack>
    </Modal>
  );
}

function Losses({ losses }: { losses: readonly string[] }) {
  return (
    <Notice tone="warning">
      <Text>{counted(losses.length, 'thing')} this format can’t express:</Text>
      <ul
        style={{ margin: '4px 0 0', paddingLeft: 20, maxHeight: 200, overflow: 'auto' }}
        tabIndex={0}
        aria-label="What would be lost"
      >
        {losses.slice(0, shownLosses).map((loss, index) => (
          <PlainText key={index} as="li" text={loss} />
        ))}
      </ul>
      {losses.length > shownLosses && (
        <Text size="sm">And {formatCount(losses.length - shownLosses)} more.</Text>
      )}
    </Notice>
  );
}
