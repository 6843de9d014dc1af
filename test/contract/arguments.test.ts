// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { Type } from '../../src/lib/type.ts'
import { isWrite } from '../security/requests.ts'
import { startWorld, type World } from '../security/world.ts'
import {
  differs,
  documentedArguments,
  exampleOf,
  outcomeOf,
  valuesOf,
  type Argument,
  type Look,
} from './effects.ts'
import { addSeconds } from './seconds.ts'
import { SHOWN_OF_OURS } from './shown-own.ts'
import { SHOWN } from './shown.ts'
import { touches } from './touched.ts'

/** Documented arguments that change nothing, and why that is right. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'payments/download-invoice query fields': 'a PDF has no fields',
  'users/download-invoice query fields': 'a PDF has no fields',
}

const all = documentedArguments()
const shown = { ...SHOWN, ...SHOWN_OF_OURS }
const namesOf = (some: readonly Argument[]): string[] => some.map(({ name }) => name)
const isElsewhere = ({ name }: Argument) => name in shown || name in WITHOUT_EFFECT

let world: World
/** Of its own for what is written, as every row of it is read before and after each call. */
let written: World
before(async () => {
  world = await startWorld('arguments')
  await addSeconds(world)
  written = await startWorld('written')
  await addSeconds(written)
})
after(async () => {
  await world.close()
  await written.close()
})

/**
 * Whether another value of the argument than that of the example makes a difference. The example is sent before and
 * after it: what changes from call to call is no difference.
 */
async function differsIn(world: World, look: Look, argument: Argument): Promise<boolean> {
  const send = (value: unknown) => outcomeOf(world, argument, value, look)
  const example = exampleOf(argument, world.ids.own)
  let before = await send(example)
  for (const value of valuesOf(argument, world.ids.own).filter((one) => one !== example)) {
    const other = await send(value)
    const after = await send(example)
    if (before && other && after && differs(before, after, other)) return true
    before = after
  }
  return false
}

/** Those of the arguments without which the same is answered, or written too. */
async function withoutEffect(world: World, look: Look, some: readonly Argument[]): Promise<Argument[]> {
  const without: Argument[] = []
  for (const argument of some) {
    if (!(await differsIn(world, look, argument))) without.push(argument)
  }
  return without
}

test('every documented argument changes the answer or what is written, or is shown by a test of its own', async () => {
  const quiet = await withoutEffect(
    world,
    'reply',
    all.filter((argument) => !isElsewhere(argument)),
  )
  const writing = quiet.filter(({ mount }) => isWrite(mount.op))
  const without = [
    ...quiet.filter(({ mount }) => !isWrite(mount.op)),
    ...(await withoutEffect(written, 'rows', writing)),
  ]
  assert.deepEqual(namesOf(without), [])
})

test('an argument that no operation knows makes no difference, where it is not refused', async () => {
  const place = { where: 'query', name: 'unknown', schema: Type.String() } as const
  const mounts = [...new Set(all.map(({ mount }) => mount))]
  const unknown = mounts.map((mount) => ({ name: `${mount.op.id} query unknown`, mount, place }))
  const without = await withoutEffect(world, 'reply', unknown)
  assert.deepEqual(namesOf(without), namesOf(unknown))
})

test('what needs more than one call is shown by a test that is there, and that names the argument', async () => {
  const texts = new Map<string, string>()
  for (const [name, [file, title]] of Object.entries(shown)) {
    const text = texts.get(file) ?? (await readFile(file, 'utf8'))
    texts.set(file, text)
    assert.ok(text.includes(title), `${file}: ${title}`)
    const argument = name.split(' ').at(-1) ?? ''
    assert.ok(touches(text, title, argument), `${name}: ${file}: ${title}`)
  }
  const names = new Set(all.map(({ name }) => name))
  assert.deepEqual(
    Object.keys({ ...shown, ...WITHOUT_EFFECT }).filter((name) => !names.has(name)),
    [],
  )
})
