import { transaction, type TxContext } from '../../src/context.ts'
import { putLicenseOn } from '../../src/flows/license-on-install.ts'
import { startTrial } from '../../src/flows/trials.ts'
import { systemScope, type Scope } from '../../src/http/scope.ts'
import { noteClone } from '../../src/resources/installs/clones.ts'
import { createInstall } from '../../src/resources/installs/create.ts'
import { rotateLicenseKeys } from '../../src/resources/license-files/service.ts'
import { issueLicense } from '../../src/resources/licenses/service.ts'
import { createPlan } from '../../src/resources/plans/service.ts'
import { addSite } from '../../src/resources/licenses/sites.ts'
import type { TestContext } from '../app.ts'
import { createOffer } from '../catalogue.ts'

/** What an example calls an install (`values.ts`). */
const UID = 'u'.repeat(32)

/**
 * A license of a user on a plan of its own, for life and unlimited, an install on which it is active, and a key
 * that signs license files.
 */
export const createLicensed = (
  ctx: TestContext,
  owner: { readonly developerId: number; readonly productId: number },
  userId: number,
): Promise<{ clone_id: string; license_id: string; install_id: string; license_site_id: string }> =>
  transaction(ctx, async (tx) => {
    const scope = systemScope(owner)
    const offer = await createOffer(tx, owner, 'licensed')
    const license = await issueLicense(tx, scope, {
      ...offer,
      userId,
      quota: null,
      expiration: null,
      isFreeLocalhost: true,
      isBlockFeatures: true,
      isWhitelabeled: false,
    })
    await rotateLicenseKeys(tx, scope)
    const { install } = await createInstall(tx, scope, { user_id: userId, uid: UID })
    await putLicenseOn(tx, scope, { installId: install.id, licenseId: license.id }, { allowUnreleased: true })
    await createTrial(tx, scope, userId)
    const site = await addSite(tx, scope, license.id, { kind: 'deny', pattern: 'denied.example.com' })
    const clone = await noteClone(tx, scope, install.id, 'https://copy.example')
    return {
      clone_id: clone.id,
      license_id: String(license.id),
      install_id: String(install.id),
      license_site_id: site.id,
    }
  })

/** An install of the user that tries a plan of its own. */
async function createTrial(tx: TxContext, scope: Scope, userId: number): Promise<void> {
  const plan = await createPlan(tx, scope, {
    name: 'tried',
    trial_period: 14,
    is_free_localhost: true,
    is_block_features: true,
    is_block_features_monthly: true,
    license_type: 0,
  })
  const { install } = await createInstall(tx, scope, { user_id: userId, uid: 't'.repeat(32) })
  const ids = { install_id: install.id, plan_id: Number(plan.id) }
  await startTrial(tx, scope, ids, { is_migration: false })
}
