import { Box, Group, Select, NumberInput, TextInput } from '@mantine/core';
import { IconFileUpload, IconPlayerPlay, IconShieldSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from '../../ui/frame/useAddress.ts';
import { Action, typed, wholeNumber } from '../../ui/fields/controls.tsx';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import type { ScoreReport } from '../../../src-shared/domain/security.ts';
import { useApi, useRead } from '../../api/index.ts';
import { FoldedAdditions } from '../../models/AdditionFields.tsx';
import { ShownExport } from '../../saving/ExportMenu.tsx';
import { ChooseFile } from '../../ui/files/ChooseFile.tsx';
import { readText } from '../../ui/files/readText.ts';
import {
  EmptyState,
  ErrorNotice,
  Loaded,
  LoadingSkeleton,
  showFailure,
} from '../../ui/notices/notices.tsx';
import { judgeFaults, noJudge, readJudge, type JudgeForm } from './judgeForm.ts';
import { ReportView } from './ReportView.tsx';
import { SecurityHeader } from './SecurityHeader.tsx';
import { useDetectionGate, type DetectionGate } from './useDetectionGate.ts';
import { needsBaseUrl, remoteProviders } from '../../../src-shared/domain/provider.ts';

type Half = ScoreReport['half'];
const halves: { value: Half; label: string }[] = [
  { value: 'held-out', label: 'Held-out half (not used to write the rules)' },
  { value: 'development', label: 'Development half' },
  { value: 'all', label: 'All entries' },
];

/** Compares detectors on one corpus: the built-in ones, a model as judge, or external verdicts. */
export function DetectorsPage() {
  const { client } = useApi();
  const [params, change] = useAddress();
  const [judge, setJudge] = useState<JudgeForm>(noJudge);
  const corpora = useRead((ask) => ask.security.corpora);
  const corpusId = params.get('corpus') ?? corpora.data?.[0]?.id ?? null;
  const corpusName = corpora.data?.find(({ id }) => id === corpusId)?.name ?? '';
  const half = halves.find(({ value }) => value === params.get('half'))?.value ?? 'held-out';
  const set = (key: string, value: string | null): void => {
    change({ [key]: value });
    score.reset();
  };
  const score = useMutation({
    mutationFn: async (verdicts: File | null) => {
      const common = { corpusId: corpusId ?? '', half };
      if (verdicts !== null)
        return client.security.scoreVerdicts({
          ...common,
          name: verdicts.name,
          content: await readText(verdicts),
        });
      return client.security.score({ ...common, judge: readJudge(judge) });
    },
  });
  const gate = useDetectionGate(score.data ?? null);
  const faults = judgeFaults(judge);
  const ready = corpusId !== null && faults.size === 0;
  return (
    <>
      <SecurityHeader
        part="detectors"
        actions={
          <>
            <ShownExport
              subject="security"
              name={`detectors-${corpusName}`}
              without={gate.gates === null ? ['junit'] : []}
              shown={
                score.data
                  ? {
                      subject: 'score',
                      title: `Detectors on ${corpusName}`,
                      score: score.data,
                      gates: gate.gates,
                    }
                  : null
              }
            />
            <ChooseFile accept=".json,.sarif" onFiles={([file]) => score.mutate(file)}>
              {(props) => (
                <Action
                  label="Import verdicts"
                  {...props}
                  icon={IconFileUpload}
                  disabled={corpusId === null || score.isPending}
                />
              )}
            </ChooseFile>
            <Action
              label="Score detectors"
              filled
              icon={IconPlayerPlay}
              disabled={!ready}
              loading={score.isPending}
              onClick={() => score.mutate(null)}
            />
          </>
        }
      />
      <Loaded query={corpora} blocks={[60, 240]}>
        {(list) => (
          <>
            <Group align="end" gap="md" mb="lg">
              <Select
                label="Corpus"
                w={300}
                data={list.map(({ id, name, entries }) => ({
                  value: id,
                  label: `${name} (${formatCount(entries)})`,
                }))}
                value={corpusId}
                onChange={(value) => set('corpus', value)}
              />
              <Select
                label="Entries"
                w={320}
                data={halves}
                value={half}
                onChange={(value) => set('half', value)}
              />
              <BaselineFields gate={gate} />
              <JudgeFields form={judge} onChange={setJudge} />
            </Group>
            {judge.provider !== null && (
              <Box mb="lg">
                <FoldedAdditions
                  value={judge.additions}
                  when=" when the detectors are scored"
                  onChange={(additions) => setJudge({ ...judge, additions })}
                />
              </Box>
            )}
            <ErrorNotice error={score.error} />
            {score.isPending && <LoadingSkeleton blocks={[100, 320]} />}
            {score.isIdle && (
              <EmptyState
                icon={<IconShieldSearch stroke={1.5} />}
                message="Score the detectors to see how many attacks they find together, which ones they miss, and how many honest texts they flag. Without a model it takes seconds."
              />
            )}
            {score.data !== undefined && corpusId !== null && (
              <ReportView report={score.data} corpusId={corpusId} gate={gate} />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** A model as an additional detector, asked several times per entry. */
function JudgeFields(props: { form: JudgeForm; onChange: (form: JudgeForm) => void }) {
  const { form, onChange } = props;
  return (
    <>
      <Select
        label="Model as judge"
        w={180}
        placeholder="none"
        clearable
        data={remoteProviders}
        value={form.provider}
        onChange={(value) =>
          onChange({ ...form, provider: remoteProviders.find((each) => each === value) ?? null })
        }
      />
      {form.provider !== null && (
        <>
          <TextInput
            label="Model"
            w={180}
            {...typed(form.model, (model) => onChange({ ...form, model }))}
          />
          {needsBaseUrl(form.provider) && (
            <TextInput
              label="Base URL"
              w={220}
              {...typed(form.baseUrl, (baseUrl) => onChange({ ...form, baseUrl }))}
            />
          )}
          <NumberInput
            label="Runs"
            w={80}
            {...wholeNumber(form.runs, [1, 25], (runs) => onChange({ ...form, runs }))}
          />
        </>
      )}
    </>
  );
}

const none = 'none';
const own = 'own';
const noLimits = { corpusVersion: null, half: null, limits: {} };

/** What the detectors have to reach: a baseline that comes with the program, a file, or limits. */
function BaselineFields({ gate: { chosen, choose } }: { gate: DetectionGate }) {
  const { client } = useApi();
  const bundled = useRead((ask) => ask.security.baselines).data ?? [];
  const value = chosen === null ? none : (chosen.fileName ?? own);
  const fromFile =
    chosen?.fileName != null && !bundled.some(({ fileName }) => fileName === chosen.fileName)
      ? [{ value: chosen.fileName, label: chosen.fileName }]
      : [];
  const open = async (file: File): Promise<void> => {
    try {
      const content = await readText(file);
      const baseline = await client.security.readBaseline({ fileName: file.name, content });
      choose({ fileName: file.name, baseline });
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Group align="end" gap="xs">
      <Select
        label="Baseline"
        w={240}
        data={[
          { value: none, label: 'No gate' },
          ...bundled.map(({ fileName }) => ({ value: fileName, label: fileName })),
          ...fromFile,
          { value: own, label: 'Your own limits' },
        ]}
        value={value}
        onChange={(next) => {
          if (next === none) choose(null);
          else if (next === own) choose({ fileName: null, baseline: noLimits });
          else choose(bundled.find(({ fileName }) => fileName === next) ?? chosen);
        }}
      />
      <ChooseFile accept=".json" onFiles={([file]) => void open(file)}>
        {(props) => <Action label="Open baseline" {...props} icon={IconFileUpload} />}
      </ChooseFile>
    </Group>
  );
}
