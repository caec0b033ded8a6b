import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import {
  decodeText,
  type EncodingProblem,
  offeredEncodings,
  presetEncoding,
} from '../../../src-shared/display/decodeText.ts';
import { PlainText } from '../../ui/text/PlainText.tsx';
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
  onDecoded: (text: string) => void;
}

/** Asks for the encoding of a file, and shows what its lines read like in it. */
export function EncodingChoice({ file, onDecoded }: EncodingChoiceProps) {
  const { fileName, bytes, problem } = file;
  const suggestion = problem.suggestion ?? presetEncoding;
  const [encoding, setEncoding] = useState<string>(suggestion);
  const decoded = useMemo(() => decodeText(bytes, encoding), [bytes, encoding]);
  const lines = decoded.text === null ? [] : decodedLines(decoded.text);
  return (
    <section className="ts-panel" aria-label="Encoding of the file">
      <Stack gap="sm">
        <Text>
          “<PlainText text={fileName} />
          ”, line {problem.line}, column {problem.column}: {problem.cause} Choose its encoding so
          that the text below reads right.
        </Text>
        <Group align="flex-end">
          <Select
            w={260}
            label="Encoding"
            allowDeselect={false}
            searchable
            data={[...new Set([suggestion, ...offeredEncodings])]}
            value={encoding}
            onChange={(value) => {
              if (value !== null) setEncoding(value);
            }}
          />
          <Button
            disabled={decoded.text === null}
            onClick={() => {
              if (decoded.text !== null) onDecoded(decoded.text);
            }}
          >
            Preview the import
          </Button>
        </Group>
        {decoded.problem !== null ? (
          <Text c="var(--ts-danger-ink)">
            Line {decoded.problem.line}, column {decoded.problem.column}: {decoded.problem.cause}
          </Text>
        ) : (
          <ul className={classes.problems} aria-label="Decoded text">
            {lines.map(({ line, text }) => (
              <li key={line}>
                <span className="ts-mono ts-number">{line}</span>
                <span className="ts-foreign">
                  <PlainText text={text} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </section>
  );
}
