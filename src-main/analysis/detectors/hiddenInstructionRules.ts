import { chainRule } from './chains.ts';

const conceal = 'It asks that something be kept from the user.';
const override = 'It tells the model to set its instructions or safeguards aside.';
const comply = 'It gives text from elsewhere the rank of an order.';

export const hiddenInstructionRules = [
  chainRule({ id: 'conceal-this', oneSentence: true, category: 'tool_poisoning', why: conceal, steps: [['NEG'], ['TELL'], ['POINTER', 'RULES']], gap: 24, unless: ['MENTION'], plus: [['READ', 'SEND', 'PUT', 'RUN', 'CALL', 'OVERRIDE', 'REPLACE', 'DESTROY', 'SENDS'], ['USER', 'WHEN', 'MUST', 'SECRET', 'PATH', 'AGENT', 'LINK']], severity: 'medium' }),
  chainRule({ id: 'conceal-from-user', oneSentence: true, category: 'tool_poisoning', why: conceal, steps: [['NEG'], ['TELL'], ['USER']], gap: 24, unless: ['MENTION'], plus: [['SECRET', 'PATH', 'LINK', 'PRIVATE', 'COVERT', 'SEND', 'OVERRIDE']], acrossParts: true }),
  chainRule({ id: 'user-kept-unaware', oneSentence: true, category: 'tool_poisoning', why: conceal, steps: [['USER'], ['NEG'], ['TELL', 'ASK']], gap: 26, unless: ['MENTION'], plus: [['SECRET', 'PATH', 'LINK', 'ACCOUNT', 'SEND', 'FIELD', 'REPLACE', 'WHEN']] }),
  chainRule({ id: 'user-kept-unaware-reversed', oneSentence: true, category: 'tool_poisoning', why: conceal, steps: [['USER'], ['TELL'], ['NEG']], gap: 12, plus: [['SECRET', 'PATH', 'LINK', 'ACCOUNT', 'SEND', 'FIELD']] }),
  chainRule({ id: 'keep-quiet', oneSentence: true, category: 'tool_poisoning', why: conceal, steps: [['PRETEND'], ['POINTER', 'PRETEND', 'RULES'], ['USER', 'YOU', 'PRETEND', 'POINTER', 'COVERT']], gap: 22, unless: ['MENTION'], plus: [['READ', 'SEND', 'PUT', 'RUN', 'SECRET', 'PATH', 'LINK', 'AGENT', 'YOU']], severity: 'medium' }),
  chainRule({ id: 'secret-from-user', category: 'tool_poisoning', why: conceal, steps: [['COVERT', 'SECRET'], ['POINTER', 'USER'], ['USER']], gap: 14, unless: ['MENTION'], plus: [['PRETEND', 'COVERT']], severity: 'medium' }),
  chainRule({ id: 'feign', oneSentence: true, category: 'tool_poisoning', why: 'It tells the model to feign something.', steps: [['FEIGN'], ['POINTER', 'YOU', 'USER', 'WHEN']], gap: 22, unless: ['MENTION'], plus: [['USER', 'AGENT', 'RULES', 'YOU'], ['FEIGN']], severity: 'medium' }),
  chainRule({ id: 'override', category: 'prompt_injection', why: override, steps: [['OVERRIDE'], ['PRIOR', 'YOU'], ['RULES']], gap: 36, unless: ['MENTION'], severity: 'critical', acrossParts: true }),
  chainRule({ id: 'override-own-rules', category: 'prompt_injection', why: override, steps: [['OVERRIDE'], ['RULES'], ['PRIOR', 'YOU', 'AGENT']], gap: 26, unless: ['MENTION'], severity: 'high', acrossParts: true }),
  chainRule({ id: 'override-safeguards', category: 'prompt_injection', why: override, steps: [['OVERRIDE'], ['SAFETY'], ['RULES', 'RULEISH']], gap: 30, unless: ['MENTION'] }),
  chainRule({ id: 'safeguards-gone', category: 'prompt_injection', why: override, steps: [['SAFETY', 'PRIOR'], ['RULES', 'RULEISH'], ['GONE', 'OVERRIDE']], gap: 34, unless: ['MENTION'], plus: [['SAFETY', 'YOU', 'AGENT', 'SYSTEM', 'NEG']] }),
  chainRule({ id: 'rules-do-not-apply', category: 'prompt_injection', why: override, steps: [['RULES'], ['NEG'], ['GONE']], gap: 26, unless: ['MENTION'] }),
  chainRule({ id: 'outrank', category: 'prompt_injection', why: override, steps: [['RULES', 'POINTER'], ['REPLACE', 'OVERRIDE'], ['OTHER', 'WHOLE', 'USER']], gap: 22, unless: ['MENTION'], plus: [['RULES'], ['YOU', 'USER', 'AGENT', 'SYSTEM']], severity: 'medium' }),
  chainRule({ id: 'override-user', category: 'prompt_injection', why: 'It sets aside what the user asked for.', steps: [['OVERRIDE'], ['USER'], ['ASK']], gap: 20, unless: ['MENTION'] }),
  chainRule({ id: 'override-consent', category: 'prompt_injection', why: override, steps: [['OVERRIDE'], ['ASK'], ['RULES', 'RULEISH']], gap: 26, unless: ['MENTION'] }),
  chainRule({ id: 'unlimited', category: 'prompt_injection', why: override, steps: [['WHOLE', 'NEG'], ['RULES', 'RULEISH'], ['GONE', 'AGENT']], gap: 26, unless: ['MENTION'], plus: [['YOU', 'AGENT', 'SYSTEM']] }),
  chainRule({ id: 'reveal-prompt', category: 'prompt_injection', why: 'It asks for the instructions of the model.', steps: [['REVEAL'], ['YOU', 'SYSTEM'], ['RULES']], gap: 26, unless: ['MENTION', 'USER'] }),
  chainRule({ id: 'reveal-prompt-after-noun', category: 'prompt_injection', why: 'It asks for the instructions of the model.', steps: [['REVEAL'], ['RULES', 'RULEISH'], ['SYSTEM']], gap: 18, unless: ['MENTION'] }),
  chainRule({ id: 'reveal-conversation', category: 'prompt_injection', why: 'It asks for the whole conversation.', steps: [['REVEAL', 'PUT', 'SEND'], ['WHOLE'], ['PRIVATE']], gap: 26, unless: ['MENTION'], plus: [['YOU', 'AGENT', 'SYSTEM', 'NEG', 'LINK', 'MUST']], severity: 'medium' }),
  chainRule({ id: 'obey-text', category: 'prompt_injection', why: comply, steps: [['OBEY'], ['POINTER', 'WHOLE', 'RULES', 'RUN'], ['USER', 'RULES', 'AGENT', 'YOU', 'WHEN', 'SAFETY']], gap: 46, unless: ['MENTION', 'NEG', 'READ'], plus: [['RULES', 'RUN']], severity: 'medium' }),
  chainRule({ id: 'commands-in-text', category: 'prompt_injection', why: comply, steps: [['RULES', 'RUN'], ['OBEY'], ['POINTER', 'WHEN']], gap: 60, unless: ['MENTION', 'NEG'], severity: 'medium' }),
  chainRule({ id: 'obey-foreign-order', category: 'prompt_injection', why: comply, steps: [['OBEY', 'RUN'], ['WHOLE'], ['RUN', 'RULES']], gap: 20, unless: ['MENTION'], plus: [['YOU', 'OVERRIDE', 'AGENT', 'LATER', 'SAFETY', 'NEG']], severity: 'medium' }),
  chainRule({ id: 'no-consent', category: 'prompt_injection', why: 'It waives the consent of the user.', steps: [['NEG', 'OVERRIDE'], ['ASK'], ['USER', 'RUN', 'CALL', 'DESTROY', 'WHEN', 'POINTER']], gap: [12, 34], unless: ['MENTION'], plus: [['SECRET', 'PATH', 'LINK', 'AGENT', 'SYSTEM'], ['MUST', 'RUN', 'YOU', 'WHEN']], severity: 'medium' }),
  chainRule({ id: 'act-without-consent', category: 'prompt_injection', why: 'It waives the consent of the user.', steps: [['RUN', 'OBEY', 'DESTROY', 'SEND'], ['NEG'], ['ASK']], gap: [46, 14], unless: ['MENTION'], plus: [['YOU', 'AGENT', 'USER', 'RULES', 'LINK', 'MUST']], severity: 'medium' }),
];
