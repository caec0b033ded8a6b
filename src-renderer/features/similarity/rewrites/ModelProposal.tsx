import { textModelConfiguration } from '../../../../src-shared/domain/textModel.ts';
import { useApi } from '../../../api/index.ts';
import { AskModel } from '../AskModel.tsx';

interface ModelProposalProps {
  target: { evaluationId: string; modelSettingsId: string | null; toolId: string };
  onProposed: (description: string) => void;
}

/** A new description by a model, if one is set up. */
export function ModelProposal({ target, onProposed }: ModelProposalProps) {
  const { client } = useApi();
  return (
    <AskModel
      label="Let a model write it…"
      ask={async (model) => {
        onProposed(
          (await client.rewrites.propose({ ...target, model: textModelConfiguration(model) }))
            .description,
        );
      }}
    />
  );
}
