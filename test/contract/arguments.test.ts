import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
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
import { SHOWN, WITHOUT_EFFECT } from './shown.ts'

let world: World
before(async () => {
  world = await startWorld('arguments')
  await addSeconds(world)
})
after(() => world.close())

const all = documentedArguments()
const isElsewhere = ({ name }: Argument) => name in SHOWN || name in WITHOUT_EFFECT

/**
 * Whether another value of the argument than that of the example makes a difference. The example is sent before and
 * after it: what changes from call to call is no difference.
 */
async function differsIn(look: Look, argument: Argument): Promise<boolean> {
  const send = (value: unknown) => outcomeOf(world, argument, value, look)
  const example = exampleOf(argument, world.ids.own)
  let before = await send(example)
  for (const value of valuesOf(argument, world.ids.own)) {
    const other = await send(value)
    const after = await send(example)
    if (before && other && after && differs(before, after, other)) return true
    before = after
  }
  return false
}

const hasEffect = async (argument: Argument): Promise<boolean> =>
  (await differsIn('reply', argument)) || (isWrite(argument.mount.op) && (await differsIn('rows', argument)))

test('every documented argument changes the answer or what is written', async () => {
  const without: string[] = []
  for (const argument of all) {
    if (isElsewhere(argument)) continue
    if (!(await hasEffect(argument))) without.push(argument.name)
  }
  assert.deepEqual(without, [])
})

test('an argument that no operation knows makes no difference', async () => {
  const place = { where: 'query', name: 'unknown', schema: Type.String() } as const
  const differing: string[] = []
  for (const mount of new Set(all.map((argument) => argument.mount))) {
    const argument = { name: `${mount.op.id} query unknown`, mount, place }
    if (await differsIn('reply', argument)) differing.push(argument.name)
  }
  assert.deepEqual(differing, [])
})

test('what needs more than one call is shown by a test that is there', async () => {
  const texts = new Map<string, string>()
  for (const [file, title] of Object.values(SHOWN)) {
    const text = texts.get(file) ?? (await readFile(file, 'utf8'))
    texts.set(file, text)
    assert.ok(text.includes(title), `${file}: ${title}`)
  }
  const names = new Set(all.map(({ name }) => name))
  assert.deepEqual(
    Object.keys({ ...SHOWN, ...WITHOUT_EFFECT }).filter((name) => !names.has(name)),
    [],
  )
})
