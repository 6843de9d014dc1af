import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, missingFields, Refused } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { recordEvent } from '../../events/log/record.ts'
import { toldBy, type Activate } from './activation-schema.ts'
import type { InstallRow } from '../installs/schema.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { addNewUser } from '../../people/users/create.ts'
import { sendConfirmation } from '../../people/proof/confirm-email.ts'
import { findPersonByEmail } from '../../people/users/user-rows.ts'
import type { UserCreate, UserRow } from '../../people/users/schema.ts'
import { claimLicenses } from './activate-queries.ts'
import { makeUser, NEW_USER } from '../licenses/child-license.ts'
import { scopeOfLicense } from '../licenses/family.ts'
import { askToConfirm } from './pending-activations.ts'

const OWNER_FIELDS = ['user_email', 'first_name', 'last_name'] as const
type OwnerField = (typeof OWNER_FIELDS)[number]
type Named = Pick<Activate, OwnerField | 'is_marketing_allowed'>

/**
 * Gives a license that is nobody's, which the caller holds, to the person that an activation names, and who
 * becomes a user by it. A person that the account knows gets nothing from who only knows its address: it is
 * mailed a link, and the caller refused with 400 `account_verification_required` (`docs/decisions.md` 3.1). 402 naming
 * what of the person is missing. The id of the owner.
 */
export async function claimLicense(
  ctx: TxContext,
  scope: Scope,
  license: LicenseRow,
  body: Activate,
): Promise<number | Refused> {
  const person = personOf(scope, body)
  const user = await addNewUser(ctx, scope, person)
  if (user === null) return askOwner(ctx, scope, license, { person, body })
  const userId = user.id
  await giveLicense(ctx, scope, license, userId)
  return userId
}

/**
 * Asks a person that `claimLicense` has made to prove its address, on behalf of the install with which it came
 * (`proveAddress`).
 */
export async function welcomeOwner(
  ctx: TxContext,
  scope: Scope,
  user: UserRow,
  install: InstallRow,
): Promise<void> {
  await sendConfirmation(ctx, scope, {
    userId: user.id,
    email: user.email,
    name: `${user.first} ${user.last}`.trim(),
    redirectUrl: undefined,
    install,
  })
}

/**
 * Gives a license that is nobody's, which the caller holds, and with it those of its bundle, to a user; the license.
 */
export async function giveLicense(
  ctx: TxContext,
  scope: Scope,
  license: LicenseRow,
  userId: number,
): Promise<LicenseRow> {
  const to = { user_id: userId, updated: ctx.clock.now() }
  const claimed = await claimLicenses(ctx.db, license.parent_license_id ?? license.id, to)
  const given = claimed.find(({ id }) => id === license.id)
  if (!given) throw new Error('A license that is held stays nobody’s.')
  for (const one of claimed) {
    const within = scopeOfLicense(scope, { ...license, product_id: one.product_id })
    await makeUser(ctx, within, userId)
    await recordEvent(ctx, within, {
      type: 'license.ownership.changed',
      environment: one.environment,
      userId,
      data: { license_id: String(one.id), from: null, to: String(userId) },
    })
  }
  return given
}

/** The person that an activation names as the owner; 402 naming what of it is missing. */
export function personOf({ ip }: Pick<Scope, 'ip'>, body: Named): UserCreate {
  const given = (field: OwnerField) => (body[field] ?? '').trim()
  const missing = OWNER_FIELDS.filter((field) => given(field) === '')
  if (missing.length > 0) {
    const message = 'is required, as the license has no owner yet'
    throw missingFields(missing.map((field) => ({ field, message })))
  }
  return {
    ...NEW_USER,
    email: given('user_email'),
    first: given('first_name'),
    last: given('last_name'),
    ip,
    is_marketing_allowed: body.is_marketing_allowed ?? null,
  }
}

async function askOwner(
  ctx: TxContext,
  scope: Scope,
  license: LicenseRow,
  { person, body }: { readonly person: UserCreate; readonly body: Activate },
): Promise<Refused> {
  const user = await findPersonByEmail(ctx.db, scope, fold(person.email))
  if (!user) throw new Error('A person that stands in the way of an insert is there.')
  await askToConfirm(ctx, scope, {
    user,
    email: user.email,
    work: {
      installs: [{ ...toldBy(body), environment: license.environment }],
      licenseId: license.id,
      keyedId: license.parent_license_id ?? license.id,
      trialPlanId: null,
      isMarketingAllowed: body.is_marketing_allowed ?? null,
      isExtensionsTrackingAllowed: null,
      isDiagnosticTrackingAllowed: null,
      returnUrl: null,
    },
  })
  return new Refused(
    invalid(
      'account_verification_required',
      'There is an account with this address: follow the link that was mailed to it.',
    ),
  )
}
