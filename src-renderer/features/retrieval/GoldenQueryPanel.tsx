import {
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Action, RemoveButton, choosing, ticked, typed } from '../../ui/fields/controls.tsx';
import type { GoldenQuery } from '../../../src-shared/domain/retrieval.ts';
import { Cut } from '../../ui/text/Foreign.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';
import { flagHard, nearTool, searchTools, setLabel } from './goldenForm.ts';
import classes from './retrieval.module.css';

interface PanelProps {
  query: GoldenQuery;
  taken: readonly string[];
  tools: readonly { toolId: string; description: string }[];
  onChange: (query: GoldenQuery) => void;
  onRemove: () => void;
  onClose: () => void;
}

const grades = [
  { value: '2', label: 'primary' },
  { value: '1', label: 'acceptable' },
  { value: '0', label: 'not relevant' },
];
const gradeOf = (value: string): 0 | 1 | 2 => (value === '2' ? 2 : value === '1' ? 1 : 0);

/**
 * One query with its labels: search tools and grade them. A hard negative names the tool that its
 * words also match.
 */
export function GoldenQueryPanel({ query, taken, tools, onChange, onRemove, onClose }: PanelProps) {
  const [search, setSearch] = useState('');
  const [id, setId] = useState(query.id);
  const near = nearTool(query);
  const labeled = new Set(query.labels.map(({ tool_id }) => tool_id));
  const found = searchTools(tools, search === '' ? query.query : search).filter(
    ({ toolId }) => !labeled.has(toolId),
  );
  const idFault =
    id.trim() === ''
      ? 'Enter an ID.'
      : taken.includes(id)
        ? 'This ID is used by another query.'
        : null;
  return (
    <SidePanel
      title={query.query === '' ? 'New query' : query.query}
      onClose={onClose}
      footer={<Action label="Remove query" icon={IconTrash} onClick={onRemove} />}
    >
      <Stack gap="md">
        <TextInput
          label="ID"
          {...typed(id, setId)}
          error={idFault}
          maxLength={200}
          onBlur={() => {
            if (idFault === null && id !== query.id) onChange({ ...query, id });
          }}
        />
        <Textarea
          label="Query"
          description="As written by someone who doesn’t know the tools"
          minRows={2}
          maxLength={20_000}
          {...typed(query.query, (text) => onChange({ ...query, query: text }))}
        />
        <div>
          <Text size="sm" fw={500} mb={4}>
            Labels
          </Text>
          <div className={classes.labels}>
            {query.labels.map(({ tool_id, relevance }) => (
              <div key={tool_id} className={classes.label}>
                <Cut text={tool_id} mono />
                <span style={{ display: 'flex', gap: 4, flex: 'none', alignItems: 'center' }}>
                  <SegmentedControl
                    aria-label={`Relevance of ${tool_id}`}
                    data={grades}
                    value={String(relevance)}
                    onChange={(value) => onChange(setLabel(query, tool_id, gradeOf(value)))}
                  />
                  <Tooltip label="Remove label">
                    <RemoveButton
                      label={`Remove label ${tool_id}`}
                      onClick={() => onChange(setLabel(query, tool_id, null))}
                    />
                  </Tooltip>
                </span>
              </div>
            ))}
            {query.labels.length === 0 && (
              <p className="ts-quiet">No labels yet. Queries without labels can’t be scored.</p>
            )}
          </div>
        </div>
        <div>
          <TextInput
            label="Label a tool"
            placeholder="search by name or description"
            {...typed(search, setSearch)}
          />
          <div className={classes.labels} style={{ marginTop: 8 }}>
            {found.slice(0, 8).map(({ toolId, description }) => (
              <div key={toolId} className={classes.label}>
                <span style={{ minWidth: 0 }}>
                  <Cut text={toolId} mono />
                  <br />
                  <span className={classes.second}>
                    <Cut text={description} />
                  </span>
                </span>
                <Action
                  label="Label"
                  small
                  style={{ flex: 'none' }}
                  onClick={() => onChange(setLabel(query, toolId, 2))}
                />
              </div>
            ))}
          </div>
        </div>
        <Switch
          label="Hard negative: the query also fits another tool"
          {...ticked(near !== null, (isOn) =>
            onChange(
              flagHard(
                query,
                isOn
                  ? (query.labels.find(({ relevance }) => relevance === 0)?.tool_id ??
                      found[0]?.toolId ??
                      tools[0]?.toolId ??
                      null)
                  : null,
              ),
            ),
          )}
        />
        {near !== null && (
          <Select
            label="The wrong tool that it resembles"
            searchable
            limit={50}
            data={tools.map(({ toolId }) => toolId)}
            {...choosing(near, (tool) => onChange(flagHard(query, tool)))}
          />
        )}
      </Stack>
    </SidePanel>
  );
}
