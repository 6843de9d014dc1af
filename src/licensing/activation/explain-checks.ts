import type { ReadContext } from '../../context.ts'
import { ofInstall, type Scope } from '../../access/scope.ts'
import { foreseeVersion } from '../../deployments/downloads/choose-version.ts'
import { requireLicense, seekerOfInstall } from '../../deployments/downloads/seekers.ts'
import { notFound } from '../../lib/errors.ts'
import { requireUid } from '../../lib/uid.ts'
import type { InstallRow } from '../installs/schema.ts'
import { refuseUsedUp, refuseSite } from '../licenses/counts.ts'
import { refuseCancelled, refuseExpired } from '../licenses/ended-license.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { personOf } from './claim-license.ts'
import type { CheckName, Explain, Occasion } from './explain-schema.ts'
import { isOver, refuseUnreleased } from './license-on-install.ts'
import { planOfLicense } from './license-on-install-rows.ts'
import { refuseLicensedBy } from './other-license.ts'
import { verify } from './verify.ts'

/** What is known before anything is asked. */
export interface Known {
  readonly asked: Explain
  readonly license: LicenseRow
  /** The install of the owner by the uid; undefined: there is none. */
  readonly install: InstallRow | undefined
  /** The license that is on it, where that is another one. */
  readonly other: LicenseRow | undefined
  readonly place: Pick<InstallRow, 'url' | 'host'>
  /** Told the version that would be offered. */
  offer(version: string): void
}

interface Asking {
  readonly name: CheckName
  readonly occasion: Occasion
  /** Not asked unless those have passed. */
  readonly after?: readonly CheckName[]
  /** Whether enough was told for it; absent: always. */
  isAsked?(known: Known): boolean
  /** Throws as the rule does that refuses a client. */
  ask(ctx: ReadContext, scope: Scope, known: Known): unknown
}

const isThere = ({ install }: Known): boolean => install !== undefined

/** The install of which a check has made sure that it is there. */
function installIn({ install }: Known): InstallRow {
  if (!install) throw notFound('install')
  return install
}

/** The rules of an activation (`activate`), of a verification and of an update, each as it is asked there. */
export const CHECKS: readonly Asking[] = [
  {
    name: 'uid',
    occasion: 'activation',
    isAsked: ({ asked }) => asked.uid !== undefined,
    ask: (_, __, { asked }) => requireUid(asked.uid ?? ''),
  },
  {
    name: 'license_key',
    occasion: 'activation',
    isAsked: ({ asked }) => asked.license_key !== undefined,
    // Without a license of this key nothing is known, and no check is asked.
    ask: () => undefined,
  },
  {
    name: 'not_cancelled',
    occasion: 'activation',
    ask: (_, __, { license }) => refuseCancelled(license),
  },
  {
    name: 'not_expired',
    occasion: 'activation',
    ask: (ctx, _, { license }) => refuseExpired(license, isOver(ctx, license)),
  },
  {
    name: 'owner',
    occasion: 'activation',
    ask: (_, scope, { license }) => (license.user_id === null ? personOf(scope, {}) : undefined),
  },
  {
    name: 'no_other_license',
    occasion: 'activation',
    after: ['uid'],
    isAsked: isThere,
    ask: (ctx, _, known) => refuseLicensedBy(ctx, installIn(known), known.other),
  },
  {
    name: 'released',
    occasion: 'activation',
    ask: async ({ db }, _, { license }) => refuseUnreleased(license, await planOfLicense(db, license)),
  },
  {
    name: 'site',
    occasion: 'activation',
    ask: (ctx, _, { license, place }) => refuseSite(ctx, license, place),
  },
  {
    name: 'quota',
    occasion: 'activation',
    after: ['site'],
    // Where it is active it has its place.
    ask: (ctx, _, { license, install, place }) =>
      install?.license_id === license.id ? undefined : refuseUsedUp(ctx, license, place),
  },
  {
    name: 'active',
    occasion: 'verification',
    after: ['uid'],
    isAsked: ({ asked }) => asked.uid !== undefined,
    ask: (ctx, scope, known) => {
      const install = known.install ?? { id: 0, uid: known.asked.uid ?? '' }
      const key = ctx.keys.open(known.license.secret_key, 'licenses.secret_key')
      return verify(ctx, scope, install.id, { uid: install.uid, license_key: key })
    },
  },
  {
    name: 'updates',
    occasion: 'update',
    after: ['active'],
    isAsked: isThere,
    ask: async (ctx, scope, known) => requireLicense(await seekerOfInstall(ctx, scope, installIn(known).id)),
  },
  {
    name: 'newer_version',
    occasion: 'update',
    after: ['updates'],
    isAsked: isThere,
    ask: async (ctx, scope, known) => {
      const install = installIn(known)
      const seeker = await seekerOfInstall(ctx, scope, install.id)
      const newerThan = known.asked.version ?? seeker.version ?? undefined
      const chosen = await foreseeVersion(ctx, ofInstall(scope, install), seeker, { newerThan })
      if (!chosen) throw notFound('newer version')
      known.offer(chosen.row.version)
    },
  },
]
