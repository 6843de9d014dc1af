import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as Library } from 'typebox'
import { Type } from './type.ts'

type Builders = typeof Type

/** Every builder, with and without options, one within another. */
function built(type: Builders): readonly object[] {
  const text = type.String({ maxLength: 3, description: 'A text.' })
  const refined = type.Refine(text, isShort, whyLong)
  const object = type.Object(
    {
      text: type.Optional(text),
      twice: type.Optional(type.Refine(refined, isShort, whyLong)),
      count: type.Integer({ minimum: 1 }),
      any: type.Unknown(),
      one: type.Unsafe<'one'>({ enum: ['one'] }),
    },
    { description: 'An object.', maxProperties: 5 },
  )
  return [
    text,
    refined,
    object,
    type.String(),
    type.Boolean(),
    type.Boolean({ default: false }),
    type.Integer(),
    type.Number({ maximum: 2 }),
    type.Null(),
    type.Array(object),
    type.Array(type.Number(), { maxItems: 2 }),
    type.Object({}),
    type.Object({ all: type.Optional(type.Null()) }),
    type.Optional(type.Optional(refined)),
    type.Partial(object),
    type.Record(type.String(), refined),
    type.Union([text, type.Null()]),
    type.Union([object, type.Array(type.Unknown())], { default: null }),
    type.Unsafe<number>(type.Optional(type.Integer())),
  ]
}

const isShort = (text: string) => text.length < 3
const whyLong = () => 'is too long'

/** Everything of an object that it says to anybody, in the order in which it is written. */
function contents(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(contents)
  const own = Object.entries(Object.getOwnPropertyDescriptors(value)).map(
    ([name, { value: held, ...flags }]) => [name, flags, contents(held)] as const,
  )
  const isShown = ([, flags]: (typeof own)[number]) => flags.enumerable === true
  const hidden = own.filter((one) => !isShown(one))
  return [own.filter(isShown), hidden.toSorted(([a], [b]) => (a < b ? -1 : 1))]
}

test('the builders make what those of the library make, what is hidden included', () => {
  const library = built(Library)
  built(Type).forEach((schema, place) => assert.deepEqual(contents(schema), contents(library[place])))
})
