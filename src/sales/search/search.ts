import type { ReadContext } from '../../context.ts'
import { holds } from '../../access/rights.ts'
import type { Access } from '../../access/roles.ts'
import type { Scope } from '../../access/scope.ts'
import { fold } from '../../lib/fold.ts'
import { hostOf } from '../../lib/hosts.ts'
import { idText } from '../../lib/id-text.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { toDecimal } from '../../lib/money.ts'
import { searchedFor } from '../../lib/searched.ts'
import { ADDRESS_PLACE } from '../../events/listeners/address.ts'
import { hashesOfKey } from '../../licensing/licenses/key.ts'
import {
  byAddress,
  byCode,
  byExternalId,
  byHost,
  byId,
  byKey,
  byRequest,
  findByBranches,
  type Branch,
  type FoundRow,
} from './queries.ts'
import { KINDS, type Kind, type Search, type SearchResult } from './schema.ts'

/** What a role needs to find something of a kind. */
const NEEDS: Readonly<Record<Kind, Access>> = {
  license: 'licenses.read',
  install: 'licenses.read',
  trial: 'licenses.read',
  user: 'customers.read',
  cart: 'customers.read',
  payment: 'sales.read',
  subscription: 'sales.read',
  coupon: 'catalogue.read',
  product: 'catalogue.read',
  store: 'catalogue.read',
  plan: 'catalogue.read',
  pricing: 'catalogue.read',
  review: 'catalogue.read',
  deployment: 'deployments.read',
  event: 'events.read',
  webhook: 'events.read',
  request: 'members.read',
}

/**
 * Whatever of an account a text may be, over all its products: what has the text whole first, then whose address begins
 * with it. A role finds what it may read.
 */
export async function search(
  ctx: ReadContext,
  scope: Scope,
  { q, environment, count }: Search,
): Promise<SearchResult[]> {
  const { developerId, actor } = scope
  const branches = branchesOf(q, developerId, ctx.keys).filter(({ kind }) => holds(actor, NEEDS[kind]))
  if (branches.length === 0) return []
  const rows = await findByBranches(ctx.db, branches, { developerId, environment, count })
  const results = new Map<string, SearchResult>()
  for (const row of rows) results.set(placeOf(row), presentFound(row, ctx.keys))
  return [...results.values()].slice(0, count)
}

/** What a request did, however much, is one result. */
const placeOf = ({ kind, id, title }: FoundRow) => `${kind} ${kind === 'request' ? title : id}`

/** A request is known by a text of its own. */
const WITH_ID = KINDS.filter((kind) => kind !== 'request')

function branchesOf(q: string, developerId: number, keys: Keyring): readonly Branch[] {
  const searched = searchedFor(q)
  if (!searched) return []
  const { text, id, emailFolded } = searched
  const host = text.includes('@') ? null : hostOf(text)
  return [
    byKey(hashesOfKey(text, keys)),
    ...(id === undefined ? [] : WITH_ID.map((kind) => byId(kind, id))),
    byRequest(text),
    byExternalId('payment', text),
    byExternalId('subscription', text),
    ...byCode(fold(text), developerId),
    ...(host === null ? [] : [byHost(host)]),
    byAddress(emailFolded),
  ]
}

function presentFound(row: FoundRow, keys: Keyring): SearchResult {
  const { kind, id, product_id: productId, environment, subtitle } = row
  return {
    kind,
    id: String(id),
    product_id: idText(productId),
    title: titleOf(row, keys),
    subtitle: subtitle.trim(),
    environment,
  }
}

/** Of a payment its amount; of a listener its host, as many addresses have a secret in them. */
function titleOf({ kind, title, amount }: FoundRow, keys: Keyring): string {
  if (kind === 'payment') return `${toDecimal(amount ?? 0).toFixed(2)} ${title.toUpperCase()}`
  return kind === 'webhook' ? (hostOf(keys.open(title, ADDRESS_PLACE)) ?? '') : title
}
