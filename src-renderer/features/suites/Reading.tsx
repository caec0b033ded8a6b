import { Checkbox, Group, Paper, Stack, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Action, ticked } from '../../ui/fields/controls.tsx';
import {
  dataText,
  readingConsent,
  readingText,
} from '../../../src-shared/display/executionTexts.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { useApi, useRead } from '../../api/index.ts';
import { ErrorNotice, Loaded, Notice } from '../../ui/notices/notices.tsx';
import { Foreign, PlainText } from '../../ui/text/Foreign.tsx';
import { type CheckForm, jsonText } from './checkForm.ts';
import { type Place, readingPlaces } from './readingPlaces.ts';
import classes from './suite.module.css';
import { readingOf, type ToolCallForm } from './taskForm.ts';

type Picked = Pick<CheckForm, 'at' | 'test' | 'expected'>;

interface ReadingProps {
  number: number;
  check: CheckForm;
  /** Calls that prepare the servers, as they do before a run. */
  setup: readonly ToolCallForm[];
  onPick: (picked: Picked) => void;
}

/**
 * Runs the tool of a check now, after the setup of its task, so that its expected value is picked
 * from a real result. What is executed is said first, and agreed to where not all of it only reads.
 */
export function Reading({ number, check, setup, onPick }: ReadingProps) {
  const [asked, setAsked] = useState<string | null>(null);
  const wanted = readingOf(setup, check);
  const cover = JSON.stringify(wanted);
  const isAsked = wanted.ok && asked === cover;
  return (
    <>
      <Group gap="sm">
        <Action
          label="Pick from a reading"
          small
          disabled={!wanted.ok || isAsked}
          aria-label={`Pick from a reading for check ${number}`}
          onClick={() => setAsked(cover)}
        />
        <p className="ts-hint">
          {wanted.ok
            ? 'Runs the tool once, after the setup. Click the value that you expect.'
            : wanted.problem}
        </p>
      </Group>
      {isAsked && (
        <ReadNow
          key={cover}
          {...wanted}
          onPick={(picked) => {
            setAsked(null);
            onPick(picked);
          }}
        />
      )}
    </>
  );
}

interface ReadNowProps extends Omit<Extract<ReturnType<typeof readingOf>, { ok: true }>, 'ok'> {
  onPick: (picked: Picked) => void;
}

function ReadNow({ setup, read, onPick }: ReadNowProps) {
  const { client } = useApi();
  const [agreed, setAgreed] = useState(false);
  const plan = useRead((ask) => ask.evaluations.planReading, {
    input: { setup, read },
    staleTime: 0,
  });
  const reading = useMutation({
    mutationFn: (agreedServers: string[]) =>
      client.evaluations.readState({ setup, read, agreedServers }),
  });
  return (
    <Paper withBorder p="sm" role="group" aria-label="Reading">
      <Loaded query={plan} blocks={[60]}>
        {(found) => (
          <Stack gap="sm">
            <Notice tone={dataText(found).isReal ? 'warning' : 'neutral'}>
              <PlainText text={readingText(found)} />
            </Notice>
            {found.mode === 'full' && (
              <Checkbox
                label={<PlainText text={readingConsent(found)} />}
                {...ticked(agreed, setAgreed)}
              />
            )}
            <Group>
              <Action
                label={reading.isSuccess ? 'Run it again' : 'Run it now'}
                small
                loading={reading.isPending}
                disabled={found.mode === 'full' && !agreed}
                onClick={() => reading.mutate(agreed ? found.servers : [])}
              />
            </Group>
          </Stack>
        )}
      </Loaded>
      <div aria-live="polite">
        <ErrorNotice error={reading.error} />
        {reading.data?.isError === true && (
          <Notice tone="warning">
            The tool answered with an error, which no check passes:{' '}
            <Foreign text={shortText(reading.data.value)} limit={400} />
          </Notice>
        )}
        {reading.data?.isError === false && <Places value={reading.data.value} onPick={onPick} />}
      </div>
    </Paper>
  );
}

/** More places are picked by writing their pointer. */
const maxPlaces = 300;

const shortText = (value: JsonValue): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 400);

function Places({ value, onPick }: { value: JsonValue; onPick: (picked: Picked) => void }) {
  const { places, more } = readingPlaces(value, maxPlaces);
  return (
    <>
      <ul className={classes.places} aria-label="Result">
        {places.map((place) => (
          <li key={place.at} style={{ paddingLeft: place.depth * 14 }}>
            <UnstyledButton
              className={`${classes.place} ts-mono`}
              title={`Expect this value at ${place.at === '' ? 'the whole result' : place.at}`}
              onClick={() =>
                onPick({ at: place.at, test: 'matches', expected: jsonText(place.value) })
              }
            >
              <PlaceText place={place} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {more && (
        <p className="ts-hint">
          Shows the first {maxPlaces} values. Write the pointer of another one above.
        </p>
      )}
    </>
  );
}

function PlaceText({ place: { at, name, value } }: { place: Place }) {
  return (
    <>
      {at === '' ? 'whole result' : <PlainText text={name} />}:{' '}
      <Foreign as="b" text={JSON.stringify(value)} limit={80} />
    </>
  );
}
