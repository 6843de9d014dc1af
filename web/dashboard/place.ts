import type { FigureRange } from '../../src/sales/figures/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { sessionQuery, type Account } from './session.ts'
import { wayTo, type Paged, type Way } from './ways.ts'

/** What the address of every page may say. */
export interface PlaceSearch {
  /** Absent: what is sold; `test`: the sandbox. */
  readonly mode?: 'test' | undefined
}

/** What the address of a list says beside it. */
export interface ListSearch extends PlaceSearch {
  readonly q?: string | undefined
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  /** The first and the last day of what is listed, in UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** From 1; absent: the first. */
  readonly page?: number | undefined
}

/** What figures are told by beside their time. */
export type Group = NonNullable<FigureRange['group']>

/** What the address of figures says beside it. */
export interface FiguresSearch extends ListSearch {
  /** What they are told by in the place of their time. */
  readonly by?: Group | undefined
  readonly currency?: string | undefined
}

/** What the address of the explanation says beside it. */
export interface ExplainSearch extends PlaceSearch {
  readonly license?: string | undefined
  readonly uid?: string | undefined
}

export interface Place {
  readonly account: Account
  /** Empty where a page is about all products. */
  readonly product: string
  /** What the calls about the account begin with. */
  readonly accountPath: string
  /** What the calls about the product begin with. */
  readonly path: string
  readonly environment: 0 | 1
  /** The page of one thing of the product, of another one where that is named. */
  wayTo(kind: Paged, id: string, product?: string): Way
}

/** Where the page is: account, product and environment, as the address says. Only below a page that is signed in. */
export function usePlace(): Place {
  const { account = '', product = '' } = useParams({ strict: false })
  const { mode } = useSearch({ strict: false }) as PlaceSearch
  const { data: session } = useQuery(sessionQuery)
  const found = session?.accounts.find(({ developer_id }) => developer_id === account)
  if (!found) throw new Error('This page is below one that looked for the account.')
  const accountPath = `/developers/${account}`
  return {
    account: found,
    product,
    accountPath,
    path: `${accountPath}/products/${product}`,
    environment: mode === 'test' ? 1 : 0,
    wayTo: (kind, id, of = product) => wayTo(kind, id, { account, product: of }),
  }
}

/** What the address of the text of a mail says beside it. */
export interface TextSearch extends PlaceSearch {
  /** Absent: English. */
  readonly language?: 'de' | undefined
}

/** What the address of the audit log says beside it. */
export interface AuditSearch extends PlaceSearch {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly product_id?: string | undefined
  readonly request_id?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly before?: string | undefined
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined

const idIn = (value: unknown): string | undefined => /^[1-9]\d*$/.exec(textIn(value) ?? '')?.[0]

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined

/** Reads what an address says; what is no value of it is left out. */
export const readPlace = (search: Record<string, unknown>): PlaceSearch => ({
  mode: search['mode'] === 'test' ? 'test' : undefined,
})

export const GROUPS: readonly Group[] = ['plan', 'country', 'billing_cycle']

export const readFigures = (search: Record<string, unknown>): FiguresSearch => ({
  ...readList(search),
  by: GROUPS.find((group) => group === search['by']),
  currency: textIn(search['currency']),
})

export const readText = (search: Record<string, unknown>): TextSearch => ({
  ...readPlace(search),
  language: search['language'] === 'de' ? 'de' : undefined,
})

export const readExplain = (search: Record<string, unknown>): ExplainSearch => ({
  ...readPlace(search),
  license: idIn(search['license']),
  uid: textIn(search['uid']),
})

export function readList(search: Record<string, unknown>): ListSearch {
  const page = Number(search['page'])
  return {
    ...readPlace(search),
    q: textIn(search['q']),
    filter: textIn(search['filter']),
    sort: textIn(search['sort']),
    from: dayIn(search['from']),
    to: dayIn(search['to']),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  }
}

const AUDIT = ['actor', 'action', 'product_id', 'request_id', 'from', 'to', 'before'] as const

export const readAudit = (search: Record<string, unknown>): AuditSearch => ({
  ...readPlace(search),
  ...Object.fromEntries(AUDIT.map((name) => [name, textIn(search[name])])),
  product_id: idIn(search['product_id']),
})
