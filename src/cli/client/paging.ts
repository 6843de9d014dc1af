import type { Cli } from '../cli.ts'
import { Failure } from '../failure.ts'
import { ask, type Call, type Server } from './call.ts'
import type { Listed } from './places.ts'

/** As many as a page may have. */
const PAGE = 50

/** A list of an answer, by the key that it stands under. */
export interface Page {
  readonly key: string
  readonly items: readonly unknown[]
}

/** The list of an answer, under a key or as the only one; null: it has none, or several. */
export function listIn(json: unknown, key?: string): Page | null {
  if (typeof json !== 'object' || json === null) return null
  const lists = Object.entries(json).filter(([name, value]) => Array.isArray(value) && (key ?? name) === name)
  const [[found, items] = ['', []]] = lists
  return lists.length === 1 ? { key: found, items: items as readonly unknown[] } : null
}

interface Paged extends Listed {
  readonly call: Call
}

/** The pages of a list, one after the other, until there is no more. `Failure` where the answer is no list. */
export async function* pagesOf(cli: Cli, server: Server, paged: Paged): AsyncGenerator<Page> {
  const pages = paged.pagedBy === 'offset' ? byOffset(cli, server, paged) : byLast(cli, server, paged)
  let done = 0
  for await (const page of pages) {
    done += page.items.length
    cli.tell({ what: `reading ${page.key}`, done, of: null, unit: 'rows' })
    yield page
  }
}

/**
 * Each item once, and none left out where some are added or removed meanwhile: a page begins with the last item of the
 * one before, and where it has none that was read, so many were removed that what has moved up is read again.
 */
async function* byOffset(cli: Cli, server: Server, { call, key }: Paged): AsyncGenerator<Page> {
  const { address, count } = begun(call)
  const from = Number(address.searchParams.get('offset') ?? 0)
  const seen = new Set<unknown>()
  let at = from
  const goTo = (place: number) => {
    at = place
    address.searchParams.set('offset', String(at))
  }
  const overlapOf = () => (count > 1 && seen.size > 0 ? 1 : 0)
  for (;;) {
    const { page } = await readPage(cli, server, { call, address, key })
    const ids = page.items.map(idOf)
    const isOverlapping = at > from && overlapOf() > 0
    // A list over all products ends where it is deep, which an empty page after a full one does not say.
    if (at > FARTHEST && ids.length === 0) throw tooLong(at)
    if (isOverlapping && !ids.some((id) => seen.has(id))) {
      goTo(Math.max(from, at - count))
      continue
    }
    yield { ...page, items: page.items.filter((_, n) => !seen.has(ids[n])) }
    for (const id of ids.filter((one) => one !== null)) seen.add(id)
    if (ids.length < count) return
    goTo(at + ids.length - overlapOf())
  }
}

/** By the last entry that was read, or as the answer says where the next page begins. */
async function* byLast(cli: Cli, server: Server, { call, key }: Paged): AsyncGenerator<Page> {
  const { address, count } = begun(call)
  for (;;) {
    const { page, next } = await readPage(cli, server, { call, address, key })
    yield page
    const before = next === undefined && page.items.length === count ? idOf(page.items.at(-1)) : next
    if (before === null || before === undefined) {
      if (next === undefined && page.items.length === count) throw noPlace()
      return
    }
    address.searchParams.set('before', String(before))
  }
}

function begun({ path }: Call): { readonly address: URL; readonly count: number } {
  const address = new URL(path, 'http://server')
  if (!address.searchParams.has('count')) address.searchParams.set('count', String(PAGE))
  return { address, count: Number(address.searchParams.get('count')) }
}

interface Asked {
  readonly call: Call
  readonly address: URL
  readonly key: string | undefined
}

async function readPage(cli: Cli, server: Server, { call, address, key }: Asked) {
  const { json } = await ask(cli, server, { ...call, path: address.pathname + address.search })
  const page = listIn(json, key)
  if (!page) throw new Failure('no_list', 'The answer is no list, which --all goes through.')
  return { page, next: (json as { readonly next?: unknown }).next }
}

/** Null: it has none, and is taken as one that no other page has. */
const idOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'id' in item ? item.id : null

const noPlace = (): Failure =>
  new Failure('usage', '--all goes on from the id of the last entry: take it into --fields.', 2)

/** A list over all products of an account reaches so far (`docs/openapi.json`). */
const FARTHEST = 1000

const tooLong = (read: number): Failure =>
  new Failure('list_too_long', `There may be more than ${read}: narrow the list, or name a product.`)
