import type { EventType } from '../../db/tables/event-types.ts'
import type { InstallRow } from './schema.ts'

/** What a change of what an install tells of itself records. */
export const INSTALL_CHANGED = [
  'install.updated',
  'install.url.updated',
  'install.title.updated',
  'install.version.upgraded',
  'install.version.downgrade',
  'install.plan.changed',
  'install.trial.plan.updated',
  'install.trial.extended',
  'install.language.updated',
  'install.platform.version.updated',
  'install.sdk.version.updated',
  'install.programming_language.version.updated',
  'install.activated',
  'install.deactivated',
  'install.connected',
  'install.disconnected',
  'install.premium.activated',
  'install.premium.deactivated',
  'install.uninstalled',
  'user.beta_program.opted_in',
  'user.beta_program.opted_out',
] as const satisfies EventType[]

/** What a license that is taken off installs records. */
export const LICENSE_OFF = ['license.deactivated', 'install.plan.changed'] as const satisfies EventType[]

/**
 * What a license that is put on an install records: what was nobody's is given away, and a trial begins or ends by it.
 */
export const LICENSE_ON = [
  'license.activated',
  ...LICENSE_OFF,
  'license.cancelled',
  'subscription.cancelled',
  'license.ownership.changed',
  'user.created',
  'install.activated',
  'install.updated',
  'install.trial.plan.updated',
  'install.trial.started',
] as const satisfies EventType[]

/** What a license that is put on an install records, where a bundle's license may open one of the product. */
export const LICENSE_MOVED = [...LICENSE_ON, 'license.created'] as const satisfies EventType[]

/** What a site that is connected with a license records. */
export const SITE_CONNECTED = [
  'user.marketing.opted_in',
  'user.marketing.opted_out',
  'install.installed',
  'install.connected',
  'install.url.updated',
  'install.title.updated',
  'install.version.upgraded',
  'install.version.downgrade',
  ...LICENSE_MOVED,
] as const satisfies EventType[]

export const OWNER_CHANGED = [
  'install.ownership.initiated',
  'install.ownership.owner.confirmed',
  'install.ownership.candidate.confirmed',
  'install.ownership.completed',
  'license.ownership.changed',
  'user.created',
] as const satisfies EventType[]

export const INSTALL_CREATED = ['install.installed', ...INSTALL_CHANGED] as const satisfies EventType[]

/** Whom and what an event of an install is about. */
export const aboutInstall = ({
  id,
  user_id: userId,
  environment,
}: Pick<InstallRow, 'id' | 'user_id' | 'environment'>) => ({ environment, userId, installId: id })
