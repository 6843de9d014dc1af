import { CONTENT_PLACE } from '../../src/mail/outbox.ts'
import type { World } from './world.ts'

export interface Issued {
  readonly what: string
  readonly value: string
}

/** Every credential that was handed out in a world, as its holder knows it. */
export async function issuedIn(world: World): Promise<Issued[]> {
  const { seller, stranger, people, access, sessions } = world
  const of = (what: string, ...values: string[]) => values.map((value) => ({ what, value }))
  const sellers = [seller, stranger]
  const products = sellers.flatMap(({ product, other }) => [product, other])
  return [
    ...of('bearer token', ...products.map(({ token }) => token)),
    ...of('product secret key', ...products.map(({ secretKey }) => secretKey)),
    ...of('developer secret key', ...sellers.map(({ developer }) => developer.secretKey)),
    ...of('store secret key', ...sellers.map(({ store }) => store.secretKey)),
    ...of('user secret key', ...Object.values(people).map(({ keys }) => keys.secretKey)),
    ...of('access token', access.live, access.expired),
    ...of('session', sessions.live, sessions.stranger, ...sessions.spare),
    ...of('confirmation token', ...(await confirmationTokensOf(world))),
    ...of('invitation token', ...(await linkTokensOf(world, 'invitation'))),
    ...of('ownership token', ...(await linkTokensOf(world, 'change-ownership'))),
    ...of('install token', ...Object.values(world.ids).map((ids) => ids['install_token'] ?? '')),
    ...of('install secret key', ...(await sealedIn(world, 'installs'))),
    ...of('license key', ...(await sealedIn(world, 'licenses'))),
  ]
}

/** The keys of all licenses or installs, those of tests too. */
async function sealedIn({ ctx }: World, table: 'installs' | 'licenses'): Promise<string[]> {
  const rows = await ctx.db.selectFrom(table).select('secret_key').execute()
  return rows.map(({ secret_key: sealed }) => ctx.keys.open(sealed, `${table}.secret_key`))
}

/** The tokens of the links that prove an address. */
export const confirmationTokensOf = (world: World): Promise<string[]> => linkTokensOf(world, 'confirm-email')

/** The tokens of the links that connect a site. */
export const activationTokensOf = (world: World): Promise<string[]> =>
  linkTokensOf(world, 'confirm-activation')

/** The tokens of the links that were mailed. */
async function linkTokensOf(
  { ctx }: World,
  page: 'confirm-email' | 'confirm-activation' | 'invitation' | 'change-ownership',
): Promise<string[]> {
  const mails = await ctx.db.selectFrom('mails').select('content').where('content', 'is not', null).execute()
  return mails.flatMap(({ content }) => {
    const { text } = JSON.parse(ctx.keys.open(String(content), CONTENT_PLACE)) as { text: string }
    return [...text.matchAll(new RegExp(`/${page}/([\\w.-]+)`, 'g'))].map(([, token = '']) => token)
  })
}

/** A value as it is, in hex, and inside any text that was put into base64. */
export function spellingsOf(value: string): string[] {
  const hex = Buffer.from(value).toString('hex')
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)])
    const [start, end] = [Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6)]
    return [bytes.toString('base64'), bytes.toString('base64url')].map((text) => text.slice(start, end))
  })
  return [...new Set([value, hex, hex.toUpperCase(), encodeURIComponent(value), ...inBase64])]
}
