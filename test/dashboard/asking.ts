import assert from 'node:assert/strict'
import type { SellerApp } from './seller.ts'
import { tokenOfAccount } from './called.ts'

/** What of replies these tests look at. */
export interface Told {
  readonly id: string
  readonly title: string
  readonly name: string
  readonly version: string
  readonly state: string
  readonly currency: string
  readonly licenses: number
  readonly annual_price: number
  readonly renewal_amount: number
  readonly next_payment: string
  readonly gross: number
  readonly vat: number
  readonly activated: number
  readonly activated_local: number | null
  readonly redemptions: number
  readonly rate: number
  readonly uniques: number
  readonly total: number
  readonly is_active: boolean
  readonly store_id: string
  readonly license_id: string
  readonly install_id: string | null
  readonly trial_ends_at: string
  readonly at: string
  readonly now: string
  readonly [list: string]: readonly Told[] | Field
}

type Field = string | number | boolean | null

/** Calls the server beside the page, by a path below the account or, without `/` before it, below the product. */
export async function callsOf(app: SellerApp) {
  const { developerId, productId } = app.demo
  const token = await tokenOfAccount(app)
  return async (method: string, path: string, body?: object): Promise<Told> => {
    const own = path.startsWith('/') ? path : `/products/${productId}/${path}`
    const reply = await fetch(`${app.address}/v1/developers/${developerId}${own}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    assert.ok(reply.ok, `${method} ${path}: ${text}`)
    return JSON.parse(text) as Told
  }
}

export type Calls = Awaited<ReturnType<typeof callsOf>>

export interface Question {
  /** After the product; with `/` before it: after the account. */
  readonly path: string
  /** The button that leads to it. */
  readonly by: string
  /** What it says, with numbers of the server. */
  readonly says: readonly string[]
  /** The name that is typed before its button can be pressed; absent: none, as one row is hit. */
  readonly typed?: string
  /** The button that does it. */
  readonly act: string
}

/** A question whose button says what led to it, but for what is said otherwise. */
export const question = (
  path: string,
  by: string,
  says: readonly string[],
  more: Partial<Pick<Question, 'typed' | 'act'>> = {},
): Question => ({ path, by, says, act: by, ...more })

/** The rows of a list that was answered. */
export const listOf = (reply: Told, name: string): readonly Told[] => reply[name] as readonly Told[]

/** By where they are in the source. */
export type Questions = Readonly<Record<string, readonly Question[]>>

export const money = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount)
export const day = (time: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(new Date(`${time.replace(' ', 'T')}Z`))
/** On how many sites a license is. */
export const sitesOf = ({ activated, activated_local: local }: Told): string => {
  const count = Number(activated) + Number(local ?? 0)
  return `${count} ${count === 1 ? 'site' : 'sites'}`
}
