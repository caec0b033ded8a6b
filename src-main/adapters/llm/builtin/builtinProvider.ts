import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { builtinModelName } from '../../../../src-shared/domain/provider.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import { builtinWireApi, describeBuiltinTools } from './builtinFormat.ts';

export const builtinProvider: ProviderAdapter = {
  provider: 'builtin',
  wireFormats: {
    [builtinWireApi]: {
      describeTools: describeBuiltinTools,
      mapTools: (tools) => ({
        names: tools.map(({ server, name }) => ({
          wire: toolId(server, name),
          tool: toolId(server, name),
        })),
        excluded: [],
        relaxations: [],
        adapted: [],
      }),
    },
  },
  async open({ model }) {
    if (model !== builtinModelName) {
      throw new ServiceError('INVALID', {
        thing: 'Provider builtin',
        cause: `There is no "${model}".`,
        nextStep: `Choose "${builtinModelName}", the only one.`,
        field: 'model',
      });
    }
    const { createBuiltinModel } = await import('./builtinModel.ts');
    return createBuiltinModel();
  },
};
