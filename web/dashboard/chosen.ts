import type { Developer } from '../../src/accounts/developers/schema.ts'
import { chosenUnder, keepUnder } from '../ui/chosen-language.ts'

type Choices = Pick<Developer, 'language' | 'zone'>

const LANGUAGE = 'keywright-language'
const ZONE = 'keywright-time-zone'

/**
 * The language and the time zone that the page is shown in, as this browser has kept them of the person who was here
 * last: it is shown so before it is known who is there. Empty: as the browser says.
 */
export const chosen = { language: chosenUnder(LANGUAGE), zone: chosenUnder(ZONE) } as const

/** Keeps what a person has chosen for when a page is loaded; whether this one would then be shown otherwise. */
export function keepChosen({ language, zone }: Choices): boolean {
  const areKept = [keepUnder(LANGUAGE, language ?? ''), keepUnder(ZONE, zone ?? '')].every(Boolean)
  return areKept && ((language ?? '') !== chosen.language || (zone ?? '') !== chosen.zone)
}
