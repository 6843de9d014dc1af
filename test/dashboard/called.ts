import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { SellerApp } from './seller.ts'

type Json = Readonly<Record<string, unknown>>

/** What a page was answered last, by the path that was asked for. */
export type Heard = Map<string, () => Promise<Json>>

/** Hears what a page is answered: by it the call that the page shows is judged. */
export function heardBy(page: Page): Heard {
  const heard: Heard = new Map()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.ok() && pathname.endsWith('.json'))
      heard.set(pathname, async () => (await response.json()) as Json)
  })
  return heard
}

/** Of products a token is answered the secret keys too. */
function withoutKeys(answer: Json): Json {
  const { plugins } = answer as { readonly plugins?: readonly Json[] }
  if (!plugins) return answer
  return { ...answer, plugins: plugins.map(({ secret_key: _, ...shown }) => shown) }
}

/** The call that a page shows, run with a token, is answered what the page was. A list asks for one row beyond its page. */
export async function requireSameAnswer(
  page: Page,
  heard: Heard,
  token: string,
  isWrittenMeanwhile: boolean,
): Promise<void> {
  const shown = page.locator('.api-call', { has: page.getByText('API call', { exact: true }) }).first()
  const curl = String(await shown.locator('code').textContent())
  const [, name = '', value = '', url = ''] = /curl -H "([\w-]+): (.+)" \\\n {2}'(.+)'$/.exec(curl) ?? []
  assert.ok(curl.startsWith(`GET ${url.slice(new URL(url).origin.length)}\n`), curl)
  const reply = await fetch(url, { headers: { [name]: value.replace('$KEYWRIGHT_TOKEN', token) } })
  assert.equal(reply.status, 200, curl)
  const answer = withoutKeys((await reply.json()) as Json)
  const before = await heard.get(new URL(url).pathname)?.()
  assert.ok(before, `the page asked for ${url}`)
  assert.deepEqual(Object.keys(answer), Object.keys(before), url)
  if (isWrittenMeanwhile) return
  for (const [key, found] of Object.entries(answer)) {
    const told: unknown = before[key]
    const same: unknown = Array.isArray(found) && Array.isArray(told) ? told.slice(0, found.length) : told
    assert.deepEqual(found, same, `${key} of ${url}`)
  }
}

/** A token of the account that may do everything. */
export async function tokenOfAccount({ address, demo, session }: SellerApp): Promise<string> {
  const cookie = `keywright_session=${session}`
  const about = await fetch(`${address}/v1/session.json`, { headers: { cookie } })
  const { csrf_token: csrf } = (await about.json()) as { readonly csrf_token: string }
  const made = await fetch(`${address}/v1/developers/${demo.developerId}/tokens.json`, {
    method: 'POST',
    headers: { cookie, 'x-keywright-csrf': csrf, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Everything' }),
  })
  assert.equal(made.status, 201)
  return ((await made.json()) as { readonly token: string }).token
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/** What a server says that it serves. */
export interface Served {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export const servedAt = async (address: string): Promise<Served> =>
  (await (await fetch(`${address}/v1/openapi.json`)).json()) as Served

/** A call that is shown is one that is served, and takes each argument that it has. */
export function requireServed(curl: string | null, served: Served): void {
  const [, url = ''] = /^curl -X POST '(.+)'/.exec(curl ?? '') ?? []
  const operation = operationAt(new URL(url).pathname.replace('/v1/', '/'), served)
  assert.ok(operation, `nothing is served at ${url}`)
  const said = / -d "(.*)"$/s.exec(curl ?? '')?.[1] ?? '{}'
  const names = Object.keys(JSON.parse(said.replaceAll('\\"', '"')) as object)
  const known = argumentsOf(operation, served)
  assert.deepEqual(
    names.filter((name) => !known.includes(name)),
    [],
    url,
  )
}

function operationAt(pathname: string, { paths }: Served): Operation | undefined {
  const asked = pathname.split('/')
  const fits = (path: string) => {
    const parts = path.split('/')
    return (
      parts.length === asked.length && parts.every((part, at) => part.startsWith('{') || part === asked[at])
    )
  }
  return Object.entries(paths).find(([path, { post }]) => post && fits(path))?.[1]['post']
}

function argumentsOf({ requestBody }: Operation, { components }: Served): readonly string[] {
  const { $ref: named = '', properties } = requestBody?.content['application/json']?.schema ?? {}
  return Object.keys(properties ?? components.schemas[named.split('/').at(-1) ?? '']?.properties ?? {})
}
