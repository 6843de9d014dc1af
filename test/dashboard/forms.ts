import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Paused } from '../web/intercepted.ts'
import { formIn, type FormSeen } from './filled.ts'
import type { SellerApp } from './seller.ts'
import { requireRoom } from './lengthened.ts'
import { heldWrites, requireSentOnce } from './once.ts'

/** A form that writes something. */
export interface Form {
  /** After the product; with `/` before it: after the account. */
  readonly path: string
  /** The button that opens it; absent: it stands on its page. */
  readonly by?: string
  /** Its name, where it is no dialog; empty: its page has no other. */
  readonly panel?: string
  /** The button that sends it. */
  readonly act: string | RegExp
  /** What has to be so first. */
  readonly prepare?: (app: SellerApp) => Promise<unknown>
  /** What is sent before it appears, by which button, and what that is answered. */
  readonly after?: { readonly act: string; readonly answer: object }
  /** What is chosen first, by label: fields without a name, and what others appear with. */
  readonly chosen?: Readonly<Record<string, string>>
  /** What is typed by the name of the field, where not anything will do. */
  readonly given?: Readonly<Record<string, string>>
  /** Whether what is typed only says that it is meant, so that nothing is lost with it. */
  readonly isQuestion?: true
  /** An argument that has a field in another state of the form alone. */
  readonly unshown?: string
  /** Whether what is wrong is said row by row, below its fields. */
  readonly isOfRows?: true
  /** The file that it takes. */
  readonly file?: { readonly name: string; readonly text: string }
}

/** By where they are in the source. */
export type Forms = Readonly<Record<string, readonly Form[]>>

type More = Partial<Omit<Form, 'path' | 'by'>>

/** One that a button opens, which has the words of what it does, but for what is said otherwise. */
export const opened = (path: string, by: string, more: More = {}): Form => ({ path, by, act: by, ...more })

/** One that stands on its page. */
export const standing = (path: string, panel = '', more: More = {}): Form => ({
  path,
  panel,
  act: 'Save changes',
  ...more,
})

interface Opened {
  readonly page: Page
  /** What is looked at, for who reads that it is wrong. */
  readonly what: string
  readonly form: Form
}

/** A form of the page that is shown: it is written once, says what is wrong with it, and asks before it is left. */
export async function requireForm({ page, what, form }: Opened): Promise<void> {
  const { by, panel, given = {}, isQuestion = false } = form
  if (by !== undefined) await page.getByRole('button', { name: by, exact: true }).first().click()
  const selector = `${placeOf(form)} form`
  const place = page.locator(selector)
  await place.waitFor()
  await pass(page, place, form)
  const isChosen = await choose(place, form)
  // `pages.test.ts` looks at what stands on a page.
  if (panel === undefined) await requireRoom(page, what, [375, 1280])
  const { fill, see, isAskedOnReload } = formIn(page, selector)
  const isAsking = ((await fill(given)) || isChosen) && !isQuestion
  assert.equal(await isAskedOnReload(), isAsking, `${what}: asks before it is loaded anew`)
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
  const leave = async (answer: 'Stay' | 'Leave') => {
    if (panel === undefined) await page.keyboard.press('Escape')
    else await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    if (!isAsking) return
    await leaving.getByRole('button', { name: answer }).click()
    await leaving.waitFor({ state: 'detached' })
  }
  if (isAsking) await leave('Stay')
  await requireRefused({ page, what, form, place, see })
  await leave('Leave')
  await place.waitFor({ state: 'detached' })
}

const placeOf = ({ panel }: Form): string =>
  panel === undefined ? '[role=dialog]' : panel === '' ? 'main' : `section[aria-label="${panel}"]`

/** Sends what comes before it. */
async function pass(page: Page, place: Locator, { act, after }: Form): Promise<void> {
  if (!after) return
  const writes = await heldWrites(page)
  await page.getByRole('button', { name: after.act, exact: true }).click()
  await (await writes.next()).answer(after.answer)
  await writes.end()
  await place.getByRole('button', { name: act, exact: true }).waitFor()
}

/** Chooses what is to be chosen first, and the file; whether there was any. */
async function choose(place: Locator, { chosen = {}, file }: Form): Promise<boolean> {
  // A field that may be typed into in a moment, and what is told with its numbers.
  await place.locator('[readonly], [aria-label=Loading]').first().waitFor({ state: 'detached' })
  for (const [label, option] of Object.entries(chosen))
    await place.getByLabel(label, { exact: true }).selectOption(option)
  if (file) {
    const buffer = Buffer.from(file.text)
    const field = place.locator('[type=file]').first()
    await field.setInputFiles({ ...file, mimeType: 'text/plain', buffer })
  }
  return file !== undefined || Object.keys(chosen).length > 0
}

interface Filled extends Opened {
  readonly place: Locator
  readonly see: () => Promise<FormSeen>
}

/** Is sent once, and refused with all of its arguments: what was typed stays, and nothing reaches the server. */
async function requireRefused(filled: Filled): Promise<void> {
  const { page, what, form, place, see } = filled
  const before = await see()
  const button = place.getByRole('button', { name: form.act, exact: true })
  const writes = await heldWrites(page)
  try {
    const sent = await requireSentOnce({ page, writes, what }, button)
    await requireTold(filled, sent, namesIn(sent))
    if (form.unshown !== undefined) {
      await button.click()
      await requireTold(filled, await writes.next(), [form.unshown])
    }
    assert.deepEqual(valuesIn(await see()), valuesIn(before), `${what}: what was typed stays`)
  } finally {
    await writes.end()
  }
}

const valuesIn = ({ fields }: FormSeen) => fields.map(({ name, value }) => [name, value])

/** What is said of an argument in these tests, and of no other one. */
const wrong = (name: string): string => `is not what ${name} must be`

const refusalOf = (names: readonly string[]) => ({
  code: 'invalid_argument',
  message: `Malformed: ${names.map((name) => `${name} ${wrong(name)}`).join('; ')}.`,
  details: names.map((field) => ({ field, message: wrong(field) })),
})

/** The arguments of a request, as the server names what is wrong with them. */
function namesIn({ body }: Paused): readonly string[] {
  const [said = '{}'] = /^\{.*\}(?=\r?$)/m.exec(body) ?? []
  const files = [...body.matchAll(/name="(\w+)"; filename/g)].map(([, name = '']) => name)
  const names = Object.entries(JSON.parse(said) as object).flatMap(([name, value]: [string, unknown]) =>
    partsOf(value).length === 0 ? [name] : partsOf(value).map((part) => `${name}.${part}`),
  )
  return [...files, ...names]
}

/** The names in an argument that has some, also where it is a text of JSON. */
function partsOf(value: unknown): readonly string[] {
  const parts: unknown = typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value
  return parts !== null && typeof parts === 'object' && !Array.isArray(parts) ? Object.keys(parts) : []
}

/** Everything that is wrong is said at once: at its field, of which the first has the focus, else above them all. */
async function requireTold(
  { form, place, what, see }: Filled,
  sent: Paused,
  names: readonly string[],
): Promise<void> {
  const [first = assert.fail(`${what}: nothing is sent`)] = names
  await sent.answer({ error: refusalOf(names) }, 400)
  await place.getByText(wrong(first)).first().waitFor()
  const { fields, above, beside } = await see()
  if (form.isOfRows)
    return assert.ok(
      names.every((name) => beside.includes(wrong(name))),
      `${what}: ${beside}`,
    )
  const invalid = fields.filter(({ isInvalid }) => isInvalid)
  const isTied = (name: string) => invalid.some(({ told }) => told.includes(wrong(name)))
  assert.deepEqual(
    names.filter((name) => !isTied(name) && (beside.includes(wrong(name)) || !above.includes(wrong(name)))),
    [],
    `${what}: what is wrong and neither tied to a field nor said above them`,
  )
  assert.deepEqual(
    fields.filter(
      (one) => names.includes(one.name) && !(one.isInvalid && one.told.includes(wrong(one.name))),
    ),
    [],
    `${what}: fields that do not say that they are wrong`,
  )
  assert.deepEqual(
    invalid.filter(({ told }) => !names.some((name) => told.includes(wrong(name)))),
    [],
    `${what}: fields that do not say why they are wrong`,
  )
  if (invalid[0]) assert.ok(invalid[0].hasFocus, `${what}: ${invalid[0].name} has the focus`)
}
