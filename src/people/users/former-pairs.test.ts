import { test } from 'node:test'
import {
  agreed,
  deleted,
  event,
  install,
  license,
  moved,
  MOVED_AT,
  NEXT,
  ofAddon,
  renewed,
  requireReaches,
  token,
  told,
  took,
  type Formers,
} from '../../../test/former-persons.ts'
import { ADDON, BUNDLE, MAIN, OUTER, UNRELATED } from '../../../test/former-shops.ts'

const own = { [MAIN]: 'own' } as const
const whole = { [MAIN]: 'whole' } as const
const typed = { is_verified: 0, came_with: '1' }

/** Whose pair went out with a site. */
const sited: Formers = {
  'a site, and a license of a bundle': {
    reach: own,
    rows: (n) => [install(n), license(n, { product: BUNDLE })],
  },
  'a site, and a license of another product': {
    reach: whole,
    rows: (n) => [install(n), license(n, { product: UNRELATED })],
  },
  'a site that was activated': { reach: own, rows: (n) => [install(n), token(n)] },
  'a site with the license of somebody else': {
    reach: own,
    rows: (n) => [license(n, { user: NEXT }), install(n, { license: n })],
  },
  'a site alone': { reach: whole, sites: (n) => ({ [n]: 'whole' }), rows: (n) => [install(n)] },
  'a site that was deleted, and a license': { reach: own, rows: (n) => [deleted(n), license(n)] },
  'a site of another product that was deleted, and a license': {
    reach: whole,
    rows: (n) => [deleted(n, { product: UNRELATED }), license(n)],
  },
  'a site alone that was deleted': { reach: whole, rows: (n) => [deleted(n)] },
  'a license alone': { reach: whole, rows: (n) => [license(n), event('user.created', n)] },
  'a typed address, and a site': { user: typed, reach: own, rows: (n) => [install(n)] },
  'a typed address, and no site': { user: typed, reach: whole },
}

/** Whose pair went out with a site that is another's now. */
const given: Formers = {
  'a site that was moved with its license': { reach: own, rows: (n) => [moved(n), told(n), took(n)] },
  'a site that was moved': { reach: whole, rows: (n) => [moved(n), told(n)] },
  'a typed address, and a site that was moved': { user: typed, reach: own, rows: (n) => [moved(n), told(n)] },
  'an address that was typed and is proven, and a site that was moved': {
    user: { ...typed, is_verified: 1 },
    reach: whole,
    rows: (n) => [moved(n), told(n)],
  },
  'an address that its seller wrote, and a site that was moved': {
    user: { is_verified: 0 },
    reach: whole,
    rows: (n) => [moved(n), told(n)],
  },
  'a site that was moved, and a license': { reach: own, rows: (n) => [moved(n), told(n), license(n)] },
  'a site that was moved, and a license of a bundle': {
    reach: own,
    rows: (n) => [moved(n), told(n), license(n, { product: BUNDLE })],
  },
  'a site that was moved, and a license of a bundle that it is not in': {
    reach: { [UNRELATED]: 'whole' },
    rows: (n) => [
      moved(n, { product: UNRELATED }),
      told(n, { product: UNRELATED }),
      license(n, { product: BUNDLE }),
    ],
  },
  'a site that was moved, and has a license there': {
    reach: own,
    rows: (n) => [license(n, { user: NEXT }), moved(n, { license: n }), told(n)],
  },
  'a site that was moved, and was activated': { reach: own, rows: (n) => [moved(n), told(n), token(n)] },
  'a site that was moved beside one of another product that was activated': {
    reach: { [MAIN]: 'whole', [UNRELATED]: 'own' },
    rows: (n) => [
      moved(n, { product: UNRELATED }),
      told(n, { product: UNRELATED }),
      token(n),
      moved(n, { id: 1000 + n }),
      told(n, { id: 1000 + n }),
    ],
  },
  'a site that was moved and deleted, and a license': { reach: own, rows: (n) => [told(n), license(n)] },
  'a site that both sides moved, whose events are deleted, and a license': {
    reach: own,
    rows: (n) => [moved(n), agreed(n), license(n)],
  },
  'a site that both sides moved, whose events are there, and a license': {
    reach: own,
    rows: (n) => [moved(n), agreed(n), told(n), license(n)],
  },
  'a site that one side moved, and a license': {
    reach: whole,
    rows: (n) => [moved(n), agreed(n, { completed_at: null }), license(n)],
  },
  'a site of an add-on that was moved beside another one': {
    reach: { [MAIN]: 'whole', [ADDON]: 'own' },
    rows: (n) => [
      moved(n),
      moved(n, ofAddon(n)),
      agreed(n, { install_ids: `${1000 + n}` }),
      license(n, { product: ADDON }),
    ],
  },
  'a site of another product that was moved, and a license': {
    reach: whole,
    rows: (n) => [moved(n, { product: UNRELATED }), told(n, { product: UNRELATED }), license(n)],
  },
  'a license, and a site whose plan has the number of its owner': {
    reach: whole,
    rows: (n) => [
      license(n),
      event('install.plan.changed', NEXT, { data: { install_id: String(n), from: String(n), to: '1' } }),
    ],
  },
  'a license, and moves that name nobody': {
    reach: whole,
    rows: (n) => [
      license(n),
      event('install.ownership.completed', n, { data: { install_id: String(n) } }),
      event('install.ownership.completed', n, { data: { from: String(n) } }),
    ],
  },
}

/** Who got other keys by a link: what is of the same second may have been before it. */
const linked: Formers = {
  'a site that was moved before a link gave other keys': {
    reach: whole,
    rows: (n) => [moved(n), told(n), license(n), renewed(n, MOVED_AT + 1000)],
  },
  'a site that was moved in the second in which a link gave other keys': {
    reach: own,
    rows: (n) => [moved(n), told(n), license(n), renewed(n, MOVED_AT + 999)],
  },
  'a site that was moved after a link gave other keys': {
    reach: own,
    rows: (n) => [moved(n), told(n), license(n), renewed(n, MOVED_AT - 1000)],
  },
  'a site that was moved between two links': {
    reach: whole,
    rows: (n) => [
      moved(n),
      told(n),
      license(n),
      renewed(n, MOVED_AT + 1000),
      renewed(n, MOVED_AT - 1000, { id: 6000 + n }),
    ],
  },
  'a site that was moved before something else was done': {
    reach: own,
    rows: (n) => [
      moved(n),
      told(n),
      license(n),
      renewed(n, MOVED_AT + 1000, { action: 'users/update-user' }),
    ],
  },
}

/** What a pair opens: add-ons of its product, and bundles that these are in. */
const opened: Formers = {
  'a site with a license, and one of an add-on that was moved': {
    reach: { [MAIN]: 'own', [ADDON]: 'own' },
    rows: (n) => [license(n), install(n, { license: n }), moved(n, ofAddon(n)), told(n, ofAddon(n))],
  },
  'a site with a license, and one of another product that was moved': {
    reach: { [MAIN]: 'own', [UNRELATED]: 'whole' },
    rows: (n) => [
      license(n),
      install(n, { license: n }),
      moved(n, { id: 1000 + n, product: UNRELATED }),
      told(n, { id: 1000 + n, product: UNRELATED }),
    ],
  },
  'a site, and one of an add-on that was moved, and one of another product with a license': {
    reach: { [MAIN]: 'whole', [ADDON]: 'whole', [UNRELATED]: 'own' },
    sites: (n) => ({ [n]: 'whole', [2000 + n]: 'own' }),
    rows: (n) => [
      install(n),
      moved(n, ofAddon(n)),
      told(n, ofAddon(n)),
      license(n, { product: UNRELATED }),
      install(n, { id: 2000 + n, product: UNRELATED, license: n }),
    ],
  },
  'a site with a license, and one of a bundle that was moved': {
    reach: { [MAIN]: 'own', [BUNDLE]: 'own' },
    rows: (n) => [
      license(n),
      install(n, { license: n }),
      moved(n, { id: 1000 + n, product: BUNDLE }),
      told(n, { id: 1000 + n, product: BUNDLE }),
    ],
  },
  'a site that was moved with its license, and one of an add-on': {
    reach: { [MAIN]: 'own', [ADDON]: 'own', [UNRELATED]: 'whole' },
    sites: (n) => ({ [1000 + n]: 'own' }),
    rows: (n) => [moved(n), told(n), took(n), install(n, ofAddon(n))],
  },
  'a site that was moved with its license, and one of an add-on that was deleted': {
    reach: { [MAIN]: 'own', [ADDON]: 'own' },
    rows: (n) => [moved(n), told(n), took(n), deleted(n, { product: ADDON })],
  },
  'a site that was moved with its license, and one of another product': {
    reach: { [MAIN]: 'own', [ADDON]: 'whole', [UNRELATED]: 'whole' },
    sites: (n) => ({ [1000 + n]: 'whole' }),
    rows: (n) => [moved(n), told(n), took(n), install(n, { id: 1000 + n, product: UNRELATED })],
  },
  'a site that was moved with its license, and one of another product that was deleted': {
    reach: { [MAIN]: 'own', [ADDON]: 'whole' },
    rows: (n) => [
      moved(n),
      told(n),
      took(n),
      deleted(n, { product: UNRELATED }),
      event('user.created', n, { product: ADDON }),
    ],
  },
  'a site that was moved with its license, and one of a bundle': {
    reach: { [MAIN]: 'own', [BUNDLE]: 'own' },
    rows: (n) => [moved(n), told(n), took(n), install(n, { id: 1000 + n, product: BUNDLE })],
  },
  'a site that was moved with its license, and one of a bundle with the add-on': {
    reach: { [MAIN]: 'own', [OUTER]: 'own' },
    rows: (n) => [moved(n), told(n), took(n), install(n, { id: 1000 + n, product: OUTER })],
  },
  'a site that was moved, and one of an add-on': {
    reach: { [MAIN]: 'whole', [ADDON]: 'whole' },
    sites: (n) => ({ [1000 + n]: 'whole' }),
    rows: (n) => [moved(n), told(n), install(n, ofAddon(n))],
  },
  'a site of an add-on that was moved with its license, and one of a bundle without it': {
    reach: { [ADDON]: 'own', [BUNDLE]: 'whole' },
    rows: (n) => [
      moved(n, ofAddon(n)),
      told(n, ofAddon(n)),
      took(n, { product: ADDON }),
      install(n, { id: 2000 + n, product: BUNDLE }),
    ],
  },
  'sites of a product and its add-on that were moved, and a license of another product': {
    reach: { [MAIN]: 'whole', [ADDON]: 'whole' },
    rows: (n) => [
      moved(n),
      told(n),
      moved(n, ofAddon(n)),
      told(n, ofAddon(n)),
      took(n, { product: UNRELATED }),
    ],
  },
  'a site of an add-on that was moved with its license': {
    reach: { [MAIN]: 'whole', [ADDON]: 'own' },
    rows: (n) => [moved(n, ofAddon(n)), told(n, ofAddon(n)), took(n)],
  },
}

const formers = { ...sited, ...given, ...linked, ...opened }

test('a pair that who proved nothing may have got is of own reach after the upgrade, also where its site has another owner', (t) =>
  requireReaches(t, 'former_pairs', { formers, isSettled: false }))

test('so it is after an upgrade that left it whole', (t) =>
  requireReaches(t, 'former_pairs_settled', { formers, isSettled: true }))
