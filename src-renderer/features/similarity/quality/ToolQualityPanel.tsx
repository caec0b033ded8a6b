import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import { Link } from 'react-router';
import type { Listing } from '../../../../src-shared/contract/servers.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { SidePanel } from '../../../ui/panels/SidePanel.tsx';
import { CopyButton } from '../../../ui/text/CopyButton.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { MarkedText } from '../../../ui/text/MarkedText.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { DeductionList } from './DeductionList.tsx';
import { parametersShown } from './parametersShown.ts';
import { allFixesOf } from './ToolFindings.tsx';
import type { ToolRow } from './toolRows.ts';
import classes from './quality.module.css';

interface ToolQualityPanelProps {
  row: ToolRow;
  FixFailures: ComponentType<{ tool: string }>;
  onClose: () => void;
}

/** One tool: what it loses points for, and the definition that a model reads. */
export function ToolQualityPanel({ row, FixFailures, onClose }: ToolQualityPanelProps) {
  const { queries } = useApi();
  const servers = useQuery(queries.servers.list.queryOptions());
  const id = servers.data?.find(({ name }) => name === row.server)?.id ?? null;
  const detail = useQuery(
    queries.servers.get.queryOptions({ input: { id: id ?? '' }, enabled: id !== null }),
  );
  const tool = detail.data?.listing?.tools.find(({ name }) => name === row.name);
  return (
    <SidePanel
      title={
        <span className="ts-mono">
          <PlainText text={row.name} />
        </span>
      }
      subtitle={
        <>
          <PlainText text={row.server} /> · {row.score} of 10
        </>
      }
      contentKey={row.toolId}
      onClose={onClose}
      footer={<FixFailures tool={row.toolId} />}
    >
      <Section
        title={row.deductions.length === 0 ? 'No findings' : 'What to fix'}
        aside={
          row.deductions.length > 1 && (
            <CopyButton text={() => allFixesOf(row)} label="Copy all fixes" />
          )
        }
      >
        {row.deductions.length === 0 ? (
          <p className={classes.quiet}>No rule found a problem in this tool.</p>
        ) : (
          <DeductionList row={row} />
        )}
      </Section>
      <Refusals row={row} />
      {detail.isError && <ErrorNotice error={detail.error} onRetry={() => void detail.refetch()} />}
      {tool && <Definition tool={tool} row={row} />}
      {id !== null && (
        <p>
          <Link to={toolAddress(row.toolId)}>Open tool</Link>
        </p>
      )}
    </SidePanel>
  );
}

/** How each refusal that a finding names is known. */
function Refusals({ row }: { row: ToolRow }) {
  const known = new Map(
    row.deductions
      .flatMap(({ findings }) => findings.flatMap(({ refusedBy = [] }) => refusedBy))
      .map((refusal) => [`${refusal.client} ${refusal.source}`, refusal]),
  );
  if (known.size === 0) return null;
  return (
    <Section title="Who refuses it, and how that is known">
      <dl className={classes.parameters}>
        {[...known].map(([key, { client, source }]) => (
          <div key={key}>
            <dt>{client}</dt>
            <dd>
              <PlainText text={source} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

interface DefinitionProps {
  tool: Listing['tools'][number];
  row: ToolRow;
}

function Definition({ tool, row }: DefinitionProps) {
  // A mark over the whole text would show nothing.
  const span = row.deductions
    .flatMap(({ findings }) => findings.map((finding) => finding.span))
    .find((marked) => marked !== null && marked[1] - marked[0] < tool.description.length);
  const parameters = parametersShown(tool.inputSchema);
  return (
    <>
      <Section title="Description">
        {tool.description.trim() === '' ? (
          <p className={classes.missing}>No description</p>
        ) : span ? (
          <MarkedText text={tool.description} span={span} around={2_000} />
        ) : (
          <Foreign text={tool.description} limit={2_000} block />
        )}
      </Section>
      <Section title={`Parameters (${parameters.length})`}>
        {parameters.length === 0 ? (
          <p className={classes.quiet}>The tool takes no parameters.</p>
        ) : (
          <dl className={classes.parameters}>
            {parameters.map(({ name, type, required, description }) => (
              <div key={name}>
                <dt>
                  <span className="ts-mono">
                    <PlainText text={name} />
                  </span>{' '}
                  <span className={classes.quiet}>
                    <PlainText text={type} /> · {required ? 'required' : 'optional'}
                  </span>
                </dt>
                <dd>
                  {description === '' ? (
                    <span className={classes.missing}>No description</span>
                  ) : (
                    <Foreign text={description} limit={400} />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
    </>
  );
}
