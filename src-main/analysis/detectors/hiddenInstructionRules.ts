import { signalReasons } from '../../../src-shared/display/signalTexts.ts';
import { chainRule } from './chains.ts';

const conceal = signalReasons.hidesFromUser;
const override = signalReasons.overridesRules;
const comply = signalReasons.obeysOtherText;

export const hiddenInstructionRules = [
  chainRule('tool_poisoning', 'conceal-this', conceal, {
    oneSentence: true,
    steps: [['NEG'], ['TELL'], ['POINTER', 'RULES']],
    gap: 24,
    plus: [
      ['READ', 'SEND', 'PUT', 'RUN', 'CALL', 'OVERRIDE', 'REPLACE', 'DESTROY', 'SENDS'],
      ['USER', 'WHEN', 'MUST', 'SECRET', 'PATH', 'AGENT', 'LINK'],
    ],
    severity: 'medium',
  }),
  chainRule('tool_poisoning', 'conceal-from-user', conceal, {
    oneSentence: true,
    steps: [['NEG'], ['TELL'], ['USER']],
    gap: 24,
    plus: [['SECRET', 'PATH', 'LINK', 'PRIVATE', 'COVERT', 'SEND', 'OVERRIDE']],
    acrossParts: true,
  }),
  chainRule('tool_poisoning', 'user-kept-unaware', conceal, {
    oneSentence: true,
    steps: [['USER'], ['NEG'], ['TELL', 'ASK']],
    gap: 26,
    plus: [['SECRET', 'PATH', 'LINK', 'ACCOUNT', 'SEND', 'FIELD', 'REPLACE', 'WHEN']],
  }),
  chainRule('tool_poisoning', 'user-kept-unaware-reversed', conceal, {
    oneSentence: true,
    steps: [['USER'], ['TELL'], ['NEG']],
    gap: 12,
    plus: [['SECRET', 'PATH', 'LINK', 'ACCOUNT', 'SEND', 'FIELD']],
    unless: [],
  }),
  chainRule('tool_poisoning', 'keep-quiet', conceal, {
    oneSentence: true,
    steps: [
      ['PRETEND'],
      ['POINTER', 'PRETEND', 'RULES'],
      ['USER', 'YOU', 'PRETEND', 'POINTER', 'COVERT'],
    ],
    gap: 22,
    plus: [['READ', 'SEND', 'PUT', 'RUN', 'SECRET', 'PATH', 'LINK', 'AGENT', 'YOU']],
    severity: 'medium',
  }),
  chainRule('tool_poisoning', 'secret-from-user', conceal, {
    steps: [['COVERT', 'SECRET'], ['POINTER', 'USER'], ['USER']],
    gap: 14,
    plus: [['PRETEND', 'COVERT']],
    severity: 'medium',
  }),
  chainRule('tool_poisoning', 'feign', signalReasons.deceivesUser, {
    oneSentence: true,
    steps: [['FEIGN'], ['POINTER', 'YOU', 'USER', 'WHEN']],
    gap: 22,
    plus: [['USER', 'AGENT', 'RULES', 'YOU'], ['FEIGN']],
    severity: 'medium',
  }),
  chainRule('prompt_injection', 'override', override, {
    steps: [['OVERRIDE'], ['PRIOR', 'YOU'], ['RULES']],
    gap: 36,
    severity: 'critical',
    acrossParts: true,
  }),
  chainRule('prompt_injection', 'override-own-rules', override, {
    steps: [['OVERRIDE'], ['RULES'], ['PRIOR', 'YOU', 'AGENT']],
    gap: 26,
    acrossParts: true,
  }),
  chainRule('prompt_injection', 'override-safeguards', override, {
    steps: [['OVERRIDE'], ['SAFETY'], ['RULES', 'RULEISH']],
    gap: 30,
  }),
  chainRule('prompt_injection', 'safeguards-gone', override, {
    steps: [
      ['SAFETY', 'PRIOR'],
      ['RULES', 'RULEISH'],
      ['GONE', 'OVERRIDE'],
    ],
    gap: 34,
    plus: [['SAFETY', 'YOU', 'AGENT', 'SYSTEM', 'NEG']],
  }),
  chainRule('prompt_injection', 'rules-do-not-apply', override, {
    steps: [['RULES'], ['NEG'], ['GONE']],
    gap: 26,
  }),
  chainRule('prompt_injection', 'outrank', override, {
    steps: [
      ['RULES', 'POINTER'],
      ['REPLACE', 'OVERRIDE'],
      ['OTHER', 'WHOLE', 'USER'],
    ],
    gap: 22,
    plus: [['RULES'], ['YOU', 'USER', 'AGENT', 'SYSTEM']],
    severity: 'medium',
  }),
  chainRule('prompt_injection', 'override-user', signalReasons.ignoresUser, {
    steps: [['OVERRIDE'], ['USER'], ['ASK']],
    gap: 20,
  }),
  chainRule('prompt_injection', 'override-consent', override, {
    steps: [['OVERRIDE'], ['ASK'], ['RULES', 'RULEISH']],
    gap: 26,
  }),
  chainRule('prompt_injection', 'unlimited', override, {
    steps: [
      ['WHOLE', 'NEG'],
      ['RULES', 'RULEISH'],
      ['GONE', 'AGENT'],
    ],
    gap: 26,
    plus: [['YOU', 'AGENT', 'SYSTEM']],
  }),
  chainRule('prompt_injection', 'reveal-prompt', signalReasons.asksForInstructions, {
    steps: [['REVEAL'], ['YOU', 'SYSTEM'], ['RULES']],
    gap: 26,
    unless: ['MENTION', 'USER'],
  }),
  chainRule('prompt_injection', 'reveal-prompt-after-noun', signalReasons.asksForInstructions, {
    steps: [['REVEAL'], ['RULES', 'RULEISH'], ['SYSTEM']],
    gap: 18,
  }),
  chainRule('prompt_injection', 'reveal-conversation', signalReasons.asksForWholeConversation, {
    steps: [['REVEAL', 'PUT', 'SEND'], ['WHOLE'], ['PRIVATE']],
    gap: 26,
    plus: [['YOU', 'AGENT', 'SYSTEM', 'NEG', 'LINK', 'MUST']],
    severity: 'medium',
  }),
  chainRule('prompt_injection', 'obey-text', comply, {
    steps: [
      ['OBEY'],
      ['POINTER', 'WHOLE', 'RULES', 'RUN'],
      ['USER', 'RULES', 'AGENT', 'YOU', 'WHEN', 'SAFETY'],
    ],
    gap: 46,
    unless: ['MENTION', 'NEG', 'READ'],
    plus: [['RULES', 'RUN']],
    severity: 'medium',
  }),
  chainRule('prompt_injection', 'commands-in-text', comply, {
    steps: [['RULES', 'RUN'], ['OBEY'], ['POINTER', 'WHEN']],
    gap: 60,
    unless: ['MENTION', 'NEG'],
    severity: 'medium',
  }),
  chainRule('prompt_injection', 'obey-foreign-order', comply, {
    steps: [['OBEY', 'RUN'], ['WHOLE'], ['RUN', 'RULES']],
    gap: 20,
    plus: [['YOU', 'OVERRIDE', 'AGENT', 'LATER', 'SAFETY', 'NEG']],
    severity: 'medium',
  }),
  chainRule('prompt_injection', 'no-consent', signalReasons.skipsConsent, {
    steps: [['NEG', 'OVERRIDE'], ['ASK'], ['USER', 'RUN', 'CALL', 'DESTROY', 'WHEN', 'POINTER']],
    gap: [12, 34],
    plus: [
      ['SECRET', 'PATH', 'LINK', 'AGENT', 'SYSTEM'],
      ['MUST', 'RUN', 'YOU', 'WHEN'],
    ],
    severity: 'medium',
  }),
  chainRule('prompt_injection', 'act-without-consent', signalReasons.skipsConsent, {
    steps: [['RUN', 'OBEY', 'DESTROY', 'SEND'], ['NEG'], ['ASK']],
    gap: [46, 14],
    plus: [['YOU', 'AGENT', 'USER', 'RULES', 'LINK', 'MUST']],
    severity: 'medium',
  }),
];
