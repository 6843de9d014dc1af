import assert from 'node:assert/strict'
import type { SellerApp } from './seller.ts'
import { tokenOfAccount } from './called.ts'

/** A part of a reply, as a test picks what it shows. */
export type Row = Readonly<Record<string, any>>

/** Calls the server beside the page, by a path below the account or, without `/` before it, below the product. */
export async function callsOf(app: SellerApp) {
  const { developerId, productId } = app.demo
  const token = await tokenOfAccount(app)
  return async (method: string, path: string, body?: object): Promise<Row> => {
    const own = path.startsWith('/') ? path : `/products/${productId}/${path}`
    const reply = await fetch(`${app.address}/v1/developers/${developerId}${own}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    assert.ok(reply.ok, `${method} ${path}: ${text}`)
    return JSON.parse(text) as Row
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

/** By where they are in the source. */
export type Questions = Readonly<Record<string, readonly Question[]>>

export const money = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount)
export const day = (time: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(new Date(`${time.replace(' ', 'T')}Z`))
/** On how many sites a license is. */
export const sitesOf = ({ activated, activated_local: local }: Row): string => {
  const count = Number(activated) + Number(local ?? 0)
  return `${count} ${count === 1 ? 'site' : 'sites'}`
}
