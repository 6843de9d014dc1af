import type { ReadContext, TxContext } from '../../context.ts'
import type { Reach } from '../../db/tables/user-keys.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { placeInstall } from '../installs/place-install.ts'
import { changePermissions } from '../installs/permissions.ts'
import type { CreatedInstall } from '../installs/create.ts'
import type { InstallRow } from '../installs/schema.ts'
import { getInstall } from '../installs/service.ts'
import { handOut, noteMade, noteShown, takeHome, type HandedOut } from '../../people/users/keys.ts'
import type { UserRow } from '../../people/users/schema.ts'
import { giveLicense } from '../activation/claim-license.ts'
import { holdLicenses, putLicenseOn, refuseEnded } from '../activation/license-on-install.ts'
import { refuseLicensed } from '../activation/other-license.ts'
import type { Connection } from '../activation/pending-activations.ts'
import { startTrial } from '../trials/trials.ts'

export interface Connected {
  readonly user: UserRow
  /** The pair of the user's keys that the client gets. */
  readonly pair: HandedOut
  /** One at least. */
  readonly installs: readonly InstallRow[]
}

/**
 * Connects the installs of a client with a person, and hands out a pair of its keys: one that reaches these installs
 * and their license, or all of the person's where its address is proven for them. 400 as `placeInstalls`, and
 * `license_activated` where who only knows a key names an install with another license.
 */
export async function connectInstalls(
  ctx: TxContext,
  scope: Scope,
  user: UserRow,
  { work, email, ...proof }: Connecting,
): Promise<Connected> {
  const [first, ...others] = await createInstalls(ctx, scope, user, work)
  if (!first) throw new Error('A client connects one install at least.')
  const made = [first, ...others] as const
  const { licenseId } = work
  const isHolder = scope.reach !== undefined
  if (proof.reach === 'own' && !isHolder) await refuseOtherLicenses(ctx, made, licenseId)
  const licenseIds = work.keyedId === null ? [] : [work.keyedId]
  for (const id of [...licenseIds, licenseId]) if (id !== null) await noteShown(ctx, scope, id)
  const pair = await handOut(ctx, made, { ...proof, email, licenseIds, licenseId, isHolder })
  return { user, pair, installs: await equip(ctx, scope, installsOf(made), work) }
}

interface Connecting {
  readonly work: Connection
  readonly reach: Reach
  /** The product whose pair was the proof; absent or null: the address was, or nothing. */
  readonly within?: number | null
  /** The address that the client said its person has. */
  readonly email?: string | undefined
}

async function refuseOtherLicenses(
  ctx: TxContext,
  made: readonly CreatedInstall[],
  licenseId: number | null,
): Promise<void> {
  for (const { install } of made) if (install.license_id !== licenseId) await refuseLicensed(ctx, install)
}

const installsOf = (made: readonly CreatedInstall[]) => made.map(({ install }) => install)

/**
 * Creates the installs of a person, or brings those of the same uids up to date, puts the license on them, which
 * becomes the person's if it was nobody's, and starts the trial of the first one. 400 as `noteMade`, `putLicenseOn` and
 * `startTrial`.
 */
export async function placeInstalls(
  ctx: TxContext,
  scope: Scope,
  user: UserRow,
  work: Connection,
): Promise<InstallRow[]> {
  const made = await createInstalls(ctx, scope, user, work)
  for (const one of made) await takeHome(ctx, scope, one)
  return equip(ctx, scope, installsOf(made), work)
}

async function createInstalls(
  ctx: TxContext,
  scope: Scope,
  user: UserRow,
  work: Connection,
): Promise<CreatedInstall[]> {
  if (work.licenseId !== null) await takeOver(ctx, scope, user, work.licenseId)
  const made: CreatedInstall[] = []
  for (const told of work.installs) {
    const created = await placeInstall(ctx, scope, { ...told, user_id: user.id })
    await noteMade(ctx, scope, created)
    made.push(created)
  }
  return made
}

async function equip(
  ctx: TxContext,
  scope: Scope,
  installs: readonly InstallRow[],
  work: Connection,
): Promise<InstallRow[]> {
  for (const install of installs) {
    await permit(ctx, scope, install, work)
    if (work.licenseId !== null) {
      await putLicenseOn(ctx, scope, { installId: install.id, licenseId: work.licenseId })
    }
  }
  const [first] = installs
  if (first && work.trialPlanId !== null) {
    const ids = { install_id: first.id, plan_id: work.trialPlanId }
    await startTrial(ctx, scope, ids, { is_migration: false })
  }
  const now: InstallRow[] = []
  for (const { id } of installs) now.push(await getInstall(ctx, scope, id))
  return now
}

/** Holds the license before its installs (`holdLicenses`); one of nobody's becomes the person's. */
async function takeOver(ctx: TxContext, scope: Scope, user: UserRow, licenseId: number): Promise<void> {
  const [license] = await holdLicenses(ctx, [licenseId])
  if (!license) throw notFound('license')
  refuseEnded(ctx, license)
  if (license.user_id === null) await giveLicense(ctx, scope, license, user.id)
}

async function permit(ctx: TxContext, scope: Scope, { id }: InstallRow, work: Connection): Promise<void> {
  const told = {
    extensions: work.isExtensionsTrackingAllowed,
    site: work.isDiagnosticTrackingAllowed,
  }
  for (const [permissions, isEnabled] of Object.entries(told)) {
    if (isEnabled === null) continue
    await changePermissions(ctx, scope, id, { is_enabled: isEnabled, permissions })
  }
}

/** The keys and ids with which a client is connected from then on (`docs/interface.md` 4.3). */
export const grantOf = (
  ctx: ReadContext,
  { user, pair, installs: [install] }: Connected,
  work: Connection,
): Record<string, string | boolean | null> => ({
  user_id: String(user.id),
  ...pair,
  ...(install && {
    install_id: String(install.id),
    install_public_key: install.public_key,
    install_secret_key: ctx.keys.open(install.secret_key, 'installs.secret_key'),
  }),
  is_marketing_allowed: user.is_marketing_allowed === null ? null : user.is_marketing_allowed,
  is_extensions_tracking_allowed: work.isExtensionsTrackingAllowed,
  is_diagnostic_tracking_allowed: work.isDiagnosticTrackingAllowed,
})

/** An address with more in its query; what is null is left out, flags are 1 and 0. */
export function withQuery(url: string, fields: Readonly<Record<string, string | boolean | null>>): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null) added.append(name, typeof value === 'boolean' ? String(Number(value)) : value)
  }
  const [address = '', fragment] = url.split('#', 2)
  const joined = `${address}${address.includes('?') ? '&' : '?'}${added.toString()}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}
