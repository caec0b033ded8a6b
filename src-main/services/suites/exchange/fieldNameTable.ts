import type { MappedField } from '../../../../src-shared/contract/suites.ts';

/**
 * The names under which other programs keep each field, without case and punctuation, the most
 * telling one first. Whatever reads records of named fields reads them by this table.
 */
export const fieldNames: Record<MappedField, readonly string[]> = {
  id: (
    'id key caseid testid evalid recordid scenarioid exampleid taskid uuid # no nr number ' +
    'index'
  ).split(' '),
  name: ['name', 'title', 'testname', 'casename', 'description'],
  query: (
    'query prompt userquery userprompt userinput usermessage latestmessage latestmessagetext ' +
    'lastmessage lastusermessage utterance question input inputs request message text ' +
    'userrequest usertext userturn userintent usergoal user ask instruction task scenario ' +
    'goal example phrase sentence q'
  ).split(' '),
  tags: 'tags tag labels category categories difficulty split group topic feature'.split(' '),
  server: ['server', 'expectedserver', 'expectedmcpservername', 'mcpserver', 'servername'],
  tool: (
    'expectedtool expectedtoolname expecttool expectedfunction expectedfunctionname ' +
    'expectedtoolcall correcttool tool toolname function functionname functioncall'
  ).split(' '),
  parameters: (
    'expectedparameters expectedarguments expectedargs expectedparams expectedinput ' +
    'expectedtoolargs expectedtoolarguments parameters arguments args params slots toolparams ' +
    'toolparameters toolargs toolarguments toolinput'
  ).split(' '),
  servers: ['servers'],
  expected_calls: (
    'expectedtoolsequence toolsequence expectedcalls expectedcall expectedtools ' +
    'expectedtoolcalls expecttools expectedfunctions expectedtoolnames expectedactions ' +
    'expectedtoolcallsrequired expectedtoolsrequired requiredtools correcttools mustcall ' +
    'mustcalltools toolsexpected groundtruthtools groundtruthtoolcalls referencetools ' +
    'referencetoolcalls goldtools goldtoolcalls targettools expectedtrajectory ' +
    'referencetrajectory trajectory toolcalls toolcall calls call steps'
  ).split(' '),
  acceptable_tools: (
    'acceptabletools acceptable accepted acceptabletool alternativetools alternativetool ' +
    'alternatives possibleanswers possiblecalls validcalls acceptablecalls alternativecalls ' +
    'expectanytool expectedanytool expectedanyof anyoftools anytool anyof oneof expectedoneof ' +
    'expectoneof expectedany expectany tooloptions alsoacceptable alsoaccepted alsook'
  ).split(' '),
  forbidden_tools: (
    'forbiddentools forbiddentool prohibitedtools disallowedtools unexpectedtools nottools ' +
    'nottool mustnotcall shouldnotcall expectedtoolcallsprohibited expectedtoolcallsforbidden ' +
    'expectedtoolsforbidden never forbidden forbid prohibited disallowed banned notallowed ' +
    'excluded avoid'
  ).split(' '),
  should_call: (
    'shouldcall shouldcalltool shouldcalltools shouldtrigger shouldusetool shouldusetools ' +
    'shouldinvoke shouldactivate expectcall expecttoolcall toolneeded toolrequired needstool ' +
    'requirestool requirestooluse requirestoolcall'
  ).split(' '),
  no_tool: (
    'notool notools notoolexpected expectnotool expectnotools expectednotool expectsnotool ' +
    'nocall nocalls negative isnegative negativetest isnegativetest abstain abstains ' +
    'abstention irrelevant isirrelevant outofscope isoutofscope shouldrefuse expectrefusal ' +
    'expectedrefusal'
  ).split(' '),
  arguments_mode: (
    'argumentsmode toolargsmatchmode argumentsmatch argsmatch argmatch parametersmatch ' +
    'paramsmatch matchmode argumentmatch argsmatchmode argumentsmatchmode'
  ).split(' '),
  order_dependent: (
    'orderdependent ordermatters ordered toolcallsordered toolsordered callsordered inorder strictorder checkorder order callorder ' +
    'toolorder sequenceorder ordermode'
  ).split(' '),
  allowed_calls: (
    'allowedcalls allowedtools alsoallowed optionaltools expectedtoolcallsallowed ' +
    'expectedtoolsallowed expectedtoolsoptional'
  ).split(' '),
  messages: (
    'messages history chathistory conversationhistory conversation previousmessages ' +
    'priormessages previousturns earliermessages'
  ).split(' '),
  // By its name alone it says nothing: records have to be turns or messages too.
  conversation: [],
  context: ['context', 'background', 'precondition', 'preconditions'],
  system: ['system', 'systemprompt', 'systemmessage'],
  note: ['note', 'notes', 'comment', 'comments', 'remark', 'remarks', 'rationale', 'reason', 'why'],
  answer: (
    'answer expectedanswer correctanswer referenceanswer expectedresponse groundtruth ' +
    'expectedresult expectedresults expectedoutcome expectedbehavior successcriteria rubric'
  ).split(' '),
  stub_results: ['stubresults'],
};

/** Objects of a record whose members are fields of it: what is asked, expected, or said about it. */
export const wrappers: Readonly<Record<'asking' | 'expecting' | 'describing', readonly string[]>> =
  {
    asking: ['inputs', 'input', 'inputdata', 'testinput', 'taskinput', 'vars', 'request'],
    expecting: (
      'expected expect expectation expectations expectedoutput expectedoutputs ' +
      'expectedbehavior expectedtoolcalls expectedtools outputs referenceoutputs reference ' +
      'groundtruth target ideal gold golden assert assertions checks criteria'
    ).split(' '),
    describing: ['metadata', 'meta', 'info', 'details', 'extra'],
  };
/** Names that may mean something else next to a telling one, such as what a run called. */
export const weakNames: ReadonlySet<string> = new Set(
  'tool toolname function functionname functioncall trajectory toolcalls toolcall calls call'.split(
    ' ',
  ),
);
/** Names that are switches where they are true or false, and say something else in other words. */
export const weakSwitches: ReadonlySet<string> = new Set([
  'abstention',
  'irrelevant',
  'outofscope',
  'expectedrefusal',
]);

export const turnLists: readonly string[] = ['turns', 'conversation', 'dialog', 'dialogue'];
