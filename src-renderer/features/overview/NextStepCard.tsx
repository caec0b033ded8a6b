import { Group, Text } from '@mantine/core';
import { IconArrowRight, IconDownload, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Action } from '../../ui/fields/controls.tsx';
import { unreachableReason } from '../../../src-shared/display/serverTexts.ts';
import { toolAddress } from '../../../src-shared/display/toolAddresses.ts';
import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import { useExportPatch } from '../../saving/useExportPatch.ts';
import { ErrorNotice } from '../../ui/notices/notices.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import type { NextStep } from './nextStep.ts';
import classes from './overview.module.css';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { EnvironmentValues } from '../../../src-shared/domain/environmentDefaults.ts';
import { builtinModelName } from '../../../src-shared/domain/provider.ts';
import type { AppSettings } from '../../../src-shared/domain/settings.ts';
import { useApi } from '../../api/index.ts';

export function NextStepCard({ step }: { step: NextStep }) {
  switch (step.kind) {
    case 'add-server':
      return (
        <Card
          title="Add an MCP server to test"
          text="Enter its command or address, or import the configuration of another program."
          action={<StepLink to="/tools?add" label="Add server" />}
          second={<StepLink to="/tools/import" label="Import" quiet />}
        />
      );
    case 'add-suite':
      return (
        <Card
          title="Create your first suite"
          text="A suite contains requests and the tool calls that should answer them. Import a file or write a case."
          action={<StepLink to="/suites?new" label="New suite" />}
          second={<StepLink to="/suites/import" label="Import suite" quiet />}
        />
      );
    case 'write-cases':
      return (
        <Card
          title={`“${step.suite.name}” has no cases yet`}
          text="A case is a request and the tool call that should answer it."
          action={<StepLink to={`/suites/${step.suite.id}?case=new`} label="New case" />}
        />
      );
    case 'first-cases':
      return (
        <Card
          title={`Write the first cases for ${step.server.name}`}
          text={
            `It offers ${counted(step.server.toolCount ?? 0, 'tool')}, and no case says yet which ` +
            'requests should lead to which of them. Write a request for each, as a person would say it.'
          }
          action={
            <StepLink
              to={`/suites/propose?server=${encodeURIComponent(step.server.name)}`}
              label="Propose cases"
            />
          }
          second={<StepLink to="/suites?new" label="New suite" quiet />}
        />
      );
    case 'connect':
      return (
        <Card
          title={`Connect ${step.server.name}`}
          text={
            step.server.statusReason === null
              ? 'Its tools are not listed yet.'
              : unreachableReason(step.server.statusReason)
          }
          action={<StepLink to={`/servers/${step.server.id}`} label="Open server" />}
        />
      );
    case 'proven':
      return <ProvenCard candidate={step.candidate} />;
    case 'sample':
      return (
        <Card
          title="Running the sample evaluation"
          text="The result appears here in a few seconds. The built-in selector needs no model, key, or network, and executes no tool."
          action={<StepLink to="/suites" label="View suites" quiet />}
        />
      );
    case 'first-run':
      return (
        <RunCard
          suiteId={step.suite.id}
          large
          title="Run your first evaluation"
          text={
            `Runs the ${counted(step.suite.caseCount, 'case')} of “${step.suite.name}” with the ` +
            'built-in selector. It needs no model, key, or network, and takes seconds.'
          }
        />
      );
    case 'first-tasks':
      return (
        <Card
          title="Run your first task evaluation"
          text={
            `“${step.suite.name}” has ${counted(step.suite.taskCount, 'task')}. A model works on each ` +
            'in several steps, and checks decide whether it succeeded. You choose what is executed.'
          }
          action={
            <StepLink
              to={`/results/new?suite=${encodeURIComponent(step.suite.id)}&run=tasks`}
              label="Choose model and execution mode"
            />
          }
        />
      );
    case 'watch':
      return (
        <Card
          title={`${step.running.name} is running`}
          text={
            `${counted(step.running.left, 'run')} of ${step.running.suiteName} left. ` +
            'It continues if you leave this page.'
          }
          action={<StepLink to={step.running.to} label="Open evaluation" />}
        />
      );
  }
}

/** A fix that held-out cases have proven waits until the server offers it. */
function ProvenCard({ candidate: { id, toolId, modelName, proof } }: { candidate: Candidate }) {
  const { tool } = splitToolId(toolId);
  const patch = useExportPatch(id);
  const found = proof && `${formatCount(proof.won)} fixed, ${formatCount(proof.lost)} broken`;
  return (
    <Card
      title={`Proven fix of ${tool}${found === null ? '' : `: ${found}`}`}
      text={
        `${modelName === null ? '' : `With ${modelName}. `}The server still offers the old text. ` +
        'Export the patch, apply it to the server, and run again.'
      }
      action={<Action label="Export patch" filled icon={IconDownload} run={patch} />}
      second={<StepLink to={toolAddress(toolId)} label="Open tool" quiet />}
    />
  );
}

interface CardProps {
  title: string;
  text: string;
  action: ReactNode;
  second?: ReactNode;
  below?: ReactNode;
}

function Card({ title, text, action, second, below }: CardProps) {
  return (
    <section className={classes.next} aria-label="What to do next">
      <div className={classes.nextText}>
        <PlainText as="h2" className={classes.nextTitle} text={title} />
        <Text c="dimmed" className="ts-foreign" maw={640} lineClamp={4}>
          <PlainText text={text} />
        </Text>
      </div>
      <Group gap="sm">
        {action}
        {second}
      </Group>
      {below !== undefined && <div className={classes.below}>{below}</div>}
    </section>
  );
}

function StepLink({ to, label, quiet = false }: { to: string; label: string; quiet?: boolean }) {
  return <Action label={label} to={to} filled={!quiet} after={IconArrowRight} />;
}

function RunCard(props: { suiteId: string; title: string; text: string; large?: boolean }) {
  const { suiteId, title, text, large = false } = props;
  const start = useStartEvaluation();
  return (
    <Card
      title={title}
      text={text}
      action={
        <Action
          label="Run evaluation"
          filled
          size={large ? 'lg' : 'sm'}
          icon={IconPlayerPlay}
          loading={start.isPending}
          onClick={() => start.mutate(suiteId)}
        />
      }
      second={
        <StepLink
          to={`/results/new?suite=${encodeURIComponent(suiteId)}`}
          label="Choose suite and model"
          quiet
        />
      }
      below={start.isError ? <ErrorNotice error={start.error} /> : undefined}
    />
  );
}

/**
 * The request behind one click: the selector that needs no model, key or network, with the
 * defaults of the environment and the workspace.
 */
function defaultRequest(
  suiteId: string,
  settings: AppSettings,
  environment: EnvironmentValues = {},
) {
  const { repetitions, concurrency, highConfidence, timeout, temperature, maxRetries } = {
    ...settings,
    ...environment,
  };
  const model = {
    provider: 'builtin' as const,
    model: builtinModelName,
    timeout,
    temperature,
    maxRetries,
  };
  return { suiteId, models: [model], repetitions, concurrency, highConfidence };
}

/** Starts an evaluation of a suite and opens its page as soon as it is accepted. */
function useStartEvaluation() {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (suiteId: string) => {
      const [settings, { values }] = await Promise.all([
        client.settings.get(),
        client.settings.environment(),
      ]);
      return client.evaluations.start(defaultRequest(suiteId, settings, values));
    },
    onSuccess: async (evaluation) => {
      void reread(queries.evaluations);
      await navigate(`/results/${evaluation.id}`);
    },
  });
}
