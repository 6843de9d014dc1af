import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, Optional, Text } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { GROUPS, type Group } from './groups.ts'
import { INTERVALS } from './intervals.ts'
import { groupArgument, InGroup } from './schema.ts'

const day = (description: string) => Optional(Text({ description }))

const OF_DAYS = {
  from: day('First day, `YYYY-MM-DD` in UTC; absent: 29 days before the last.'),
  to: day('Last day, `YYYY-MM-DD` in UTC; absent: today, of what ends 89 days after the first.'),
  interval: Type.Unsafe<(typeof INTERVALS)[number]>(
    Choice(INTERVALS, { default: 'day', description: 'What is told together; weeks begin on Monday.' }),
  ),
  environment: Type.Unsafe<0 | 1>(Choice([0, 1], { default: 0, description: '1: of the sandbox.' })),
  ...Fields,
}

/** Which days of a product are asked for. */
export const DayRange = Arguments(OF_DAYS)
export type DayRange = Static<typeof DayRange> & { readonly group?: Group | undefined }

/** Which days of a product are asked for of what can be told by more than its time. */
export const daysInGroups = (groups: readonly Group[]) =>
  Arguments({ ...OF_DAYS, group: groupArgument(groups) })

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const IN = { from: Type.String({ description: 'The first day of the interval.' }), group: InGroup }
const OF_MONEY = { ...IN, currency: Choice(CURRENCIES) }
const Amount = (description: string) => Type.Number({ description })

/** What is counted in each interval, by the name of the list. */
export const SERIES = {
  installs: Type.Object(
    {
      ...IN,
      installed: Count('Installs that were made.'),
      uninstalled: Count('Installs that said why they go.'),
    },
    { title: 'InstallsOfInterval' },
  ),
  activations: Type.Object(
    { from: IN.from, activated: Count('Activations of licenses.'), deactivated: Count('Deactivations.') },
    { title: 'ActivationsOfInterval' },
  ),
  trials: Type.Object(
    {
      ...IN,
      started: Count('Trials that began.'),
      converted: Count('Of those that began then, what was bought since.'),
    },
    { title: 'TrialsOfInterval' },
  ),
  carts: Type.Object(
    {
      ...IN,
      opened: Count('Carts that were opened.'),
      completed: Count('Carts that were bought.'),
      recovered: Count('Of these, after they had been given up.'),
    },
    { title: 'CartsOfInterval' },
  ),
  refunds: Type.Object(
    {
      ...OF_MONEY,
      refunds: Count('Payments that were given back, whole or in part.'),
      amount: Amount('What was given back, with tax.'),
    },
    { title: 'RefundsOfInterval' },
  ),
  expirations: Type.Object(
    { ...IN, licenses: Count('Licenses that end then and are not cancelled.') },
    { title: 'ExpirationsOfInterval' },
  ),
  worth: Type.Object(
    {
      ...OF_MONEY,
      renewing: Amount('What the subscriptions of licenses that end then renew for, without tax.'),
      ending: Amount('The same of those whose subscription was cancelled, so that it is lost by then.'),
    },
    { title: 'WorthOfInterval' },
  ),
} as const

/** On how many installs a version runs now. */
export const VersionInUse = Type.Object(
  { version: Type.String(), installs: Count('Active installs, not uninstalled.') },
  { title: 'VersionInUse' },
)
export type VersionInUse = Static<typeof VersionInUse>

export type SeriesName = keyof typeof SERIES

/** What each can be told by. */
export const SERIES_GROUPS: Readonly<Record<SeriesName, readonly Group[]>> = {
  installs: ['plan', 'country'],
  activations: [],
  trials: ['plan'],
  carts: GROUPS,
  refunds: GROUPS,
  expirations: ['plan'],
  worth: GROUPS,
}
