import { Button, Group, Select } from '@mantine/core';
import { useState, type ComponentType } from 'react';
import { lintSeverities, type LintReport } from '../../../../src-shared/domain/lint.ts';
import {
  qualityHeadline,
  qualityTitle,
  ruleCosts,
  type RuleCost,
} from '../../../../src-shared/display/qualityTexts.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { SeverityIcon } from '../../../ui/badges/SeverityBadge.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { WithPanel } from '../../../ui/panels/SidePanel.tsx';
import { counted } from '../../../ui/text/words.ts';
import { ScoreChart } from './ScoreChart.tsx';
import { ServerScores } from './ServerScores.tsx';
import { ToolFindings } from './ToolFindings.tsx';
import { ToolQualityPanel } from './ToolQualityPanel.tsx';
import { matchesFilter, toolRows, type ToolRow } from './toolRows.ts';
import type { FilterChanges, useQualityFilter } from './useQualityFilter.ts';
import classes from './quality.module.css';
import { noun } from '../../../../src-shared/display/numbers.ts';
import { formatCount } from '../../../ui/estimate/format.ts';

interface QualityViewProps {
  report: LintReport;
  filter: ReturnType<typeof useQualityFilter>['filter'];
  change: (changes: FilterChanges) => void;
  off: readonly string[];
  FixFailures: ComponentType<{ tool: string }>;
}

/** The verdict, where points are lost, and the tools with their deductions, worst first. */
export function QualityView({ report, filter, change, off, FixFailures }: QualityViewProps) {
  const { tools, findings, servers } = report;
  const rows = toolRows(report);
  const opened = rows.find(({ toolId }) => toolId === filter.tool);
  const costs = ruleCosts(tools);
  if (tools.length === 0) return <EmptyState message="The servers offer no tools." />;
  return (
    <>
      <div className={classes.headline}>
        <div>
          <h2>{qualityHeadline(report)}</h2>
          <p className={classes.quiet}>
            {counted(findings.length, 'finding')}. A tool starts with 10 points and loses 4, 2 or 1
            for each rule of high, medium or low severity that finds something.
            {off.length > 0 && ` ${counted(off.length, 'rule')} turned off.`}
          </p>
        </div>
        <ShownExport
          subject="lint"
          name=""
          without={['junit']}
          shown={{ subject: 'lint', report: { findings, tools, servers } }}
        />
      </div>
      <ServerScores
        servers={servers}
        rows={rows}
        chosen={filter.server}
        onChoose={(server) => {
          change({ server });
        }}
      />
      <WithPanel
        panel={
          opened ? (
            <ToolQualityPanel
              row={opened}
              FixFailures={FixFailures}
              onClose={() => {
                change({ tool: null });
              }}
            />
          ) : null
        }
      >
        <div className={classes.page}>
          {costs.length > 0 && opened === undefined && (
            <div className={classes.board}>
              <ScoreChart tools={tools} />
              <CostliestRules
                costs={costs}
                chosen={filter.rule}
                onChoose={(rule) => {
                  change({ rule });
                }}
              />
            </div>
          )}
          <Tools {...{ rows, costs, filter, change }} />
        </div>
      </WithPanel>
    </>
  );
}

const atOnce = 30;

interface ToolsProps extends Pick<QualityViewProps, 'filter' | 'change'> {
  rows: readonly ToolRow[];
  costs: ReturnType<typeof ruleCosts>;
}

function Tools({ rows, costs, filter, change }: ToolsProps) {
  const [limit, setLimit] = useState(atOnce);
  const shown = rows.filter((row) => matchesFilter(row, filter));
  const isFiltered = shown.length < rows.length;
  return (
    <section aria-label="Tools by score">
      <div className={classes.toolbar}>
        <SearchField
          label="Search tools and findings"
          value={filter.search}
          onChange={(search) => {
            change({ search });
          }}
        />
        <Group gap={6} role="group" aria-label="Severity">
          {lintSeverities.map((severity) => (
            <Button
              key={severity}
              size="compact-sm"
              variant={filter.severity === severity ? 'light' : 'default'}
              aria-pressed={filter.severity === severity}
              leftSection={<SeverityIcon severity={severity} size={13} />}
              onClick={() => {
                change({ severity: filter.severity === severity ? null : severity });
              }}
            >
              {severity}
            </Button>
          ))}
        </Group>
        <Select
          size="xs"
          w={260}
          aria-label="Rule"
          placeholder="All rules"
          clearable
          searchable
          data={costs.map(({ rule, tools }) => ({
            value: rule,
            label: `${qualityTitle(rule)} (${tools})`,
          }))}
          value={filter.rule}
          onChange={(rule) => {
            change({ rule });
          }}
        />
        <span className={classes.quiet} role="status">
          {isFiltered
            ? `${shown.length} of ${counted(rows.length, 'tool')}`
            : counted(rows.length, 'tool')}
          , worst first
        </span>
        {isFiltered && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              change({ server: null, rule: null, severity: null, search: null });
            }}
          >
            Clear filters
          </Button>
        )}
      </div>
      {shown.length === 0 ? (
        <EmptyState message="No tools match the filters." />
      ) : (
        <ul className={classes.tools}>
          {shown.slice(0, limit).map((row) => (
            <ToolFindings
              key={row.toolId}
              row={row}
              opened={row.toolId === filter.tool}
              onOpen={() => {
                change({ tool: row.toolId });
              }}
            />
          ))}
        </ul>
      )}
      {shown.length > limit && (
        <Button
          variant="default"
          mt="sm"
          onClick={() => {
            setLimit(limit + atOnce);
          }}
        >
          Show {counted(Math.min(atOnce, shown.length - limit), 'more tool')}
        </Button>
      )}
    </section>
  );
}

interface CostliestRulesProps {
  costs: readonly RuleCost[];
  chosen: string | null;
  onChoose: (rule: string | null) => void;
}

/** The rules that cost the most points. A rule filters the list of tools. */
function CostliestRules({ costs, chosen, onChoose }: CostliestRulesProps) {
  return (
    <section className={classes.costs} aria-label="Where points are lost">
      <header>
        <h3>Where points are lost</h3>
        <span className={classes.quiet}>points, all tools</span>
      </header>
      <ul>
        {costs.map(({ rule, severity, tools, points }) => (
          <li key={rule}>
            <button
              type="button"
              aria-pressed={chosen === rule}
              onClick={() => {
                onChoose(chosen === rule ? null : rule);
              }}
            >
              <SeverityIcon severity={severity} />
              <span className={classes.costTitle}>{qualityTitle(rule)}</span>
              <span className={classes.quiet}>{counted(tools, 'tool')}</span>
              <b>
                −{formatCount(points)}
                <span className="ts-visually-hidden"> {noun(points, 'point')}</span>
              </b>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
