import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { ApiError } from '../../lib/errors.ts'
import { hostOf } from '../../lib/hosts.ts'
import { getInstall } from '../installs/service.ts'
import { licenseByKey } from '../licenses/by-key.ts'
import { findChildLicense } from '../licenses/child-license-rows.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { getLicense } from '../licenses/service.ts'
import { findInstallOfUid } from './by-key-rows.ts'
import { CHECKS, type Known } from './explain-checks.ts'
import type { Check, Explain, Explanation } from './explain-schema.ts'
import { findLicenseOfProduct } from './license-of-install-queries.ts'

/**
 * Asks every rule that a client meets which activates, verifies or updates by a license, and says what each answers:
 * nothing is changed, and none is left out because an earlier one says no, unless it makes no sense without that. 404
 * for a license, named by its id, that the product has not.
 */
export async function explain(ctx: ReadContext, scope: Scope, asked: Explain): Promise<Explanation> {
  const found = await licenseIn(ctx, scope, asked)
  if (found instanceof ApiError) return withoutLicense(found)
  let offered: string | null = null
  const known = await knownOf(ctx, scope, { asked, license: found, offer: (version) => (offered = version) })
  const checks = await answersTo(ctx, scope, known)
  const text = (id: number | undefined) => (id === undefined ? null : String(id))
  return {
    license_id: String(found.id),
    install_id: text(known.install?.id),
    other_license_id: text(known.other?.id),
    offered_version: offered,
    checks,
  }
}

/** The license that is asked about: of a bundle's key what it opened here, or the bundle's where it did not yet. */
async function licenseIn(ctx: ReadContext, scope: Scope, asked: Explain): Promise<LicenseRow | ApiError> {
  const { license_id: id, license_key: key } = asked
  const named = id === undefined ? undefined : await getLicense(ctx, scope, id)
  if (key === undefined) return named ?? getLicense(ctx, scope, 0)
  try {
    const { license } = await licenseByKey(ctx, scope, key)
    if (license.product_id === scope.productId) return license
    return (await findChildLicense(ctx.db, license.id, scope.productId)) ?? license
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

async function knownOf(
  ctx: ReadContext,
  scope: Scope,
  { asked, license, offer }: Pick<Known, 'asked' | 'license' | 'offer'>,
): Promise<Known> {
  const { productId } = scope
  const { uid, url } = asked
  const { user_id: userId } = license
  const named =
    uid === undefined || userId === null
      ? undefined
      : await findInstallOfUid(ctx.db, { productId, userId, uid })
  const install = named && (await getInstall(ctx, scope, named.id))
  const otherId = install && install.license_id !== license.id ? install.license_id : null
  return {
    asked,
    license,
    install,
    other: otherId === null ? undefined : await findLicenseOfProduct(ctx.db, productId, otherId),
    place: url === undefined && install ? install : { url: url ?? null, host: hostOf(url ?? '') },
    offer,
  }
}

async function answersTo(ctx: ReadContext, scope: Scope, known: Known): Promise<Check[]> {
  const answers: Check[] = []
  const hasPassed = (name: string) => answers.some((one) => one.name === name && one.is_passed === true)
  for (const { name, occasion, after = [], isAsked, ask } of CHECKS) {
    const isDue = isAsked?.(known) !== false && after.every(hasPassed)
    const refusal = isDue ? await refusalOf(() => ask(ctx, scope, known)) : null
    answers.push({ name, occasion, ...answerOf(isDue, refusal) })
  }
  return answers
}

const answerOf = (isDue: boolean, refusal: ApiError | null) => ({
  is_passed: isDue ? refusal === null : null,
  code: refusal?.code ?? null,
  message: refusal && messageOf(refusal),
})

/** What is missing stands in the details. */
const messageOf = ({ message, details = [] }: ApiError): string =>
  [message, ...details.map((one) => `${one.field} ${one.message}.`)].join(' ')

async function refusalOf(ask: () => unknown): Promise<ApiError | null> {
  try {
    await ask()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** No license has the key: that is what a client is refused with, and nothing else can be asked. */
const withoutLicense = (refusal: ApiError): Explanation => ({
  license_id: null,
  install_id: null,
  other_license_id: null,
  offered_version: null,
  checks: CHECKS.map(({ name, occasion }) => ({
    name,
    occasion,
    ...answerOf(name === 'license_key', name === 'license_key' ? refusal : null),
  })),
})
