import { Checkbox } from '@mantine/core';
import { Link } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { counted, formatDecimal } from '../../../../src-shared/display/numbers.ts';
import {
  qualityHeadline,
  qualityTitle,
  ruleCosts,
} from '../../../../src-shared/display/qualityTexts.ts';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import type { LintFinding, LintReport, LintRuleInfo } from '../../../../src-shared/domain/lint.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { SeverityBadge } from '../../../ui/badges/SeverityBadge.tsx';
import { Loaded, useAct } from '../../../ui/notices/notices.tsx';
import { Fold, Section, SidePanel } from '../../../ui/panels/panels.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { useLint, useListedServers } from './useLint.ts';
import classes from './quality.module.css';

/** What the rules of quality cost the tools, each rule with its tools, and a way to turn it off. */
export function QualityPanel({ onClose }: { onClose: () => void }) {
  const servers = useListedServers();
  const rules = useRead((ask) => ask.similarity.lintRules);
  const settings = useRead((ask) => ask.settings.get);
  const report = useLint(servers.counted, servers.shown);
  return (
    <SidePanel title="Quality" subtitle="Fixed rules, no model needed" onClose={onClose}>
      {servers.shown.length === 0 ? (
        <p>Scores appear here once a server has listed its tools.</p>
      ) : (
        <Loaded query={report} blocks={[72, 240]}>
          {(found) =>
            rules.data !== undefined &&
            settings.data !== undefined && (
              <Rules report={found} rules={rules.data} off={settings.data.qualityRulesOff} />
            )
          }
        </Loaded>
      )}
    </SidePanel>
  );
}

interface RulesProps {
  report: LintReport;
  rules: readonly LintRuleInfo[];
  /** Ids of the rules that are turned off. */
  off: readonly string[];
}

function Rules({ report, rules, off }: RulesProps) {
  const { client, reread } = useApi();
  const save = useAct((qualityRulesOff: string[]) => client.settings.update({ qualityRulesOff }), {
    onSuccess: () => reread(),
  });
  const costs = ruleCosts(report.tools);
  const byRule = Map.groupBy(report.findings, ({ rule }) => rule);
  const turnedOff = off.filter((id) => rules.some((rule) => rule.id === id));
  const others = rules.filter(({ id }) => costs.every(({ rule }) => rule !== id));
  const toolsOf = (id: string) => new Set(byRule.get(id)?.map(({ toolId }) => toolId)).size;
  const shown = (rule: LintRuleInfo) => (
    <Rule
      key={rule.id}
      rule={rule}
      findings={byRule.get(rule.id) ?? []}
      isOff={off.includes(rule.id)}
      onToggle={() =>
        save.mutate(off.includes(rule.id) ? off.filter((id) => id !== rule.id) : [...off, rule.id])
      }
    />
  );
  return (
    <>
      <h3 className={classes.verdict}>{qualityHeadline(report)}</h3>
      <p className={classes.quiet}>
        A tool starts with 10 points and loses 4, 2 or 1 for each rule of high, medium or low
        severity that finds something. {counted(report.findings.length, 'finding')}.
      </p>
      <ul className={classes.servers} aria-label="Score per server">
        {report.servers.map(({ server, score }) => (
          <li key={server}>
            <PlainText text={server} /> <b>{formatDecimal(score, 1)}</b>
          </li>
        ))}
      </ul>
      <div className={classes.export}>
        <ShownExport
          subject="lint"
          name=""
          without={['junit']}
          shown={{ subject: 'lint', report: { ...report } }}
        />
      </div>
      {costs.length > 0 && (
        <Section title="Where points are lost">
          {costs.map(({ rule, tools, points }) => (
            <Fold
              key={rule}
              title={qualityTitle(rule)}
              hint={`${counted(tools, 'tool')}, −${points}`}
            >
              {rules.filter(({ id }) => id === rule).map(shown)}
            </Fold>
          ))}
        </Section>
      )}
      {others.length > 0 && (
        <Section
          title="Other rules"
          aside={
            turnedOff.length > 0 && (
              <Action label="Turn all rules on" small onClick={() => save.mutate([])} />
            )
          }
        >
          {others.map((rule) => (
            <Fold
              key={rule.id}
              title={qualityTitle(rule.id)}
              hint={
                off.includes(rule.id)
                  ? 'turned off'
                  : byRule.has(rule.id)
                    ? `${counted(toolsOf(rule.id), 'tool')}, no points`
                    : 'finds nothing'
              }
            >
              {shown(rule)}
            </Fold>
          ))}
        </Section>
      )}
    </>
  );
}

const maxTools = 30;

interface RuleProps {
  rule: LintRuleInfo;
  findings: readonly LintFinding[];
  isOff: boolean;
  onToggle: () => void;
}

/** What a rule looks for, with an example, and the tools in which it found something. */
function Rule(props: RuleProps) {
  const {
    rule: { id, severity, what, fix, bad, good },
    findings,
    isOff,
    onToggle,
  } = props;
  const byTool = [...Map.groupBy(findings, ({ toolId }) => toolId)];
  return (
    <div className={classes.rule}>
      <p>
        {what} {`Fix: ${fix}`}
      </p>
      <p className={classes.quiet}>
        Bad: <Foreign text={bad} limit={160} />
      </p>
      <p className={classes.quiet}>
        Good: <Foreign text={good} limit={160} />
      </p>
      {byTool.length > 0 && (
        <ul aria-label={`Tools with ${qualityTitle(id).toLowerCase()}`}>
          {byTool.slice(0, maxTools).map(([toolId, [first]]) => (
            <li key={toolId}>
              <Link to={toolAddress(toolId)} className="ts-mono">
                <PlainText text={toolId} />
              </Link>{' '}
              <span className={classes.quiet}>
                <Foreign text={first?.message ?? ''} limit={200} />
              </span>
            </li>
          ))}
          {byTool.length > maxTools && <li>{counted(byTool.length - maxTools, 'more tool')}</li>}
        </ul>
      )}
      <Checkbox
        size="xs"
        checked={!isOff}
        onChange={onToggle}
        label={
          <>
            Check this rule <span className="ts-visually-hidden">{qualityTitle(id)}</span>
          </>
        }
        description={
          <>
            <SeverityBadge severity={severity} /> · <span className="ts-mono">{id}</span>
          </>
        }
      />
    </div>
  );
}
