import { Type } from '../../lib/type.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { Problems } from '../../http/decode.ts'
import type { Limits } from '../../http/limits.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { Id, Optional } from '../../http/wire.ts'
import { weightOfExtensions } from './extensions.ts'
import { InstallUpdate } from './input-schema.ts'
import { findInstalls } from './install-rows.ts'
import type { Install, InstallRow } from './schema.ts'
import type { InstallChanges } from './user-install-schema.ts'
import { getUser } from '../../people/users/service.ts'
import { countSitesByKey, type Told } from '../activation/sites-by-key.ts'
import { checkInstallUpdate, updateInstall } from './update-install.ts'
import { eachOf } from './user-installs.ts'

/** An item of a bulk change. */
export const InstallChange = Type.Object({ id: Optional(Id()), ...InstallUpdate.properties })

function changesOf(items: readonly object[], problems: Problems) {
  const changes = eachOf('installs', items, problems, InstallChange as never) as unknown as (InstallUpdate & {
    id?: number
  })[]
  const common = Object.assign({}, ...changes.filter(({ id }) => id === undefined)) as InstallUpdate
  return { changes: changes.filter(({ id }) => id !== undefined), common }
}

export async function checkInstallChanges({ installs }: InstallChanges, problems: Problems): Promise<void> {
  if (problems.has('installs')) return
  const { changes, common } = changesOf(installs, problems)
  for (const change of [...changes, common]) await checkInstallUpdate(change, problems)
}

/** As how many calls a bulk change counts: what holds for all is told for each. */
export function weightOfChanges({ installs }: InstallChanges): number {
  const isCommon = (item: object) => !('id' in item)
  const each = installs.filter((item) => !isCommon(item))
  const weigh = (items: readonly object[]) =>
    items.reduce<number>((sum, item) => sum + weightOfExtensions(item), 0)
  return each.length * (1 + weigh(installs.filter(isCommon))) + weigh(each)
}

interface Changed {
  readonly id: number
  readonly install: InstallRow
  readonly change: InstallUpdate
}

/** What a bulk change changes of each of a user's installs, the earliest first; those that are not there are left out. */
async function ownChanges(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  { installs }: InstallChanges,
): Promise<Changed[]> {
  const { changes, common } = changesOf(installs, new Problems())
  const ids = changes.map(({ id }) => id ?? 0)
  const known = ids.length === 0 ? [] : await findInstalls(ctx.db, { ...scope, userId }, ids)
  const byId = new Map(known.map((install) => [install.id, install]))
  return changes
    .toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0))
    .flatMap(({ id = 0, ...change }) => {
      const install = byId.get(id)
      return install ? [{ id, install, change: { ...common, ...change } }] : []
    })
}

/** Counts the sites that a bulk change puts licenses on by their keys, as `countSiteByKey` does for one of them. */
export async function countInstallChanges(
  ctx: ReadContext,
  scope: Scope,
  { userId, input, limits }: { userId: number; input: InstallChanges; limits: Limits },
): Promise<void> {
  if (isSeller(scope) || !input.installs.some((item) => 'license_key' in item)) return
  const told = new Map<string, { productId: number; key: string; sites: Told[] }>()
  for (const { install, change } of await ownChanges(ctx, scope, userId, input)) {
    const { product_id: productId, uid } = install
    const { license_key: key, url } = change
    if (key === undefined) continue
    const of = told.get(`${productId} ${key}`) ?? { productId, key, sites: [] }
    of.sites.push({ uid, url: url ?? install.url })
    told.set(`${productId} ${key}`, of)
  }
  for (const { productId, key, sites } of told.values())
    await countSitesByKey(ctx, productId, { key, sites, limits })
}

/**
 * Changes several installs of a user, each as `updateInstall` does, all or none; what the user has no install for
 * is left out, as a network of sites may name one that is gone.
 */
export async function updateUserInstalls(
  ctx: TxContext,
  scope: Scope,
  userId: number,
  changes: InstallChanges,
): Promise<Install[]> {
  await getUser(ctx, scope, userId)
  const updated: Install[] = []
  for (const { id, change } of await ownChanges(ctx, scope, userId, changes))
    updated.push(await updateInstall(ctx, scope, id, change))
  return updated
}
