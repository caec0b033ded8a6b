/** Reports each node that matches one of the given selectors, like ESLint's rule of that name. */
const noRestrictedSyntax = {
  meta: { schema: { type: 'array', items: { type: 'object' } } },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [
        selector,
        (node) => context.report({ node, message }),
      ]),
    ),
};

/** The lint rules that oxlint does not have itself; .oxlintrc.json says what they apply to. */
export default {
  meta: { name: 'house' },
  rules: { 'no-restricted-syntax': noRestrictedSyntax },
};
