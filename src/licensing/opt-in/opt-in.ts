import type { TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import type { Limits } from '../../http/limits.ts'
import type { Scope } from '../../access/scope.ts'
import { sameText } from '../../lib/credentials.ts'
import { missingFields, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { requireUid } from '../../lib/uid.ts'
import { changeInstall } from '../installs/change.ts'
import type { OptIn } from './opt-in-schema.ts'
import { noteAnonymousUninstall, noteUninstall } from '../installs/uninstall.ts'
import { addNewUser } from '../../people/users/create.ts'
import { findPersonByEmail } from '../../people/users/user-rows.ts'
import { NEW_USER } from '../licenses/child-license.ts'
import { connectInstalls, type Connected } from './connect-installs.ts'
import { pendingAt, scopeOfClient, type From, type OptInOutcome } from './outcome.ts'
import { connectionOf, refuseElsewhere } from './site-form.ts'
import { customerOf } from '../licenses/customer.ts'
import { licenseByKey, ownLicense } from '../licenses/by-key.ts'
import { findClientProduct } from './consent-rows.ts'
import { askToConfirm, type Connection } from '../activation/pending-activations.ts'
import { provenUser, type ProvenUser } from '../proof/proven-user.ts'
import { countProvenSites } from '../activation/sites-of-user.ts'

/** The name of an opt-in in the audit log; its caller tells the log of one that is pending. */
export const OPT_IN = 'keywright/opt-in'

type Counting = Pick<Limits, 'sitesOfUser'>

/**
 * Connects an in-product client with a person (`docs/interface.md` 4.1, 4.2): one that nobody knew, one that proves
 * itself by `s_ctx_secure`, or the owner of the license whose key is given. A person that is known by its address only
 * gets a mail, and the caller nothing (`docs/decisions.md` 3.1); where the product asks for confirmation, so does
 * everybody whom only an address names, and nobody learns who is known (3.14). 404 for a product of another key, 400
 * and 402 for what is malformed or missing, 401 for a proof that is wrong, old or used, 429 for too many, and what
 * `connectInstalls` refuses.
 */
export async function optIn(
  ctx: TxContext,
  input: OptIn,
  from: From,
  limits: Counting,
): Promise<OptInOutcome> {
  const product = await findClientProduct(ctx.db, input.plugin_id)
  if (!product || !sameText(product.public_key, input.plugin_public_key)) throw notFound('plugin')
  const scope = scopeOfClient({ developerId: product.developer_id, productId: product.id }, from)
  refuseReturn(input)
  const { license, keyedId } = await licenseOf(ctx, scope, input.license_key)
  const connection = connectionOf(input, license, keyedId)
  connection.installs.forEach(({ uid }) => requireUid(uid))
  const proven = await provenUser(ctx, product, input)
  if (proven) {
    const user = { userId: proven.userId, productId: product.id, reach: proven.reach }
    countProvenSites(ctx, user, { sites: connection.installs.length, limits })
  }
  const known = proven?.userId ?? license?.user_id ?? null
  const userId = known ?? (await newPerson(ctx, scope, input, product.confirms_opt_in))
  const outcome =
    userId === null
      ? await ask(ctx, scope, input, connection)
      : await connect(ctx, scope, { userId, isNew: known === null, proven, input, connection })
  if (outcome.kind === 'connected') {
    const details = { installs: outcome.connected.installs.map(({ id }) => String(id)) }
    await audit(ctx, { action: OPT_IN, actor: scope.actor, productId: scope.productId, ...from, details })
  }
  return outcome
}

async function licenseOf(ctx: TxContext, scope: Scope, key: string | undefined) {
  if (key === undefined) return { license: null, keyedId: null }
  const keyed = await licenseByKey(ctx, scope, key)
  return { license: await ownLicense(ctx, keyed), keyedId: keyed.license.id }
}

/** 400 unless the browser is led back to the site that asks (`docs/decisions.md` 3.10), or is not led at all. */
function refuseReturn({ return_url: to, site_url: site, sites, format }: OptIn): void {
  if (to === undefined) {
    if (format === 'json') return
    throw missingFields([{ field: 'return_url', message: 'is required' }])
  }
  refuseElsewhere('return_url', to, site ?? sites[0]?.url)
}

/**
 * Null when the account knows a person of this address, or everybody is to confirm it: then nothing is written, whoever
 * asks.
 */
async function newPerson(
  ctx: TxContext,
  scope: Scope,
  input: OptIn,
  isConfirmed: boolean,
): Promise<number | null> {
  if (input.user_email === undefined) {
    throw missingFields([{ field: 'user_email', message: 'is required' }])
  }
  if (isConfirmed) return null
  const user = await addNewUser(ctx, scope, {
    ...NEW_USER,
    ...namedBy(input),
    ip: scope.ip,
    is_marketing_allowed: input.is_marketing_allowed ?? null,
  })
  return user && user.id
}

const namedBy = ({
  user_email: email = '',
  user_firstname: first = '',
  user_lastname: last = '',
}: OptIn) => ({
  email,
  first,
  last,
})

async function ask(ctx: TxContext, scope: Scope, input: OptIn, work: Connection): Promise<OptInOutcome> {
  const person = namedBy(input)
  const { email } = person
  const pending = await pendingAt(ctx, scope, email)
  const [install] = work.installs
  if (input.uninstall && install) {
    await noteAnonymousUninstall(ctx, scope, { uid: install.uid, ...input.uninstall })
    return pending
  }
  const user = (await findPersonByEmail(ctx.db, scope, fold(email))) ?? null
  await askToConfirm(ctx, scope, {
    user,
    email: user?.email ?? email,
    work: { ...work, returnUrl: input.return_url ?? null, ...(user === null && { person }) },
  })
  return pending
}

interface Known {
  readonly userId: number
  /** The person was made by this opt-in, with the address that the client said. */
  readonly isNew: boolean
  readonly proven: ProvenUser | null
  readonly input: OptIn
  readonly connection: Connection
}

/** Whose client has keys that reach as far as the person gets keys that do; anybody else those of the installs. */
async function connect(
  ctx: TxContext,
  scope: Scope,
  { userId, isNew, proven, input, connection }: Known,
): Promise<OptInOutcome> {
  const user = await customerOf(ctx, scope, userId, connection.isMarketingAllowed)
  const reach = proven?.reach ?? 'own'
  const isOwn = reach === 'own' && proven !== null && proven.pairId !== null
  const by: Scope = isOwn ? { ...scope, reach: { of: 'pair', id: proven.pairId } } : scope
  const email = isNew ? user.email : undefined
  const connected = await connectInstalls(ctx, by, user, {
    work: connection,
    reach,
    within: proven?.within ?? null,
    email,
  })
  if (input.uninstall) await uninstall(ctx, scope, connected, input.uninstall)
  return { kind: 'connected', connected, connection }
}

async function uninstall(
  ctx: TxContext,
  scope: Scope,
  { installs }: Connected,
  why: NonNullable<OptIn['uninstall']>,
): Promise<void> {
  for (const install of installs) {
    const gone = await changeInstall(ctx, scope, install, { is_active: false, is_uninstalled: true })
    await noteUninstall(ctx, gone, why)
  }
}
