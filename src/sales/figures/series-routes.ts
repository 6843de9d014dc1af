import { Type } from '../../lib/type.ts'
import type { Access } from '../../access/roles.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { checkDays, seriesOf, versionsInUse } from './series.ts'
import {
  DayRange,
  daysInGroups,
  SERIES,
  SERIES_GROUPS,
  VersionInUse,
  type SeriesName,
} from './series-schema.ts'

const shared = { method: 'GET', scopes: ['product', 'developer', 'store'], status: 200 } as const

const TOLD: Readonly<Record<SeriesName, readonly [access: Access, summary: string]>> = {
  installs: ['licenses.read', 'Count the installs that came and went, by interval'],
  activations: ['licenses.read', 'Count activations and deactivations of licenses, by interval'],
  trials: ['licenses.read', 'Count the trials that began and what became of them, by interval'],
  carts: ['customers.read', 'Count the carts that were opened and bought, by interval'],
  refunds: ['sales.read', 'Tell what was given back, by interval and currency'],
  expirations: ['licenses.read', 'Count the licenses that end, by interval'],
  worth: [
    'sales.read',
    'Tell what licenses that end are worth by their subscriptions, by interval and currency',
  ],
}

const seriesOperation = (name: SeriesName): AnyOperation =>
  readOperation({
    ...shared,
    id: `keywright/list-${name}-figures`,
    summary: TOLD[name][1],
    path: `/figures/${name}.json`,
    access: TOLD[name][0],
    query: SERIES_GROUPS[name].length === 0 ? DayRange : daysInGroups(SERIES_GROUPS[name]),
    response: Type.Object({ [name]: Type.Array(SERIES[name]) }),
    items: name,
    check: (_, { query }, problems) => checkDays(query, problems),
    handle: async (ctx, { scope, query }) => ({ [name]: await seriesOf(ctx, scope, name, query) }) as never,
  })

/** Ours: how a product does, by day, week or month. */
export const seriesOperations: readonly AnyOperation[] = [
  ...(Object.keys(SERIES) as SeriesName[]).map(seriesOperation),
  readOperation({
    ...shared,
    id: 'keywright/list-versions-figures',
    summary: 'Count the active installs of each version',
    path: '/figures/versions.json',
    access: 'licenses.read',
    query: Arguments({ environment: DayRange.properties.environment, ...Fields }),
    response: Type.Object({ versions: Type.Array(VersionInUse) }),
    items: 'versions',
    handle: async (ctx, { scope, query }) => ({ versions: await versionsInUse(ctx, scope, query) }),
  }),
]
