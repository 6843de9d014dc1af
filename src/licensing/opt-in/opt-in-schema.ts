import { Type, type Static, type TObject } from '../../lib/type.ts'
import { decode, Problems } from '../../http/decode.ts'
import { SITES_AT_ONCE } from '../../http/limits.ts'
import { Arguments, Choice, Id, Nullable, Optional, SecretText, Text } from '../../http/wire.ts'
import { listOf, nestedFields } from '../../lib/form-fields.ts'
import { invalidFields } from '../../lib/errors.ts'
import { REASON_IDS } from '../../lib/reasons.ts'
import { Address } from '../installs/install.entity.ts'

const flag = () => Optional(Type.Boolean())
const version = () => Optional(Text({ max: 100 }))
const address = () => Optional(Address())

/** What a client tells of its site, and what its user allows it to tell. */
export const SITE_FIELDS = {
  plugin_version: version(),
  sdk_version: version(),
  platform_version: version(),
  programming_language_version: version(),
  site_uid: Optional(Text({ max: 100 })),
  site_url: address(),
  site_name: Optional(Text()),
  language: Optional(Text({ max: 20 })),
  is_premium: flag(),
  is_active: flag(),
  is_disconnected: flag(),
  is_marketing_allowed: Optional(Nullable(Type.Boolean())),
  is_extensions_tracking_allowed: flag(),
  is_diagnostic_tracking_allowed: flag(),
  return_url: Optional(Text({ max: 2048, format: 'http-url' })),
}

/** What an in-product client posts to connect itself (`docs/interface.md` 4.1, 4.2). */
const Fields = Arguments({
  plugin_id: Id(),
  plugin_public_key: SecretText({ max: 100 }),
  user_email: Optional(Text({ max: 254, format: 'email' })),
  user_firstname: Optional(Text({ max: 100 })),
  user_lastname: Optional(Text({ max: 150 })),
  ...SITE_FIELDS,
  format: Optional(Text({ max: 20 })),
  license_key: Optional(SecretText({ max: 200 })),
  trial_plan_id: Optional(Id()),
  s_ctx_type: Optional(Text({ max: 20 })),
  s_ctx_id: Optional(Id()),
  s_ctx_ts: Optional(Text({ max: 20 })),
  s_ctx_secure: Optional(SecretText({ max: 100 })),
})

export type SiteForm = Pick<Static<typeof Fields>, keyof typeof SITE_FIELDS>

const Site = Arguments({
  uid: Text({ max: 100 }),
  url: address(),
  title: Optional(Text()),
  language: Optional(Text({ max: 20 })),
})

const Uninstall = Arguments({
  reason_id: Optional(Choice(REASON_IDS)),
  reason_info: Optional(Text({ max: 1000, format: 'text' })),
})

export interface OptIn extends Static<typeof Fields> {
  /** The sites of a network, in place of the one. */
  readonly sites: readonly Static<typeof Site>[]
  /** The client tells of its uninstalling, which it never told to be installed. */
  readonly uninstall: Static<typeof Uninstall> | null
}

/** A form or JSON body in its types; empty text is nothing. 400 or 402 as of any operation. */
export function readOptIn(body: object, source: 'json' | 'text'): OptIn {
  const given = nestedFields(body)
  const problems = new Problems()
  const read = <T extends TObject>(schema: T, part: unknown) =>
    decode(schema, withoutEmpty(schema, part), source, problems) as Static<T>
  const fields = read(Fields, given)
  const sites = listOf(given['sites'])
  if (sites.length > SITES_AT_ONCE) {
    throw invalidFields([{ field: 'sites', message: `must be at most ${SITES_AT_ONCE}` }])
  }
  const uninstall = given['uninstall_params']
  const optIn = {
    ...fields,
    sites: sites.map((site) => read(Site, site)),
    uninstall: uninstall === undefined || uninstall === '' ? null : read(Uninstall, uninstall),
  }
  if (sites.length === 0 && fields.site_uid === undefined && !problems.has('site_uid')) {
    problems.missing.push({ field: 'site_uid', message: 'is required' })
  }
  problems.refuse()
  return optIn
}

/** Clients send what they do not know as empty text; an empty flag is off. */
function withoutEmpty(schema: TObject, part: unknown): object {
  if (typeof part !== 'object' || part === null) return {}
  const isFlag = (name: string) => {
    const { type, anyOf } = (schema.properties[name] ?? {}) as { type?: string; anyOf?: { type?: string }[] }
    return (anyOf?.[0]?.type ?? type) === 'boolean'
  }
  return Object.fromEntries(Object.entries(part).filter(([name, value]) => value !== '' || isFlag(name)))
}

/** What a client posts to learn of a key or an address (`docs/interface.md` 4.4). */
const OwnerQuestion = Arguments({
  license_key: Optional(SecretText({ max: 200 })),
  email: Optional(Text({ max: 254, format: 'email' })),
})

export interface OwnerQuestion extends Static<typeof OwnerQuestion> {
  readonly pluginIds: readonly number[]
}

const MAX_PLUGINS = 10

export function readOwnerQuestion(body: object, source: 'json' | 'text'): OwnerQuestion {
  const given = nestedFields(body)
  const problems = new Problems()
  const fields = decode(OwnerQuestion, withoutEmpty(OwnerQuestion, given), source, problems) as Static<
    typeof OwnerQuestion
  >
  const texts = listOf(given['plugin_ids']).map(String)
  if (texts.length === 0) problems.missing.push({ field: 'plugin_ids', message: 'is required' })
  if (texts.length > MAX_PLUGINS || !texts.every((text) => /^[1-9][0-9]{0,14}$/.test(text))) {
    problems.malformed.push({ field: 'plugin_ids', message: `must be at most ${MAX_PLUGINS} ids` })
  }
  if (fields.license_key === undefined && fields.email === undefined && !problems.has('email')) {
    problems.missing.push({ field: 'license_key', message: 'or email is required' })
  }
  problems.refuse()
  return { ...fields, pluginIds: [...new Set(texts.map(Number))] }
}
