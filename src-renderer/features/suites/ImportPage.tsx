import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { maximumSuiteFileBytes } from '../../../src-shared/contract/suites.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { showDone } from '../../ui/UndoNotice.tsx';
import { counted } from '../../ui/words.ts';
import classes from './ImportPage.module.css';
import { ImportReport } from './ImportReport.tsx';

interface Chosen {
  fileName: string;
  text: string;
}

/** Choose, look at what would happen, then confirm: until then nothing is written. */
export function ImportPage() {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [pasted, setPasted] = useState('');
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const preview = useMutation({ mutationFn: (chosen: Chosen) => client.suites.previewImport(chosen) });
  const write = useMutation({
    mutationFn: (given: Chosen & { replace: boolean }) => client.suites.import(given),
    onSuccess: async (suite) => {
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      showDone(`Imported suite “${suite.name}” with ${counted(suite.caseCount, 'case')}.`);
      await navigate(`/suites/${suite.id}`);
    },
  });

  const look = (chosen: Chosen): void => {
    write.reset();
    preview.mutate(chosen);
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    preview.reset();
    const limit = maximumSuiteFileBytes / 1024 / 1024;
    setTooLarge(file.size > maximumSuiteFileBytes ? `“${file.name}” is larger than ${limit} MB. Split it into several suites.` : null);
    if (file.size <= maximumSuiteFileBytes) look({ fileName: file.name, text: await file.text() });
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites', to: '/suites' }, { label: 'Import suite' }]}
        title="Import suite"
        subtitle="A suite file in YAML or JSON. You see what it would do before anything is written."
      />
      <Stack gap="lg" maw={860}>
        <div
          className={classes.drop}
          data-over={over || undefined}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => { setOver(false); }}
          onDrop={onDrop}
        >
          <IconFileUpload size={28} stroke={1.5} aria-hidden />
          <Text>Drop a suite file here, or</Text>
          <Button variant="default" onClick={() => picker.current?.click()}>
            Choose file
          </Button>
          <input
            ref={picker}
            type="file"
            accept=".yaml,.yml,.json,application/json,application/yaml"
            className="ts-visually-hidden"
            tabIndex={-1}
            aria-label="Suite file"
            onChange={(event) => {
              void take(event.currentTarget.files?.[0]);
              event.currentTarget.value = '';
            }}
          />
        </div>
        <Textarea
          label="Or paste its text"
          autosize
          minRows={4}
          maxRows={14}
          spellCheck={false}
          value={pasted}
          styles={{ input: { fontFamily: 'var(--ts-mono)', fontSize: 12 } }}
          onChange={(event) => {
            setPasted(event.currentTarget.value);
          }}
        />
        <Group>
          <Button
            variant="default"
            disabled={pasted.trim() === ''}
            onClick={() => {
              setTooLarge(null);
              look({ fileName: /^\s*[{[]/.test(pasted) ? 'pasted.json' : 'pasted.yaml', text: pasted });
            }}
          >
            Preview the pasted text
          </Button>
        </Group>
        <div aria-live="polite">
          {tooLarge !== null && <Text c="var(--ts-danger-ink)" className="ts-foreign">{tooLarge}</Text>}
          {preview.isPending && <Text c="dimmed">Reading {preview.variables.fileName} …</Text>}
          {preview.isError && <ErrorNotice error={preview.error} onRetry={() => { preview.mutate(preview.variables); }} />}
          {preview.isSuccess && (
            <ImportReport
              fileName={preview.variables.fileName}
              preview={preview.data}
              writing={write.isPending}
              onConfirm={() => {
                write.mutate({ ...preview.variables, replace: preview.data.replaces !== null });
              }}
              onCancel={() => { preview.reset(); }}
            />
          )}
          {write.isError && <ErrorNotice error={write.error} />}
        </div>
      </Stack>
    </>
  );
}
