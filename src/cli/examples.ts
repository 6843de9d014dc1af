import type { Command, Setting } from './command.ts'
import { needsOf } from './needs.ts'

/** What stands for a value in an example, by the name of its place. */
const VALUES: Readonly<Record<string, string>> = {
  id: '7',
  ids: '3,5',
  members: '3,5',
  number: '5',
  hours: '24',
  text: '"some text"',
  json: "'{}'",
  file: './file',
  folder: './backup',
  address: 'https://shop.example.com',
  email: 'ada@example.com',
  general: 'hello@example.com',
  host: 'shop.example.com',
  // Written so, it is not taken for an expression.
  ['pattern']: '"*.example.com"',
  time: '"2027-01-31 10:00:00"',
  day: '2027-01-31',
  duration: 'P1M',
  list: 'license.created',
  type: 'license.created',
  title: '"My product"',
  name: '"Ada Lovelace"',
  business_name: '"Example Ltd"',
  note: '"Asked for an invoice"',
  template: 'license',
  template_name: 'license',
  charge: '7',
  user: '7',
  uid: '0123456789abcdef0123456789abcdef',
  license_key: 'sk_key',
  version: '1.2.3',
  newer_than: '1.0',
  older_than: '2.0',
  permissions: 'site,user',
  actor: 'developer:7',
  q: 'ada@example.com',
  search: 'ada@example.com',
  subject: '"Your license"',
  body: '"Hello, here is your license."',
  token_salt: 'salt',
  owner_token: 'token',
  phone: '"+49 30 1234567"',
  account_number: 'DE89370400440532013000',
  swift: 'COBADEFF',
  address_street: '"Main Street 1"',
  address_city: 'Berlin',
  bank_city_state: 'Berlin',
  address_zip: '10115',
  bank_name: '"Example Bank"',
}

/** Command lines that show how a command is called: its own, or one of what must be given. */
export function examplesOf(name: string, command: Command): readonly string[] {
  const { examples, arguments: given = {}, options = {}, isChange } = command
  if (examples) return examples
  const values = Object.keys(given).map((written) => valueOf(written.slice(1, -1)))
  const all = Object.entries(options)
  const needed = new Set(needsOf(command).map(([first]) => first))
  const required = all.filter(([flags]) => needed.has(flags))
  const line = ['keywright', name, ...values, ...required.map(optionIn)].join(' ')
  const first = all.find(([flags, setting]) => isTelling(flags, setting))
  if (required.length > 0 || !first) return [line]
  const more = `${line} ${optionIn(first)}`
  return isChange ? [more] : [line, more]
}

/** Whether an option that may be left out shows what a command can do. */
const isTelling = (flags: string, { parse, isHidden }: Setting): boolean =>
  isHidden === undefined &&
  parse !== undefined &&
  !/^--(product|account|fields|count|offset|before|after|from|to|newer-than) /.test(flags)

/** `--product <id>` → `--product 7`. */
function optionIn([flags, { example }]: readonly [string, Setting]): string {
  const [, flag = flags, place] = /^(--[\w-]+)(?: <(.+)>)?$/.exec(flags) ?? []
  if (place === undefined) return flag
  return `${flag} ${example ?? byName(flag.slice(2)) ?? valueOf(place)}`
}

/** By the name of an option. */
function byName(flag: string): string | undefined {
  const name = flag.replaceAll('-', '_')
  if (VALUES[name] !== undefined) return VALUES[name]
  if (/(^|_)url$/.test(name)) return VALUES['address']
  if (/(^|_)country(_code)?$/.test(name)) return 'DE'
  return name.endsWith('_ids') ? VALUES['ids'] : undefined
}

/** By what stands between the brackets. */
const valueOf = (place: string): string =>
  VALUES[place.replaceAll('-', '_')] ?? (place.endsWith('id') ? '7' : place)
