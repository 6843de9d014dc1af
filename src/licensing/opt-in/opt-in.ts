import type { TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import type { Limits } from '../../http/limits.ts'
import type { Scope } from '../../access/scope.ts'
import { sameText } from '../../lib/credentials.ts'
import { invalidFields, missingFields, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { requireUid } from '../../lib/uid.ts'
import { findAbout } from '../../mail/mail-rows.ts'
import { changeInstall } from '../installs/change.ts'
import type { OptIn } from './opt-in-schema.ts'
import { noteAnonymousUninstall, noteUninstall } from '../installs/uninstall.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { addNewUser } from '../../people/users/create.ts'
import { findPersonByEmail } from '../../people/users/user-rows.ts'
import { NEW_USER } from '../licenses/child-license.ts'
import { connectInstalls, type Connected } from './connect-installs.ts'
import { customerOf } from '../licenses/customer.ts'
import { licenseByKey, ownLicense } from '../licenses/by-key.ts'
import { findClientProduct } from './consent-rows.ts'
import { askToConfirm, type Connection } from '../activation/pending-activations.ts'
import { provenUser, type ProvenUser } from '../proof/proven-user.ts'
import { countProvenSites } from '../activation/sites-of-user.ts'

/** The name of an opt-in in the audit log; its caller tells the log of one that is pending. */
export const OPT_IN = 'keywright/opt-in'

interface From {
  readonly ip: string
  readonly requestId: string
}

type Counting = Pick<Limits, 'sitesOfUser'>

/** What became of an opt-in: keys, or a mail to a person that only its own link can speak for. */
export type OptInOutcome =
  | { readonly kind: 'connected'; readonly connected: Connected; readonly connection: Connection }
  | {
      readonly kind: 'pending'
      readonly email: string
      /** Where the person asks when no mail comes; null: the seller says nowhere. */
      readonly supportEmail: string | null
    }

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
  const scope: Scope = {
    kind: 'install',
    developerId: product.developer_id,
    productId: product.id,
    userId: null,
    installId: null,
    actor: { kind: 'anonymous', id: 0, credential: 'none' },
    ...from,
  }
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
  if (new URL(to).host === hostWithPort(site ?? sites[0]?.url ?? '')) return
  throw invalidFields([{ field: 'return_url', message: 'must lead to the host of site_url' }])
}

function hostWithPort(address: string): string | null {
  const url = /^https?:\/\//i.test(address) ? address : `http://${address}`
  return URL.canParse(url) ? new URL(url).host : null
}

function connectionOf(input: OptIn, license: LicenseRow | null, keyedId: number | null): Connection {
  const { site_uid, site_url, site_name, language } = input
  const one = { uid: site_uid ?? '', url: site_url, title: site_name, language }
  const shared = {
    version: input.plugin_version,
    sdk_version: input.sdk_version,
    platform_version: input.platform_version,
    programming_language_version: input.programming_language_version,
    is_premium: input.is_premium,
    is_active: input.is_active,
    is_disconnected: input.is_disconnected,
    environment: license?.environment,
  }
  const sites = input.sites.length > 0 ? input.sites : [one]
  return {
    installs: sites.map(({ uid, url, title, language: spoken }) => {
      const told = { ...shared, url, title, language: spoken ?? language }
      const known = Object.entries(told).filter(([, value]) => value !== undefined)
      return { ...(Object.fromEntries(known) as Partial<Connection['installs'][number]>), uid }
    }),
    licenseId: license?.id ?? null,
    keyedId,
    trialPlanId: input.trial_plan_id ?? null,
    isMarketingAllowed: input.is_marketing_allowed ?? null,
    isExtensionsTrackingAllowed: input.is_extensions_tracking_allowed ?? null,
    isDiagnosticTrackingAllowed: input.is_diagnostic_tracking_allowed ?? null,
  }
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
  const pending = { kind: 'pending', email, supportEmail: await supportOf(ctx, scope) } as const
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

/** Where answers to mails about the product go, of the product or else of its store. */
async function supportOf({ db }: TxContext, { productId }: Scope): Promise<string | null> {
  const about = await findAbout(db, { productId, userId: null })
  return about?.helpers.support?.address ?? null
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
