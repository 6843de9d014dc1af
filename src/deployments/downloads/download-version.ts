import type { ReadContext, TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { StoredDownload } from '../../http/send-file.ts'
import { notFound } from '../../lib/errors.ts'
import { issueToken, readToken, type TokenClaims } from '../../lib/signed-token.ts'
import { DAY } from '../../lib/time.ts'
import { findDeployment } from '../versions/version-rows.ts'
import type { ShownDeployment } from '../versions/schema.ts'
import { noteDownload } from '../versions/service.ts'
import { isStillOffered, type Asked, type Chosen, type Offer } from './choose-version.ts'
import { findKind, noteServed } from '../versions/seeker-rows.ts'
import { ANYBODY, seekerOfInstall, seekerOfUser, type Seeker } from './seekers.ts'

/** Path under which archives stand whose address is proof enough. */
export const DOWNLOADS_PATH = '/downloads/'

/** `docs/decisions.md` 3.10. */
const LASTS_MS = DAY

/** The build of a version that its seller asks for; 404 when it has none. */
export function buildFor(row: ShownDeployment, isPremium: boolean): Chosen {
  if ((isPremium ? row.premium_file : row.free_file) === null) throw notFound('build of the version')
  return { row, isPremium }
}

/** The archive of a build, which is counted when it is sent. */
export function archiveFor(
  scope: Scope,
  chosen: Chosen,
  by: Pick<Seeker, 'userId' | 'installId'>,
): StoredDownload {
  const { row, isPremium } = chosen
  const [sha256, size] = isPremium ? [row.premium_file, row.premium_size] : [row.free_file, row.free_size]
  if (sha256 === null || size === null) throw notFound('build of the version')
  const file = { sha256, size, type: 'application/zip', name: nameOf(chosen) }
  const { userId, installId } = by
  const count = async (tx: TxContext) => {
    const kind = (await findKind(tx.db, scope))?.kind
    const entity = kind === 'addon' ? 'addon' : 'plugin'
    const type = `${entity}.${isPremium ? 'premium' : 'free'}.downloaded` as const
    await noteDownload(tx, scope, row, { userId, installId, type })
    if (installId !== null) await noteServed(tx.db, scope, installId, row.version)
  }
  return new StoredDownload(file, { productId: scope.productId, installId, userId, count })
}

/** Of letters, digits, dots and hyphens only, so that it ends no header and leads to no folder. */
function nameOf({ row, isPremium }: Chosen): string {
  const slug = (isPremium ? row.premium_slug : row.slug) ?? 'archive'
  const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '')
  return `${plain(slug).slice(0, 100) || 'archive'}.${plain(row.version).slice(0, 64)}.zip`
}

/** A version that its seller asks for, whom it need not be offered to. */
interface OwnVersion {
  readonly chosen: Chosen
  readonly seeker: null
  readonly asked: null
}

/**
 * The address of a build, good for a day without further proof; what the one it was given to may have is looked at
 * again when it is used. It says `is_premium=true` itself, which updaters read (`docs/interface.md` 12.3).
 */
export function downloadUrl(
  { keys, clock, baseUrl }: ReadContext,
  scope: Scope,
  { chosen, seeker, asked }: Offer | OwnVersion,
): string {
  const { row, isPremium } = chosen
  const token = issueToken(keys, {
    purpose: 'download',
    now: clock.real(),
    lastsMs: LASTS_MS,
    claims: {
      product: String(scope.productId),
      tag: String(row.id),
      premium: isPremium,
      seller: seeker === null,
      ...idOf('user', seeker?.userId),
      ...idOf('install', seeker?.installId),
      ...(asked && claimsOf(asked)),
    },
  })
  const query = `${isPremium ? 'is_premium=true&' : ''}token=${token}`
  return `${baseUrl}${DOWNLOADS_PATH}${row.id}/${nameOf(chosen)}?${query}`
}

const idOf = (name: string, id: number | null = null): Record<string, string> =>
  id === null ? {} : { [name]: String(id) }

/** Of what is taken into a token, which has an end; no version is as long. */
const LONGEST = 100

/** How an address was asked for, as its token says it. */
const claimsOf = ({ bySeller, type, newerThan }: Asked) => ({
  ...(bySeller && { by_seller: true }),
  ...(type !== undefined && { type }),
  ...(newerThan !== undefined && newerThan.length <= LONGEST && { after: newerThan }),
})

const askedOf = ({ by_seller: bySeller, type, after }: TokenClaims): Asked => ({
  bySeller: bySeller === true,
  type: type as Asked['type'],
  newerThan: after as Asked['newerThan'],
})

/** What a download address leads to; 404 when it leads to nothing any more, 400 when the license is over. */
export async function downloadByToken(ctx: ReadContext, id: number, token: string): Promise<StoredDownload> {
  const claims = readToken(ctx.keys, token, { purpose: 'download', now: ctx.clock.real() })
  if (!claims || claims['tag'] !== String(id)) throw notFound('download')
  const productId = Number(claims['product'])
  const [row] = await findDeployment(ctx.db, systemScope({ developerId: 0, productId }), { id })
  if (!row) throw notFound('download')
  const scope = systemScope({ developerId: row.developer_id, productId })
  const chosen: Chosen = { row, isPremium: claims['premium'] === true }
  if (claims['seller'] === true) return archiveFor(scope, chosen, ANYBODY)
  const seeker = await seekerIn(ctx, scope, claims)
  if (!(await isStillOffered(ctx, scope, { chosen, seeker, asked: askedOf(claims) })))
    throw notFound('download')
  return archiveFor(scope, chosen, seeker)
}

/** Who an address was given to, as they are now; 404 when their install is gone. */
function seekerIn(ctx: ReadContext, scope: Scope, claims: TokenClaims): Promise<Seeker> {
  const { install, user } = claims
  if (typeof install === 'string') return seekerOfInstall(ctx, scope, Number(install))
  if (typeof user === 'string') return seekerOfUser(ctx, scope, Number(user))
  return Promise.resolve(ANYBODY)
}
