import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '../lib/type.ts'
import { Schemas } from './openapi-schema.ts'
import { Arguments, Choice, Id, Nullable, Optional, Text } from './wire.ts'

const written = (schema: Parameters<Schemas['write']>[0]) => new Schemas().write(schema)

test('a plain type or null is one schema with two types, null among its choices', () => {
  assert.deepEqual(written(Nullable(Type.Boolean())), { type: ['boolean', 'null'] })
  assert.deepEqual(written(Nullable(Choice(['a', 'b']))), {
    type: ['string', 'null'],
    enum: ['a', 'b', null],
  })
  assert.deepEqual(written(Nullable(Choice([1, 12]))), { type: ['integer', 'null'], enum: [1, 12, null] })
})

test('several types stay alternatives', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }
  assert.deepEqual(written(Type.Union([Type.String(), Type.Integer(), Type.Null()])), schema)
})

test('formats of ours are written as what generators know, or left out', () => {
  assert.deepEqual(written(Text({ max: 5 })), { type: 'string', maxLength: 5 })
  assert.deepEqual(written(Text({ max: 5, format: 'ip' })), { type: 'string', maxLength: 5 })
  assert.deepEqual(written(Text({ max: 5, format: 'http-url' })), {
    type: 'string',
    maxLength: 5,
    format: 'uri',
  })
  assert.deepEqual(written(Id()), { type: 'integer', minimum: 1, format: 'int64' })
})

test('a schema with a title is written once and referred to, deep inside too', () => {
  const schemas = new Schemas()
  const person = Type.Object({ name: Type.String() }, { title: 'Person' })
  const reference = { $ref: '#/components/schemas/Person' }
  assert.deepEqual(schemas.write(person), reference)
  assert.deepEqual(schemas.write(Type.Object({ people: Type.Array(person), chief: Nullable(person) })), {
    type: 'object',
    required: ['people', 'chief'],
    properties: {
      people: { type: 'array', items: reference },
      chief: { anyOf: [reference, { type: 'null' }] },
    },
  })
  assert.deepEqual(Object.keys(schemas.all()), ['Person'])
})

test('two different schemas cannot have one title', () => {
  const schemas = new Schemas()
  schemas.write(Type.Object({ a: Type.String() }, { title: 'Thing' }))
  assert.throws(
    () => schemas.write(Type.Object({ b: Type.String() }, { title: 'Thing' })),
    /two schemas are named Thing/,
  )
})

test('equal schemas without a title share the first name', () => {
  const schemas = new Schemas()
  const list = () => Type.Object({ events: Type.Array(Type.String()) })
  assert.deepEqual(schemas.writeAs('One', list()), { $ref: '#/components/schemas/One' })
  assert.deepEqual(schemas.writeAs('Two', list()), { $ref: '#/components/schemas/One' })
})

test('a body requires what has no default', () => {
  const schemas = new Schemas()
  const body = Arguments({ a: Text(), b: Type.Boolean({ default: false }), c: Optional(Text()) })
  schemas.writeInput('Body', body)
  const { Body } = schemas.all() as Record<string, { required: unknown }>
  assert.deepEqual(Body?.required, ['a'])
})
