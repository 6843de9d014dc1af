import { knownZone, zonesBeginningWith } from '../ui/zones.ts'
import { chosen } from './chosen.ts'

/** That of the browser. */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** The zone that times are told in: that of the browser too where it does not know the one that was chosen. */
export const zone = knownZone(chosen.zone) ?? browserZone

/** Every zone, the one that times are told in first. */
export const ZONES = zonesBeginningWith(zone)
