import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'

/** Text sealed by the keyring for its table and column (`docs/decisions.md` 3.4). */
export type Sealed = string

export interface Entity {
  id: Generated<number>
  created: UtcTime
  updated: UtcTime | null
}

/** A public key and the sealed secret key that signs with it. */
export interface KeyPairColumns {
  public_key: string
  secret_key: Sealed
}

/** A field of a described noun, as far as a table knows it (`http/entity-fields.ts`). */
interface Described {
  readonly types?: { readonly stored: unknown; readonly options: object }
}

type IsDerived<F> = F extends { readonly types?: { readonly stored: infer S } }
  ? [S] extends [never]
    ? true
    : false
  : false

/** The columns of the fields of a described noun that stand in its table, or in another one. */
export type ColumnsOf<F extends Readonly<Record<string, Described>>, Table extends string | null = null> = {
  [
    K in keyof F as IsDerived<F[K]> extends true ? never : TableOf<F[K]> extends Table ? K : never
  ]: F[K] extends {
    readonly types?: { readonly stored: infer S; readonly options: infer O }
  }
    ? O extends { readonly filled: true }
      ? Generated<S>
      : S
    : never
}

/** Null: the noun's. */
type TableOf<D extends Described> = NonNullable<D['types']>['options'] extends {
  readonly table: infer T extends string
}
  ? T
  : null
