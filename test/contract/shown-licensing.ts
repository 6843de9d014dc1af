import type { Shown } from './shown.ts'

/** One test for several arguments of an operation. */
const each = (operation: string, names: readonly string[], file: string, title: string) =>
  Object.fromEntries(names.map((name) => [`${operation} ${name}`, [file, title] as const]))

const refused = 'src/licensing/refused/refusals.test.ts'
const timeline = 'src/sales/timeline/timeline.test.ts'
const explained = 'src/licensing/activation/explain.test.ts'

const PLAN_CHANGE = [
  'src/sales/plan-change/plan-change.test.ts',
  'a license gets plan, sites and features of another price; its end and what is charged stay',
] as const

/** Tests of what a seller asks of licenses. */
export const SHOWN_OF_LICENSING: Readonly<Record<string, Shown>> = {
  ...each(
    'keywright/explain-license',
    ['body license_key', 'body uid', 'body url'],
    explained,
    'each rule of an activation that refuses is the one that the explanation names, with its code',
  ),
  ...each(
    'keywright/explain-license',
    ['body license_id', 'body version'],
    explained,
    'an install is told the version that it would be offered, and the offer is not made',
  ),
  ...each(
    'plans/create-license',
    ['body name'],
    'src/licensing/licenses/create.test.ts',
    'a license makes whoever is named its customer, once of any number, and nobody that is known is renamed',
  ),
  ...each('keywright/preview-license-plan', ['query plan_id', 'query pricing_id'], ...PLAN_CHANGE),
  ...each('keywright/change-license-plan', ['body plan_id', 'body pricing_id'], ...PLAN_CHANGE),
  ...each(
    'keywright/list-user-trials',
    ['query count'],
    'src/licensing/trials/of-user.test.ts',
    "a buyer lists the own trials with their ends, newest first, by state, and nobody else's",
  ),
  ...each(
    'keywright/list-refusals',
    ['query license_id', 'query uid'],
    refused,
    'a verification that finds nothing and an update without a license are kept; what is merely up to date is not',
  ),
  ...each(
    'keywright/list-refusals',
    ['query code', 'query from', 'query environment', 'query count'],
    refused,
    'refusals are found by code and by time, and those of another product are not',
  ),
  ...each(
    'users/list-licenses',
    ['query environment'],
    'src/licensing/licenses/of-user.test.ts',
    'the environment narrows the list to what is live, or of the sandbox',
  ),
  ...each(
    'keywright/timeline-of-user',
    ['query environment'],
    timeline,
    'a timeline of one environment has what is of it and what is of neither, page by page, and nothing of the other',
  ),
  ...each(
    'keywright/timeline-of-license',
    ['query environment'],
    timeline,
    'the timeline of a license is of its environment, and asked for the other has no more than what is of neither',
  ),
  ...Object.fromEntries(
    ['user', 'license'].flatMap((of) =>
      ['count', 'before'].map((name) => [
        `keywright/timeline-of-${of} query ${name}`,
        [timeline, 'pages have neither a gap nor anything twice where two share a second, of whatever size'],
      ]),
    ),
  ),
}
