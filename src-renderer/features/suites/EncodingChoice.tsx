import { Select, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Action, choosing } from '../../ui/fields/controls.tsx';
import {
  decodeText,
  type EncodingProblem,
  offeredEncodings,
  presetEncoding,
} from '../../../src-shared/display/decodeText.ts';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { decodedLines } from './decodedLines.ts';
import classes from './ImportPage.module.css';

/** A chosen file that isn't UTF-8. */
export interface UndecodedFile {
  fileName: string;
  bytes: Uint8Array;
  problem: EncodingProblem;
}

interface EncodingChoiceProps {
  file: UndecodedFile;
  previewed: boolean;
  /** Another encoding is chosen, so that nothing that was read before holds. */
  onChange: () => void;
  onDecoded: (text: string) => void;
}

/** Asks for the encoding of a file, and shows what its lines read like in it. */
export function EncodingChoice({ file, previewed, onChange, onDecoded }: EncodingChoiceProps) {
  const { fileName, bytes, problem } = file;
  const [encoding, setEncoding] = useState(problem.suggestion ?? presetEncoding);
  const decoded = useMemo(() => decodeText(bytes, encoding), [bytes, encoding]);
  const lines = decoded.text === null ? [] : decodedLines(decoded.text);
  return (
    <section className={`ts-panel ${classes.report ?? ''}`} aria-label="Encoding of the file">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4" className="ts-foreign">
          Which encoding does “
          <PlainText text={fileName} />” have?
        </Title>
        <Text>Choose the one in which the lines below read right. The file stays as it is.</Text>
        <Select
          w={260}
          label="Encoding"
          searchable
          data={[...new Set([encoding, ...offeredEncodings])]}
          {...choosing(encoding, (chosen) => {
            setEncoding(chosen);
            onChange();
          })}
        />
        {decoded.problem !== null ? (
          <Text c="var(--ts-danger-ink)">
            Line {decoded.problem.line}, column {decoded.problem.column}: {decoded.problem.cause}{' '}
            Choose another encoding.
          </Text>
        ) : (
          <div className={classes.decoded}>
            <ul className={classes.problems} tabIndex={0} aria-label="Decoded text">
              {lines.map(({ line, text }) => (
                <li key={line}>
                  <span className="ts-mono ts-number">line {line}</span>
                  <PlainText as="span" className="ts-foreign" text={text} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <Action
          label="Preview the import"
          filled={!previewed}
          disabled={decoded.text === null}
          onClick={() => {
            if (decoded.text !== null) onDecoded(decoded.text);
          }}
        />
        <p className="ts-quiet">
          Line {problem.line}, column {problem.column}: {problem.cause}
        </p>
      </Stack>
    </section>
  );
}
