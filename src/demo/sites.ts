import type { TxContext } from '../context.ts'
import type { Scope } from '../access/scope.ts'
import { DAY } from '../lib/time.ts'
import { changeInstall } from '../licensing/installs/change.ts'
import { createInstall, type NewInstall } from '../licensing/installs/create.ts'
import type { InstallRow } from '../licensing/installs/schema.ts'
import type { LicenseRow } from '../licensing/licenses/schema.ts'
import { asOf, uidOf } from './part.ts'
import { RELEASES, versionThen } from './releases.ts'
import { putLicenseOn } from '../licensing/activation/license-on-install.ts'

export type DemoSite = Omit<NewInstall, 'user_id' | 'uid'> & { readonly url: string }

/** A site of the demo with what it runs. */
export const site = (url: string, title: string, version?: string) => ({
  url,
  title,
  ...(version !== undefined && { version }),
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
): Promise<InstallRow | null> {
  if (license.user_id === null) return null
  const uid = uidOf(told.url)
  const { install: created } = await createInstall(tx, scope, { ...told, user_id: license.user_id, uid })
  const which = { installId: created.id, licenseId: license.id }
  const { install } = await putLicenseOn(tx, scope, which, { allowUnreleased: true })
  return install
}

/** How many days after its release a version is on a site. */
const LATER = 3

/** A site that was made so many days ago with what was out then, and has got its version since. */
export async function keptUpToDate(
  tx: TxContext,
  scope: Scope,
  {
    which,
    made,
    told,
  }: { readonly which: 'first' | 'other'; readonly made: number; readonly told: DemoSite },
  install: (then: TxContext, told: DemoSite) => Promise<InstallRow | null>,
): Promise<InstallRow | null> {
  const version = versionThen(which, made * DAY)
  const row = await install(asOf(tx, tx.clock.real() - made * DAY), { ...told, version })
  const last = told.version ?? versionThen(which, 0)
  const release = RELEASES[which].find((one) => one.version === last)
  if (!row || !release || release.made - LATER >= made) return row
  return changeInstall(asOf(tx, tx.clock.real() - (release.made - LATER) * DAY), scope, row, {
    version: last,
  })
}
