import { z } from 'zod';
import { keyStatus, keyText, requestSecret, storePlace } from '../domain/keys.ts';
import { modelConfiguration } from '../domain/model.ts';
import {
  deferral,
  endpointInput,
  endpointPreset,
  installedAgent,
  modelList,
  probeResult,
} from '../domain/modelService.ts';
import { pricedModel, pricedProvider, priceInput } from '../domain/price.ts';
import { procedure } from './base.ts';

const secretName = z
  .string()
  .regex(/^[\w.-]{1,200}$/, 'A name has letters, digits, dots, hyphens and underscores only.');

export const modelsContract = {
  /** The models that the endpoint lists. Any other name can be entered as well. */
  list: procedure.input(endpointInput).output(modelList),
  /** Well-known endpoints to choose an address from. */
  presets: procedure.output(z.array(endpointPreset)),
  /** The agents that can play runs, and whether their programs are installed. */
  agents: procedure.output(z.array(installedAgent)),
  /** Asks one question that only a tool call can answer. */
  probe: procedure.input(modelConfiguration).output(probeResult),
  /** Sets what `${secret:NAME}` stands for in the additions to requests. It is never read. */
  setSecret: procedure
    .input(z.strictObject({ name: secretName, value: keyText }))
    .output(z.object({ place: storePlace })),
  /** The names that have a value, in the key store or the environment. */
  secrets: procedure.output(z.array(requestSecret)),
  removeSecret: procedure
    .input(z.strictObject({ name: secretName }))
    .output(z.object({ status: keyStatus })),
  /** Prices of the built-in list and of the user; the user's take precedence. */
  prices: procedure.output(z.object({ date: z.string(), prices: z.array(pricedModel) })),
  setPrice: procedure.input(priceInput).output(pricedModel),
  removePrice: procedure
    .input(z.strictObject({ provider: pricedProvider, model: z.string() }))
    .output(z.object({ removed: z.boolean() })),
  /**
   * Tokens saved and selections changed by deferring tools, for every pair of configurations that
   * differ in nothing else.
   */
  deferrals: procedure
    .input(z.strictObject({ evaluationId: z.string() }))
    .output(z.array(deferral)),
};
