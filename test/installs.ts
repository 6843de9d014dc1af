import type { Keys } from '../src/catalogue/sellers/create-seller.ts'
import type { Install } from '../src/licensing/installs/schema.ts'
import type { Reply, TestApp } from './app.ts'
import { asInstall, asUser, type CallAs } from './callers.ts'

type Given = Readonly<Record<string, unknown>>
type Product = { readonly id: number; readonly token: string }

let count = 0

/** A uid of 32 characters that no other test has. */
export const newUid = (): string => `uid${String(++count).padStart(29, '0')}`

interface Owner extends Keys {
  readonly email: string
}

interface Entity {
  readonly id: string
  readonly public_key: string
  readonly secret_key?: string
}

/** The keys in a reply of a user or an install. */
export const keysOf = ({ id, public_key: publicKey, secret_key: secretKey = '' }: Entity): Keys => ({
  id: Number(id),
  publicKey: publicKey as Keys['publicKey'],
  secretKey: secretKey as Keys['secretKey'],
})

/** What an opt-in or activation hands out. */
export type Grant = Readonly<Record<string, string>>

/** The keys of its user or install that a grant hands out. */
export const keysIn = (grant: Grant, of: 'user' | 'install'): Keys =>
  keysOf({
    id: grant[`${of}_id`] ?? '',
    public_key: grant[`${of}_public_key`] ?? '',
    secret_key: grant[`${of}_secret_key`] ?? '',
  })

/** Calls with the keys of a grant. */
export const holding = (app: TestApp, grant: Grant): { readonly user: CallAs; readonly install: CallAs } => ({
  user: asUser(app, keysIn(grant, 'user')),
  install: asInstall(app, keysIn(grant, 'install')),
})

/** Creates a user over HTTP. */
export async function createOwner(
  app: TestApp,
  email = `owner${++count}@example.com`,
  product: Product = app.seller.product,
): Promise<Owner> {
  const body = { email, name: 'Some Body', send_verification_email: false }
  const reply = expectOk(
    await app.call('POST', `/products/${product.id}/users.json`, { body, token: product.token }),
  )
  return { ...keysOf(reply.json), email }
}

/** Creates an install of a user over HTTP. */
export async function createInstallOf(
  app: TestApp,
  user: { readonly id: number | string },
  body: Given = {},
  product: Product = app.seller.product,
): Promise<Install> {
  const path = `/products/${product.id}/users/${user.id}/installs.json`
  return expectOk(await app.call('POST', path, { token: product.token, body: { uid: newUid(), ...body } }))
    .json
}

export function expectOk(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply
}

/** The types of an install's events with their data, the oldest first. */
export async function eventsOf(app: TestApp, id: string): Promise<{ type: string; data: Given }[]> {
  const path = `/products/${app.seller.product.id}/installs/${id}/events.json?count=50`
  const { events } = expectOk(await app.call('GET', path)).json as { events: { type: string; data: Given }[] }
  return events.toReversed().map(({ type, data }) => ({ type, data }))
}
