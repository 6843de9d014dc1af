import { Type } from '../../lib/type.ts'
import { entity, type Presented } from '../../http/entity.ts'
import { choice, derived, flag, id, sealed, text, time } from '../../http/entity-fields.ts'
import { PAGE_LANGUAGES } from '../../http/page-languages.ts'
import { Choice, Nullable, Optional, Text, TimeZone } from '../../http/wire.ts'
import { toDecimal } from '../../lib/money.ts'

interface Earned {
  /** Minor units of US dollars, of all products; text where the database sums so. */
  readonly earnings: number | string
}

/** A field of the contract that has one value here. */
const always = <Value extends string>(value: Value, description: string) =>
  derived(Type.String({ description }), (): string => value)

/**
 * A seller's account, and the person of its owner or of a member of its team. Fields in the order of the contract's
 * Developer, without its secret key, which would be shown to whoever gets hold of a session.
 */
export const DEVELOPER = entity(
  'developers',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    email: text({
      class: 'e-mail addresses',
      update: {
        schema: Optional(
          Text({
            format: 'email',
            max: 254,
            description: 'Another address; a link that is mailed there makes it so.',
          }),
        ),
      },
    }),
    first: text({ update: { schema: Optional(Text({ min: 1, max: 100 })) } }),
    last: text({ update: { schema: Optional(Text({ max: 150 })) } }),
    picture: text({
      filled: true,
      update: {
        schema: Optional(
          Text({ max: 2048, format: 'http-url-or-empty', description: 'Address of a picture.' }),
        ),
      },
    }),
    ip: text({ null: true, filled: true, description: 'The address of the last login.' }),
    is_verified: flag({}),
    auth: derived(
      Choice(['app2fa', 'password'], { description: '`app2fa`: a login needs a code too.' }),
      ({ confirmed_at: since }: { readonly confirmed_at: string | null }) =>
        since === null ? ('password' as const) : ('app2fa' as const),
    ),
    public_key: text({}),
    paypal_email: always('', 'Always empty.'),
    security_email: always('', 'Always empty.'),
    is_trusted: derived(Type.Boolean(), (row: { readonly is_verified: boolean }) => row.is_verified),
    earnings: derived(
      Type.Number({
        description:
          'What all products have earned, less what was given back. Other currencies count as if they were US dollars.',
      }),
      (row: Earned) => toDecimal(Number(row.earnings)),
      { class: 'sales' },
    ),
    last_cycle_earnings: derived(
      Type.Number({ description: 'Always 0: nothing waits to be paid out.' }),
      (): number => 0,
      { class: 'sales' },
    ),
    commission: always('{"above":0}', 'JSON: the share that is kept, by threshold; always none.'),
    language: choice(PAGE_LANGUAGES, {
      null: true,
      filled: true,
      description: 'Of the dashboard and of mails to the person; null: the dashboard is as the browser says.',
      update: 'Of the dashboard and of mails; null: the dashboard is as the browser says.',
    }),
    zone: text({
      null: true,
      filled: true,
      description: 'The time zone that the dashboard tells times in; null: that of the browser.',
      update: {
        schema: Optional(
          Nullable(TimeZone('That of times in the dashboard, as `Europe/Berlin`; null: as the browser.')),
        ),
      },
    }),
    email_folded: text({ hidden: true }),
    password_hash: text({ null: true, hidden: true }),
    secret_key: sealed({ hidden: true }),
    last_login_at: time({ null: true, filled: true, hidden: true }),
  },
  { told: null },
)

/** What a reply is made of, with when two-factor was switched on and what the products have earned. */
export type DeveloperRow = Presented<(typeof DEVELOPER)['fields']>
