import type * as Formats from 'typebox/format'
import type * as Schemas from 'typebox/schema'
import type * as System from 'typebox/system'
import { lazy } from '../lib/lazy.ts'
import type { TObject } from '../lib/type.ts'
import { FORMAT_CHECKS } from './wire.ts'

/** By itself TypeBox names eight; a bound stays, so that a long list of wrong values costs little. */
const MAX_ERRORS = 1_000

const schemas = lazy<typeof Schemas>('typebox/schema')
const formats = lazy<typeof Formats>('typebox/format')
const system = lazy<typeof System>('typebox/system')

let compile: typeof Schemas.Compile | undefined

/** Says whether values fit a schema, and what is wrong with those that do not. */
export type Checker = Schemas.Validator
export type ValidationError = ReturnType<Checker['Errors']>[1][number]

/** Compiles a schema. The library is loaded with the first one, and told once what texts must be. */
export function checkerOf(schema: TObject): Checker {
  compile ??= prepared()
  return compile(schema)
}

function prepared(): typeof Schemas.Compile {
  const { Clear, Set } = formats()
  // Those of the library are not used; some take long over hostile text.
  Clear()
  for (const [name, check] of FORMAT_CHECKS) Set(name, check)
  system().Settings.Set({ maxErrors: MAX_ERRORS })
  return schemas().Compile
}
