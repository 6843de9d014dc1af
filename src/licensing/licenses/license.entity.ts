import { Type } from '../../lib/type.ts'
import { entity } from '../../http/entity.ts'
import { choice, flag, id, integer, sealed, text, time } from '../../http/entity-fields.ts'
import { Id, InEnvironment, Nullable, Optional } from '../../http/wire.ts'

/** Where migrated data came from. */
export const SOURCE_IDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const

/** Above any number of installs; fits an integer of every client. */
const MAX_QUOTA = 2_147_483_647

export const Quota = () =>
  Optional(Nullable(Type.Integer({ minimum: 0, maximum: MAX_QUOTA, description: 'Null or 0: unlimited.' })))

/** The right to use a plan of a product on so many installs until some time; fields in the order of the reply. */
export const LICENSE = entity(
  'licenses',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    product_id: id({ wire: 'plugin_id' }),
    /** Null: nobody's yet. */
    user_id: id({
      null: true,
      update: {
        name: 'new_user_id',
        schema: Optional(Nullable(Id('Its owner from now on, a user of the product; null: nobody.'))),
      },
      filter: 'Only of this user.',
      told: 'by rule',
    }),
    plan_id: id({ filter: 'Only of this plan.', told: 'by rule' }),
    pricing_id: id({ null: true, told: 'by rule' }),
    quota: integer({
      null: true,
      description: 'Null: unlimited.',
      update: { schema: Quota(), read: (sent: number | null) => sent || null },
      told: 'license.quota.changed',
    }),
    /** How many installs have `counted_as` production; kept by the statements that change those. */
    activated: integer({ initial: 0, description: 'Production activations.' }),
    /** How many installs have `counted_as` local. The contract lets it be null. */
    activated_local: integer({
      initial: 0,
      shown: Nullable(Type.Integer({ description: 'Activations on local and staging hosts.' })),
    }),
    /** The first moment at which it is expired; null: never. */
    expiration: time({
      null: true,
      update: 'First moment at which it is expired; null: never.',
      told: 'by rule',
    }),
    secret_key: sealed({ description: 'The license key.', class: 'license keys' }),
    is_free_localhost: flag({
      update: 'Whether activations on local and staging hosts are not counted.',
    }),
    is_block_features: flag({
      create: 'Whether features stop when it is expired; as its plan says unless given.',
      update: 'Whether features stop when it is expired.',
    }),
    is_cancelled: flag({ initial: false }),
    is_whitelabeled: flag({
      create: 'As its price says unless given.',
      update: 'Whether clients hide what tells of the seller.',
    }),
    /** 0 production, 1 sandbox. */
    environment: choice([0, 1], { initial: 0, filter: { schema: InEnvironment } }),
    /** Origin of migrated data. */
    source: choice(SOURCE_IDS, {
      initial: 0,
      create: 'Origin of a license that is brought along.',
      filter: {
        schema: Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'Only of this origin.' })),
      },
    }),
    /** Keyed hash of the key, by which it is found (`docs/decisions.md` 3.5). */
    key_hash: text({ hidden: true }),
    /** The license of the bundle that opened this one. */
    parent_license_id: id({ null: true, hidden: true, initial: null }),
    /** Issued for a trial, and so blocks its features when over. */
    is_trial: flag({ hidden: true, initial: false }),
    /** Whether it was brought along, also where `source` is 0. */
    is_brought: flag({ filled: true, hidden: true }),
    /** Got for nothing for an address that was typed, and on no site since. */
    is_unproven: flag({ filled: true, hidden: true, initial: false }),
    /** When a change by its key alone was first begun since it was renewed last, real time; null: none was. */
    key_change_at: time({ null: true, filled: true, hidden: true }),
    /** How many of the notices about its end were given, the expiry itself included. */
    notice: integer({ hidden: true }),
    /** When the next one is due; null: none is. */
    notice_at: time({ null: true, hidden: true }),
  },
  { told: 'license.updated' },
)
