import { Button, MultiSelect, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { embeddingProviderAt } from '../../../src-shared/domain/provider.ts';
import { WorkBar } from '../../ui/progress/WorkBar.tsx';
import classes from './similarity.module.css';
import type { AnalyseInput, SimilarityWork } from './similarityWork.ts';

interface SimilarityFormProps {
  servers: readonly string[];
  work: SimilarityWork;
  onStart: (input: AnalyseInput) => void;
  onCancel: () => void;
}

const stages = {
  listing: 'listing tools',
  embedding: 'asking for embeddings',
  preparing: 'reading the tools',
  comparing: 'comparing',
};

/** Chooses what to compare and how. */
export function SimilarityForm({ servers, work, onStart, onCancel }: SimilarityFormProps) {
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [only, setOnly] = useState<string[]>([]);
  const [full, setFull] = useState(false);
  const [embed, setEmbed] = useState(false);
  const [model, setModel] = useState('');
  const [baseUrl, setBaseUrl] = useState('');
  const named = chosen ?? [...servers];
  const choosable = work.seen.filter((id) => named.some((server) => id.startsWith(`${server}:`)));
  const tools = only.filter((id) => choosable.includes(id));
  const ready = named.length > 0 && tools.length !== 1 && (!embed || model.trim() !== '');
  const start = (): void => {
    const address = baseUrl.trim();
    onStart({
      input: { serverList: named },
      ...(tools.length === 0 ? {} : { toolIds: tools }),
      computeFullSimilarity: full,
      embeddingModel: embed
        ? {
            provider: embeddingProviderAt(address || null),
            model: model.trim(),
            baseUrl: address === '' ? null : address,
          }
        : null,
    });
  };
  const { progress } = work;
  return (
    <div className={`ts-panel ${classes.form ?? ''}`}>
      <MultiSelect
        className={classes.servers ?? ''}
        label="Servers"
        data={[...servers]}
        value={named}
        onChange={setChosen}
        searchable
        hidePickedOptions
        placeholder={named.length === 0 ? 'Choose servers' : ''}
      />
      {choosable.length > 0 && (
        <MultiSelect
          className={classes.servers ?? ''}
          label="Only these tools"
          data={choosable}
          value={tools}
          onChange={setOnly}
          searchable
          clearable
          hidePickedOptions
          limit={200}
          error={tools.length === 1 ? 'Choose at least two.' : undefined}
          placeholder={tools.length === 0 ? 'all' : ''}
        />
      )}
      <Switch
        label="Compare names and parameters too"
        checked={full}
        onChange={(event) => {
          setFull(event.currentTarget.checked);
        }}
      />
      <Switch
        label="Embeddings"
        checked={embed}
        onChange={(event) => {
          setEmbed(event.currentTarget.checked);
        }}
      />
      {embed && (
        <>
          <TextInput
            label="Embedding model"
            placeholder="text-embedding-3-small"
            value={model}
            onChange={(event) => {
              setModel(event.currentTarget.value);
            }}
            maxLength={200}
          />
          <TextInput
            label="Base URL"
            placeholder="empty: OpenAI"
            value={baseUrl}
            onChange={(event) => {
              setBaseUrl(event.currentTarget.value);
            }}
          />
        </>
      )}
      {work.running ? (
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      ) : (
        <Button disabled={!ready} onClick={start}>
          Compare tools
        </Button>
      )}
      {work.running && (
        <div className={classes.progress}>
          <WorkBar
            label="Similarity analysis"
            done={progress?.done ?? 0}
            total={progress?.total ?? 1}
            pace={
              progress?.stage === 'comparing'
                ? { done: progress.done, total: progress.total, since: work.startedAt }
                : null
            }
            unit={progress?.stage === 'embedding' ? 'text' : 'part'}
            stage={stages[progress?.stage ?? 'listing']}
          />
        </div>
      )}
    </div>
  );
}
