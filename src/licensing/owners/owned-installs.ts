import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalidFields, notFound } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import {
  findInstallsOfOwner,
  listInstallsOfOwner,
  replaceInstallIds,
  type Side,
} from './ownership-queries.ts'
import type { Change } from './ownership.ts'
import type { InstallRow } from '../installs/schema.ts'

interface Going {
  readonly install: InstallRow
  readonly installIds: readonly number[]
}

const ownerOf = ({ user_id: userId }: InstallRow, { productId, reach }: Scope) => ({
  userId,
  productId,
  reach,
})

/** The install and those that go along; 404 for one that its owner has not, or the caller does not reach. */
export async function ownInstalls(
  ctx: ReadContext,
  scope: Scope,
  { install, installIds }: Going,
): Promise<InstallRow[]> {
  const ids = [...new Set([install.id, ...installIds])]
  const found = await findInstallsOfOwner(ctx.db, ownerOf(install, scope), ids)
  if (found.length < ids.length) throw notFound('install')
  return found
}

/** How clients call it that all sites of an owner go, and not only those that are named. */
const ALL: readonly (string | undefined)[] = ['merge', 'all']

/** How many others go with one change. */
const MOST = 200

export interface WantedInstalls {
  readonly transferType: string | undefined
  readonly installIds: readonly number[]
}

/**
 * The installs that go along with one: those that are named, or with the type `merge` or `all` each that its owner has
 * and the caller reaches. 404 for one that the owner has not, or the caller does not reach; 400 where they are too many.
 */
export async function installsOf(
  ctx: ReadContext,
  scope: Scope,
  install: InstallRow,
  { transferType, installIds }: WantedInstalls,
): Promise<number[]> {
  await ownInstalls(ctx, scope, { install, installIds })
  if (!ALL.includes(transferType)) return installIds.filter((id) => id !== install.id)
  const all = await listInstallsOfOwner(ctx.db, ownerOf(install, scope), MOST + 2)
  const others = all.map(({ id }) => id).filter((id) => id !== install.id)
  if (others.length <= MOST) return others
  const message = `would be more than ${MOST} others: name them by install_ids`
  throw invalidFields([{ field: 'transfer_type', message }])
}

/** Who agrees to a change, and which installs it says go along; undefined: those that were asked for. */
interface Choice {
  readonly change: Change
  readonly sides: readonly Side[]
  readonly wanted: WantedInstalls | undefined
}

const BOTH: readonly Side[] = ['owner', 'candidate']

/**
 * Notes which installs go along, as a side says that agrees: the owner those that it has and the caller reaches, as long
 * as the next one has not agreed; either side fewer. 404 for any other, and for who has agreed before.
 */
export async function chooseInstalls(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  { change, sides, wanted }: Choice,
): Promise<void> {
  if (wanted === undefined) return
  const ofOwner = sides.includes('owner')
  const chosen = ofOwner ? await installsOf(ctx, scope, install, wanted) : wanted.installIds
  const asked = parseIdList(change.install_ids ?? '') ?? []
  const adds = chosen.some((id) => !asked.includes(id))
  if (adds && !ofOwner) throw notFound('install')
  const list = chosen.join(',')
  if (list === asked.join(',')) return
  const by = { id: change.id, sides: adds ? BOTH : sides }
  const now = ctx.clock.now()
  if (!(await replaceInstallIds(ctx.db, by, list === '' ? null : list, now))) throw notFound('link')
}

/** What a side says with its agreement; the type means something of the owner alone. */
export function wantedBy(
  sides: readonly Side[],
  {
    transferType,
    installIds,
  }: { transferType: string | undefined; installIds: readonly number[] | undefined },
): WantedInstalls | undefined {
  const isAll = ALL.includes(transferType) && sides.includes('owner')
  if (installIds === undefined && !isAll) return undefined
  return { transferType: isAll ? transferType : undefined, installIds: installIds ?? [] }
}
