import { chooseUnder, chosenUnder } from '../ui/chosen-language.ts'
import { knownZone, zonesBeginningWith } from '../ui/zones.ts'

const KEPT = 'keywright-time-zone'

/** That of the browser. */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** The time zone that was chosen in this browser; undefined: none was, or none that it knows, and its own is taken. */
export const chosenZone = knownZone(chosenUnder(KEPT))

/** The zone that times are told in. */
export const zone = chosenZone ?? browserZone

/** Tells all times in another zone, in this browser from now on; empty: in its own. */
export const chooseZone = (name: string): void => chooseUnder(KEPT, name)

/** Every zone, the one that times are told in first. */
export const ZONES = zonesBeginningWith(zone)
