import type { OwnToken } from './connection.ts'

/** What a token may do, in words. */
export function rightsText({ rights, product_ids: some }: Pick<OwnToken, 'rights' | 'product_ids'>): string {
  const what = rights === null ? 'everything' : rights.join(', ')
  return some === null ? what : `${what}, in products ${some.join(', ')}`
}
