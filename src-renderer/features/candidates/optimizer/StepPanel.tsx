import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import type { Optimization, OptimizationStep } from '../../../../src-shared/domain/optimization.ts';
import { editedPart, type TextEdit } from '../../../../src-shared/domain/textEdit.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { WordDiff } from '../../../ui/text/WordDiff.tsx';
import { TitledPanel } from '../../../ui/panels/TitledPanel.tsx';
import fixClasses from '../fix/fix.module.css';
import { stepBadge } from '../../results/result/optimizationStates.ts';
import classes from './optimizer.module.css';

/** Everything that one step changes against the tools as they are, tool by tool. */
export function StepPanel(props: { step: OptimizationStep; optimization: Optimization }) {
  const {
    step,
    optimization: { state, result },
  } = props;
  const tools = Map.groupBy(step.edits, ({ toolId }) => toolId);
  const isProved = result?.step === step.step;
  return (
    <TitledPanel
      title={`Step ${step.step}: ${counted(tools.size, 'tool')} edited`}
      label={`Step ${step.step}`}
      aside={<StatusBadge {...stepBadge(step, state, result)} />}
    >
      <div className={fixClasses.body}>
        <p className={fixClasses.quiet}>A suggestion: nothing on a server has changed.</p>
        {step.kind === 'merge' && <Reason text={step.reason} />}
        {step.why !== null && (
          <Foreign as="p" className={fixClasses.quiet} text={step.why} limit={600} />
        )}
        {[...tools].map(([toolId, edits]) => (
          <EditedTool
            key={toolId}
            toolId={toolId}
            edits={edits}
            reason={
              step.kind === 'merge'
                ? ''
                : step.toolIds.includes(toolId)
                  ? step.reason
                  : 'From an earlier step.'
            }
            proved={isProved ? result.tools.find((tool) => tool.toolId === toolId) : undefined}
          />
        ))}
      </div>
    </TitledPanel>
  );
}

function EditedTool(props: {
  toolId: string;
  edits: readonly TextEdit[];
  reason: string;
  proved: { cases: number; before: number; after: number } | undefined;
}) {
  const { toolId, edits, reason, proved } = props;
  return (
    <div className={classes.tool}>
      <div className={classes.toolHead}>
        <Foreign as="h3" className="ts-mono" text={toolId} />
        {proved !== undefined && (
          <span className={fixClasses.quiet}>
            held-out {formatCount(proved.before)} → {formatCount(proved.after)} of{' '}
            {formatCount(proved.cases)}
          </span>
        )}
      </div>
      <Reason text={reason} />
      {edits.map(({ path, oldText, newText }) => (
        <div key={path}>
          {path !== '/description' && (
            <p className={`${fixClasses.quiet ?? ''} ${classes.part ?? ''}`}>
              <Foreign text={editedPart(path)} />
            </p>
          )}
          <WordDiff before={oldText} after={newText} />
        </div>
      ))}
    </div>
  );
}

function Reason({ text }: { text: string }) {
  if (text === '') return null;
  return <Foreign as="p" text={text} limit={600} />;
}
