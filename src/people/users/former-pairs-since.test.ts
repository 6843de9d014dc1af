import { test } from 'node:test'
import {
  agreed,
  handed,
  install,
  license,
  moved,
  ofAddon,
  requireReaches,
  signs,
  told,
  took,
  type Formers,
} from '../../../test/former-persons.ts'
import { ADDON, MAIN, UNRELATED } from '../../../test/former-shops.ts'

const own = { [MAIN]: 'own' } as const
const whole = { [MAIN]: 'whole' } as const

/** The time of all that has none of its own, and when the first pair was handed out with a reach. */
const CREATED = '2026-01-01 10:00:00'
const BETWEEN = '2026-01-15 10:00:00'
const HANDED = '2026-02-01 10:00:00'
const LATER = '2026-03-01 10:00:00'

/** What the new version did is not undone. */
const since: Formers = {
  'a site that was moved since, and a license': {
    reach: whole,
    rows: (n) => [license(n)],
    since: (n) => [moved(n), told(n, { created: HANDED })],
  },
  'a site that both sides moved since, and a license': {
    reach: whole,
    rows: (n) => [license(n)],
    since: (n) => [moved(n), agreed(n, { completed_at: HANDED })],
  },
  'a site that was moved before the first pair was handed out, and a license': {
    reach: own,
    rows: (n) => [moved(n), told(n, { created: BETWEEN }), license(n)],
  },
  'a site that was moved, and a license that was moved since': {
    reach: whole,
    rows: (n) => [moved(n), told(n)],
    since: (n) => [took(n, { created: HANDED })],
  },
  'a site that was moved, of who came again since, and a license': {
    reach: whole,
    came: { [MAIN]: LATER },
    rows: (n) => [moved(n), told(n), license(n)],
  },
  'a site that was moved with its license, and an add-on that its user came into since': {
    reach: { [MAIN]: 'own', [ADDON]: 'whole' },
    came: { [ADDON]: LATER },
    rows: (n) => [moved(n), told(n), took(n)],
    since: (n) => [install(n, { ...ofAddon(n), created: LATER })],
  },
  'a site with a license, and a moved one of an add-on that its user came into since': {
    reach: { [MAIN]: 'own', [ADDON]: 'whole' },
    came: { [ADDON]: LATER },
    rows: (n) => [license(n), install(n, { license: n }), moved(n, ofAddon(n)), told(n, ofAddon(n))],
  },
  'a site with a license, a moved one, and one of an add-on since': {
    reach: { [MAIN]: 'own', [ADDON]: 'whole' },
    rows: (n) => [
      license(n),
      install(n, { license: n }),
      moved(n, { id: 2000 + n }),
      told(n, { id: 2000 + n }),
    ],
    since: (n) => [install(n, { ...ofAddon(n), created: LATER })],
  },
  'a site that was moved with its license, and another one since': {
    reach: own,
    sites: (n) => ({ [1000 + n]: 'whole', [2000 + n]: 'own' }),
    rows: (n) => [moved(n), told(n), took(n)],
    since: (n) => [
      install(n, { id: 1000 + n, reach: 'whole', created: LATER }),
      install(n, { id: 2000 + n, reach: 'whole' }),
      handed(n, { install_id: 2000 + n, created: LATER }),
    ],
  },
  'a site that was moved with its license, and a network that was connected since': {
    reach: own,
    sites: (n) => ({ [1000 + n]: 'whole', [2000 + n]: 'whole', [3000 + n]: 'own', [4000 + n]: 'own' }),
    rows: (n) => [moved(n), told(n), took(n)],
    since: (n) => [
      ...[1000, 2000, 3000].map((id) => install(n, { id: id + n, reach: 'whole' })),
      handed(n, { id: 6000 + n, install_id: 1000 + n, reach: 'whole', created: LATER }),
      signs(6000 + n, 2000 + n),
      signs(6000 + n, 3000 + n, { signs: 0 }),
      install(n, { id: 4000 + n, reach: 'whole' }),
      handed(n, { id: 7000 + n, created: LATER }),
      signs(7000 + n, 4000 + n),
    ],
  },
  'a site that was moved with its license, and one of an add-on that a link gave a pair since': {
    reach: { [MAIN]: 'own', [ADDON]: 'own' },
    sites: (n) => ({ [1000 + n]: 'whole' }),
    rows: (n) => [moved(n), told(n), took(n), install(n, ofAddon(n))],
    since: (n) => [handed(n, { product_id: ADDON, install_id: 1000 + n, reach: 'whole', created: LATER })],
  },
}

/** Pairs of which only one kind is what another one was settled into: own, of no site, of the same time and product. */
const alike: Formers = {
  'a moved site with a license, and a pair of a link whose site is deleted': {
    reach: own,
    rows: (n) => [moved(n), told(n), license(n)],
    since: (n) => [handed(n, { reach: 'whole' })],
  },
  'a moved site with a license, and a pair of a key whose site is deleted': {
    reach: own,
    rows: (n) => [moved(n), told(n), license(n)],
    since: (n) => [handed(n, { created: LATER })],
  },
  'a moved site with a license, and a settled pair of another product': {
    reach: { [MAIN]: 'own', [UNRELATED]: 'own' },
    rows: (n) => [
      moved(n),
      told(n),
      license(n),
      license(n, { id: 1000 + n, product: UNRELATED }),
      install(n, { id: 1000 + n, product: UNRELATED, license: 1000 + n }),
    ],
  },
  'a moved site of an add-on, and a pair of a link whose site is deleted': {
    reach: { [MAIN]: 'whole', [ADDON]: 'whole' },
    rows: (n) => [moved(n, ofAddon(n)), told(n, ofAddon(n))],
    since: (n) => [handed(n, { reach: 'whole' })],
  },
  'a moved site of an add-on, and a pair of a key whose site is deleted': {
    reach: { [MAIN]: 'whole', [ADDON]: 'whole' },
    rows: (n) => [moved(n, ofAddon(n)), told(n, ofAddon(n))],
    since: (n) => [handed(n, { created: LATER })],
  },
}

/** Who came with the first pair: theirs were handed out with a reach, whatever else is of that time. */
const first: Formers = {
  'a user whose first site is deleted, and who came into another product when it was made': {
    reach: { [MAIN]: 'whole', [UNRELATED]: 'whole' },
    came: { [UNRELATED]: HANDED },
    since: (n) => [handed(n, { created: HANDED })],
  },
  'a user who came when another one made the first site': { reach: whole, came: { [MAIN]: HANDED } },
}

test('what is from after the first pair with a reach is left as it is, and no other pair is taken for a settled one', (t) =>
  requireReaches(t, 'former_pairs_since', { formers: { ...since, ...alike, ...first }, isSettled: true }))

const atOnce: Formers = {
  'a user who came with the first site, a moved one of its add-on': {
    reach: { [MAIN]: 'whole', [ADDON]: 'whole' },
    rows: (n) => [moved(n, ofAddon(n)), told(n, ofAddon(n))],
    since: (n) => [install(n), handed(n, { install_id: n })],
  },
  'a site that was moved in that second, and a license': {
    reach: whole,
    rows: (n) => [moved(n), told(n, { created: CREATED }), license(n)],
  },
  'a site that was moved before with its license, and one of that second': {
    reach: own,
    sites: (n) => ({ [1000 + n]: 'own' }),
    rows: (n) => [moved(n), told(n), took(n), install(n, { id: 1000 + n, created: CREATED })],
  },
}

test('the first pair with a reach may be of the second in which its user came', (t) =>
  requireReaches(t, 'former_pairs_at_once', { formers: atOnce, isSettled: true }))
