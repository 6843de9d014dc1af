import type { TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { createInstall, type NewInstall } from '../resources/installs/create.ts'
import type { LicenseRow } from '../resources/licenses/schema.ts'
import { uidOf } from './demo-part.ts'
import { putLicenseOn } from './license-on-install.ts'

export type DemoSite = Omit<NewInstall, 'user_id' | 'uid'>

/** A site of the demo with what it runs. */
export const site = (url: string, title: string, version = '2.4.1') => ({
  url,
  title,
  version,
  language: 'en-US',
  platform_version: '6.8',
  is_premium: true,
})

/** Uses a license on a site of its owner; the install, null where nobody owns the license. */
export async function installOn(
  tx: TxContext,
  scope: Scope,
  license: Pick<LicenseRow, 'id' | 'user_id'>,
  told: DemoSite,
): Promise<number | null> {
  if (license.user_id === null) return null
  const uid = uidOf(told.url ?? '')
  const { install: created } = await createInstall(tx, scope, { ...told, user_id: license.user_id, uid })
  const which = { installId: created.id, licenseId: license.id }
  await putLicenseOn(tx, scope, which, { allowUnreleased: true })
  return created.id
}
