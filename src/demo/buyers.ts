import { DAY, HOUR } from '../lib/time.ts'
import { randomFrom } from './chance.ts'
import { DEMO_PEOPLE, type DemoPerson } from './people.ts'
import { daysBefore, isUserOf } from './users.ts'

/** Somebody whom the live history of a product is about. */
export interface Buyer {
  /** It does not change from run to run, and is nobody else's in the product. */
  readonly name: string
  readonly person: DemoPerson
  /** Of two letters, upper case. */
  readonly country: string
  /** In the order in which they came. */
  readonly place: number
  /** Since when the product knows them, milliseconds. */
  readonly since: number
  /** Came after the demo was made. */
  readonly isNewcomer: boolean
}

/** A product of the demo in a stretch of time, milliseconds. */
export interface DemoStretch {
  readonly which: 'first' | 'other'
  /** When the demo was made: what comes before it is its past. */
  readonly begin: number
  readonly until: number
}

/** Another one comes so often. */
const EVERY_MS = 3 * DAY

/** Those whom the product knew when the demo was made, and whoever has come since. */
export const buyersOf = (stretch: DemoStretch): Buyer[] => [...peopleOf(stretch), ...newcomersOf(stretch)]

function peopleOf({ which, begin }: DemoStretch): Buyer[] {
  const known = [...DEMO_PEOPLE.entries()].filter(([index]) => isUserOf(index, which))
  return known.map(([index, person], place) => ({
    name: `${which}-${index}`,
    person,
    country: person.address?.[4].toUpperCase() ?? 'US',
    place,
    since: begin - daysBefore(index) + DAY / 2,
    isNewcomer: false,
  }))
}

function newcomersOf({ which, begin, until }: DemoStretch): Buyer[] {
  const known = DEMO_PEOPLE.filter((_, index) => isUserOf(index, which)).length
  const found: Buyer[] = []
  for (let n = 0; begin + n * EVERY_MS < until; n++) {
    const name = `${which}-new-${n}`
    const random = randomFrom(name)
    const since = begin + HOUR + Math.round((n + random()) * EVERY_MS)
    const { person, country } = newcomer(2 * n + (which === 'first' ? 0 : 1))
    found.push({ name, person, country, place: known + n, since, isNewcomer: true })
  }
  return found
}

/** Their names go together in any pairs. */
const LATIN = DEMO_PEOPLE.filter(
  ({ first, last, address }) => address !== null && /^[\p{Script=Latin}' -]+$/u.test(first + last),
)

/** Somebody else for each number: has the first name of one of the people and the last one of another. */
export function newcomer(n: number): { readonly person: DemoPerson; readonly country: string } {
  const own = n % LATIN.length
  const shift = 1 + (Math.floor(n / LATIN.length) % (LATIN.length - 1))
  const [first, last] = [LATIN[own], LATIN[(own + shift) % LATIN.length]]
  if (!first || !last) throw new Error('The demo has people.')
  const mailbox = `${partOf(first, 0)}.${partOf(last, 1)}`
  return {
    person: {
      first: first.first,
      last: last.last,
      email: `${mailbox}@example.com`,
      business: '',
      address: null,
    },
    country: last.address?.[4].toUpperCase() ?? 'US',
  }
}

const partOf = ({ email }: DemoPerson, part: 0 | 1): string => email.split('@')[0]?.split('.')[part] ?? ''
