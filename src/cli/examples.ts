import type { Command, Setting } from './command.ts'

/** What stands for a value in an example, by the name of its place. */
const VALUES: Readonly<Record<string, string>> = {
  id: '7',
  ids: '3,5',
  number: '5',
  hours: '24',
  text: '"some text"',
  json: "'{}'",
  file: './file',
  folder: './backup',
  address: 'https://shop.example.com/hook',
  email: 'ada@example.com',
  host: 'shop.example.com',
  time: '"2027-01-31 10:00:00"',
  day: '2027-01-31',
  duration: 'P1M',
  list: 'license.created',
  title: '"My product"',
  name: 'name',
  template: 'license',
  charge: '7',
  user: '7',
  uid: '0123456789abcdef0123456789abcdef',
  license_key: 'sk_key',
}

/** Command lines that show how a command is called: its own, or one of what must be given. */
export function examplesOf(
  name: string,
  { examples, arguments: given = {}, options = {} }: Command,
): readonly string[] {
  if (examples) return examples
  const values = Object.keys(given).map((written) => valueOf(written.slice(1, -1)))
  const all = Object.entries(options)
  const required = all.filter(([, { required: isRequired }]) => isRequired)
  const line = ['keywright', name, ...values, ...required.map(optionIn)].join(' ')
  const first = all.find(([flags, setting]) => isTelling(flags, setting))
  return required.length > 0 || !first ? [line] : [line, `${line} ${optionIn(first)}`]
}

/** Whether an option that may be left out shows what a command can do. */
const isTelling = (flags: string, { parse, isHidden }: Setting): boolean =>
  isHidden === undefined &&
  parse !== undefined &&
  !/^--(product|account|fields|count|offset|after|from) /.test(flags)

/** `--product <id>` → `--product 7`. */
function optionIn([flags, { example }]: readonly [string, Setting]): string {
  const [, flag = flags, place] = /^(--[\w-]+)(?: <(.+)>)?$/.exec(flags) ?? []
  if (place === undefined) return flag
  return `${flag} ${example ?? VALUES[flag.slice(2).replaceAll('-', '_')] ?? valueOf(place)}`
}

function valueOf(place: string): string {
  if (VALUES[place] !== undefined) return VALUES[place]
  return place.endsWith('id') || place.endsWith('-id') ? '7' : place
}
