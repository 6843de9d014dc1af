/** One test for several arguments of an operation. */
export const each = (operation: string, names: readonly string[], file: string, title: string) =>
  Object.fromEntries(names.map((name) => [`${operation} ${name}`, [file, title] as const]))

/** Where each argument of a figure is shown to do what it says. */
export const SHOWN_OF_FIGURES = {
  ...each(
    'keywright/list-earnings',
    ['query from', 'query to'],
    'src/sales/figures/figures.test.ts',
    'months with refunds, a dispute that is won and one that is lost come out as by hand, in three currencies',
  ),
  ...each(
    'keywright/list-mrr',
    ['query from', 'query to'],
    'src/sales/figures/figures.test.ts',
    'recurring revenue moves by who comes, pays more, pays less and leaves, as by hand',
  ),
  ...Object.fromEntries(
    ['installs', 'activations', 'trials', 'carts', 'refunds', 'expirations', 'worth'].flatMap((name) =>
      Object.entries(
        each(
          `keywright/list-${name}-figures`,
          ['query from', 'query to', 'query interval', 'query environment'],
          'src/sales/figures/series.test.ts',
          'days, weeks and months tell the same, as by hand, live or of the sandbox',
        ),
      ),
    ),
  ),
  ...Object.fromEntries(
    ['installs', 'trials', 'carts', 'refunds', 'expirations', 'worth'].map((name) => [
      `keywright/list-${name}-figures query group`,
      [
        'src/sales/figures/groups.test.ts',
        'plans, countries and cycles are told apart, and together come to the whole',
      ] as const,
    ]),
  ),
  ...Object.fromEntries(
    ['keywright/list-earnings', 'keywright/list-mrr'].map((name) => [
      `${name} query group`,
      [
        'src/sales/figures/groups.test.ts',
        'earnings and recurring revenue are told by plan, country and cycle, as by hand',
      ] as const,
    ]),
  ),
  ...each(
    'keywright/list-versions-figures',
    ['query environment'],
    'src/sales/figures/series.test.ts',
    'versions are told by the installs that run them now, the most first',
  ),
}
