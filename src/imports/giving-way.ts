import type { Engine, Reader, Writer } from '../db/database.ts'
import { referencesTo } from '../db/moved-ids.ts'
import { findImported } from './import-queries.ts'
import type { Kind, Values } from './kinds/column.ts'
import { isReferred, type Account } from './queries.ts'

/** What a product that nobody has used has by itself. */
const OWN_TABLES: ReadonlySet<string> = new Set(['settings', 'api_tokens'])

/**
 * Which rows of the account give way to those of files with the same ids: stores and products as `bootstrap` makes
 * them, on which nothing hangs yet, with the settings of such a product.
 */
export class GivingWay {
  readonly #account: Account
  readonly #engine: Engine
  readonly #products = new Map<number, boolean>()

  private constructor(account: Account, engine: Engine) {
    this.#account = account
    this.#engine = engine
  }

  static of(account: Account, engine: Engine): GivingWay {
    return new GivingWay(account, engine)
  }

  /** Whether the row of the account with the key of `row` gives way. */
  async isFree(db: Reader, kind: Kind, row: Values): Promise<boolean> {
    if (kind.name === 'settings') return this.#hasGivenWay(db, Number(row['product_id']))
    if (!kind.givesWay) return false
    const id = Number(row['id'])
    return kind.name === 'products' ? this.#isUnusedProduct(db, id) : this.#isUnusedStore(db, id)
  }

  /** Also of a product that has given way before an import was broken off. */
  async #hasGivenWay(db: Reader, id: number): Promise<boolean> {
    const { developerId } = this.#account
    const [brought] = await findImported(db, { developerId, kind: 'products', keys: [String(id)] })
    return brought?.was_here === 1 || this.#isUnusedProduct(db, id)
  }

  async #isUnusedProduct(db: Reader, id: number): Promise<boolean> {
    const known = this.#products.get(id)
    if (known !== undefined) return known
    const isUnused = this.#account.productIds.includes(id) && !(await this.#isNamed(db, 'products', id))
    this.#products.set(id, isUnused)
    return isUnused
  }

  /** Products of it may be there that give way themselves. */
  async #isUnusedStore(db: Reader, id: number): Promise<boolean> {
    if (!this.#account.storeIds.includes(id) || (await this.#isNamed(db, 'stores', id))) return false
    for (const product of this.#account.productIds) {
      if (!(await this.#isUnusedProduct(db, product))) return false
    }
    return true
  }

  async #isNamed(db: Reader, table: 'products' | 'stores', id: number): Promise<boolean> {
    const references = await referencesTo(db as Writer, this.#engine, table)
    for (const reference of references) {
      const isOwn = OWN_TABLES.has(reference.table) || (table === 'stores' && reference.table === 'products')
      if (!isOwn && (await isReferred(db, reference, id))) return true
    }
    return false
  }
}
